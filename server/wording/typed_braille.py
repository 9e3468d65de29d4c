"""Moves are found in text that a screen reader made of braille, perhaps contracted.

UKAAF's e4 comes from contracted English as "every.". So every way to write a move without a departure, or with its
file, in the player's six-dot codes is translated back, once for each table; any longer move goes the other way.
liblouis takes seconds for a language, most for Hungarian, so `TypingTables` prepares it in a thread as soon as a player
is here; only who types such a move before it is ready waits. Not pure: liblouis.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import product

from braille.cells import Written, cells_of_move
from braille.loading import load_profile, load_prose, national_profile
from braille.profile import BLANK, FILES, PIECES, PROMOTIONS, RANKS, Profile
from braille.prose import Liblouis
from braille.typed import Codes, moves_of_cells
from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.machine.tasks import passing
from server.wording.words import scheme_for
from speech.complaint import Complaint

LONGEST = 24
"""The most letters of a text that can be one move, in any table."""
AT_ONCE = 64
"""Rows of cells in one text for liblouis: after each call the thread waits for its turn again."""
_log = logging.getLogger(__name__)


@cache
def _library() -> Liblouis | None:
    try:
        return Liblouis.find()
    except Complaint as missing:
        _log.info("%s", missing)
        return None


def written_short() -> Iterator[Written]:
    """Yield every well-formed move without a departure or with its file, with and without its signs."""
    signs = tuple(product((False, True), repeat=2))
    for file, rank in product(FILES, RANKS):
        for piece, (capture, check) in product((*PIECES, "pawn"), signs):
            for start in (None, *FILES):
                yield Written(piece, start, to_square=file + rank, capture=capture, check=check)
        if rank in "18":
            for promoted, (capture, check) in product(PROMOTIONS, signs):
                for start in (None, *FILES):
                    yield Written("pawn", start, None, file + rank, promoted, capture=capture, check=check)
    for side, check in product(("short", "long"), (False, True)):
        yield Written("king", castling=side, check=check)


class _Stopped(Exception):
    """Raised where the rest is not wanted any more."""


_known: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}
_making = threading.Lock()


def _spellings(
    table: str, profile_name: str, stopped: Callable[[], bool] = lambda: False
) -> Mapping[str, tuple[str, ...]]:
    """Return text -> the rows of cells it may come from.

    It is made once; a second caller waits until it is there.
    """
    key = table, profile_name
    if key not in _known:
        with _making:
            if key not in _known:
                _known[key] = _make_table(table, load_profile(profile_name), stopped)
    return _known[key]


def _make_table(table: str, profile: Profile, stopped: Callable[[], bool]) -> Mapping[str, tuple[str, ...]]:
    library = _library()
    found: dict[str, tuple[str, ...]] = {}
    if library is None:
        return found
    rows = [cells_of_move(move, profile) for move in written_short()]
    for start in range(0, len(rows), AT_ONCE):
        if stopped():
            raise _Stopped
        some = rows[start : start + AT_ONCE]
        try:
            texts = _read_back(library, some, table)
        except Complaint:
            return {}
        for text, cells in zip(texts, some, strict=True):
            found[text] = (*found.get(text, ()), cells)
    return found


def _read_back(library: Liblouis, rows: list[str], table: str) -> list[str]:
    """Return what a screen reader makes of each row of cells, asked as one text where its words can be told apart."""
    texts = library.back_translate(BLANK.join(rows), table).split(" ")
    return texts if len(texts) == len(rows) else [library.back_translate(cells, table) for cells in rows]


def prepare(language: str, stopped: Callable[[], bool]) -> None:
    """Make what `moves_of_reader` looks in; run it in a thread.

    It ends early when `stopped` says that the rest is not wanted any more.
    """
    library, prose = _library(), load_prose()
    if library is None:
        return
    with contextlib.suppress(_Stopped):
        for grade in prose.typing.get(language, ()):
            for name in _profiles(language):
                _spellings(prose.grades[grade], name, stopped)
            with contextlib.suppress(Complaint):
                library.translate("e", prose.grades[grade])  # translating to cells uses another table of liblouis


def _profiles(language: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((national_profile(language), "ukaaf")))


def moves_of_reader(text: str, language: str, codes: Codes) -> tuple[Written, ...]:
    """Return every move from which a screen reader may have made this text.

    Slow where `prepare_typing` has not run for the language.
    """
    library = _library()
    if library is None or len(text) > LONGEST or len(text.split()) != 1:
        return ()
    prose = load_prose()
    found: list[Written] = []
    for grade in prose.typing.get(language, ()):
        table = prose.grades[grade]
        for name in _profiles(language):
            for cells in _spellings(table, name).get(text.strip(), ()):
                found += moves_of_cells(cells, codes)
        if not found:
            try:
                found += moves_of_cells(library.translate(text.strip(), table), codes)
            except Complaint:
                continue
    return tuple(dict.fromkeys(found))


class TypingTables:
    """Languages prepared for everybody who may type at this server."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._making: dict[str, asyncio.Task[None]] = {}

    def expect(self, state: GameState, station: Station) -> None:
        """Prepare for this station, whose player may type. Returns at once."""
        if station.seat is None or station.role not in (Role.PLAYER, Role.ASSISTANT):
            return
        language = scheme_for(state, station.seat).language
        if language not in self._making:
            self._making[language] = passing(
                f"What is typed in {language}", partial(asyncio.to_thread, prepare, language, self._stop.is_set)
            )

    async def ready(self) -> None:
        """Return when everything expected so far is there."""
        await asyncio.gather(*self._making.values())

    async def close(self) -> None:
        """Stop preparing."""
        self._stop.set()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
