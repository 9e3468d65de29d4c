"""Fixtures of the hearing tests; how sound is made for them is in `spoken_announcements`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from speech.hearing.hearing import Hearing, recognisers
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme


@pytest.fixture(scope="session")
def german() -> Scheme:
    return load_scheme("d21", "de")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def ears() -> AsyncIterator[Hearing]:
    """The engines in force, started once in a process of tests, for tests whose loop is that of the session.

    What they heard before changes nothing: the last test of `test_hearing_announcements` shows it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ANNA_EINS_VOSK_MODEL", raising=False)
        hearing = Hearing(recognisers("auto"), patient=True)
    try:
        await hearing.start()
        yield hearing
    finally:
        await hearing.close()
