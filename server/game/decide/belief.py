"""The server's belief of the last plies, revised silently as evidence comes.

For the record and the arbiter only. The weighing is done outside the decision (`server/game/belief.py`). No
board, no score, no clock and no player's ear takes any part in it.
"""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import BeliefRevised
from server.game.belief import belief_question
from server.game.decide.draft import Draft
from server.game.decide.endings import WORDS
from server.game.decide.rule import decides
from server.game.state.state import GameState
from server.game.values.position import legal
from server.game.values.saying import saying


@decides(cmd.NoteBelief)
def revise(draft: Draft, body: cmd.NoteBelief) -> None:
    """Take over the moves that were weighed, unless something was said, entered or corrected since then."""
    question = belief_question(draft.state)
    if question is None or question.digest != body.about:
        return
    before = draft.state
    for one in sorted(body.plies, key=lambda ply: ply.ply):
        state, record = draft.state, draft.state.ply(one.ply)
        if record is not None and record.unknown:
            break  # nothing after it can be followed
        if record is None or record.mended is not None or record.by_hand is not None:
            continue
        if state.moves.line[one.ply - 1] != one.uci:
            draft.emit(BeliefRevised(at=draft.now, ply=one.ply, uci=one.uci, confidence=one.confidence))
    first = next((event.ply for event in draft.events if isinstance(event, BeliefRevised)), None)
    if first is None:
        return
    for record in draft.state.moves.plies[first - 1 :]:
        if record.completed and _believed_legal(before, record.index) is not _believed_legal(draft.state, record.index):
            _tell(draft, before, record.index)
    for kind, ply, _ in before.rulings.ends_told:
        if ply >= first:
            draft.alert("belief_revised", ply, saying("earlier_belief", ply=ply, kind=WORDS[kind]))


def _believed_legal(state: GameState, ply: int) -> bool | None:
    """Return whether the believed move is legal; None where it is not known."""
    uci = state.moves.line[ply - 1]
    before = state.position_after(ply - 1)
    return None if uci is None or before is None else legal(before, uci)


def _tell(draft: Draft, before: GameState, ply: int) -> None:
    """Tell the arbiter that an alert no longer holds, or give the alert that the new belief calls for."""
    if _believed_legal(draft.state, ply):
        known = before.moves.line[ply - 1]
        was = saying("not_known") if known is None else saying("seen_not_legal", uci=known)
        now = draft.state.moves.line[ply - 1] or ""
        draft.alert("belief_revised", ply, saying("believed_now", now=now, before=was))
    else:
        draft.alert_on_completion(ply)
