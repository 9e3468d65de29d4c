"""Draws, claims, resignation and the end of the game in the ear; who did it is always named."""

from __future__ import annotations

from server.game.views.messages import (
    ActTaken,
    ClaimShown,
    DrawOffer,
    DrawReply,
    Ended,
    NoTaken,
    ResignationShown,
)
from server.wording.aloud.positions import position_text, position_tokens
from server.wording.aloud.says import Told, in_listeners_voice, says
from server.wording.aloud.scores import cells_read
from server.wording.pages import page_words
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.scheme import Scheme
from speech.words.signs import result_said


@says(ActTaken)
def _act(message: ActTaken, scheme: Scheme) -> str:
    return scheme.phrase(f"taken_{message.what}", result=result_said(message.result, scheme.messages))


@says(NoTaken)
def _no(message: NoTaken, scheme: Scheme) -> str:
    words = page_words(scheme.listener.tag)
    return words.get(f"no_taken.{message.what}", words["no_taken"])


@says(DrawOffer)
def _offer(message: DrawOffer, scheme: Scheme) -> str:
    words = page_words(scheme.listener.tag)
    if message.by_claim:
        return words["draw_claimed_own" if message.own else "draw_claim_came"]
    return words["draw_offered" if message.own else "draw_offer_came"]


@says(DrawReply)
def _reply(message: DrawReply, scheme: Scheme) -> str | None:
    """Return the answer; a move that is made instead of one rejects an offer without a word (9.1.2.1)."""
    if message.by_move:
        return None
    answer = f"draw_{'accepted' if message.accepted else 'declined'}{'' if message.own else '_other'}"
    return page_words(scheme.listener.tag)[answer]


@says(ClaimShown)
def _claim(message: ClaimShown, scheme: Scheme) -> Told | None:
    if message.own:
        return None
    tongue = scheme.listener.tag
    segments = [*in_listeners_voice(_verify(scheme), scheme)]
    for name, tokens in position_tokens(message.placement, scheme, by_square=False):
        segments += [Segment(name, tongue), *respelling.segments_of(tokens, scheme)]
    if (score := cells_read(message.score, scheme)) is not None:
        segments += score[1]
    return claim_text(message, scheme), tuple(segments)


def claim_text(message: ClaimShown, scheme: Scheme) -> str:
    """Return what the opponent is asked to verify (III.6.1).

    The claimant's board, and the claimant's score where it was submitted.
    """
    lines = [_verify(scheme)]
    lines.append(position_text(message.placement, scheme, by_square=False))
    score = cells_read(message.score, scheme)
    return "\n".join([*lines, score[0]] if score is not None else lines)


def _verify(scheme: Scheme) -> str:
    """Return what the opponent of a claimant is asked."""
    return scheme.messages.with_article(scheme.phrase("verify_claim"), "III.6.1")


@says(ResignationShown)
def _resigned(message: ResignationShown, scheme: Scheme) -> str:
    return page_words(scheme.listener.tag)["resigned_own" if message.own else "resigned_other"]


@says(Ended)
def _ended(message: Ended, scheme: Scheme) -> str:
    if message.result == "*":
        return scheme.messages.with_article(scheme.phrase("game_cancelled"), message.article)
    return result_said(message.result, scheme.messages)
