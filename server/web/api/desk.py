"""GET /api/desk and POST /api/desk/sheets show the reconciliation desk of one table (D.2.9)."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from aiohttp import web

from server.desk.answer import undecided_answer
from server.desk.comparing import Undecided
from server.desk.sheets import missing_here, sheets_answer, sheets_of
from server.game.acts import Refusal
from server.game.decide.rulings.restore import times_of
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.web.door.access import AccessDenied
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import arbiter_of, check_held
from server.web.door.guards import language_of_reader
from server.web.keys import HALL
from server.wording.complaints import translate_phrase
from speech.complaint import Phrase

MOST_LINES = 24
Pasted = Annotated[str, msgspec.Meta(max_length=12_000)]


class Sheets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Both whole scores as pasted; null stands for that player's own score on record."""

    white: Pasted | None = None
    black: Pasted | None = None


async def sheets_of_desk(request: web.Request) -> web.Response:
    """POST /api/desk/sheets: compare both whole scores (D.2.9), where a few lines do not settle it.

    Raises AccessDenied while no desk is open, Complaint where the comparison takes too long.
    """
    admission = arbiter_of(request)
    asked = await body_of(request, Sheets)
    state = request.app[HALL].table(admission.table).state
    if state.desk is None:
        raise AccessDenied("no_desk", 409, Phrase("no_desk_open"))
    pasted = (asked.white, asked.black)
    scores = await asyncio.to_thread(sheets_of, state, state.desk, pasted)
    missing = missing_here(state, scores, pasted)
    compared = await request.app[HALL].comparison.compare(scores)
    found = await asyncio.to_thread(sheets_answer, state, state.desk, compared, missing)
    check_held(request)
    own = {name: value for name, value in msgspec.to_builtins(found).items() if name != "found"}
    return json_answer({**msgspec.to_builtins(found.found), **own})


async def answer_of_desk(request: web.Request) -> web.Response:
    """GET /api/desk: show what the desk says now; `?plies=3,4` asks for further lines.

    Answers `{"open": false}` while no desk is open. `undecided`: in a sentence, that the lines take too long to
    compare; None where they do not. Raises AccessDenied for plies that are not there.
    """
    admission = arbiter_of(request)
    state = request.app[HALL].table(admission.table).state
    if state.desk is None:
        setting = state.setting
        return json_answer(
            {
                "open": False,
                "setting": _setting(state),
                "seen": dict.fromkeys(Seat),
                "kept": {seat: setting.board_wanted(seat).placement if setting is not None else None for seat in Seat},
            }
        )
    try:
        plies = tuple(int(text) for text in request.query.get("plies", "").split(",") if text.strip())
    except ValueError as wrong:
        raise AccessDenied("no_such_ply", 400, Phrase("name_half_moves")) from wrong
    if len(plies) > MOST_LINES or not all(1 <= ply <= 1200 for ply in plies):
        raise AccessDenied("no_such_ply", 400, Phrase("too_many_half_moves", most=MOST_LINES // 2))
    undecided = None
    try:
        found = await request.app[HALL].comparison.desk_answer(state, plies)
    except Undecided as wrong:  # the arbiter still sees the lines, and can strike one out or close the desk
        undecided = translate_phrase(wrong.told, language_of_reader(request))
        found = await asyncio.to_thread(undecided_answer, state, state.desk, plies)
    arbiter_of(request)  # the lines took a while
    shown = {
        "open": True,
        "seen": {seat.value: state.desk.placement_seen(seat) for seat in Seat},
        "kept": {"white": state.desk.snapshot.white_board, "black": state.desk.snapshot.black_board},
        "setting": _setting(state),
        "now": _times(state),
        "undecided": undecided,
        **msgspec.to_builtins(found),
    }
    return json_answer(shown)


def _times(state: GameState) -> dict[str, int] | None:
    """Return both times in ms while the clocks stand; None where another clock leads and was not read."""
    times = times_of(state, 0, "leave", 0)
    if isinstance(times, Refusal) or times.reading is None:
        return None
    return {"white": times.reading.white_ms, "black": times.reading.black_ms}


def _setting(state: GameState) -> dict[str, object] | None:
    """Return the boards that are being set: their squares, the progress, and what the decision left open."""
    setting, decided = state.setting, state.desk.decided if state.desk is not None else None
    if setting is None:
        return None
    return {
        **msgspec.to_builtins(setting),
        "asked": {seat.value: setting.asked_of(seat) for seat in Seat},
        "awaited": setting.awaited,
        "differs": decided.differs if decided is not None else (),
    }
