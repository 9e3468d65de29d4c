"""Who may come in: links, codes, introductions, cookies and the guards of every request."""
