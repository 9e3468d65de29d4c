"""The arbiter's rulings in the ear, and the short text on an article."""

from __future__ import annotations

from functools import cache

from server.game.views.messages import LawRead, RulingShown
from server.wording.aloud.says import Told, in_voice_of, says
from server.wording.rules import load_penalties
from speech.words.scheme import Scheme


@says(RulingShown)
def _ruling(message: RulingShown, scheme: Scheme) -> str:
    """Return what the arbiter ruled about the listener or the opponent, whose claim or fault it is, with its article.

    A penalty is in the words of 12.9.
    """
    if message.what.startswith("claim_"):
        text = scheme.phrase(f"{message.what}_{'own' if message.own else 'opponent'}")
        return scheme.messages.with_article(text, message.article)
    if message.what == "undone":
        return scheme.phrase("ruling_undone")
    penalty = _penalties().get(message.what)
    what = scheme.phrase(f"rule_{message.what}") if penalty is None else penalty[scheme.listener.tag]
    what = scheme.messages.with_article(what, message.article)
    return scheme.phrase("ruling_own" if message.own else "ruling_opponent", what=what)


@cache
def _penalties() -> dict[str, dict[str, str]]:
    return {one.id: dict(one.text) for one in load_penalties()}


@says(LawRead)
def _law(message: LawRead) -> Told | None:
    return (message.text, in_voice_of(message.text, message.language)) if message.text else None
