"""Ears and voices that are lent: a real program in another process, and servers that do as a test wants."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import msgspec

from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.wyoming.address import Address
from speech.wyoming.ears import info_of_ears, model_fingerprint
from speech.wyoming.peer import OURS, ServerInfo
from speech.wyoming.service import Conversation, Send, Service
from speech.wyoming.wire import WyomingEvent


class Lent:
    """A program that lends its ears or its voice; `address` is where."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address


@contextmanager
def lent(what: str, key: Path | None = None) -> Iterator[Lent]:
    """Run `anna-eins ears` or `anna-eins voice` on this machine, at a free port."""
    command = [sys.executable, "-c", "from server.cli import main; main()", what, "--listen", "127.0.0.1:0"]
    command += [] if key is None else ["--key", str(key)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = ""
        while (found := re.search(r"reached at (\S+)\. Stop", said)) is None:
            line = process.stdout.readline()
            assert line, f"{what} ended: {said}"
            said += line
        yield Lent(process, found[1])
    finally:
        process.kill()
        process.communicate()


class Lying:
    """Says of every utterance that it was this, beyond any doubt, whatever the sound; `asked`: what came before it."""

    def __init__(self, words: tuple[str, ...], text: str = "") -> None:
        self.words = words
        self.text = text
        self.asked: list[WyomingEvent] = []

    async def take(self, event: WyomingEvent, send: Send) -> None:
        if event.type != "audio-chunk":
            self.asked.append(event)
        if event.type == "audio-stop":
            chain = Hypothesis(tuple(WordHeard(word, 1.0) for word in self.words), 0.0)
            figures = {"fit": 50.0, "worst": 50.0, "shortest": 30.0, "agreeing": 1.0, "words": float(len(self.words))}
            found = Hypotheses("whisper", (chain,), figures)
            data = {"text": self.text, OURS: {"hypotheses": [msgspec.to_builtins(found)]}}
            await send(WyomingEvent("transcript", data))

    async def close(self) -> None:
        """Nothing to let go."""


@asynccontextmanager
async def served(conversation: Conversation, about: ServerInfo | None = None) -> AsyncIterator[str]:
    """Serve clients of this machine with a conversation of the test's own, as ears that claim to be like ours."""
    about = about or ServerInfo("test", model_fingerprint(), ("whisper",), 2)
    async with Service(lambda: conversation, info_of_ears("test"), about).listening(Address("127.0.0.1", 0)) as there:
        yield str(there)
