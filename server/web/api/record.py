"""GET /api/record and GET /api/exports/WHAT give the arbiter the record of the table.

`record` shows what was recorded before the arbiter's device came, page by page, the newest first (L092). `exports`
hands the record over as a file (8.3, L001).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlencode

from aiohttp import web

from server.exports.exports import fair_play_from, pgn_from, protocol_from, report_from, scores_from
from server.game.acts import StationAdmitted, event_in
from server.game.views.reconciled import Explain
from server.game.views.view import earlier
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.web.door.access import AccessDenied
from server.web.door.answers import json_answer
from server.web.door.cookies import arbiter_of
from server.web.keys import HALL
from server.wording.details import told_of
from speech.complaint import Phrase

PAGE = 200
EXPORTS = web.AppKey("EXPORTS", asyncio.Lock)
"""Files are made one at a time: beside six of them in threads of their own no press would come in time."""


async def record(request: web.Request) -> web.Response:
    """GET /api/record: show the events before this device was admitted, at most 200 at a time.

    With `?before=N`, the events before event N of the record. `before` of the answer: where the next page ends, 0
    where there is none. Raises AccessDenied for anyone but the arbiter.
    """
    admission = arbiter_of(request)
    hall = request.app[HALL]
    hall.table(admission.table)
    asked = request.query.get("before", "")
    before = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else 0
    try:
        entries = await hall.journal.read(admission.table, max(0, before - 1 - PAGE))
    except JournalFailed as wrong:
        raise AccessDenied("no_record", 503, Phrase("record_unreadable")) from wrong
    arbiter_of(request)  # the record may have been slow
    end = before or _number_of_admission(entries, admission.station)
    page = [one for one in entries if end - PAGE <= one.seq < end]
    shown = [(found, one.wall_ms) for one in reversed(page) if (found := earlier(event_in(one.body))) is not None]
    first = page[0].seq if page else 0
    events = [{"event": one.event, "told": told_of(one.event), "wall_ms": wall_ms} for one, wall_ms in shown]
    told = json_answer({"events": events, "before": first if first > 1 else 0})
    told.enable_compression()
    return told


def _number_of_admission(entries: list[Entry], station: str) -> int:
    """Return the number of the event that first admitted this device; it was told all that follows."""
    for one in entries:
        if one.kind == "station_admitted":
            event = event_in(one.body)
            if isinstance(event, StationAdmitted) and event.station == station:
                return one.seq
    return 0


TYPES = {
    "game": ("pgn", "application/x-chess-pgn"),
    "scores": ("json", "application/json"),
    "fair-play": ("json", "application/json"),
    "report": ("html", "text/html"),
    "report-pdf": ("pdf", "application/pdf"),
    "report-text": ("txt", "text/plain"),
    "protocol": ("html", "text/html"),
    "protocol-text": ("txt", "text/plain"),
    "protocol-braille": ("txt", "text/plain"),
    "protocol-brf": ("brf", "text/plain"),
}
REPORTS = {"report": "html", "report-pdf": "pdf", "report-text": "text"}
PROTOCOLS = {"protocol": "page", "protocol-text": "text", "protocol-braille": "braille", "protocol-brf": "brf"}


async def export(request: web.Request) -> web.Response:
    """GET /api/exports/WHAT: hand the record of the table over as a file.

    WHAT is the game as PGN, both scores, the logs for fair play, the report, or the protocols of the reconciliations.
    The report is shown as a page to print or as PDF, or saved as text; protocols are shown as a page, or saved as text,
    in braille cells or as a BRF file. Raises AccessDenied.
    """
    admission = arbiter_of(request)
    what, table = request.match_info["what"], admission.table
    if what not in TYPES:
        raise AccessDenied("no_export", 404, Phrase("nothing_here"))
    entries = await request.app[HALL].journal.read(table)
    # In a thread: a long game is played through again, and nobody's press may wait for that.
    explain = request.app[HALL].comparison.explaining()
    async with request.app[EXPORTS]:
        made = await asyncio.to_thread(_write_export, what, entries, table, request.query, explain)
    arbiter_of(request)  # a device that was sent away meanwhile is handed nothing
    ending, kind = TYPES[what]
    place = "inline" if kind in ("text/html", "application/pdf") else "attachment"
    return web.Response(
        body=made,
        content_type=kind,
        charset=None if kind == "application/pdf" else "utf-8",
        headers={"Content-Disposition": f'{place}; filename="{table}-{what}.{ending}"'},
    )


def _write_export(what: str, entries: list[Entry], table: str, query: Mapping[str, str], explain: Explain) -> bytes:
    """Return the file, with the times of day of this machine."""
    language = query.get("language", "en")
    match what:
        case "game":
            return pgn_from(entries, table).encode()
        case "scores":
            return scores_from(entries, table, None).encode()
        case "fair-play":
            return fair_play_from(entries, table).encode()
    if what in PROTOCOLS:
        return protocol_from(entries, table, language, PROTOCOLS[what], zone=None, explain=explain).encode()
    ways = {form: f"{name}?{urlencode(query)}" for name, form in REPORTS.items() if name != what}
    return report_from(entries, table, language, REPORTS[what], zone=None, ways=ways, explain=explain)
