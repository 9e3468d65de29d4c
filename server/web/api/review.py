"""GET /api/review and its files show a player their own released game; POST /api/review releases it, for the arbiter.

A player sees their own seat alone, after the arbiter has released the table (8.3), and not while another game of theirs
is under way (11.3.1); the arbiter sees either. With `shown=1` a player who has approved the result looks through the
game before that: what displays have shown, and the player's own score. The player's sounds are given only where the
regulations allow the players copies.
"""

from __future__ import annotations

import asyncio
import io
from typing import NamedTuple

import msgspec
from aiohttp import web

from server.exports.reports.review import board_shown, is_released, may_look_through, shown_review_of, summary
from server.exports.reports.reviewing import Reviews, ReviewWords
from server.game import acts as cmd
from server.game.acts import Command
from server.game.values.words import Seat
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.identity import new_command_id
from server.web.api.sounds import kept_sound
from server.web.api.spectators import PLAYERS, SPOKEN_TO_ALL, SPOKEN_TO_ONE, Turnstile
from server.web.door.access import AccessDenied
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import admissions_of, arbiter_of, station_of
from server.web.door.guards import language_of_reader
from server.web.keys import HALL
from server.wording.refusals import sentence
from server.wording.room import to_spectators
from server.wording.typed import scheme_read
from server.wording.words import scheme_of
from speech.audio.mp3 import encode_mp3
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.voices.voice import Segment
from speech.words.catalogue import texts_in
from speech.words.config_file import language_tags

REVIEWS = web.AppKey("REVIEWS", Reviews)
SPOKEN = web.AppKey("SPOKEN", Turnstile)
"""Counter of how often reviews are read out: to one address, and in all."""


def spoken_turnstile(hall: Hall) -> Turnstile:
    """Return the turnstile of readings, as wide as that of spectators."""
    return Turnstile(hall, SPOKEN_TO_ONE, SPOKEN_TO_ALL)


class Release(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arbiter releases the table's finished game to its players, or takes that back."""

    released: bool = True


FILES = {
    "game.pgn": ("application/x-chess-pgn", True),
    "score.brf": ("text/plain", True),
    "clocks.wav": ("audio/wav", False),
}
"""Files that are handed over beside the review: their type, and whether they are saved under the name of the table."""


class _Asked(NamedTuple):
    table: LiveTable
    seat: Seat
    language: str
    person: str
    arbiter: bool
    shown: bool


def _review_asked(request: web.Request, *, file: bool = False) -> _Asked:
    """Return whose review this browser may see, and how it wants it.

    Raises AccessDenied for anybody but the table's players and arbiter, for a player before the release (`shown`:
    before they have approved the result; no `file`), and for a device that belongs to a player or an assistant of a
    game under way.
    """
    own = station_of(request, "tactile", "sighted", "arbiter")
    if own is None:
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_at_the_table"))
    table = request.app[HALL].table(own.table)
    state, arbiter = table.state, own.role == "arbiter"
    shown = bool(own.seat) and not file and "shown" in request.query
    looks = shown and may_look_through(state, Seat(own.seat))
    if not is_released(state) and not looks and not (arbiter and state.over):
        raise AccessDenied("review_not_released", 403, Phrase("review_not_released"))
    if not arbiter and _plays(request):
        raise AccessDenied("review_while_playing", 403, Phrase("review_while_playing"))
    seat = Seat(own.seat) if own.seat else Seat.BLACK if request.query.get("of") == "black" else Seat.WHITE
    asked = request.query.get("language", "")
    language = asked if asked in language_tags() else ""
    return _Asked(table, seat, language, f"{own.table}/{own.station}", arbiter, shown)


async def _review_told(request: web.Request, asked: _Asked) -> ReviewWords:
    reviews, table = request.app[REVIEWS], asked.table
    seen = table.broadcast.seen_at(table.clock.mono_ms()) if asked.shown else None
    if seen is not None:
        made = shown_review_of(table.id, table.state, asked.seat, seen.game)
        scheme = scheme_read(table.state, asked.seat, asked.language)
        return ReviewWords(made, summary(made, scheme), (), scheme.listener.tag)
    return await reviews.review_in_words(asked.person, table.id, table.state, asked.seat, asked.language)


def _plays(request: web.Request) -> bool:
    """Return whether this browser is the device of a player or an assistant whose game is under way, at any table."""
    tables = request.app[HALL].tables
    states = [
        tables[one.table].state for _, one in admissions_of(request) if one.role in PLAYERS and one.table in tables
    ]
    return any(state.table.started and not state.over for state in states)


async def review(request: web.Request) -> web.Response:
    """GET /api/review: show the review, with its summary in words.

    Whether the player's own sounds may be heard is `sounds`. Raises AccessDenied, Complaint.
    """
    asked = _review_asked(request)
    table, made = asked.table, await _review_told(request, asked)
    shown = msgspec.to_builtins(made.review)
    more = {
        "summary": made.summary,
        "released": table.state.scores.released,
        "arbiter": asked.arbiter,
        "sounds": made.review.whole and (asked.arbiter or table.state.table.regulations.player_copies),
    }
    return json_answer({**shown, **more})


async def get_review_in_words(request: web.Request) -> web.Response:
    """GET /api/review/told: say one half-move (`ply`), or the summary, in words. Raises AccessDenied, Complaint.

    `about`: what is asked of the board after that half-move, as on the spectators' page: "position", "e4", "knight".
    """
    return json_answer({"text": (await _text(request))[0]})


async def speak_review(request: web.Request) -> web.Response:
    """GET /api/review/spoken: say the same, as MP3. Answers with status 204 where no voice can. Raises AccessDenied.

    Somebody who asks very often is turned away for some seconds, so that the voice serves all.
    """
    _, segments = await _text(request)
    request.app[SPOKEN].count(request.remote or "")
    voice = request.app[HALL].voice
    if voice is None:
        return web.Response(status=204)
    try:
        sound = await voice.render(segments, keep=False)
    except (Complaint, ChildFailed):
        return web.Response(status=204)
    return web.Response(body=await asyncio.to_thread(encode_mp3, sound), content_type="audio/mpeg")


async def _text(request: web.Request) -> tuple[str, tuple[Segment, ...]]:
    made = await _review_told(request, _review_asked(request))
    ply, about = request.query.get("ply", ""), request.query.get("about", "")[:60]
    at = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 5 else 0
    if at > len(made.review.plies):
        raise AccessDenied("no_such_ply", 404, Phrase("name_half_moves"))
    if at and not made.review.whole:
        about = about or "last"
    if about:
        told = to_spectators(board_shown(made.review), about, at, scheme_of("national", made.language))
        if told is None:
            raise AccessDenied("ask_about", 400, Phrase("ask_about"))
        if at and made.review.plies[at - 1].placement is None and (made.review.whole or about != "last"):
            text = texts_in("review", made.language)["reviewed.no_position"]
            return text, (Segment(text, made.language),)
        return told
    text = made.plies[at - 1] if at else " ".join(made.summary)
    return text, (Segment(text, made.language),)


async def file(request: web.Request) -> web.Response:
    """GET /api/review/FILE: hand over game.pgn, score.brf or clocks.wav. Raises AccessDenied, Complaint."""
    asked, name = _review_asked(request, file=True), request.match_info["file"]
    if name not in FILES:
        raise AccessDenied("no_export", 404, Phrase("nothing_here"))
    kind, saved = FILES[name]
    table = asked.table
    body = await request.app[REVIEWS].file(asked.person, table.id, table.state, asked.seat, name)
    headers = {"Content-Disposition": f'attachment; filename="{table.id}-{name}"'} if saved else None
    # In pieces, as they are taken: forty slow readers hold one sound in memory, not forty.
    return web.Response(body=io.BytesIO(body), content_type=kind, headers=headers)


async def get_cell_sound(request: web.Request) -> web.Response:
    """GET /api/review/sound/PLY: send the sound of the player's own cell as it was kept.

    Raises AccessDenied, Complaint.
    """
    asked = _review_asked(request, file=True)
    table, made = asked.table, (await _review_told(request, asked)).review
    ply = int(request.match_info["ply"])
    name = next((one.utterance for one in made.plies if one.ply == ply), "")
    allowed = asked.arbiter or table.state.table.regulations.player_copies
    if not name or not allowed:
        raise AccessDenied("no_sound", 404, Phrase("no_such_sound"))
    return await kept_sound(request.app[HALL].evidence, table.id, name)


async def release(request: web.Request) -> web.Response:
    """POST /api/review: release the arbiter's own table to its players, or take that back, on record.

    Raises AccessDenied.
    """
    admission = arbiter_of(request)
    asked = await body_of(request, Release)
    table = request.app[HALL].table(admission.table)
    body = cmd.ReleaseReview(released=asked.released)
    command = Command(id=new_command_id(), table=table.id, station=admission.station, body=body)
    shown = (await table.own(command)).outcome
    if not shown.ok:
        raise AccessDenied(shown.code, 409, sentence(shown.code, shown.article, language_of_reader(request)))
    return json_answer({"released": asked.released})
