"""Papers that are signed: a game's report, the protocol of a reconciliation, the test of the device."""
