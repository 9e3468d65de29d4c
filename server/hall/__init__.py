"""The hall has all tables of one server: they are opened, restored, paired and backed up here."""
