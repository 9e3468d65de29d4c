"""The arbiter hears what a player said, as it lies on disk (8.2); nobody else does."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from server.game import acts as cmd
from server.game.values.words import Duty, Seat
from server.table.evidence.evidence import EvidenceFile
from tests.web.open_house import House, Visitor

PCM = (b"\x00\x10" * 8 + b"\x00\xf0" * 8) * 200


async def kept(house: House, utterance: str) -> EvidenceFile:
    """Keep a sound of White's, on disk and on record."""
    file = await house.hall.evidence.keep("demo", utterance, PCM, 16_000)
    assert isinstance(file, EvidenceFile)
    body = cmd.KeepSound(seat=Seat.WHITE, utterance=utterance, sha256=file.sha256, length_ms=file.length_ms)
    await house.table.own(house.table.program_command(body))
    return file


async def fetched(visitor: Visitor, name: str) -> tuple[int, bytes, str]:
    async with visitor.session.get(f"{visitor.house.base}/evidence/{name}") as answer:
        return answer.status, await answer.read(), answer.headers["Content-Type"]


@pytest.mark.law("L092")
async def test_the_arbiter_fetches_a_sound_by_the_name_in_their_picture(house: House) -> None:
    file = await kept(house, "tactile-1")
    status, body, kind = await fetched(await house.arbiter(), "tactile-1")
    assert (status, kind) == (200, "audio/flac")
    assert hashlib.sha256(body).hexdigest() == file.sha256, "the bytes that the record names"
    status, _, _ = await fetched(await house.arbiter(), "tactile-2")
    assert status == 404


@pytest.mark.law("L092")
async def test_nobody_else_learns_anything(house: House) -> None:
    await kept(house, "tactile-1")
    for visitor in (
        house.visitor(),
        await house.station("tactile", Seat.WHITE),
        await house.station("sighted", Seat.BLACK),
        await house.station("assistant", Seat.WHITE, *Duty),
        await house.station("display", None),
    ):
        for name in ("tactile-1", "tactile-2"):
            status, body, _ = await fetched(visitor, name)
            assert status == 403 and b"fLaC" not in body


@pytest.mark.law("L092")
async def test_another_tables_sounds_are_not_this_players(house: House) -> None:
    await house.hall.evidence.keep("other", "tactile-1", PCM, 16_000)
    arbiter = await house.arbiter()
    assert (await fetched(arbiter, "tactile-1"))[0] == 404
    for path in ("..%2Fother%2Ftactile-1", "%2e%2e/other/tactile-1"):
        assert (await fetched(arbiter, path))[0] in (400, 403, 404)


@pytest.mark.law("L194")
@pytest.mark.parametrize("change", ["another", "cut", "planted", "taken away", "deleted", "sealed anew"])
async def test_a_sound_that_is_not_the_one_on_record_is_heard_by_nobody(house: House, change: str) -> None:
    file = await kept(house, "tactile-1")
    place = house.hall.data.root / file.path
    other = await house.hall.evidence.keep("other", "u1", PCM[::-1], 16_000)
    assert isinstance(other, EvidenceFile)
    name = "tactile-1"
    match change:
        case "another":
            place.write_bytes((house.hall.data.root / other.path).read_bytes())
        case "cut":
            place.write_bytes(place.read_bytes()[:-20])
        case "planted":
            name = "tactile-2"
            place.with_name("tactile-2.flac").write_bytes(place.read_bytes())
        case "taken away":
            place.unlink()
        case "deleted":
            assert await house.table.forget_voice(Seat.WHITE) == 1
        case "sealed anew":
            place.rename(place.with_suffix(".sealed"))
            place.with_suffix(".sealed").write_bytes(b"another")
    status, body, kind = await fetched(await house.arbiter(), name)
    if change in ("another", "cut", "planted"):
        assert (status, kind.partition(";")[0]) == (409, "application/json") and b"changed after it was kept" in body
    else:
        assert status == 404
    root = house.hall.data.root
    export = [sys.executable, "-c", "from server.cli import main; main()", "export", "demo", "--what", "sounds"]
    place_of = ["--data", str(root), "--out", str(root / "out")]
    ended = subprocess.run([*export, *place_of], capture_output=True, text=True, timeout=60, check=False)
    written = sorted(one.name for one in (root / "out").iterdir())
    if change == "planted":  # the record names it nowhere, so it is not asked for
        assert ended.returncode == 0 and written == ["tactile-1.flac"], ended.stderr
    else:
        found = {"taken away": (1, "Missing"), "deleted": (0, "Deleted")}
        status, said = found.get(change, (1, "Changed since they were recorded, and not written"))
        assert (ended.returncode, written) == (status, []), ended.stderr
        assert said in ended.stdout and ": tactile-1." in ended.stdout
