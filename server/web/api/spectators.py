"""GET /api/hall and what lies below it are the spectators' page of the whole hall: for anybody, and nothing flows back.

A table is shown there only where the arbiter or the settings have opened it to spectators, as late as they said
(`server/game/views/spectators.py`). The pictures are made once, however many visitors look: one of the hall and one of
each table in each language, at most once a second, and no more than that is kept. What is spoken is kept as well, up to
a bound. No player's device is answered, nor an assistant's, while its game is not over.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, OrderedDict
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from aiohttp import web

from server.exports.table_pgn import pgn_shown
from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.views.spectators import GameShown, MoveShown, delay_for_spectators
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.settings import SpectatorsDelay
from server.table.broadcast import TableSeen
from server.table.table import Table
from server.web.door.access import AccessDenied, network_of
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import admissions_of, hall_arbiter_of, hall_asker_of, in_order
from server.web.keys import HALL
from server.wording.room import to_spectators, words_shown
from server.wording.words import scheme_of, text_in
from speech.audio.mp3 import encode_mp3
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.voices.voice import Segment
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags

KEPT_MS = 1_000
"""A picture is made anew after this time, if anybody asks for it."""
WINDOW_MS = 10_000
ASKED_BY_ONE, ASKED_BY_ALL = 40, 1_000
"""How often one address, and all together, may ask in one window."""
SPOKEN_TO_ONE, SPOKEN_TO_ALL = 10, 120
MOST_SOUNDS, MOST_RENDERED_AT_ONCE = 200, 8
PLAYERS = ("tactile", "sighted", "assistant")


class Picture(msgspec.Struct, frozen=True):
    """Answer as it is sent, with its ETag, and when it was made (ms of this run).

    `of`: the tables that are in it, each with the delay (ms) that held for it then.
    """

    body: bytes
    etag: str
    made_ms: int
    of: tuple[tuple[str, int], ...]


def etag_of(body: bytes) -> str:
    """Return the ETag of an answer: another one whenever the answer is."""
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


class Turnstile:
    """Counter of requests by address in one window of time, which turns away what is too much."""

    def __init__(self, hall: Hall, by_one: int, by_all: int) -> None:
        self._hall = hall
        self._most = by_one, by_all
        self._window = 0
        self._asked = Counter[str]()

    def count(self, address: str) -> None:
        """Count one request. Raises AccessDenied where this address, or all together, have asked too often."""
        window = self._hall.clock.mono_ms() // WINDOW_MS
        if window != self._window:
            self._window, self._asked = window, Counter()
        own = network_of(address)
        if self._asked[own] >= self._most[0] or self._asked.total() >= self._most[1]:
            raise AccessDenied("hall_busy", 429, Phrase("hall_busy"))
        self._asked[own] += 1


class Broadcasting:
    """Settings and pictures of what the hall shows its spectators.

    `show`, `delay_s`: what was chosen for all tables; it holds for those that are opened later too.
    """

    def __init__(self, hall: Hall, delay_s: int | None) -> None:
        self._hall = hall
        self.show = delay_s is not None
        self.delay_s = 900 if delay_s is None else delay_s
        self.visits = Turnstile(hall, ASKED_BY_ONE, ASKED_BY_ALL)
        self.spoken = Turnstile(hall, SPOKEN_TO_ONE, SPOKEN_TO_ALL)
        self.made = 0  # how many pictures were made so far
        self._pictures: dict[tuple[str, str], Picture] = {}
        self._marks: dict[str, tuple[GameShown, str]] = {}
        self._games: dict[str, tuple[GameShown, str]] = {}
        self._sounds: OrderedDict[tuple[str, str], asyncio.Task[bytes]] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()
        self._rendering = 0
        hall.on_table(self._open)

    def _open(self, table: LiveTable) -> None:
        """Open a table as all others are, unless something was chosen for it before."""
        if self.show and table.state.stations.spectators is None and not table.state.table.training:
            table.note(cmd.ShowToSpectators(show=True, delay_s=self.delay_s))

    def tables(self) -> list[tuple[str, Table, int]]:
        """Return the tables that spectators may see, in order, each with its delay in ms."""
        found = [(id, one, delay_for_spectators(one.state)) for id, one in self._hall.tables.items()]
        return sorted(((id, one, ms) for id, one, ms in found if ms is not None), key=lambda one: in_order(one[0]))

    def table(self, id: str) -> tuple[Table, int]:
        """Return a table that spectators may see, and its delay in ms. Raises AccessDenied for any other."""
        table = self._hall.tables.get(id)
        delay = delay_for_spectators(table.state) if table is not None else None
        if table is None or delay is None:
            raise AccessDenied("table_gone", 404, Phrase("hall_closed"))
        return table, delay

    def delayed_view(self, table: Table, delay: int) -> TableSeen | None:
        """Return the table as of `delay` ms ago; None where it was not open yet."""
        return table.broadcast.seen_at(table.clock.mono_ms() - delay)

    def picture(self, id: str, language: str) -> Picture:
        """Return the picture of a table, or of the whole hall (`id` ""), made at most once a second for each delay.

        Raises AccessDenied for a table that spectators may not see.
        """
        now = self._hall.clock.mono_ms()
        of = ((id, self.table(id)[1]),) if id else tuple((one, delay) for one, _, delay in self.tables())
        kept = self._pictures.get((id, language))
        if kept is not None and kept.of == of and now - kept.made_ms < KEPT_MS:
            return kept
        if len(self._pictures) > (len(self._hall.tables) + 1) * len(language_tags()):
            self._pictures.clear()
        shown = self._board(id, language) if id else self._boards(language)
        body = msgspec.json.encode(shown)
        self.made += 1
        made = Picture(body, etag_of(body), now, of)
        self._pictures[id, language] = made
        return made

    def _boards(self, language: str) -> dict[str, Any]:
        lines = []
        for id, table, delay in self.tables():
            seen = self.delayed_view(table, delay)
            mark = self._mark(id, seen.game) if seen is not None else ""
            lines.append(_line(id, table, delay, seen, language) | {"shown": mark})
        return {"tables": lines}

    def _mark(self, id: str, game: GameShown) -> str:
        """Return a mark that is another one whenever the game is: then a visitor asks for the table again.

        It is made once for each game that is shown; for all of a large hall at once it would hold up the players.
        """
        kept = self._marks.get(id)
        if kept is None or kept[0] is not game:
            kept = self._marks[id] = game, hashlib.sha256(msgspec.json.encode(game)).hexdigest()[:12]
        return kept[1]

    def _board(self, id: str, language: str) -> dict[str, Any]:
        table, delay = self.table(id)
        seen = self.delayed_view(table, delay)
        moves = seen.game.moves if seen is not None else ()
        return {
            "table": id,
            "shown": self._mark(id, seen.game) if seen is not None else "",
            "start": seen.game.start if seen is not None else "",
            "moves": [_move(move, language) for move in moves],
        }

    async def round_pgn(self, round: str) -> str:
        """Return the games of a round as spectators see them now, in the order of their boards.

        A cancelled game gives its board to the new one (7.2.1) once its end was shown. A game that is shown as before
        is not written again. Raises AccessDenied where none of the round is shown.
        """
        shown = [(id, one, ms) for id, one, ms in self.tables() if one.state.table.round == round]
        if not shown:
            raise AccessDenied("hall_closed", 404, Phrase("hall_closed"))
        due = [(id, one.state, seen.game) for id, one, ms in shown if (seen := self.delayed_view(one, ms)) is not None]
        due = [one for one in due if one[1].table.next_game is None or one[2].result is None]
        due.sort(key=lambda one: (one[1].table.board_number, in_order(one[0])))
        new = [one for one in due if one[0] not in self._games or self._games[one[0]][0] is not one[2]]
        if new:
            self._games |= await asyncio.to_thread(lambda: {id: (game, _pgn(state, game)) for id, state, game in new})
        return "\n".join(self._games[id][1] for id, _, _ in due)

    async def sound(self, told: tuple[str, tuple[Segment, ...]], language: str) -> bytes | None:
        """Return a text as MP3, made once for all visitors; None where no voice says it.

        One phrase at a time is made, so that the voice is there for the players. Raises AccessDenied where too many
        wait.
        """
        key = (language, told[0])
        making = self._sounds.get(key)
        if making is None:
            if self._hall.voice is None:
                return None
            if self._rendering >= MOST_RENDERED_AT_ONCE:
                raise AccessDenied("hall_busy", 429, Phrase("hall_busy"))
            making = self._sounds[key] = asyncio.create_task(self._make_sound(told[1]))
            making.add_done_callback(partial(self._over, key))
            while len(self._sounds) > MOST_SOUNDS:
                self._sounds.popitem(last=False)
        try:
            return await asyncio.shield(making)
        except (Complaint, ChildFailed):
            return None

    def _over(self, key: tuple[str, str], made: asyncio.Task[bytes]) -> None:
        """Forget a sound that could not be made, whether anybody still waits or not: it may be made the next time."""
        if (made.cancelled() or made.exception() is not None) and self._sounds.get(key) is made:
            del self._sounds[key]

    async def _make_sound(self, segments: tuple[Segment, ...]) -> bytes:
        self._rendering += 1
        try:
            async with self._one_at_a_time:
                voice = self._hall.voice
                if voice is None:
                    raise Complaint("There is no voice.")
                sound = await voice.render(segments)
                return await asyncio.to_thread(encode_mp3, sound)
        finally:
            self._rendering -= 1


BROADCASTING = web.AppKey("BROADCASTING", Broadcasting)


def _pgn(state: GameState, game: GameShown) -> str:
    return pgn_shown(game, state.table, state.moves.positions[0], state.time.clock.control.text)


def _line(id: str, table: Table, delay: int, seen: TableSeen | None, language: str) -> dict[str, Any]:
    """Return one table of the hall's list; the names are those of the pairing, all else is as late as the delay."""
    settled = table.state.table
    line: dict[str, Any] = {
        "table": id,
        "board": settled.board_number,
        "white": settled.white.name,
        "black": settled.black.name,
        "delay_s": delay // 1_000,
        "state": "waiting",
        "result": None,
        "plies": 0,
        "last": None,
        "white_ms": 0,
        "black_ms": 0,
        "running": None,
        "age_ms": None,
    }
    if seen is None:
        return line
    game, clock = seen.game, seen.clock
    return line | {
        "state": _state(seen),
        "result": game.result,
        "plies": len(game.moves),
        "last": _move(game.moves[-1], language) if game.moves else None,
        "white_ms": clock.white_ms if clock is not None else None,
        "black_ms": clock.black_ms if clock is not None else None,
        "running": clock.running if clock is not None else None,
        "age_ms": seen.age_ms,
    }


def _state(seen: TableSeen) -> Literal["over", "adjourned", "before", "playing"]:
    if seen.game.result is not None:
        return "over"
    if seen.game.adjourned:
        return "adjourned"
    return "playing" if seen.game.started else "before"


def _move(move: MoveShown, language: str) -> dict[str, Any]:
    scheme = scheme_of("national", language)
    return {
        "ply": move.ply,
        "seat": move.seat,
        "notation": move.notation,
        "words": text_in(words_shown(move, scheme), scheme),
        "placement": move.placement,
        "squares": move.squares,
    }


def visit(request: web.Request) -> tuple[Broadcasting, str]:
    """Let a visitor in, and return with it the language of the answer.

    Raises AccessDenied for a device of a player or an assistant whose game is not over, and for too many requests. How
    a game stands that another server of the hall leads is not known here: it counts as not over.
    """
    broadcasting, hall = request.app[BROADCASTING], request.app[HALL]
    broadcasting.visits.count(request.remote or "")
    for _, one in admissions_of(request):
        table = hall.tables.get(one.table)
        over = table.state.ending.result is not None if table is not None else not hall.has(one.table)
        if one.role in PLAYERS and not over:
            raise AccessDenied("players_stay_out", 403, Phrase("players_stay_out"))
    asked = request.query.get("language", "")
    return broadcasting, asked if asked in language_tags() else MEASURE


def _send_body(request: web.Request, body: bytes, etag: str, form: str = "application/json") -> web.Response:
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == etag:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=body, content_type=form, headers=headers)
    response.enable_compression()
    return response


async def hall_shown(request: web.Request) -> web.Response:
    """GET /api/hall: list the boards that spectators may see. Raises AccessDenied."""
    broadcasting, language = visit(request)
    if not broadcasting.tables():
        raise AccessDenied("hall_closed", 404, Phrase("hall_closed"))
    picture = broadcasting.picture("", language)
    return _send_body(request, picture.body, picture.etag)


async def board_shown(request: web.Request) -> web.Response:
    """GET /api/hall/NAME: show the moves of a board, each with the position after it. Raises AccessDenied."""
    broadcasting, language = visit(request)
    picture = broadcasting.picture(request.match_info["name"], language)
    return _send_body(request, picture.body, picture.etag)


async def round_shown(request: web.Request) -> web.Response:
    """GET /api/hall/round/ROUND.pgn: hand over a running round, as late as spectators see each board.

    Raises AccessDenied.
    """
    broadcasting, _ = visit(request)
    body = (await broadcasting.round_pgn(request.match_info["round"])).encode()
    return _send_body(request, body, etag_of(body), "application/x-chess-pgn")


def _answer_told(request: web.Request) -> tuple[Broadcasting, str, tuple[str, tuple[Segment, ...]]]:
    """Return the answer to what a visitor asks of a board, after the move that they look at. Raises AccessDenied."""
    broadcasting, language = visit(request)
    table, delay = broadcasting.table(request.match_info["name"])
    seen = broadcasting.delayed_view(table, delay)
    if seen is None:
        raise AccessDenied("hall_closed", 404, Phrase("hall_closed"))
    ply = request.query.get("ply", "")
    after = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 5 else len(seen.game.moves)
    scheme, about = scheme_of("national", language), request.query.get("about", "")[:60]
    told = to_spectators(seen.game, about, after, scheme, seen.clock, age_ms=seen.age_ms, elsewhere=seen.clock is None)
    if told is None:
        raise AccessDenied("ask_about", 400, Phrase("ask_about"))
    return broadcasting, language, told


async def get_board_in_words(request: web.Request) -> web.Response:
    """GET /api/hall/NAME/told: answer a question about a board in words.

    `about`: "last", "moves", "position", "time"; a square, file, rank or piece in the visitor's words; or a phrase as
    players type them: "last three moves", "what colour is c4". `ply`: after which move, else the last. Raises
    AccessDenied.
    """
    return json_answer({"text": _answer_told(request)[2][0]})


async def speak_board(request: web.Request) -> web.Response:
    """GET /api/hall/NAME/sound: say the same, as MP3. Answers with status 204 where no voice can.

    Raises AccessDenied.
    """
    broadcasting, language, said = _answer_told(request)
    broadcasting.spoken.count(request.remote or "")
    found = await broadcasting.sound(said, language)
    if found is None:
        return web.Response(status=204)
    return web.Response(body=found, content_type="audio/mpeg")


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hall's arbiter shows all tables to spectators, `delay_s` late, or shows them no more."""

    show: bool
    delay_s: Annotated[int, SpectatorsDelay] = 900


def _choice(broadcasting: Broadcasting) -> web.Response:
    shown = {"show": broadcasting.show, "delay_s": broadcasting.delay_s, "tables": len(broadcasting.tables())}
    return json_answer(shown)


async def choice(request: web.Request) -> web.Response:
    """GET /api/spectators: tell the hall's arbiter whether spectators may see the tables. Raises AccessDenied."""
    _hall_arbiter(request)
    return _choice(request.app[BROADCASTING])


async def choose(request: web.Request) -> web.Response:
    """POST /api/spectators: open all tables to spectators or close them, each on its own record. Raises AccessDenied.

    The record names the arbiter's own station, also at a table where it is not admitted; one from which it was sent
    away is left alone.
    """
    _hall_arbiter(request)
    asked = await body_of(request, Opening)
    hall, broadcasting = request.app[HALL], request.app[BROADCASTING]
    await hall.wait_for_all()
    asker = hall_asker_of(request)
    broadcasting.show, broadcasting.delay_s = asked.show, asked.delay_s
    body = cmd.ShowToSpectators(show=asked.show, delay_s=asked.delay_s)
    for table in tuple(hall.tables.values()):
        if (asked.show and table.state.table.training) or table.has_sent_away(asker.name):
            continue
        outcome = await table.own(table.program_command(body), asker=asker)
        if not outcome.outcome.ok:
            raise AccessDenied("not_recorded", 503, Phrase("try_again"))
    return _choice(broadcasting)


def _hall_arbiter(request: web.Request) -> str:
    token = hall_arbiter_of(request)
    if token is None:
        raise AccessDenied("not_the_hall_arbiter", 403, Phrase("only_hall_arbiter"))
    return token
