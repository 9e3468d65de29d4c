"""POST /api/rehearsal: the arbiter begins the rehearsal of the table, passes over a step or skips it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from aiohttp import web

from server.web.door.access import AccessDenied
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import arbiter_of, asker_of
from server.web.keys import HALL
from speech.complaint import Complaint, Phrase


class RehearsalWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The arbiter's wish for the rehearsal.

    `begin`: start it. `pass`: pass over this step. `skip`: hold no rehearsal, or no more of it, for this `reason`.
    """

    do: Literal["begin", "pass", "skip"]
    reason: Annotated[str, msgspec.Meta(max_length=300)] = ""


async def change_rehearsal(request: web.Request) -> web.Response:
    """Carry out the arbiter's wish for the rehearsal.

    Raises AccessDenied with one sentence.
    """
    admission = arbiter_of(request)
    wish = await body_of(request, RehearsalWish)
    try:
        rehearsals = request.app[HALL].table(admission.table).rehearsals
        match wish.do:
            case "begin":
                rehearsals.begin()
            case "pass":
                rehearsals.now().pass_over()
            case "skip":
                if not wish.reason.strip():
                    raise Complaint(Phrase("why_no_rehearsal"))
                await rehearsals.skip(wish.reason.strip(), asker_of(request, "arbiter"))
    except Complaint as wrong:
        raise AccessDenied("rehearsal", 409, wrong.told) from wrong
    return json_answer({"ok": True})
