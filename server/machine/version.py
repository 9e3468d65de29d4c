"""The version of this program."""

from __future__ import annotations

from importlib import metadata


def program_version() -> str:
    """Return the installed version, or "checkout" when run from a source folder that is not installed."""
    try:
        return metadata.version("anna-eins")
    except metadata.PackageNotFoundError:
        return "checkout"
