"""A spoken or typed command word becomes a command for the table, but never a press (L049)."""

from __future__ import annotations

from typing import Literal

from server.game import acts as cmd
from server.game.acts.endings import Proposal
from server.wording.rules import load_usual_clocks

ASKED: dict[
    str,
    Literal[
        "time",
        "opponent_time",
        "moves",
        "last",
        "score",
        "help",
        "clock",
        "article",
        "score_next",
        "score_previous",
        "score_here",
        "set_up",
        "pairing",
    ],
] = {
    "time": "time",
    "opponent_time": "opponent_time",
    "moves": "moves",
    "last": "last",
    "repeat": "last",
    "score": "score",
    "help": "help",
    "clock": "clock",
    "article": "article",
    "score_next": "score_next",
    "score_previous": "score_previous",
    "score_move": "score_here",
    "set_up": "set_up",
    "pairing": "pairing",
}

SPEED_BY = {"slower": -20, "faster": 20}
"""Change in per cent of the usual speed; the word can be said again for more."""

ASKED_ABOUT = ("claim_time", "claim_draw", "draw")
"""Said or typed, the player is asked once whether it was meant.

A claim cannot be withdrawn (9.5.1); a bare "draw" says neither that it is offered nor that it is claimed.
"""

BINDING: dict[str, Proposal] = {
    "draw": "draw_offer",
    "draw_offer": "draw_offer",
    "draw_accept": "draw_accept",
    "draw_decline": "draw_decline",
    "resign": "resign",
    "claim_time": "claim_time",
    "claim_draw": "claim_draw",
}


def body_of_command(
    command: str,
    *,
    number: int | None = None,
    sure: bool = True,
    utterance: str | None = None,
    at_ms: int | None = None,
) -> cmd.AnyAct | None:
    """Return the command a spoken word stands for, None where it does nothing by itself.

    `sure`: recognised beyond doubt. `number`: of a move of the player's own score.
    """
    if command in BINDING:
        asks = command in ASKED_ABOUT
        return cmd.Propose(what=BINDING[command], sure=sure and not asks, utterance=utterance, at_ms=at_ms)
    if command in ("yes", "no"):  # a doubtful yes or no counts as neither
        return cmd.Confirm(yes=command == "yes", utterance=utterance, at_ms=at_ms) if sure else None
    if command == "score_move" and number is not None:
        return cmd.Ask(what="score", move=number)
    if command in ASKED:
        return cmd.Ask(what=ASKED[command])
    if command == "arbiter":
        return cmd.CallArbiter(reason="called by voice", stop=False)
    if command == "adjust":
        return cmd.Adjust()
    if command == "castle":
        return cmd.AboutToCastle()
    if command == "set_clock":  # also when in doubt: nothing is set without a yes
        return cmd.ChooseClock(controls=load_usual_clocks())
    if command in SPEED_BY:
        return cmd.ChooseEar(speed_by=SPEED_BY[command])
    if command == "executed":  # when in doubt, nothing is declared
        return cmd.Execute() if sure else None
    if command == "read_keys":
        return cmd.ChooseEar(turn_keys=True)
    if command == "stop":
        return cmd.ChooseClock(stop=True)
    return None


def typed_command(
    command: str, number: int | None = None, *, loose: bool = False, assists: bool = False
) -> cmd.AnyAct | None:
    """Return the command a typed word stands for.

    Typing is deliberate: an offer in the words of the table counts at once, and so does a refusal. The player is asked
    once about an acceptance, a claim and a resignation, and about an offer in other words (`loose`). `assists`: an
    assistant typed it, whose duty a claim of time may be (D.2.10.5). The last moves, with their `number`, are those of
    the player's own score.
    """
    if command == "claim_time" and assists:
        return cmd.ClaimTime()
    if command == "last" and number is not None:
        return cmd.Ask(what="score", last=number)
    deliberate: dict[str, cmd.AnyAct] = {
        "draw_offer": cmd.Propose(what="draw_offer", sure=False) if loose else cmd.OfferDraw(),
        "draw_decline": cmd.AnswerDraw(accept=False),
        "yes": cmd.Confirm(yes=True, typed=True),
        "no": cmd.Confirm(yes=False, typed=True),
        "arbiter": cmd.CallArbiter(),
    }
    return deliberate.get(command) or body_of_command(command, number=number)
