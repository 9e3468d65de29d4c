"""The language of the command line is that of its user's system, where the catalogue has it, else English."""

from __future__ import annotations

import locale
import os
import re
import sys

from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags


def own_language() -> str:
    """Return the language that the user's system names and the catalogue has; English where it has none of them.

    As everywhere on such systems, `LC_ALL` goes before `LC_MESSAGES`, and that before `LANG`; `LANGUAGE` may name
    several, the best one first. Windows has no such variables: there the language of its own windows counts.
    """
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if sys.platform == "win32":
        named = named or _of_windows()
    wanted = [named]
    if _tag(named) not in ("", "c", "posix"):
        wanted = [*filter(None, os.environ.get("LANGUAGE", "").split(":")), named]
    return next((tag for one in wanted if (tag := _tag(one)) in language_tags()), MEASURE)


def _tag(named: str) -> str:
    """Return the language of a locale.

    >>> _tag("de_AT.UTF-8")
    'de'
    """
    return re.split(r"[_.@-]", named)[0].lower()


def _of_windows() -> str:
    if sys.platform == "win32":
        import ctypes

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    else:
        return ""
