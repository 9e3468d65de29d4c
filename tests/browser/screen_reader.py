"""A desktop without a screen on which Orca reads Chromium: what it says and brailles is read in its own log.

Xvfb, a session bus of its own, the accessibility bus and Orca, each with folders of their own and no speech server;
the braille lines also go to an emulated display of forty cells. Keys are those of the X server, as a keyboard's are.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from braille.brf import from_brf
from tests.braille.emulated_display import Baum, Brltty
from tests.waiting import PATIENCE_S

BUS_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
# Else it reads the page out at its own pace, and no two runs are alike.
SETTINGS = {"sayAllOnLoad": False, "pageSummaryOnLoad": False, "enableKeyEcho": False}
ANSWERED_S = 3.0
"""After this the key is given again: a page answers within a tenth of it."""
CHROMIUM = ["--force-renderer-accessibility", "--window-position=0,0", "--window-size=1000,700"]


def cells(text: str) -> str:
    """The cells of the table that the emulated display is driven with (en-nabcc): capitals have dot 7."""
    six = from_brf(text.upper())
    return "".join(chr(ord(cell) | 0x40 * letter.isupper()) for cell, letter in zip(six, text, strict=True))


class ScreenReader:
    """Orca at work. `environment`: what a program on its desktop must be started with."""

    def __init__(self, log: Path, environment: dict[str, str], display: Baum) -> None:
        self._log = log
        self.environment = environment
        self.display = display

    def _text(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def mark(self) -> int:
        """How far its log is: `since` for what is to come."""
        return len(self._text())

    def spoken(self, since: int = 0) -> list[str]:
        """What it spoke, in this order."""
        return re.findall(r" - SPEECH OUTPUT: '(.*)'\s?\{.*\n", self._text()[since:])

    def brailled(self, since: int = 0) -> list[str]:
        """What its display was sent: that part of each line that has room on it."""
        return re.findall(r" -      VISIBLE:  '(.*)', cursor=.*\n", self._text()[since:])

    async def says(self, words: str, since: int = 0) -> str:
        """The first thing spoken that has these words in it; fails where it does not come."""
        return await self._meets(words, since, self.spoken)

    async def brailles(self, words: str, since: int = 0) -> str:
        """The first line of braille that has these words in it; fails where it does not come."""
        return await self._meets(words, since, self.brailled)

    async def _meets(self, words: str, since: int, lines: object) -> str:
        assert callable(lines)
        until = time.monotonic() + PATIENCE_S
        while True:
            for line in lines(since):
                if words in line:
                    return str(line)
            told = f"Orca never had {words!r}; spoken: {self.spoken(since)}; brailled: {self.brailled(since)}"
            assert time.monotonic() < until, told
            await asyncio.sleep(0.05)

    async def shown(self, text: str) -> None:
        """The cells of the emulated display come to hold this text, and nothing else."""
        wanted = cells(text)
        assert await asyncio.to_thread(self.display.wait_for, wanted), (wanted, self.display.shown)

    async def xdotool(self, *arguments: str) -> bool:
        """Keys and focus, as the X server gives them to the program in front."""
        process = await asyncio.create_subprocess_exec(
            "xdotool", *arguments, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return await process.wait() == 0

    async def to_front(self, words: str) -> None:
        """Give Chromium the keyboard (there is no window manager to do it), until Orca stands at these words."""
        until = time.monotonic() + PATIENCE_S
        while not any(words in line for line in self.brailled()):
            assert time.monotonic() < until, f"Orca never came to {words!r}: {self.brailled()}"
            await self.xdotool("search", "--onlyvisible", "--class", "chromium", "windowfocus")
            await asyncio.sleep(0.2)

    async def answers(self, words: str, *arguments: str) -> None:
        """Give these keys until the page's answer is spoken.

        While Orca takes in a page that has just come, it loses what the page tells: from here on it loses nothing.
        """
        until = time.monotonic() + PATIENCE_S
        since, again = self.mark(), 0.0
        while not any(words in line for line in self.spoken(since)):
            now = time.monotonic()
            assert now < until, f"Orca never spoke the answer {words!r}: {self.spoken()}"
            if now >= again:
                await self.xdotool(*arguments)
                again = now + ANSWERED_S
            await asyncio.sleep(0.05)

    async def types(self, text: str) -> None:
        """Letters and the enter key."""
        assert await self.xdotool("type", "--delay", "20", text)
        assert await self.xdotool("key", "Return")


@asynccontextmanager
async def reading(folder: Path) -> AsyncIterator[ScreenReader]:
    """Orca on a desktop of its own, ready."""
    places = {name: folder / name for name in ("home", "orca", "brltty")}
    for place in places.values():
        place.mkdir(mode=0o700)
    sockets = tempfile.TemporaryDirectory(prefix="orca-")  # a socket's path may not be long
    general = {"general": SETTINGS, "pronunciations": {}, "keybindings": {}}
    profiles = {"default": {"profile": ["Default", "default"], "pronunciations": {}, "keybindings": {}, **SETTINGS}}
    (places["orca"] / "user-settings.conf").write_text(json.dumps({**general, "profiles": profiles}))
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(places["home"]),
        "XDG_RUNTIME_DIR": sockets.name,
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "1",  # of Orca itself: it is no application to be read
    }
    running: list[subprocess.Popen[bytes]] = []

    def start(*command: str, **more: object) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=environment, stderr=complaints, **more)  # type: ignore[call-overload]
        running.append(process)
        return process  # type: ignore[no-any-return]

    log = folder / "orca.log"
    with sockets, (folder / "complaints").open("wb") as complaints, Brltty(places["brltty"]) as brltty:
        environment["BRLAPI_HOST"] = brltty.host
        try:
            tell, write = os.pipe()
            start("Xvfb", "-displayfd", str(write), "-screen", "0", "1000x700x24", "-nolisten", "tcp", pass_fds=[write])
            os.close(write)
            with os.fdopen(tell) as told:
                environment["DISPLAY"] = f":{(await asyncio.to_thread(told.readline)).strip()}"
            bus = start("dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE)
            assert bus.stdout is not None
            address = await asyncio.to_thread(bus.stdout.readline)
            environment["DBUS_SESSION_BUS_ADDRESS"] = address.decode().strip()
            launcher = next(place for place in BUS_LAUNCHERS if Path(place).exists())
            start(launcher, "--launch-immediately", "--screen-reader=1")
            child = Path(__file__).with_name("orca_child.py")
            start("/usr/bin/python3", str(child), str(places["orca"]), str(log), stdout=complaints)
            reader = ScreenReader(log, environment, brltty.display)
            await reader.says("Screen reader on")
            yield reader
        finally:
            for process in reversed(running):
                process.terminate()
            for process in reversed(running):
                try:
                    process.wait(PATIENCE_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
