"""Parts that several benches of the workbench share."""
