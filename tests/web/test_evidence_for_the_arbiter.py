"""The arbiter hears what a player said, as it lies on disk (8.2); nobody else does."""

from __future__ import annotations

import hashlib

import pytest

from server.game.values.words import Duty, Seat
from server.table.evidence.evidence import EvidenceFile
from tests.web.open_house import House, Visitor

PCM = (b"\x00\x10" * 8 + b"\x00\xf0" * 8) * 200


async def fetched(visitor: Visitor, name: str) -> tuple[int, bytes, str]:
    async with visitor.session.get(f"{visitor.house.base}/evidence/{name}") as answer:
        return answer.status, await answer.read(), answer.headers["Content-Type"]


@pytest.mark.law("L092")
async def test_the_arbiter_fetches_a_sound_by_the_name_in_their_picture(house: House) -> None:
    kept = await house.hall.evidence.keep("demo", "tactile-1", PCM, 16_000)
    assert isinstance(kept, EvidenceFile)
    status, body, kind = await fetched(await house.arbiter(), "tactile-1")
    assert (status, kind) == (200, "audio/flac")
    assert hashlib.sha256(body).hexdigest() == kept.sha256, "the bytes that the record names"
    status, _, _ = await fetched(await house.arbiter(), "tactile-2")
    assert status == 404


@pytest.mark.law("L092")
async def test_nobody_else_learns_anything(house: House) -> None:
    await house.hall.evidence.keep("demo", "tactile-1", PCM, 16_000)
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
