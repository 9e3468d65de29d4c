"""Refitting what the ears have learnt from our own voices; a workbench, never imported by the product."""
