"""The consequences of knowing whether a player can ever mate.

See 5.1.2, 6.9, 7.5.5; L044, L065, L084, L154, G11.
"""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import GameEnded, MateAnswered, Refusal
from server.game.decide.claims.flags import proposal
from server.game.decide.draft import Draft
from server.game.decide.endings import End, announced_end, ask_of_mate, end_in_question, never_mates_after, void
from server.game.decide.rule import decides
from server.game.laws.results import lost_by
from server.game.mating import Answer
from server.game.state.endings import MateQuestion
from server.game.state.state import GameState
from server.game.values.saying import Saying, saying
from server.game.values.words import Seat

VERDICTS = {"yes": saying("yes"), "no": saying("no"), "unknown": saying("unknown")}


@decides(cmd.NoteMateAnswer)
def take_mate_answer(draft: Draft, body: cmd.NoteMateAnswer) -> Refusal | None:
    """Take the answer to an open question, and do what the rule set says; each question is answered once."""
    question = draft.state.ending.mate_question(body.number)
    if question is None:
        return Refusal("nothing_asked", "")
    answer = Answer(body.verdict, body.witness, body.said)
    draft.emit(
        MateAnswered(
            at=draft.now,
            number=question.number,
            seat=question.seat,
            ply=question.ply,
            verdict=answer.verdict,
            witness=answer.witness,
            said=answer.said,
        )
    )
    if draft.state.over:
        return None  # the arbiter has decided meanwhile
    answer = _of_today(draft, question, answer)
    loser, told = question.seat.other, question.said or question.note
    match question.why:
        case "resigned":
            _end_by_resignation(draft, question, answer)
        case "sealed":
            _end_by_sealed_move(draft, question, answer)
        case "illegal":
            result = "1/2-1/2" if answer.verdict == "no" else lost_by(loser)
            found = saying("can_mate", who=question.seat, verdict=VERDICTS[answer.verdict], result=result)
            said = saying("with_finding", said=told, found=found)
            made_by_loser = draft.state.seat_of(question.ply) is loser  # a queen was forced there (7.5.2)
            draft.alert("loses", question.ply if made_by_loser else question.ply + 1, said, grey=False)
        case _:
            said = saying("with_finding", said=told, found=_of_flag(draft.state, question, answer))
            draft.alert(question.why, draft.state.made_plies, said, grey=False)
    return None


def _of_flag(state: GameState, question: MateQuestion, answer: Answer) -> Saying:
    return proposal(state, question.seat.other, answer, question.ply, question.announced)


def _of_today(draft: Draft, question: MateQuestion, answer: Answer) -> Answer:
    """Return the answer, or "unknown" where the server no longer believes in the position it was about."""
    state = draft.state
    if question.position is None:
        return Answer("unknown", said=saying("server_position"))
    gone = [one.before for line in state.moves.gone for one in line if one.ply == question.ply + 1]
    if question.why == "illegal" and question.position in gone:
        return answer  # it was asked of a move that went back (7.5.1)
    if state.position_after(question.ply) != question.position:
        return Answer("unknown", said=saying("mended_since"))
    return answer


def _end_by_resignation(draft: Draft, question: MateQuestion, answer: Answer) -> None:
    """End a resigned game: it is lost, but since 2023 drawn where the opponent can never mate.

    Where the edition lets a resignation lose against any opponent, it still does not lose in a position that was dead
    before it: then the game was already drawn (5.2.2). So where the opponent is not shown to be able to mate, the
    question is also asked of the player who resigned. Where the answer is not known (G11), the edition does not say, or
    the game had ended before, the arbiter decides.
    """
    state = draft.state
    if question.seat is state.ending.resigned:
        _end_by_either(draft, question, answer)
        return
    winner = question.seat
    loser, ended = winner.other, void(state, question.ply) or _claimed_before(state)
    settled = state.table.rules.options.resign_no_mate
    if not ended and settled == "loss" and answer.verdict != "yes" and question.position is not None:
        note, announced = answer.verdict, question.announced
        ask_of_mate(draft, loser, "resigned", question.ply, note=note, announced=announced)
    elif not ended and (settled == "loss" or answer.verdict == "yes"):
        _resigned_with(draft, question, loser, lost_by(loser), "resigned")
    elif not ended and settled == "draw" and answer.verdict == "no":
        _resigned_with(draft, question, loser, "1/2-1/2", "resigned_no_mate")
    else:
        why = saying("verdict_why", verdict=VERDICTS[answer.verdict], why=answer.said or "")
        then = ended or saying("arbiter_decides", who=winner, article="5.1.2", why=why)
        draft.alert("resigned", state.made_plies, saying("resigns", who=loser, then=then), grey=False)


def _resigned_with(draft: Draft, question: MateQuestion, loser: Seat, result: str, reason: str) -> None:
    """Give the result of a resignation, unless an announced move may have given another one before (5.1.1, 5.2.1)."""
    state = draft.state
    announced, then = announced_end(state, question.announced), None
    if announced is not None and announced.result != result:
        then = end_in_question(announced)
    elif announced is None and result == lost_by(loser) and state.table.rules.options.resign_no_mate == "draw":
        then = never_mates_after(state, question.announced, loser.other, "5.1.2")
    if then is None:
        draft.emit(GameEnded(at=draft.now, result=result, reason=reason, article="5.1.2"))
    else:
        draft.alert("resigned", state.made_plies, saying("resigns", who=loser, then=then), grey=False)


def _end_by_sealed_move(draft: Draft, question: MateQuestion, answer: Answer) -> None:
    """End a game that the arbiter ruled lost by its sealed move (I.8): drawn where the opponent can never mate (6.9).

    Where that is not known, or the game had ended before (Articles 5, 9.6), the arbiter decides.
    """
    state, winner = draft.state, question.seat
    ended = void(state, question.ply)
    if not ended and answer.verdict == "yes":
        draft.emit(GameEnded(at=draft.now, result=lost_by(winner.other), reason="sealed_move", article="I.8"))
    elif not ended and answer.verdict == "no":
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="sealed_move_no_mate", article="6.9"))
    else:
        why = saying("verdict_why", verdict=VERDICTS[answer.verdict], why=answer.said or "")
        then = ended or saying("arbiter_decides", who=winner, article="6.9", why=why)
        draft.alert("sealed_lost", question.ply, then, grey=False)


def _claimed_before(state: GameState) -> Saying | None:
    """Return which earlier claim must be ruled on before the resignation; None where there is none.

    A right claim had already ended the game (6.9, 9.5.2).
    """
    claim, flag = state.draws.claim, state.ending.flag_seen
    if flag is not None and flag is not state.ending.resigned:
        return saying("flag_before", who=flag)
    if claim is None or claim.kind == "increment":
        return None
    return saying("claim_first", who=claim.seat)


def _end_by_either(draft: Draft, question: MateQuestion, answer: Answer) -> None:
    """End a resigned game by whether the player who resigned could still mate.

    If so, the position was not dead and the game is lost.
    """
    loser, opponents = question.seat, question.note
    if answer.verdict == "yes":
        _resigned_with(draft, question, loser, lost_by(loser), "resigned")
        return
    dead = opponents == answer.verdict == "no"
    since = End(question.ply, "dead_position", "5.2.2", "1/2-1/2").since
    then = saying("void", end=since) if dead else saying("dead_or_not")
    draft.alert("resigned", draft.state.made_plies, saying("resigns", who=loser, then=then), grey=False)
