"""All tables of one server: they are opened, restored, paired and backed up here."""
