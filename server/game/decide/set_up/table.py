"""The set-up of a table: a wrong start, the Guidelines, the checklist.

It says what becomes of a game with a wrong initial position, orientation or colours (7.2, 7.3, A.5.1.2; L075-L077,
L152), and what the regulations must say before a table opens (Guidelines II.1; L226) and about I and III (III.2.1;
L232). The checklist shows what the arbiter has ticked and what is open; it holds nothing up (L009, L177-L181).
"""

from __future__ import annotations

from typing import Literal

import chess
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import ChecklistTicked, ClockSetUp, GuidelinesSettled, Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.adaptations import ChecklistItem
from server.game.laws.event_options import EventOptions, Guideline
from server.game.laws.legality import castling_rights_of_set_up, reversed_colours
from server.game.laws.quickplay import applies
from server.game.laws.rule_set import RuleSet
from server.game.laws.supervision import classify, set_up_claim_open
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Seat, SeatKind


@decides(cmd.RuleSetUp)
def rule_set_up(draft: Draft, body: cmd.RuleSetUp) -> Refusal | None:
    """Record what the rule set says of a wrong set-up, and what follows from it."""
    state = draft.state
    white, black = state.moves.completed_by_each
    kind, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    if body.what != "colours" and not set_up_claim_open(kind, supervision, white, black):
        article = state.table.rules.article("basic_set_up") or "A.5.1.2"
        if body.what == "orientation" or body.placement is None:
            return Refusal("set_up_stands", article)
        return _goes_on(draft, body.placement, body.board, article)
    says: Literal["new_game", "continue", "arbiter"]
    names: tuple[str, str] | None = None
    transfer: tuple[str, ...] = ()
    match body.what:
        case "position":
            says, article = "new_game", "7.2.1"
        case "orientation":
            says, article = "continue", "7.2.2"
            transfer = men_to_transfer(state, body.board)
        case _:
            says, article = reversed_colours(state.table.rules, *state.moves.made_by_each), "7.3"
            if says == "continue" and body.names == "swap" and not state.table.names_swapped:
                names = (state.table.black.name, state.table.white.name)
    draft.emit(
        ev.SetUpRuled(
            at=draft.now,
            what=body.what,
            says=says,
            article=article,
            board=body.board,
            names=names,
            transfer=transfer,
        )
    )
    return None


def men_to_transfer(state: GameState, board: Seat | None) -> tuple[str, ...]:
    """Return the men and squares of a board that must be turned (7.2.2).

    It is given as "Ke1", "pe7", White's men first, from a1 on. It is read from the board named; without one, from the
    position that the server believes, else from White's board.
    """
    position = state.position if board is None else state.board_of(board).position
    men = (position or state.moves.white_board.position).board().piece_map()
    return tuple(
        f"{men[square].symbol()}{chess.square_name(square)}"
        for color in (chess.WHITE, chess.BLACK)
        for square in sorted(men)
        if men[square].color == color
    )


def _goes_on(draft: Draft, placement: str, board: Seat | None, article: str) -> Refusal | None:
    """Let a wrong set-up stand after ten moves: no castling with a misplaced king or rook.

    See A.5.1.2, L152. `board` None: both boards were set up like that, and the game is read again from there; otherwise
    only the castling rights change.
    """
    state, start = draft.state, draft.state.moves.positions[0]
    try:
        set_up = Position.from_fen(f"{placement} w - - 0 1")
    except ValueError:
        return Refusal("no_position", article)
    castling = castling_rights_of_set_up(set_up, start)
    draft.emit(
        ev.SetUpRuled(
            at=draft.now,
            what="position",
            says="continue",
            article=article,
            placement=placement,
            castling=castling,
            board=board,
        )
    )
    known = draft.state.position
    if board is None and known is not None:
        for seat in Seat:
            draft.set_board(seat, known.placement, known.turn, draft.state.made_plies)
    where = saying("both_boards") if board is None else saying("the_board_of", who=board)
    rights = castling if castling != "-" else saying("none")
    said = saying("set_up_as", where=where, placement=placement, rights=rights, article=article)
    draft.alert("set_up_goes_on", state.made_plies, said, grey=False)
    return None


def chess960_refused(regulations: EventOptions | None, rules: RuleSet | None) -> Refusal | None:
    """Refuse Chess960 where a federation leaves it out or it was not announced.

    None where it may be played. An event that leaves it out sets the option `chess960 = "not_offered"` among its
    `overrides`; so do the editions that have no such Guidelines.
    """
    if rules is not None and rules.options.chess960 == "not_offered":
        return Refusal("chess960_not_offered", "II")
    if regulations is None or "II" not in regulations.guidelines:
        return Refusal("chess960_not_announced", "II")
    return None


def quickplay_holds(state: GameState) -> bool:
    """Return whether a quickplay finish is played here (III.2.1, III.2.2).

    It must be announced, in standard or rapid play, without increment.
    """
    return applies(state.table.rules, state.table.regulations, state.time.clock.control) is True


@decides(cmd.SettleGuidelines)
def settle_guidelines(draft: Draft, body: cmd.SettleGuidelines) -> Refusal | None:
    """Record what the regulations of the event say of adjournments (I) and of a quickplay finish (III).

    III must be announced before the start (III.2.1, L232); adjournments may be settled later too.
    """
    state = draft.state
    known = state.table.regulations
    settled = ("III" in known.guidelines, known.unsupervised)
    if state.table.started and (body.quickplay, body.unsupervised) != settled:
        return Refusal("guidelines_before_start", "III.2.1")
    held: dict[Guideline, bool] = {
        "I": body.adjournments,
        "II": "II" in known.guidelines,
        "III": body.quickplay,
    }
    guidelines = tuple(name for name, holds in held.items() if holds)
    _settle(draft, guidelines, unsupervised=body.unsupervised)
    return None


def tell_of_quickplay(draft: Draft) -> None:
    """Tell the players where setting the clock before the start opens or closes the quickplay finish."""
    regulations = draft.state.table.regulations
    was_set = any(isinstance(event, ClockSetUp) for event in draft.done())
    if was_set and quickplay_holds(draft.state) is not quickplay_holds(draft.before):
        _settle(draft, regulations.guidelines, unsupervised=regulations.unsupervised)


def _settle(draft: Draft, guidelines: tuple[Guideline, ...], *, unsupervised: bool) -> None:
    state = draft.state
    quickplay = (
        applies(state.table.rules, replace(state.table.regulations, guidelines=guidelines), state.time.clock.control)
        is True
    )
    draft.emit(GuidelinesSettled(at=draft.now, guidelines=guidelines, unsupervised=unsupervised, quickplay=quickplay))


def seats_of(state: GameState, item: ChecklistItem) -> tuple[Seat | None, ...]:
    """Return where an item must be looked at: at which boards, or once at the table (None)."""
    match item.scope:
        case "board":
            return tuple(Seat)
        case "special_board":
            return tuple(seat for seat in Seat if state.plan(seat).kind is SeatKind.TACTILE)
        case "table":
            return (None,)


def checks(state: GameState) -> tuple[tuple[ChecklistItem, Seat | None, ChecklistTicked | None], ...]:
    """Return every item at each place where it applies, with the last entry about it."""
    said = {(tick.item, tick.seat): tick for tick in state.table.ticks}
    return tuple(
        (item, seat, said.get((item.name, seat))) for item in state.table.checklist for seat in seats_of(state, item)
    )


CONSENT = "voice_recording"
"""The checklist item that records a player's consent to the recording of their voice."""


def may_keep_sound(state: GameState, seat: Seat) -> bool:
    """Return whether what this player says may be kept as sound.

    The player has agreed, or nothing is recorded and the event does not require consent.
    """
    answer = answer_of(state, seat)
    return answer if answer is not None else not state.table.regulations.sound_needs_consent


def answer_of(state: GameState, seat: Seat) -> bool | None:
    """Return this player's recorded consent; None where there is none."""
    said = next((tick for tick in state.table.ticks if (tick.item, tick.seat) == (CONSENT, seat)), None)
    return said.ok if said is not None else None


@decides(cmd.AnswerRecording)
def answer_recording(draft: Draft, seat: Seat, body: cmd.AnswerRecording) -> Refusal | None:
    """Record the player's own answer whether their voice may be kept.

    It counts from here on and may be changed.
    """
    if not any(item.name == CONSENT for item in draft.state.table.checklist):
        return Refusal("no_such_check", "D.2.7")
    draft.emit(ChecklistTicked(at=draft.now, item=CONSENT, seat=seat, ok=body.agrees, own=True))
    return None


@decides(cmd.TickChecklist)
def tick_checklist(draft: Draft, body: cmd.TickChecklist) -> Refusal | None:
    """Record that the arbiter has looked at something."""
    item = next((one for one in draft.state.table.checklist if one.name == body.item), None)
    if item is None:
        return Refusal("no_such_check", "12.2")
    if body.seat not in seats_of(draft.state, item):
        return Refusal("not_checked_there", item.article)
    draft.emit(ChecklistTicked(at=draft.now, item=body.item, seat=body.seat, ok=body.ok, note=body.note))
    return None
