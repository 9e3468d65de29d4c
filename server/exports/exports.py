"""A table's record is handed over in these forms.

The game, both scores, the logs for fair play, a claim, the report, and the protocol of each reconciliation.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo

import msgspec

from server.desk.answer import view_of_desk
from server.exports.claim import claim_of
from server.exports.fair_play import fair_play
from server.exports.reports import reconciliation_protocol
from server.exports.reports.bulletin import Bulletin, Finished, bulletin_of
from server.exports.reports.pdf import to_pdf
from server.exports.reports.reviewing import day_of
from server.exports.reports.sheet import ReportSheet, as_page, identity_of, report_in_text, sheet_of
from server.exports.scores import copy_for, scores_in_cells, scores_of, to_emboss
from server.exports.scores import scores_in_text as scores_in_text
from server.exports.table_pgn import pgn_of
from server.game.acts import PROGRAM, AnyEvent, GameEnded, StationAdmitted, event_in
from server.game.game import Game
from server.game.values.words import Role, Seat
from server.game.views.reconciled import Explain
from server.game.views.report import Dated, protocols_of, report_of
from server.journal.entry import Entry
from speech.complaint import Complaint, Phrase

ENDED = str(GameEnded.__struct_config__.tag)


def events_from(envelopes: list[Entry], table: str) -> list[AnyEvent]:
    """Return the events of a recorded table.

    Raises Complaint for events of a form that this program does not know.
    """
    try:
        return [event_in(envelope.body) for envelope in envelopes]
    except msgspec.MsgspecError as wrong:
        raise Complaint(Phrase("export.unread", table=repr(table), why=wrong)) from wrong


def scores_from(
    envelopes: list[Entry], table: str, copy: str | None, form: str = "json", profile: str | None = None
) -> str:
    """Return both scores for the organiser, as JSON or to print; or one player's copy as text (8.3).

    `form`: json, text, braille or brf. `profile`: the braille code, each player's own six-dot one if none is named.
    Raises Complaint.
    """
    events = events_from(envelopes, table)
    scores = scores_of(table, events)
    if copy is None and form != "json":
        if form == "text":
            return scores_in_text(scores)
        return (scores_in_cells if form == "braille" else to_emboss)(Game.replay(events), scores, profile)
    if copy is not None:
        return copy_for(scores, Seat(copy), allowed=Game.replay(events).table.regulations.player_copies)
    return msgspec.json.format(msgspec.json.encode(scores), indent=2).decode() + "\n"


def pgn_from(envelopes: list[Entry], table: str) -> str:
    """Return the PGN of a recorded table; its date is the day at the site on which the game started.

    Raises Complaint for events of a form that this program does not know.
    """
    events = events_from(envelopes, table)
    return pgn_of(Game.replay(events), day_of(envelopes))


def bulletin_from(
    tables: Mapping[str, list[Entry]], round: str, language: str, wall_ms: int, zone: tzinfo | None = None
) -> Bulletin:
    """Return the bulletin of a round from the records of tables, by name.

    `wall_ms`: what time it is, for the delay of the displays. `zone`: whose times of day; None is this machine's.
    Raises Complaint as `pgn_from`, and where no table is of this round.
    """
    found = []
    for name, entries in tables.items():
        ended = next((one.wall_ms for one in reversed(entries) if one.kind == ENDED), None)
        state = Game.replay(events_from(entries, name))
        found.append(Finished(name=name, state=state, ended_ms=ended, pgn=pgn_from(entries, name)))
    return bulletin_of(round, found, language, wall_ms, zone)


def claim_from(envelopes: list[Entry], table: str) -> str:
    """Return the claim that ended play without an arbiter, as JSON (III.6).

    Raises Complaint where there was none.
    """
    claim = claim_of(table, events_from(envelopes, table))
    return msgspec.json.format(msgspec.json.encode(claim), indent=2).decode() + "\n"


def fair_play_from(envelopes: list[Entry], table: str) -> str:
    """Return devices, incidents, private words and alerts as JSON. Raises Complaint as `pgn_from`."""
    events = list(zip(envelopes, events_from(envelopes, table), strict=True))
    return msgspec.json.format(msgspec.json.encode(fair_play(table, events)), indent=1).decode() + "\n"


def sheet_from(
    envelopes: list[Entry], table: str, language: str, zone: tzinfo | None = UTC, explain: Explain = view_of_desk
) -> ReportSheet:
    """Return the report of a recorded table as a sheet to sign.

    English where there are no words in that language. `zone`: whose times of day; None is this machine's. `explain`:
    says what a desk found. Raises Complaint.
    """
    record = events_dated(envelopes, table)
    state = Game.replay(one.event for one in record)
    return sheet_of(report_of(record, explain), state, identity_of(table, envelopes), language, zone)


def report_from(
    envelopes: list[Entry],
    table: str,
    language: str,
    form: str = "text",
    zone: tzinfo | None = UTC,
    ways: Mapping[str, str] | None = None,
    explain: Explain = view_of_desk,
) -> bytes:
    """Return the report of a recorded table in a form to keep, to print and to sign: text, html or pdf.

    `zone`, `explain` as in `sheet_from`. `ways`: where the other forms are, for the page. Raises Complaint.
    """
    sheet = sheet_from(envelopes, table, language, zone, explain)
    if form == "pdf":
        return to_pdf(sheet, envelopes[-1].wall_ms)
    return (as_page(sheet, ways or {}) if form == "html" else report_in_text(sheet)).encode()


def protocol_from(
    envelopes: list[Entry],
    table: str,
    language: str,
    form: str = "text",
    profile: str | None = None,
    zone: tzinfo | None = UTC,
    explain: Explain = view_of_desk,
) -> str:
    """Return the protocol of each reconciliation (D.2.9), to print and to sign.

    `form`: page (HTML), text, braille or brf. `profile`: the braille code, the language's own six-dot one if none is
    named. `zone`: whose times of day; None is this machine's. `explain`: says what a desk found. Raises Complaint.
    """
    protocols = protocols_of(events_dated(envelopes, table), explain)
    match form:
        case "page":
            return reconciliation_protocol.as_page(table, protocols, language, zone)
        case "text":
            return reconciliation_protocol.protocols_in_text(table, protocols, language, zone)
        case "braille":
            return reconciliation_protocol.protocols_in_cells(table, protocols, language, profile, zone)
    return reconciliation_protocol.to_emboss(table, protocols, language, profile, zone)


def events_dated(envelopes: list[Entry], table: str) -> list[Dated]:
    """Return the events of a recorded table, each with its time and with whose command it came.

    Raises Complaint as `events_from`.
    """
    roles = {PROGRAM: PROGRAM, "": PROGRAM}
    found = []
    # A device that was never admitted at this table is that of an arbiter of the whole hall.
    for event, envelope in zip(events_from(envelopes, table), envelopes, strict=True):
        if isinstance(event, StationAdmitted):
            player = event.role is Role.PLAYER and event.seat is not None
            roles[event.station] = str(event.seat if player else event.role)
        found.append(Dated(event, envelope.wall_ms, roles.get(envelope.station, str(Role.ARBITER))))
    return found
