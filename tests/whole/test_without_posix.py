"""A whole game on a server that finds of the system only what Windows has: no readers on its loop, no fork, no fcntl.

Our own code believes to be on Windows there (`as_on_windows/sitecustomize.py`), also in the processes of its engines.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from server.game import acts as ev
from tests.whole.running_server import begin, finished, listen_with_whisper
from tests.whole.test_killed_process import SEED, Ordeal, ends_as_acknowledged, planned_game, spoken

ENOUGH_TO_BE_UNDERSTOOD = 30
"""Plies, of which every third is spoken."""
AS_ON_WINDOWS = Path(__file__).parent / "as_on_windows"
PROOF = """
import asyncio, os
from server.web.door import entrance
from speech.hearing.hearing import Hearing, recognisers
from speech.words.loading import load_scheme
found = entrance.__dict__
assert found["sys"].platform == "win32" and hasattr(os, "fork")
assert not hasattr(asyncio.run(asyncio.sleep(0, found["socket"])), "AF_UNIX")
async def refused():
    asyncio.get_running_loop().add_reader(0, print)
async def heard(engine):
    hearing = Hearing(recognisers(engine), patient=True)
    await hearing.start()
    assert not hearing.faults
    assert (await hearing.hear(bytes(range(256)) * 400, load_scheme("d21", "de"))).verdict == "reject"
    await hearing.close()
asyncio.run(heard("auto"))
try:
    asyncio.run(refused())
except NotImplementedError:
    print("as on Windows")
"""


@pytest.fixture
def as_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program that is started believes to be on Windows."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(AS_ON_WINDOWS), str(AS_ON_WINDOWS.parents[2]))))
    monkeypatch.setenv("LANG", "C.UTF-8")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there it is so without any doing")
@pytest.mark.usefixtures("as_on_windows")
async def test_a_whole_game_is_played_with_what_windows_has(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is served, joined, spoken, heard, played to its end, exported, and its server stopped in good order."""
    plies = planned_game(SEED)
    ordeal = Ordeal(repo, tmp_path / "data", plies, await spoken(plies), [])
    try:
        await ordeal.open()
        played = await ordeal.play(ENOUGH_TO_BE_UNDERSTOOD)
        await ends_as_acknowledged(ordeal, plies[:played])
        events = ordeal.read_disk().events
    finally:
        await ordeal.close()
    # A sound comes here faster than anybody speaks, so it counts as begun before the last press: contested words, too.
    heard = [one for one in events if getattr(one, "utterance", None) is not None]
    assert any(getattr(one, "announcement", None) is not None for one in heard), "no ear of the server has understood"
    assert not [one for one in events if isinstance(one, ev.Alerted) and one.kind == "fault"]
    status, said = await finished(repo, "doctor", "--data", str(tmp_path / "data"))
    assert status in (0, 1) and "Traceback" not in said and "fault of its own" not in said, said
    listen_with_whisper(monkeypatch)
    process = await begin(repo, program=PROOF)
    told = (await process.communicate())[0].decode()
    assert told.split("\n")[-2:] == ["as on Windows", ""], told
