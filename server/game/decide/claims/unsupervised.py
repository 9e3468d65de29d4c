"""Without an arbiter (Guidelines III.6, L240): the claim under two minutes ends play, and what stood is frozen.

The opponent verifies the final position, and the score where no effort is claimed; the designated arbiter decides
afterwards. Play does not go on, whatever he finds.
"""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import PlayConcluded, PositionVerified
from server.game.decide.draft import Draft
from server.game.decide.reconstructing import snapshot_of
from server.game.state.state import GameState
from server.game.values.words import Seat

OF_PLAY = (cmd.Say, cmd.EnterMove, cmd.Execute, cmd.OfferDraw, cmd.AnswerDraw, cmd.ClaimDraw, cmd.ClaimTime, cmd.Resign,
    cmd.Propose, cmd.AboutToCastle, cmd.Resume, cmd.OrderSeal, cmd.RestoreTo, cmd.CallFlag)  # fmt: skip


def play_is_over(state: GameState, body: cmd.AnyBody) -> Refusal | None:
    """What is refused once a claim has concluded the game; None for everything else."""
    return Refusal("play_concluded", "III.6.1") if state.concluded is not None and isinstance(body, OF_PLAY) else None


def conclude(draft: Draft, seat: Seat, ground: str) -> None:
    """Freeze both boards, both times and both scores; say which moves the claimant's score lacks."""
    state = draft.state
    score = state.score_of(seat)
    missing = tuple(ply for ply in range(1, state.made_plies + 1) if ply > len(score) or score[ply - 1] is None)
    draft.emit(
        PlayConcluded(at=draft.now, seat=seat, ground=ground, snapshot=snapshot_of(state, draft.now), missing=missing)
    )
    if ground == "no_effort" and missing:
        detail = f"{seat.value} claims that no effort is made; his score lacks {len(missing)} half-moves (III.6.1)"
        draft.alert("scores_behind", state.made_plies, detail, grey=False)


def asks_to_verify(state: GameState, seat: Seat) -> bool:
    """Whether this player has still to say if they agree with the frozen position (III.6.1)."""
    concluded = state.concluded
    return concluded is not None and concluded.seat is not seat and concluded.agrees is None and not state.over


def verify(draft: Draft, seat: Seat, body: cmd.VerifyPosition) -> Refusal | None:
    """The opponent's word on the frozen position; he may correct himself, and every word stays on record."""
    concluded = draft.state.concluded
    if concluded is None:
        return Refusal("nothing_to_verify", "III.6.1")
    if concluded.seat is seat:
        return Refusal("opponent_verifies", "III.6.1")
    draft.emit(PositionVerified(at=draft.now, seat=seat, agrees=body.agrees, note=body.note))
    if not body.agrees:
        detail = f"{seat.value} does not agree with the final position or the score: {body.note or 'no words'}"
        draft.alert("position_disputed", draft.state.made_plies, detail, grey=False)
    return None
