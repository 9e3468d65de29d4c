"""GET /api/exports/WHAT: the record of the arbiter's table handed over as a file (8.3, L001)."""

from __future__ import annotations

import asyncio

from aiohttp import web

from server.exports.exports import fair_play_from, pgn_from, protocol_from, report_from, scores_from
from server.journal.envelope import Envelope
from server.web.door.access import Turned
from server.web.door.cookies import arbiter_of
from server.web.keys import HALL

TYPES = {
    "game": ("pgn", "application/x-chess-pgn"),
    "scores": ("json", "application/json"),
    "fair-play": ("json", "application/json"),
    "report": ("txt", "text/plain"),
    "protocol": ("html", "text/html"),
    "protocol-text": ("txt", "text/plain"),
    "protocol-braille": ("txt", "text/plain"),
    "protocol-brf": ("brf", "text/plain"),
}
PROTOCOLS = {"protocol": "page", "protocol-text": "text", "protocol-braille": "braille", "protocol-brf": "brf"}


async def export(request: web.Request) -> web.Response:
    """The game as PGN, both scores, the logs for fair play, the report in words, protocols of reconciliations.

    Protocols are shown as a page to print, or saved as text, in braille cells or as a BRF file. Raises Turned.
    """
    admission = arbiter_of(request)
    what, table = request.match_info["what"], admission.table
    if what not in TYPES:
        raise Turned("no_export", 404, "There is nothing at this address.")
    envelopes = await request.app[HALL].journal.read(table)
    # Beside the loop: a long game is played through again, and nobody's press waits for that.
    text = await asyncio.to_thread(_written, what, envelopes, table, request.query.get("language", "en"))
    ending, kind = TYPES[what]
    place = "inline" if kind == "text/html" else "attachment"
    return web.Response(
        text=text,
        content_type=kind,
        charset="utf-8",
        headers={"Content-Disposition": f'{place}; filename="{table}-{what}.{ending}"'},
    )


def _written(what: str, envelopes: list[Envelope], table: str, language: str) -> str:
    match what:
        case "game":
            return pgn_from(envelopes, table)
        case "scores":
            return scores_from(envelopes, table, None)
        case "fair-play":
            return fair_play_from(envelopes, table)
    if what in PROTOCOLS:
        return protocol_from(envelopes, table, language, PROTOCOLS[what])
    return report_from(envelopes, table, language)
