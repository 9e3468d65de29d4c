"""The play server: game core, journal, tables, web."""
