"""These modules decide who may come in: links, codes, introductions, cookies and request guards."""
