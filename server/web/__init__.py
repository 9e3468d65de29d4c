"""The server's door to browsers: HTTP and WebSockets, access, and the pages.

Nothing here knows the rules of chess.
"""
