"""The game as the Laws see it.

Pure: no I/O, no asyncio, no reading of clocks, no randomness.
"""
