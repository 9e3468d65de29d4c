"""What is typed at a terminal or a Windows console becomes keys and lines."""

from __future__ import annotations

import asyncio
import os

import pytest

from server.stations.terminal_keys import TerminalKeys, console_letters
from tests.waiting import PATIENCE_S


async def test_a_pipe_gives_keys_lines_and_its_end() -> None:
    reading, writing = os.pipe()
    keys = TerminalKeys(reading)
    os.write(writing, "x2 ja, \u05db\u05df\n0".encode())
    os.close(writing)
    async with asyncio.timeout(PATIENCE_S):
        assert await keys.next() == "skip"
        assert await keys.line() == " ja, \u05db\u05df"
        assert [await keys.next() for _ in range(3)] == ["stop", "stop", "stop"]
        assert await keys.line() is None
        assert await keys.letter() == ""
    os.close(reading)


def test_a_windows_console_shows_what_is_typed_corrects_it_and_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted: list[bool] = []
    monkeypatch.setattr("_thread.interrupt_main", lambda: interrupted.append(True))
    typed, shown = iter("ja\b\xe0H\x03\r"), []
    letters = console_letters(lambda: next(typed), shown.append)
    assert [next(letters) for _ in range(4)] == ["j", "a", "\b", "\r"]
    assert "".join(shown) == "ja\b \b\r\n" and interrupted == [True]
