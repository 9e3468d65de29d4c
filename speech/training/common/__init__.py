"""What several parts of the workbench share."""
