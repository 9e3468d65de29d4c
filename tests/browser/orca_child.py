"""Orca itself, in the system's Python, started as a test wants it: `python3 orca_child.py SETTINGS LOG`.

`/usr/bin/orca` refuses to start beside another Orca of the same user, and `--replace` would kill it; a developer who
needs their own to read this may run the tests nevertheless.
"""

import sys
from pathlib import Path

from orca import debug, settings
from orca import orca as screen_reader

folder, log = sys.argv[1:]
debug.debugLevel = debug.LEVEL_ALL
debug.eventDebugLevel = debug.LEVEL_OFF
debug.debugFile = Path(log).open("w", buffering=1, encoding="utf-8")  # noqa: SIM115  closed with the process
settings.speechServerFactory = None  # what it says is read in its log; no speech server is started
settings.speechFactoryModules = []
manager = screen_reader.getSettingsManager()
manager.activate(folder, {"enableSpeech": True, "enableBraille": True})
sys.exit(screen_reader.main())
