"""This package holds what several parts of the workbench share."""
