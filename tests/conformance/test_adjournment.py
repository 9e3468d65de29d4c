"""Guidelines I, adjourned games: the order, the sealing, the envelope (L205, L208-L214). Resumption: the next file."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import Adjournment
from server.game.values.words import Duty, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, kinds, only, refused, said

WITH_I = EventOptions(guidelines=("I",), default_time_s=900)


def opened(*moves: str, **more: Any) -> CoreTable:
    """A table where Guidelines I hold, after some moves (UCI by either side's words)."""
    more.setdefault("regulations", WITH_I)
    table = CoreTable(**more)
    for number, move in enumerate(moves):
        station = "white" if number % 2 == 0 else "black"
        table.say(station, move, act="announce")
        table.wait(10_000)
        table.press(station)
    return table


def ordered(table: CoreTable, **more: Any) -> CoreTable:
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt", **more))
    return table


def put(table: CoreTable, station: str, sealed: str = "c2VhbGVk", **more: Any) -> tuple[ev.AnyEvent, ...]:
    """Something encrypted goes into the envelope."""
    return table.done(station, cmd.SealMove(sealed=sealed, sha256="ab", **more))


def of(table: CoreTable) -> Adjournment:
    assert table.state.adjournment is not None
    return table.state.adjournment


@pytest.mark.law("L208")
def test_only_where_the_event_has_adjournments_and_only_by_the_arbiter() -> None:
    without = opened(regulations=EventOptions(guidelines=("III",)))
    refused(without.do("arbiter", cmd.OrderSeal(key="k", salt="s")), "no_adjournment", "I")
    without.done("arbiter", cmd.Pause(reason="the hall closes"))
    table = opened()
    refused(table.do("white", cmd.OrderSeal(key="k", salt="s")), "only_the_arbiter", "12.3")
    assert only(table.done("arbiter", cmd.OrderSeal(key="k", salt="s")), ev.SealOrdered)[0].seat is Seat.WHITE


@pytest.mark.law("L208")
def test_after_the_order_nothing_is_announced_entered_written_or_carried_out() -> None:
    table = ordered(opened("e4", "e5"))
    before = (table.state.moves.plies, table.state.moves.white_board, table.state.scores.white, table.state.moves.line)
    refused(table.do("white", cmd.Say(announcement=said("Nf3"))), "sealing", "I.1.1")
    refused(table.do("black", cmd.Say(announcement=said("e5"))), "sealing", "I.1.1")
    entry = cmd.EnterMove(uci="g1f3", announcement=said("Nf3"))
    refused(table.do("white", entry), "sealing", "I.1.1")
    refused(table.do("white", cmd.Execute(uci="g1f3")), "sealing", "I.1.1")
    refused(table.do("white", cmd.WriteScore(index=1, text="Nf3")), "sealing", "I.1.1")
    touch = cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted", origin="sensed")
    refused(table.do("program", touch), "sealing", "I.1.1")
    put(table, "white")
    put(table, "white", "YW5vdGhlcg==")  # White may change it until the clock is stopped
    assert of(table).sealed == "YW5vdGhlcg=="
    assert (
        table.state.moves.plies,
        table.state.moves.white_board,
        table.state.scores.white,
        table.state.moves.line,
    ) == before
    assert table.state.time.clock.running is Seat.WHITE, "White's time runs until White stops it"


@pytest.mark.law("L208")
def test_the_press_closes_the_envelope_and_stops_the_clock() -> None:
    table = ordered(opened("e4", "e5"))
    table.wait(30_000)
    empty = table.press("white")
    assert only(empty, ev.Alerted)[0].kind == "nothing_sealed" and table.state.time.clock.running is Seat.WHITE
    refused(table.do("white", cmd.StopSealed()), "nothing_sealed", "I.1.1")
    put(table, "white")
    refused(table.do("black", cmd.StopSealed()), "not_your_envelope", "I.1.1")
    assert kinds(table.press("black")) == ["ClockPressed"], "the opponent's press closes nothing"
    closed = table.press("white")
    assert kinds(closed) == ["ClockPressed", "ClockPaused", "Adjourned"]
    assert table.state.time.clock.running is None and table.state.time.clock.turn is Seat.BLACK
    assert of(table).stage == "sealed" and table.state.made_plies == 2
    refused(table.do("white", cmd.SealMove(sealed="eA==", sha256="x")), "not_sealing", "I.1.1")
    refused(table.do("white", cmd.Say(announcement=said("Nf3"))), "adjourned", "I.7")
    refused(table.do("arbiter", cmd.Resume()), "adjourned", "I.7")
    refused(table.do("arbiter", cmd.OrderSeal(key="k", salt="s")), "adjourned", "I.7")
    assert kinds(table.press("black")) == ["ClockPressed"], "a press is never refused"
    assert table.state.time.clock.running is None


@pytest.mark.law("L208")
def test_a_cough_takes_no_sealed_move_out_and_a_sound_alone_is_sealed_too() -> None:
    table = ordered(opened())
    put(table, "white", "Y291Z2g=", understood=False, utterance="u1")
    put(table, "white", "bW92ZQ==", understood=True, utterance="u2")
    assert put(table, "white", "Y291Z2g=", understood=False, utterance="u3") == ()
    assert (of(table).sealed, of(table).utterance) == ("bW92ZQ==", "u2")
    refused(table.do("white", cmd.SealMove()), "no_announcement", "I.1.1")


@pytest.mark.law("L208")
def test_a_new_order_brings_a_new_key_only_while_the_envelope_is_empty() -> None:
    table = ordered(opened())
    table.done("arbiter", cmd.OrderSeal(key="other", salt="salt"))
    assert (of(table).key, of(table).sealed) == ("other", "")
    refused(table.do("arbiter", cmd.OrderSeal()), "no_seal_key", "I.3")
    put(table, "white")
    refused(table.do("arbiter", cmd.OrderSeal(key="third", salt="salt")), "already_sealed", "I.1.1")
    assert (of(table).key, of(table).sealed) == ("other", "c2VhbGVk")


@pytest.mark.law("L205")
def test_the_assistant_seals_with_the_duty_of_adjournment_alone() -> None:
    table = opened(black=SeatKind.TACTILE)
    without = table.assistant(Seat.WHITE, Duty.ANNOUNCE, Duty.SCORE_AND_CLOCK)
    ordered(table)
    refused(table.do(without, cmd.SealMove(sealed="eA==", sha256="x")), "not_your_duty", "D.2.10.6")
    refused(table.do(without, cmd.StopSealed()), "not_your_duty", "D.2.10.6")
    with_duty = table.assistant(Seat.WHITE, Duty.ADJOURN)
    opponents = table.assistant(Seat.BLACK, Duty.ADJOURN)
    refused(table.do(opponents, cmd.SealMove(sealed="eA==", sha256="x")), "not_your_envelope", "I.1.1")
    put(table, with_duty)
    table.done(with_duty, cmd.StopSealed())
    assert of(table).stage == "sealed"


@pytest.mark.law("L209")
@pytest.mark.parametrize("thought", [60_000, 700_000])
def test_who_adjourns_early_has_sealed_at_the_nominal_end(thought: int) -> None:
    table = ordered(opened("e4", "e5"), session_left_ms=600_000)
    left, used = (
        table.state.time.clock.remaining(Seat.WHITE, table.now),
        table.state.time.clock.time_used(Seat.WHITE, table.now),
    )
    put(table, "white")
    table.wait(thought)
    table.press("white")
    label = of(table).label
    assert label is not None
    gone = max(600_000, thought)
    assert label.white_ms == left - gone + 30_000, "all the session's time, and the increment of a completed move"
    assert label.white_used_ms == used + gone
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == label.white_ms


@pytest.mark.law("L210")
def test_the_label_says_everything_but_the_move() -> None:
    table = opened("e4", "e5", "Nf3")
    table.done("white", cmd.OfferDraw())
    ordered(table)
    put(table, "black")
    table.wait(5_000)
    (closed,) = only(table.press("black"), ev.Adjourned)
    label = closed.label
    board = chess.Board()
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
    assert (label.fen.split()[0], label.sealed_by, label.move_number) == (board.board_fen(), Seat.BLACK, 2)
    assert label.offer_by is Seat.WHITE, "a draw offer that is current (I.2.6)"
    assert (label.white_used_ms, label.black_used_ms) == (20_000, 15_000)
    assert closed.sha256 == "ab"


@pytest.mark.law("L210")
def test_the_label_of_a_game_that_the_server_lost_shows_the_sealers_own_board() -> None:
    table = opened()
    table.mumble("white", "u1")
    table.press("white")
    ordered(table)
    put(table, "black")
    table.press("black")
    label = of(table).label
    assert label is not None and (label.fen, label.placement) == ("", table.placement(Seat.BLACK))


@pytest.mark.law("L212")
def test_an_offer_after_the_seal_stands_until_it_is_answered() -> None:
    table = ordered(opened("e4", "e5"))
    put(table, "white")
    table.press("white")
    offered = table.done("white", cmd.OfferDraw())
    assert kinds(offered) == ["DrawOffered"], "White's move lies in the envelope: an offer in its place"
    restored = Game.replay(table.events)
    assert restored == table.state and restored.draws.offer_by is Seat.WHITE
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
    assert table.state.draws.offer_by is Seat.WHITE
    (ended,) = only(table.done("black", cmd.AnswerDraw(accept=True)), ev.GameEnded)
    assert (ended.result, ended.article) == ("1/2-1/2", "5.2.3")


@pytest.mark.law("L213")
def test_the_set_up_list_names_position_times_and_where_each_board_differs() -> None:
    table = opened("e4", "e5")
    table.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement=chess.Board().board_fen(), turn=Seat.WHITE))
    ordered(table)
    put(table, "white")
    table.press("white")
    (prepared,) = only(table.done("arbiter", cmd.PrepareResumption()), ev.ResumptionPrepared)
    label = of(table).label
    assert label is not None
    assert prepared.list.placement == label.placement == table.state.moves.positions[2].placement
    assert (prepared.list.white_ms, prepared.list.black_used_ms) == (label.white_ms, label.black_used_ms)
    assert prepared.list.turn is Seat.WHITE
    assert prepared.list.white_board == ("e2", "e4", "e5", "e7")
    assert prepared.list.black_board == ()


@pytest.mark.law("L214")
@pytest.mark.parametrize(("fen", "result"), [(chess.STARTING_FEN, "1-0"), ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "1-0")])
def test_a_resignation_before_the_resumption_concludes(fen: str, result: str) -> None:
    table = CoreTable(fen=fen, regulations=WITH_I)
    sealer = table.state.on_move.value
    ordered(table)
    put(table, sealer)
    table.press(sealer)
    (ended,) = only(table.done("black", cmd.Resign()), ev.GameEnded)
    assert (ended.result, ended.article) == (result, "5.1.2")
    refused(table.do("arbiter", cmd.MarkPresent(seat=Seat.BLACK)), "game_over", "11.4")


@pytest.mark.law("L214")
def test_who_resigns_to_a_bare_king_draws_also_while_adjourned() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1", regulations=WITH_I)
    ordered(table)
    put(table, "white")
    table.press("white")
    (ended,) = only(table.done("white", cmd.Resign()), ev.GameEnded)
    assert ended.result == "1/2-1/2", "5.1.2: the opponent can never mate"


@pytest.mark.law("L208", "L211")
def test_the_players_are_told_of_the_stages_and_the_arbiter_of_ciphertext() -> None:
    table = opened()
    white, black = (Station(seat.value, Role.PLAYER, seat) for seat in Seat)
    arbiter = Station("arbiter", Role.ARBITER)
    ordered(table)
    put(table, "white")
    table.press("white")
    stages = []
    for event in table.events:
        for station in (white, black):
            told = view(event, table.state, station)
            if isinstance(told, msg.AdjournmentShown):
                stages.append((station.id, told.stage, told.own))
        if isinstance(event, ev.MoveSealed):
            assert view(event, table.state, white) is None and view(event, table.state, black) is None
            shown = view(event, table.state, arbiter)
            assert isinstance(shown, msg.Recorded) and shown.event == event
    assert stages == [
        ("white", "ordered", True),
        ("black", "ordered", False),
        ("white", "sealed", True),
        ("black", "sealed", False),
    ]


@pytest.mark.law("L208")
def test_an_adjournment_replays_after_a_crash() -> None:
    table = ordered(opened("e4"))
    put(table, "black")
    table.own(cmd.NoteInterruption(witness_ms=table.now, uncertain_ms=5, reason="the_program_was_stopped"))
    assert table.state.time.clock.running is None and of(table).sealed
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.BLACK
    table.press("black")
    assert of(table).stage == "sealed"
    events = [msgspec.json.decode(msgspec.json.encode(one), type=ev.AnyEvent) for one in table.events]
    assert Game.replay(events) == table.state
