"""The spectators' page by voice: POST /api/visitors/heard says what is wished, and the page does it.

A visitor chooses a board, hears of results, and asks about a position in the words of a game, for the ears know no
others: "move three" chooses board 3 before the list of boards, and the position after move 3 at a board. Nothing that
is said flows to a table, and it is kept nowhere. The page then asks as it does for a visitor who uses keys
(`server/web/api/spectators.py`), with no more rights.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from aiohttp import web

from server.web.api.spectators import Broadcasting, visit
from server.web.door.access import AccessDenied
from server.web.door.answers import json_answer
from server.web.visitors.ears import VISITORS_EARS
from server.wording.pages import page_words
from server.wording.words import scheme_of, text_in
from speech.complaint import Phrase
from speech.hearing.verdict import Judgement
from speech.voices.voice import Segment
from speech.words.catalogue import load_messages, texts_in
from speech.words.said import Heard
from speech.words.signs import result_said

Do = Literal["nothing", "board", "all", "ask", "after", "step", "results", "help", "repeat", "stop"]
NAMED = ("last", "moves", "set_up", "score_move", "score", "no", "stop", "help")
AT_A_BOARD: dict[str, tuple[Do, str]] = {
    "last": ("ask", "last"),
    "moves": ("ask", "moves"),
    "set_up": ("ask", "position"),
    "no": ("all", ""),
}
EVERYWHERE: dict[str, tuple[Do, str]] = {
    "score": ("results", ""),
    "help": ("help", ""),
    "repeat": ("repeat", ""),
    "stop": ("stop", ""),
    "score_next": ("step", "1"),
    "score_previous": ("step", "-1"),
}


class VisitorsWish(msgspec.Struct, frozen=True):
    """A visitor's wish. `about`: what is asked for; `number`: of a board, or of a full move."""

    do: Do
    about: str = ""
    number: int = 0


NO_WISH = VisitorsWish("nothing")


def wish_of(heard: Heard, judgement: Judgement, *, at_board: bool) -> VisitorsWish:
    """Return the visitor's wish, with a board open or before the list of all boards. Pure.

    >>> from speech.announcements.understand import understand
    >>> wish_of(understand(("cmd.score_move", "rank.1", "digit.0")), "accept", at_board=False).number
    10
    """
    if judgement not in ("accept", "confirm"):
        return NO_WISH
    if heard.kind == "command":
        command = heard.command or ""
        if command == "score_move" and heard.number:
            return VisitorsWish("after" if at_board else "board", number=heard.number)
        found = EVERYWHERE.get(command) or (AT_A_BOARD.get(command) if at_board else None)
        return NO_WISH if found is None else VisitorsWish(found[0], found[1])
    square = heard.said.to_square if heard.kind == "move" and heard.said is not None else None
    return VisitorsWish("ask", square) if square is not None and at_board else NO_WISH


async def hear_visitor(request: web.Request) -> web.Response:
    """POST /api/visitors/heard: understand what a visitor says. `at`: "board" where one is open.

    Raises AccessDenied.
    """
    broadcasting, language = visit(request)
    scheme, at_board = scheme_of("national", language), request.query.get("at") == "board"
    verdict = await request.app[VISITORS_EARS].hear(request, scheme)
    wish = wish_of(verdict.heard, verdict.verdict, at_board=at_board)
    words = text_in(verdict.heard.words, scheme) if wish is not NO_WISH else ""
    told = _words(language, "heard", words=words) if words else ""
    shown = {"do": wish.do, "about": wish.about, "number": wish.number, "table": "", "heard": told}
    if wish.do == "board":
        shown["table"] = _table_of_board(broadcasting, wish.number)
    return json_answer(shown)


def _table_of_board(broadcasting: Broadcasting, number: int) -> str:
    """Return the table of a board; where no table has a board number, they are counted. "" where there is none."""
    tables = broadcasting.tables()
    by_number = {one.state.table.board_number: id for id, one, _ in tables if one.state.table.board_number}
    counted = dict(enumerate((id for id, _, _ in tables), 1))
    return (by_number or counted).get(number, "")


async def get_hall_in_words(request: web.Request) -> web.Response:
    """GET /api/visitors/told: tell what is no single board's.

    `about`: "results" of all boards; "help", what can be said (`at` "board": while one is open); "nothing", that
    something was not understood; "no_board" with its `number`. Raises AccessDenied.
    """
    return json_answer({"text": _answer_told(request)[2][0]})


async def speak_hall(request: web.Request) -> web.Response:
    """GET /api/visitors/sound: say the same, as MP3. Answers with status 204 where no voice can.

    Raises AccessDenied.
    """
    broadcasting, language, said = _answer_told(request)
    broadcasting.spoken.count(request.remote or "")
    found = await broadcasting.sound(said, language)
    return web.Response(status=204) if found is None else web.Response(body=found, content_type="audio/mpeg")


def _answer_told(request: web.Request) -> tuple[Broadcasting, str, tuple[str, tuple[Segment, ...]]]:
    broadcasting, language = visit(request)
    scheme = scheme_of("national", language)
    commands = {name: scheme.text(f"cmd.{name}") for name in NAMED}
    commands |= {name: scheme.text(f"cmd.score_{name}") for name in ("next", "previous")}
    match request.query.get("about", ""):
        case "results":
            text = " ".join(_results(broadcasting, language)) or _words(language, "no_results")
        case "help" if request.query.get("at") == "board":
            example = text_in(("piece.rook", *scheme.square("a1")), scheme)
            text = _words(language, "say_game", **commands, example=example)
        case "help":
            example = text_in(("cmd.score_move", "rank.3"), scheme)
            text = _words(language, "say_board", **commands, example=example)
        case "nothing":
            text = _words(language, "not_heard", **commands)
        case "no_board":
            text = _words(language, "no_board", number=request.query.get("number", "")[:3])
        case _:
            raise AccessDenied("not_so_asked", 400, Phrase("not_so_asked"))
    return broadcasting, language, (text, (Segment(text, language),))


def _results(broadcasting: Broadcasting, language: str) -> list[str]:
    """Return a sentence for each board whose result is old enough to be shown."""
    found = []
    for id, table, delay in broadcasting.tables():
        seen = broadcasting.delayed_view(table, delay)
        if seen is None or seen.game.result is None:
            continue
        settled = table.state.table
        board = _words(language, "board", number=settled.board_number or id)
        ended = page_words(language)["ended"]
        ended = ended.replace("{result}", result_said(seen.game.result, load_messages(language)))
        found.append(f"{board}, {settled.white.name} – {settled.black.name}: {ended}")
    return found


def _words(language: str, key: str, **values: object) -> str:
    text = texts_in("hall", language)[f"hall.{key}"]
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text
