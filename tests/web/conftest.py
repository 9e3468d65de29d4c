"""The open house, with the machine's clock or a scripted one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.machine.clock import ScriptedClock
from tests.web.open_house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data") as open_one:
        yield open_one


@pytest.fixture
def scripted() -> ScriptedClock:
    return ScriptedClock()


@pytest.fixture
async def scripted_house(tmp_path: Path, scripted: ScriptedClock) -> AsyncIterator[House]:
    async with open_house(tmp_path / "data", scripted) as open_one:
        yield open_one
