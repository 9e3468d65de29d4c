"""The demonstration plays whole games with real voices, real recognition and a real server.

Both boards and both scores are kept.
"""
