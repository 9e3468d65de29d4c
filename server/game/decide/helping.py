"""Which command words help a player now: by what is going on at the table, never by the position or the turn. Pure.

What he is asked goes first; then what is of use before, during or after the game. The rest comes when he asks for help
once more.
"""

from __future__ import annotations

from server.game.state.state import GameState
from server.game.values.words import Seat

MORE_MS = 30_000
"""Whoever asks again so soon is told the rest."""

EAR = ("repeat", "slower", "faster", "read_keys", "stop")
OWN_SCORE = ("score", "score_move", "score_previous", "score_next")
PLAYING = ("time", "opponent_time", "clock", "moves", "last", "correction", "score", "draw_offer", "arbiter")
MORE = ("executed", "adjust", "claim_draw", "claim_time", "resign", "article")
PLAYING_MORE = (*OWN_SCORE[1:], *MORE, *EAR)


def words_now(state: GameState, seat: Seat) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commands that can be said now: those of most use, and the rest. Names of words without "cmd."."""
    if state.choice_of(seat) is not None:
        return ("yes", "no", "stop"), EAR[:-1]
    if state.over:
        return ("last", *OWN_SCORE, "moves", "clock", "arbiter"), ("article", *EAR)
    if not state.started:
        return ("set_up", "set_clock", "clock", "arbiter", *EAR), ("article",)
    playing: tuple[str, ...] = PLAYING
    more: tuple[str, ...] = PLAYING_MORE
    if state.offer_by is seat.other and state.offer_delivered:
        playing = ("draw_accept", "draw_decline", *(word for word in playing if word != "draw_offer"))
    if state.positions[0].chess960:
        more = ("castle", *more)
    if state.pending_of(seat) is not None:
        return ("yes", "no", "arbiter"), (*playing, *more)
    if state.claim is not None and state.claim.seat is seat and state.claim.awaits:
        return ("no", "arbiter"), (*playing, *more)
    return playing, more


def help_told(state: GameState, seat: Seat, now: int) -> tuple[tuple[str, ...], bool]:
    """The words to tell him, and whether they are the rest: he was told the same first ones just now."""
    first, rest = (tuple(f"cmd.{word}" for word in words) for words in words_now(state, seat))
    told = state.helped[0] if seat is Seat.WHITE else state.helped[1]
    more = told is not None and told.words == first and told.at <= now <= told.at + MORE_MS
    return (rest if more else first), more
