"""GET /api/alerts gives the arbiter what is not settled at the table: a card for each, with the acts that answer it."""

from __future__ import annotations

from aiohttp import web

from server.desk.settling import article_of, load_settling, offers_of, steps_shown
from server.game.views.alerts import AlertCard, alert_cards
from server.web.door.answers import json_answer
from server.web.door.cookies import arbiter_of
from server.web.keys import HALL
from server.wording.details import told_in
from speech.words.config_file import language_tags


async def alerts(request: web.Request) -> web.Response:
    """GET /api/alerts?language=hu: the cards in the order of urgency, in this language; English where it is unknown.

    `changes`: how often they have changed so far, as `alerts` of what is recorded counts it. `count`: of all alerts.
    `steps`: of an incident, in their order. `sound`: the name of the utterance to listen to, where it is kept. Raises
    AccessDenied for anyone but the arbiter.
    """
    admission = arbiter_of(request)
    hall = request.app[HALL]
    state = hall.table(admission.table).state
    asked = request.query.get("language", "en")
    language = asked if asked in language_tags() else "en"
    cards = alert_cards(state, load_settling().kinds)
    kept = {card.utterance: await _is_kept(request, admission.table, card) for card in cards if card.utterance}
    shown = [
        {
            "numbers": card.numbers,
            "kind": card.kind,
            "ply": card.ply,
            "at": card.at,
            "grey": card.grey,
            "at_once": card.at_once,
            "how": card.how,
            "text": told_in(card.said, language) if card.said is not None else card.detail,
            "sound": card.utterance if card.utterance and kept.get(card.utterance) else None,
            "article": article_of(card.kind),
            "offers": offers_of(card, state),
            "steps": steps_shown(card, state),
        }
        for card in cards
    ]
    counted = {"changes": state.rulings.alert_changes, "count": state.rulings.alerts}
    given = json_answer({**counted, "cards": shown})
    given.enable_compression()
    return given


async def _is_kept(request: web.Request, table: str, card: AlertCard) -> bool:
    """Whether the sound of an alert lies on disk: it may not be kept, or be deleted by its rule."""
    try:
        return await request.app[HALL].evidence.holds(table, card.utterance or "")
    except (OSError, ValueError):
        return False
