"""The door: who may come in, by links, codes, introductions, cookies and request guards."""
