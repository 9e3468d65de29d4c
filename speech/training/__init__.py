"""The workbench that refits the ears on our own voices.

The product never imports it.
"""
