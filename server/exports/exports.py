"""A table's record is handed over in these forms.

The game, both scores, the logs for fair play, a claim, the report, and the protocol of each reconciliation.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from server.desk.answer import looked
from server.exports import reconciliation_protocol
from server.exports.claim import claim_of
from server.exports.fair_play import fair_play
from server.exports.report import written
from server.exports.scores import copy_for, in_cells, in_text, scores_of, to_emboss
from server.exports.table_pgn import pgn_of
from server.game.acts import AnyEvent, GameStarted, event_in
from server.game.game import Game
from server.game.values.words import Seat
from server.game.views.report import Dated, protocols_of, report_of
from server.journal.entry import Entry
from speech.complaint import Complaint

STARTED = str(GameStarted.__struct_config__.tag)


def events_from(envelopes: list[Entry], table: str) -> list[AnyEvent]:
    """Return the events of a recorded table.

    Raises Complaint for events of a form that this program does not know.
    """
    try:
        return [event_in(envelope.body) for envelope in envelopes]
    except msgspec.MsgspecError as wrong:
        raise Complaint(
            f"The record of table {table!r} cannot be read ({wrong}); use the program that wrote it."
        ) from wrong


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
            return in_text(scores)
        return (in_cells if form == "braille" else to_emboss)(Game.replay(events), scores, profile)
    if copy is not None:
        return copy_for(scores, Seat(copy), allowed=Game.replay(events).table.regulations.player_copies)
    return msgspec.json.format(msgspec.json.encode(scores), indent=2).decode() + "\n"


def pgn_from(envelopes: list[Entry], table: str) -> str:
    """Return the PGN of a recorded table; its date is the day (UTC) on which the game started.

    Raises Complaint for events of a form that this program does not know.
    """
    events = events_from(envelopes, table)
    begun = next((envelope.wall_ms for envelope in envelopes if envelope.kind == STARTED), None)
    date = "????.??.??" if begun is None else f"{datetime.fromtimestamp(begun / 1000, UTC):%Y.%m.%d}"
    return pgn_of(Game.replay(events), date)


def claim_from(envelopes: list[Entry], table: str) -> str:
    """Return the claim that ended play without an arbiter, as JSON (III.6).

    Raises Complaint where there was none.
    """
    claim = claim_of(table, events_from(envelopes, table))
    return msgspec.json.format(msgspec.json.encode(claim), indent=2).decode() + "\n"


def fair_play_from(envelopes: list[Entry], table: str) -> str:
    """Return devices, incidents, private words and alerts as JSON. Raises Complaint as `pgn_from`."""
    try:
        events = [(envelope, event_in(envelope.body)) for envelope in envelopes]
    except msgspec.MsgspecError as wrong:
        raise Complaint(
            f"The record of table {table!r} cannot be read ({wrong}); use the program that wrote it."
        ) from wrong
    return msgspec.json.format(msgspec.json.encode(fair_play(table, events)), indent=1).decode() + "\n"


def report_from(envelopes: list[Entry], table: str, language: str) -> str:
    """Return the report of a recorded table in words.

    English where there are none in that language. Raises Complaint.
    """
    return written(table, report_of(dated(envelopes, table), looked), language)


def protocol_from(
    envelopes: list[Entry], table: str, language: str, form: str = "text", profile: str | None = None
) -> str:
    """Return the protocol of each reconciliation (D.2.9), to print and to sign.

    `form`: page (HTML), text, braille or brf. `profile`: the braille code, the language's own six-dot one if none is
    named. Raises Complaint.
    """
    protocols = protocols_of(dated(envelopes, table), looked)
    match form:
        case "page":
            return reconciliation_protocol.as_page(table, protocols, language)
        case "text":
            return reconciliation_protocol.in_text(table, protocols, language)
        case "braille":
            return reconciliation_protocol.in_cells(table, protocols, language, profile)
    return reconciliation_protocol.to_emboss(table, protocols, language, profile)


def dated(envelopes: list[Entry], table: str) -> list[Dated]:
    """Return the events of a recorded table, each with its time. Raises Complaint as `events_from`."""
    events = events_from(envelopes, table)
    return [Dated(event, envelope.wall_ms) for event, envelope in zip(events, envelopes, strict=True)]
