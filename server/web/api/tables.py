"""The hall's arbiter opens tables: one by hand, or a round from a pairing file (TRF16, TRF26, PGN).

What holds for every round is the event's profile, which is loaded, saved and kept here too.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Annotated

import msgspec
from aiohttp import web

from server.exports.exports import bulletin_from
from server.exports.reports import notices as round_notices
from server.exports.reports.bulletin import FORMS, in_form
from server.game.acts import ChangePairing, DescribePlayer, ReleaseReview
from server.game.values.pairing import DayTime, PlayerName, Way
from server.game.values.words import Seat, SeatPlan
from server.hall.event_profile import CONTROL, EventProfile, KnownPlayer, as_toml, of_settings
from server.hall.foreign_files.file_text import CodePageUnclear
from server.hall.foreign_files.pairings import MOST_ROUNDS, table_name
from server.hall.rounds import MOST_TABLES, Wanted, open_round
from server.journal.sqlite.schema import write_private
from server.settings import LARGEST_FILE
from server.web.api.overview import GLANCE
from server.web.door.access import AccessDenied
from server.web.door.answers import body_of, json_answer, large_body_of
from server.web.door.cookies import check_held, hall_arbiter_of, hall_asker_of, note_held
from server.web.door.guards import language_of_reader
from server.web.door.introductions import give_table
from server.web.door.uploads import UPLOADS, KeptProfile
from server.web.keys import HALL, SETTINGS
from server.wording.complaints import translate_phrase
from server.wording.refusals import sentence
from server.wording.rules import editions, load_named_controls
from speech.complaint import Phrase
from speech.words.config_file import language_tags

_log = logging.getLogger(__name__)
NONE = msgspec.Raw(b"null")
"""No profile: that of the event, or that of a file."""
LONGEST_FILE = 6_000_000
LONGEST_ROUND = 500_000


class PairingFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes of a pairing file; `round` None means the last round that is paired.

    `page`: the code page of the file, None where the file is to tell it.
    """

    file: bytes
    page: str | None = None
    round: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] | None = None


class Round(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tables to open; `profile`: what holds for them, None as it is kept for every round."""

    tables: Annotated[tuple[Wanted, ...], msgspec.Meta(min_length=1, max_length=MOST_TABLES)]
    profile: msgspec.Raw = NONE


class Repaired(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pairing of a table as the organiser changes it before its game."""

    table: Annotated[str, msgspec.Meta(max_length=64)]
    white: PlayerName
    black: PlayerName
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)]
    starts: DayTime = ""
    way: Way = ""


class Chosen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Profile to keep for every round: as chosen on the page, or the `text` of a `file`."""

    profile: msgspec.Raw = NONE
    text: Annotated[str, msgspec.Meta(max_length=LARGEST_FILE)] = ""
    file: Annotated[str, msgspec.Meta(max_length=120)] = ""


async def event(request: web.Request) -> web.Response:
    """GET /api/event: show the event's profile, and the time controls that have names.

    Raises AccessDenied, Complaint.
    """
    _token(request)
    return _show_profile((await _profile_kept(request)).profile)


async def event_file(request: web.Request) -> web.Response:
    """GET /api/event.toml: hand over the event's profile as a file with a remark for each line.

    Raises AccessDenied, Complaint.
    """
    _token(request)
    return web.Response(
        text=(await _profile_kept(request)).toml,
        content_type="application/toml",
        charset="utf-8",
        headers={"Content-Disposition": 'attachment; filename="event.toml"'},
    )


async def keep_event(request: web.Request) -> web.Response:
    """POST /api/event: keep a profile for every round that is opened from now on.

    Raises AccessDenied, Complaint.
    """
    _token(request)
    asked = await large_body_of(request, Chosen, LONGEST_ROUND)
    uploads = request.app[UPLOADS]
    if _is_named(asked.profile):
        found = await uploads.profile_of(bytes(asked.profile))
    else:
        found = await uploads.profile_in(asked.text, asked.file)
    check_held(request)  # reading it may have taken a while
    try:
        await asyncio.to_thread(write_private, request.app[HALL].data.event_profile, found.toml.encode())
    except OSError as wrong:
        raise AccessDenied("not_kept", 503, Phrase("record_failed")) from wrong
    _log.info("The event's profile was changed by %s", hall_asker_of(request).name)
    return _show_profile(found.profile)


async def _profile_kept(request: web.Request) -> KeptProfile:
    """Return the profile that the data folder keeps; where it keeps none, that of the settings.

    The players' language is then that of the arbiter's page. Raises Complaint.
    """
    kept = request.app[HALL].data.event_profile
    if kept.exists():
        return await request.app[UPLOADS].profile_kept(kept)
    profile = of_settings(request.app[SETTINGS], language_of_reader(request))
    return KeptProfile(profile, as_toml(profile))


def _is_named(profile: msgspec.Raw) -> bool:
    return bytes(profile) != bytes(NONE)


def _show_profile(profile: EventProfile) -> web.Response:
    """Answer with a profile in full: its regulations too where it leaves them as they are.

    With it go the time controls that have names, and the editions of the Laws that there are.
    """
    given = msgspec.to_builtins(profile.regulations)
    given["overrides"] = dict(profile.regulations.overrides)
    whole = {**msgspec.to_builtins(profile), "event": {key: one for key, one in given.items() if one is not None}}
    named = load_named_controls().items()
    controls = [{"key": key, "control": one.control, "names": one.text} for key, one in named]
    return json_answer({"profile": whole, "controls": controls, "editions": editions()})


async def preview_pairings(request: web.Request) -> web.Response:
    """POST /api/pairings: show what is paired in this file; nothing is opened.

    Raises AccessDenied, Complaint.
    """
    _token(request)
    asked = await large_body_of(request, PairingFile, LONGEST_FILE)
    read = await request.app[UPLOADS].pairings(asked.file, asked.page, asked.round)
    if read.unclear:
        told = translate_phrase(CodePageUnclear(read.unclear).told, language_of_reader(request))
        return json_answer({"code": "code_page_unclear", "text": told, "pages": read.unclear}, status=409)
    pairings = read.pairings
    hall, profile = request.app[HALL], (await _profile_kept(request)).profile
    check_held(request)
    shown = [
        {
            "name": table_name(one),
            "white": one.white,
            "black": one.black,
            "event": one.event,
            "round": one.round,
            "board": one.board,
            "starts": one.starts,
            "way": one.way,
            "chess960": one.chess960,
            "control": one.control or CONTROL,
            "taken": hall.has(table_name(one)),
            "players": {
                seat.value: msgspec.to_builtins(profile.player(name))
                for seat, name in zip(Seat, (one.white, one.black), strict=True)
            },
        }
        for one in pairings
    ]
    return json_answer({"round": pairings[0].round, "tables": shown, "page": read.page, "sample": read.sample})


async def open_tables(request: web.Request) -> web.Response:
    """POST /api/tables: open the tables and give each to the hall's arbiter.

    Raises AccessDenied, Complaint.
    """
    token = _token(request)
    asked = await large_body_of(request, Round, LONGEST_ROUND)
    hall = request.app[HALL]
    if _is_named(asked.profile):
        profile = (await request.app[UPLOADS].profile_of(bytes(asked.profile))).profile
    else:
        profile = (await _profile_kept(request)).profile
    among = await hall.sharing.loads() if hall.sharing is not None else ()
    try:
        asker, give = hall_asker_of(request), partial(give_table, hall, token)
        names = await open_round(hall, asked.tables, profile, asker, give)
    finally:  # the page of all tables may have looked before they were this arbiter's
        request.app[GLANCE].tell()
    if hall.sharing is not None:
        await hall.sharing.spread_over(names, among)
    return json_answer({"tables": list(names)}, status=201)


async def change_pairing(request: web.Request) -> web.Response:
    """POST /api/tables/pairing: change the pairing of a table before its game; its players are told.

    Raises AccessDenied, Complaint.
    """
    _token(request)
    asked = await body_of(request, Repaired)
    await request.app[HALL].wait_for(asked.table)
    table = request.app[HALL].table(asked.table)
    before = {seat: table.state.plan(seat) for seat in Seat}
    body = ChangePairing(white=asked.white, black=asked.black, board=asked.board, starts=asked.starts, way=asked.way)
    outcome = await table.own(table.program_command(body), asker=hall_asker_of(request))
    code = outcome.outcome.code
    if not outcome.outcome.ok:
        raise AccessDenied(code, 409, sentence(code, outcome.outcome.article, language_of_reader(request)))
    for seat, name in zip(Seat, (asked.white, asked.black), strict=True):
        if name != before[seat].name:
            known = await _plan_of_known(
                request, name, next((one for one in before.values() if one.name == name), None)
            )
            if known is not None:
                described = DescribePlayer(
                    seat=seat,
                    hearing_impaired=known.hearing_impaired,
                    needs=known.needs,
                    echo_scores=known.echo_scores,
                )
                await table.own(table.program_command(described), asker=hall_asker_of(request))
    return json_answer({"table": asked.table})


async def _plan_of_known(request: web.Request, name: str, before: SeatPlan | None) -> KnownPlayer | SeatPlan | None:
    """Return the plan of a player who comes to a seat: from the other seat of the table, else from the event's profile.

    None where nothing is: a name that was only spelt otherwise keeps what the arbiter recorded at the seat.
    """
    if before is not None:
        return before
    profile = (await _profile_kept(request)).profile
    return profile.player(name) if profile.knows(name) else None


async def bulletin(request: web.Request) -> web.Response:
    """GET /api/bulletin/ROUND.FORM: hand over the finished games of a round as pdf, html, brf or pgn.

    Raises AccessDenied, Complaint.
    """
    name = hall_asker_of(request).name
    note_held(request)
    round, form = request.match_info["round"], request.match_info["form"]
    hall, language = request.app[HALL], request.query.get("language", "en")
    await hall.wait_for_all()
    tables = hall.tables.items()
    names = [id for id, one in tables if one.state.table.round == round and not one.has_sent_away(name)]
    records = {id: await hall.journal.read(id) for id in names}
    now = hall.clock.wall_ms()
    # In a thread: many games are played through again, and nobody's press may wait for that.
    made = await asyncio.to_thread(lambda: in_form(bulletin_from(records, round, language, now), form, now))
    check_held(request)  # a device that was sent away meanwhile is handed nothing
    place = "inline" if form in ("html", "pdf") else "attachment"
    return web.Response(
        body=made,
        content_type=FORMS[form],
        charset="utf-8" if form in ("html", "pgn") else None,
        headers={"Content-Disposition": f'{place}; filename="round-{round}.{form}"'},
    )


async def notices(request: web.Request) -> web.Response:
    """GET /api/round/ROUND.FORM: hand over the boards of a round as csv (with results), ics or txt, to be handed on.

    `day`: on which it is played (2026-12-05), today where it is left out. Raises AccessDenied, Complaint.
    """
    name = hall_asker_of(request).name
    round, form = request.match_info["round"], request.match_info["form"]
    hall, language = request.app[HALL], request.query.get("language", "en")
    if language not in language_tags():
        language = "en"
    await hall.wait_for_all()
    states = {id: one.state for id, one in hall.tables.items() if not one.has_sent_away(name)}
    now = hall.clock.wall_ms()
    day = round_notices.day_asked(request.query.get("day", ""), now)
    made = round_notices.in_form(round_notices.boards_of(round, states), form, language, day, now)
    return web.Response(
        body=made,
        content_type=round_notices.FORMS[form],
        charset="utf-8",
        headers={"Content-Disposition": f'attachment; filename="round-{round}.{form}"'},
    )


class RoundReleased(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Round whose finished games are released to their players."""

    round: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


async def release_round(request: web.Request) -> web.Response:
    """POST /api/tables/released: release all finished games of a round for review, each on its own record.

    The record names the arbiter's own station, also at a table where it is not admitted; one from which it was sent
    away is left alone. Raises AccessDenied.
    """
    _token(request)
    asked = await body_of(request, RoundReleased)
    hall, count = request.app[HALL], 0
    await hall.wait_for_all()
    asker = hall_asker_of(request)
    for table in tuple(hall.tables.values()):
        if table.state.table.round != asked.round or not table.state.over or table.state.table.next_game is not None:
            continue
        if table.has_sent_away(asker.name):
            continue
        if not (await table.own(table.program_command(ReleaseReview()), asker=asker)).outcome.ok:
            raise AccessDenied("not_recorded", 503, Phrase("try_again"))
        count += 1
    return json_answer({"released": count})


def _token(request: web.Request) -> str:
    token = hall_arbiter_of(request)
    if token is None:
        raise AccessDenied("not_the_hall_arbiter", 403, Phrase("only_hall_arbiter"))
    return token
