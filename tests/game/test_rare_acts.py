"""Acts and questions that few games meet: each is decided, refused or left alone as the Laws and design.md say."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.belief import BeliefQuestion, belief_question, most_probable_line
from server.game.decide.draft import stands_by
from server.game.decide.questions import by_kind, thinking_times
from server.game.state.apply import apply
from server.game.state.line import PlyRecord
from server.game.state.moves import BoardState
from server.game.values.position import Position, passed_pawn
from server.game.values.words import ClockMaster, Duty, Role, Seat, SeatKind
from server.game.views.spectators import GameShown, MoveShown, written_move
from tests.game.adjourned_table import closed, heard, there
from tests.game.core_table import CoreTable, altered, only, play, refused, said
from tests.game.test_joint_belief import heard as voiced

W, B = Seat.WHITE, Seat.BLACK
START = Position.from_fen(chess.STARTING_FEN)


@pytest.mark.law("L192")
def test_the_time_for_a_move_is_what_its_player_used_since_their_last_one() -> None:
    table = CoreTable()
    for text, ms in (("e4", 3_000), ("e5", 2_000), ("Nf3", 5_000)):
        table.wait(ms)
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.press(seat)
    assert [thinking_times(table.state, move) for move in (None, 1, 2, 3)] == [(), (3_000, 2_000), (5_000,), ()]
    plies = (replace(table.ply(1), used_ms=None), *table.state.moves.plies[1:])
    first_unknown = altered(table.state, {"moves.plies": plies})
    assert [thinking_times(first_unknown, move) for move in (1, 2)] == [(None, 2_000), (None,)]
    back = (table.ply(1), table.ply(2), replace(table.ply(3), used_ms=1_000))
    assert thinking_times(altered(table.state, {"moves.plies": back}), 2) == (0,), "never below nothing"


@pytest.mark.law("L217", "L222")
@pytest.mark.parametrize("missing", [False, True])
def test_a_sealed_move_is_played_without_times_where_another_clock_counts(missing: bool) -> None:
    table = closed(master=ClockMaster.MANUAL)
    there(table, B)
    if missing:
        events = table.done("arbiter", cmd.ReplaceEnvelope(uci="g1f3"))
    else:
        events = table.done("arbiter", cmd.OpenEnvelope(content=heard("Nf3")))
    (completed,) = only(events, ev.Completed)
    assert (completed.ply, completed.white_ms, completed.black_ms) == (1, None, None)
    assert table.state.moves.line == ("g1f3",) and not only(events, ev.ClockSet)


@pytest.mark.law("L222")
def test_where_the_envelope_is_missing_the_times_on_its_label_are_set_again() -> None:
    table = closed()
    there(table, B)
    label = only(table.events, ev.Adjourned)[0].label
    (times,) = only(table.done("arbiter", cmd.ReplaceEnvelope(uci="g1f3")), ev.ClockSet)
    assert (times.white_ms, times.black_ms, times.turn) == (label.white_ms, label.black_ms, B)


def test_the_language_that_the_arbiter_fixed_is_the_arbiters_to_change_and_an_ear_is_its_players() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    only_arbiter = Refusal("only_the_arbiter", "12.3")
    assert table.do("white", cmd.ChooseEar(seat=B, speed=120)) == only_arbiter
    table.done("white", cmd.ChooseEar(seat=W, language="hu"))
    assert not table.state.sound.of(W).ear.language_fixed, "a player's own choice is not fixed"
    table.done("arbiter", cmd.ChooseEar(seat=W, language="de"))
    assert table.do("white", cmd.ChooseEar(language="hu")) == only_arbiter
    for allowed in ({"language": "de"}, {"speed": 120}):
        table.done("white", cmd.ChooseEar(**allowed))  # type: ignore[arg-type]
    ear = table.state.sound.of(W).ear
    assert (ear.language, ear.language_fixed, ear.speed) == ("de", True, 120)
    table.done("arbiter", cmd.ChooseEar(seat=W, language=""))
    assert not table.state.sound.of(W).ear.language_fixed


@pytest.mark.law("L207")
@pytest.mark.parametrize("duty", [None, Duty.ANNOUNCE, Duty.ADJOURN])
@pytest.mark.parametrize("started", [False, True])
def test_the_arbiter_is_told_in_the_game_that_a_deaf_opponent_needs_an_assistant(
    started: bool, duty: Duty | None
) -> None:
    """D.2.11: with one of the first two duties; before the start the check before the game says so."""
    table = CoreTable(started=started)
    if duty is not None:
        table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=W, duties=(duty,)))
    deaf = cmd.DescribePlayer(seat=B, hearing_impaired=True)
    events = table.done("arbiter", deaf)
    (described,) = only(events, ev.PlayerDescribed)
    missing = duty is not Duty.ANNOUNCE
    assert described.assistant_needed is missing
    told = [one.kind for one in only(events, ev.Alerted)]
    assert told == (["assistant_needed"] if missing and started else [])
    assert not only(table.done("arbiter", deaf), ev.Alerted), "told once"


def test_what_was_shown_after_a_move_and_before_the_first() -> None:
    game = GameShown(start="start", moves=(MoveShown(1, W, placement="one"), MoveShown(2, B)))
    assert [game.placement_after(ply) for ply in (-1, 0, 1, 2, 3)] == [None, "start", "one", None, None]
    assert game.placement == "one" and GameShown(start="start").placement == "start"


def test_a_king_and_a_rook_that_land_elsewhere_have_not_castled() -> None:
    assert written_move("8/8/8/8/8/8/8/4K2R", "8/8/8/8/8/8/8/3K1R2", W) is None
    assert written_move("8/8/8/8/8/8/8/4K2R", "8/8/8/8/8/8/7R/5K2", W) is None


def test_where_a_man_of_the_opponent_appears_beside_a_move_no_move_is_read() -> None:
    assert written_move("8/8/8/3p4/4P3/8/8/8", "8/8/8/3P4/3p4/8/8/8", W) is None


@pytest.mark.law("L197")
def test_after_going_back_to_a_ply_that_nobody_knows_the_last_position_is_known() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3")
    table.done("arbiter", cmd.Mend(ply=1, uci=None))
    assert [one.known for one in table.state.moves.taken_back(1).positions] == [True]


@pytest.mark.law("L009")
def test_a_ruling_on_castling_holds_for_a_position_that_the_desk_gave_to_a_ply() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    anchored = altered(table.state, {"moves.plies": (replace(table.ply(1), anchor=START), table.ply(2))})
    ruled = ev.SetUpRuled(
        at=table.now, what="position", says="goes_on", board=W, castling="kq", placement=START.placement,
        article="A.5.1.2",
    )  # fmt: skip
    anchor = apply(anchored, ruled).moves.plies[0].anchor
    assert anchor is not None and anchor.castling == "kq"


@pytest.mark.law("L182")
def test_words_taken_for_an_echo_are_not_carried_out_where_no_man_of_the_opponent_stands() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.say("white", "c2c3")
    events = table.own(cmd.SenseMove(seat=W, uci="c2c3"))
    assert [one.uci for one in only(events, ev.BoardMoved)] == ["c2c3"]
    assert table.placement(W).split("/")[5:7] == ["2P5", "PP1P1PPP"]


@pytest.mark.parametrize(
    ("move", "taken"), [("e5d6", "d5"), ("e5e6", None), ("e5f6", None), ("e5c6", None), ("a2a3", None)]
)
def test_the_form_of_a_capture_en_passant(move: str, taken: str | None) -> None:
    board = chess.Board("4k3/8/8/3pP3/8/8/P7/4K3 w - - 0 1")
    at = chess.Move.from_uci(move)
    pawn = board.piece_at(at.from_square)
    assert pawn is not None
    assert passed_pawn(board, at, pawn) == (None if taken is None else chess.parse_square(taken))


@pytest.mark.parametrize("voice_alone", [True, False])
def test_by_voice_alone_nobody_says_yes_to_what_ends_the_game_and_may_say_no(voice_alone: bool) -> None:
    needed = Refusal("own_key_needed", "")
    table = CoreTable()
    table.done("white", cmd.Propose(what="resign"))
    answer = table.do("white", cmd.Confirm(yes=True, voice_alone=voice_alone))
    assert (answer == needed) is voice_alone
    if voice_alone:
        table.done("white", cmd.Confirm(yes=False, voice_alone=True))
        assert table.do("white", cmd.Confirm(yes=True, voice_alone=True)) == Refusal("nothing_asked", "")
    else:
        assert table.state.over


def test_nothing_is_believed_of_nothing_and_of_a_move_that_was_ruled_unknown() -> None:
    assert most_probable_line(BeliefQuestion(START, ())) == ()
    heard_e4 = PlyRecord(index=1, seat=W, utterances=(voiced(W, e4=0.9),))
    known = altered(CoreTable().state, {"moves.plies": (heard_e4,), "moves.line": ("e2e4",)})
    question = belief_question(known)
    assert question is not None and question.plies[0].utterances
    assert belief_question(altered(known, {"moves.plies": (replace(heard_e4, unknown=True),)})) is None


@pytest.mark.parametrize(("uci", "leads"), [("e2e4", True), ("e5e6", False), ("e2e3", False)])
def test_a_board_became_what_it_is_by_one_move(uci: str, leads: bool) -> None:
    after = START.after("e2e4")
    assert stands_by(BoardState(after, before=START), uci) is leads


@pytest.mark.law("L182")
def test_the_same_echo_again_before_the_move_is_made_is_that_echo() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    table.say("black", "e4")
    table.say("black", "e4")
    assert table.ply(1).echo == said("e4") and not table.ply(1).completed and table.state.ply(2) is None


@pytest.mark.law("L182", "L187")
@pytest.mark.parametrize("kind", [SeatKind.SIGHTED, SeatKind.TACTILE])
def test_words_that_a_hand_has_made_are_the_own_move_but_never_at_a_tactile_board(kind: SeatKind) -> None:
    """Before the opponent's move was repeated: what a tactile player's hand found decides nothing that they hear."""
    table = CoreTable(black=kind)
    table.say("white", "e4", act="announce")
    table.press("white")
    table.own(cmd.SenseMove(seat=B, uci="e2e4"))
    table.own(cmd.SenseMove(seat=B, uci="e7e5"))
    table.say("black", "e5")
    own = kind is SeatKind.SIGHTED
    assert table.ply(2).announcement == (said("e5") if own else None)
    assert table.ply(1).echo == (None if own else said("e5"))


GIVEN: list[tuple[dict[str, Any], tuple[Seat, int, str, str] | None]] = [
    ({}, (B, 120_000, "illegal_move", "7.5.5")),
    ({"give_to": B}, (B, 120_000, "illegal_move", "7.5.5")),
    ({"give_ms": 120_000}, (B, 120_000, "illegal_move", "7.5.5")),
    ({"give_ms": 60_000}, (B, 60_000, "ruled", "12.9.2")),
    ({"give_to": W}, (W, 120_000, "ruled", "12.5")),
    ({"give_ms": 60_000, "give_to": W}, (W, 60_000, "ruled", "12.5")),
    ({"give_ms": 0}, None),
    ({"give_ms": 0, "give_to": W}, None),
]


@pytest.mark.law("L084", "L140", "L144")
@pytest.mark.parametrize(("ordered", "given"), GIVEN)
def test_the_time_for_what_is_taken_back_is_that_of_the_rules_or_as_the_arbiter_says(
    ordered: dict[str, Any], given: tuple[Seat, int, str, str] | None
) -> None:
    table = CoreTable()
    table.say("white", "Ng1g3", act="announce")
    table.press("white")
    events = table.done("arbiter", cmd.TakeBack(reason="ruled", **ordered))
    (ruled,) = only(events, ev.IrregularityRuled)
    assert (ruled.ply, ruled.seat, ruled.bonus_ms, ruled.article) == (1, W, 120_000, "7.5.5")
    assert [(one.seat, one.ms, one.reason, one.article) for one in only(events, ev.TimeAdded)] == (
        [] if given is None else [given]
    )
    assert [one.ply for one in only(events, ev.Restored)] == [0] and table.state.on_move is W
    assert table.state.time.clock.running is None, "the clocks are started by the arbiter"


@pytest.mark.law("L080")
@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize(("words", "stands_there"), [("Ng1g3", True), ("e5", False)])
def test_after_a_take_back_the_clocks_run_where_the_arbiter_says_so_and_no_board_is_to_be_set(
    words: str, stands_there: bool, resume: bool
) -> None:
    table = CoreTable()
    table.say("white", words, act="announce")
    table.press("white")
    table.done("arbiter", cmd.Pause())
    events = table.done("arbiter", cmd.TakeBack(resume=resume))
    assert bool(only(events, ev.BoardsToSet)) is stands_there
    assert table.state.time.clock.running is (W if resume and not stands_there else None)


@pytest.mark.law("L192")
def test_an_answer_tells_of_our_clock_all_that_it_shows_and_of_another_what_was_read_and_when() -> None:
    table = CoreTable(control="40/5400+30:1800+30")
    for text in ("e4", "e5", "Nf3"):
        seat = table.state.on_move.value
        table.wait(1_000)
        table.say(seat, text, act="announce")
        table.press(seat)
    table.wait(2_000)
    for seat, moves, left in ((W, 2, 38), (B, 1, 39)):
        (told,) = only(table.done(seat.value, cmd.Ask(what="time")), ev.Answered)
        assert (told.moves, told.to_control, told.period, told.periods) == (moves, left, 1, 2)
        assert (told.white_ms, told.white_used_ms, told.black_used_ms) == (5_458_000 + 30_000, 2_000, 3_000)
        assert (told.running, told.age_ms, told.first_flag) == (B, None, None)
    other = CoreTable(master=ClockMaster.MANUAL)
    (told,) = only(other.done("white", cmd.Ask(what="moves")), ev.Answered)
    assert (told.age_ms, told.to_control, told.period, told.periods) == (None, None, None, 0)
    other.done("arbiter", cmd.ReadClock(white_ms=1_000, black_ms=2_000))
    other.wait(700)
    (told,) = only(other.done("white", cmd.Ask(what="time")), ev.Answered)
    assert (told.white_ms, told.black_ms, told.running, told.age_ms) == (1_000, 2_000, None, 700)
    other.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.SERVER))
    (told,) = only(other.done("white", cmd.Ask(what="time")), ev.Answered)
    assert (told.age_ms, told.periods) == (None, 1), "by then ours counts"


@pytest.mark.law("L192")
@pytest.mark.parametrize("released", [True, False])
def test_how_long_a_move_took_is_told_in_the_review_of_a_released_game_alone(released: bool) -> None:
    table = CoreTable()
    table.wait(4_000)
    table.say("white", "e4", act="announce")
    table.press("white")
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    table.done("arbiter", cmd.ReleaseReview(released=released))
    for what, times in (("score", (4_000,) if released else ()), ("time", ())):
        (told,) = only(table.done("white", cmd.Ask(what=what, move=1)), ev.Answered)  # type: ignore[arg-type]
        assert told.took_ms == times


@pytest.mark.law("L192", "L205")
def test_who_may_ask_for_what_stands_on_a_board() -> None:
    """The set-up before the start (2.3), the position by touch where the readout is recorded."""
    table = CoreTable(started=False, black=SeatKind.SIGHTED)
    set_up = cmd.Ask(what="set_up")
    (told,) = only(table.done("white", set_up), ev.Answered)
    assert told.placement == chess.STARTING_BOARD_FEN
    assert table.do("arbiter", cmd.Ask(what="position")) == Refusal("only_the_player", "12.6")
    table.done("arbiter", cmd.StartGame())
    assert table.do("white", set_up) == Refusal("set_up_before_the_start", "2.3")
    position = cmd.Ask(what="position")
    assert table.do("white", position) == Refusal("no_readout", "D.2.10")
    table.adapt("position_readout")
    (told,) = only(table.done("white", position), ev.Answered)
    assert told.placement == table.placement(W)
    assert table.do("black", position) == Refusal("no_readout", "D.2.10"), "who sees the board reads it"
    assert table.do("white", cmd.Ask(what="opponent_score")) == Refusal("not_lent", "8.5.2")


def test_men_are_told_kings_first_and_pawns_last_file_by_file() -> None:
    board = chess.Board("8/8/8/8/1K6/P6p/PP1N3P/R2Q4 w - - 0 1")
    white = [(at, man) for at, man in board.piece_map().items() if man.color]
    told = [f"{man}{chess.square_name(at)}" for at, man in sorted(white, key=by_kind)]
    assert told == ["Kb4", "Qd1", "Ra1", "Nd2", "Pa2", "Pa3", "Pb2", "Ph2"]


@pytest.mark.law("L192", "L193", "L203")
@pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
def test_no_time_is_told_of_another_clock_that_nobody_has_read(master: ClockMaster) -> None:
    """The server's own clock stands meanwhile: what it shows would be taken for the time left (D.2.6, D.2.10.4)."""
    table = CoreTable(master=master)
    play(table, "e4 e5", wait=60_000)
    for what in ("time", "opponent_time", "clock"):
        refused(table.do("white", cmd.Ask(what=what)), "clock_not_read", "D.2.6")
    (moves,) = only(table.done("white", cmd.Ask(what="moves")), ev.Answered)
    assert moves.moves == 1
    table.done("arbiter", cmd.ReadClock(white_ms=5_000_000, black_ms=5_100_000))
    table.wait(30_000)
    (time,) = only(table.done("white", cmd.Ask(what="time")), ev.Answered)
    assert (time.white_ms, time.age_ms) == (5_000_000, 30_000)
