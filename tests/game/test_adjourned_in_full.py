"""An adjourned game, event by event and whole: the order, the envelope and its label (Guidelines I)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.seal import label_of, refuse_while_sealed
from server.game.laws.event_options import EventOptions
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment, EnvelopeLabel, SealedMove
from server.game.values.words import ClockMaster, Origin, Role, Seat
from tests.game.adjourned_table import (
    SEAL,
    START,
    B,
    T,
    W,
    alert,
    closed,
    heard,
    of,
    opened,
    ordered,
    paused,
    there,
    times,
)
from tests.game.core_table import CoreTable, altered, only, said


class TestSealing:
    @pytest.mark.law("L208")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_the_order_names_the_player_and_the_ply_and_counts_what_was_used(self, seat: Seat) -> None:
        table = opened(seat)
        table.wait(2_000)
        order = cmd.OrderSeal(key="key", salt="salt", session_left_ms=600_000)
        assert table.done("arbiter", order) == (
            ev.SealOrdered(at=3_000, seat=seat, ply=1, key="key", salt="salt", session_left_ms=600_000),
        )
        assert of(table) == Adjournment(
            seat=seat, ply=1, key="key", salt="salt", session_left_ms=600_000, used_ms=2_000
        )
        assert (of(table).replier, of(table).closed, of(table).understood) == (seat.other, False, False)
        assert SealedMove().origin is Origin.HEARD, "what is said is the rule"

    @pytest.mark.law("L208", "L210")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_the_seal_the_press_and_the_label(self, seat: Seat) -> None:
        table = ordered(seat)
        assert table.done(seat.value, SEAL) == (
            ev.MoveSealed(at=T, seat=seat, ply=1, sealed="c2VhbGVk", sha256="ab", utterance="u1"),
        )
        table.wait(5_000)
        white_ms, black_ms = times(seat)
        label = EnvelopeLabel(
            white="",
            black="",
            placement=START,
            fen=f"{START} {seat.value[0]} KQkq - 0 1",
            white_ms=white_ms,
            black_ms=black_ms,
            white_used_ms=5_000 if seat is W else 0,
            black_used_ms=5_000 if seat is B else 0,
            sealed_by=seat,
            move_number=1,
        )
        assert table.press(seat.value) == (
            ev.ClockPressed(at=6_000, seat=seat, ply=1, effective=True),
            paused(6_000, "sealed", Role.PLAYER, seat),
            ev.Adjourned(at=6_000, seat=seat, ply=1, sha256="ab", label=label),
        )
        assert of(table) == Adjournment(
            seat=seat, ply=1, key="key", salt="salt", stage="sealed", sealed="c2VhbGVk", sha256="ab", utterance="u1",
            understood=True, label=label,
        )  # fmt: skip
        clock = table.state.time.clock
        assert (clock.running, clock.turn, clock.this_move_ms) == (None, seat.other, 0)
        assert table.state.time.stopped_by is None, "the Laws have the player stop it"

    @pytest.mark.law("L210")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_the_label_states_no_time_that_another_clock_counts(self, seat: Seat) -> None:
        table = ordered(seat, master=ClockMaster.MANUAL)
        table.done(seat.value, SEAL)
        (adjourned,) = only(table.press(seat.value), ev.Adjourned)
        label = adjourned.label
        assert [label.white_ms, label.black_ms, label.white_used_ms, label.black_used_ms] == [None] * 4
        assert label.sealed_by is seat
        (prepared,) = only(table.done("arbiter", cmd.PrepareResumption()), ev.ResumptionPrepared)
        assert (prepared.list.white_ms, prepared.list.black_used_ms) == (None, None)

    @pytest.mark.law("L209")
    @pytest.mark.parametrize("seat", list(Seat))
    def test_who_adjourns_early_has_used_the_session_whole(self, seat: Seat) -> None:
        table = opened(seat)
        table.wait(2_000)
        table.done("arbiter", cmd.OrderSeal(key="key", salt="salt", session_left_ms=60_000))
        table.wait(1_000)
        table.done(seat.value, SEAL)
        events = table.press(seat.value)
        white_ms, black_ms = (5_338_000, 5_400_000) if seat is W else (5_400_000, 5_338_000)
        assert only(events, ev.TimeAdded) == [
            ev.TimeAdded(at=4_000, seat=seat, ms=-59_000, reason="adjourned early", article="I.1.2")
        ]
        (adjourned,) = only(events, ev.Adjourned)
        label = adjourned.label
        assert (label.white_ms, label.black_ms) == (white_ms, black_ms)
        assert (label.white_used_ms, label.black_used_ms) == ((62_000, 0) if seat is W else (0, 62_000))

    @pytest.mark.law("L209")
    def test_to_the_last_of_ones_time_is_told_and_a_millisecond_more_is_not(self) -> None:
        for left, told in (
            (300_000, [alert(T, "sealed_out_of_time", "White has no time left (I.1.2)")]),
            (299_999, []),
        ):
            table = opened(control="300")
            table.done("arbiter", cmd.OrderSeal(key="key", salt="salt", session_left_ms=left))
            table.done("white", SEAL)
            assert only(table.press("white"), ev.Alerted) == told

    @pytest.mark.law("L208")
    def test_where_the_clock_stands_the_sealed_move_counts_in_its_period_all_the_same(self) -> None:
        table = ordered()
        table.done("white", SEAL)
        table.done("arbiter", cmd.Pause(reason="noise"))
        assert only(table.press("white"), ev.ClockPressed) == [
            ev.ClockPressed(at=T, seat=W, ply=1, effective=True)
        ]  # fmt: skip
        assert (table.state.time.clock.white.moves, table.state.time.clock.turn) == (1, B)

    @pytest.mark.law("L208")
    @pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
    def test_another_clock_is_not_pressed_by_it(self, master: ClockMaster) -> None:
        table = ordered(master=master)
        table.done("white", SEAL)
        assert only(table.press("white"), ev.ClockPressed) == [
            ev.ClockPressed(at=T, seat=W, ply=1, effective=False)
        ]  # fmt: skip
        assert (table.state.time.clock.white.moves, table.state.time.clock.turn, of(table).stage) == (0, W, "sealed")

    def test_the_opponents_press_meanwhile_and_an_empty_envelope(self) -> None:
        table = ordered()
        assert table.press("black") == (ev.ClockPressed(at=T, seat=B, ply=0, effective=False),)
        assert table.press("white") == (
            alert(T, "nothing_sealed", "White pressed the clock with an empty envelope"),
            ev.ClockPressed(at=T, seat=W, ply=0, effective=False),
        )
        assert table.state.time.clock.running is W

    @pytest.mark.law("L208")
    def test_what_takes_the_place_of_what_in_the_envelope(self) -> None:
        """A sound replaces a sound and words replace words; a cough takes no words out."""
        table = ordered()
        cough, words = cmd.SealMove(sealed="eA==", understood=False), cmd.SealMove(sealed="eQ==")
        for number, (put, kept) in enumerate([(cough, 1), (cough, 1), (words, 1), (cough, 0), (words, 1)]):
            assert len(table.done("white", put)) == kept, number
        assert (of(table).sealed, of(table).understood) == ("eQ==", True)

    @pytest.mark.law("L208")
    def test_a_session_later_the_same_game_may_be_adjourned_again(self) -> None:
        table = closed()
        there(table, B)
        table.done("arbiter", cmd.OpenEnvelope(content=heard()))
        (order,) = table.done("arbiter", cmd.OrderSeal(key="next", salt="salt"))
        assert order == ev.SealOrdered(at=10_000, seat=B, ply=2, key="next", salt="salt")
        assert of(table).present == (False, False) and of(table).began_ms is None, "a resumption of its own"


ORDER_REFUSED: list[tuple[str, Refusal]] = [
    ("no guidelines", Refusal("no_adjournment", "I")),
    ("not started", Refusal("not_started", "6.6")),
    ("adjourned", Refusal("adjourned", "I.7")),
    ("sealed already", Refusal("already_sealed", "I.1.1")),
    ("claim", Refusal("claim_open", "9.5.1")),
    ("reconstruction", Refusal("reconstructing", "8.5.3")),
    ("no key", Refusal("no_seal_key", "I.3")),
    ("reply to nothing", Refusal("no_sealed_reply", "I.9.3")),
    ("said", Refusal("move_under_way", "I.1.1")),
    ("made", Refusal("move_under_way", "I.1.1")),
]


@pytest.mark.law("L208")
@pytest.mark.parametrize(("case", "refusal"), ORDER_REFUSED)
def test_when_no_order_to_seal_is_given(case: str, refusal: Refusal) -> None:
    order = cmd.OrderSeal(key="" if case == "no key" else "key", salt="salt", reply=case == "reply to nothing")
    match case:
        case "no guidelines":
            table = CoreTable(regulations=EventOptions(guidelines=("II", "III")))
        case "not started":
            table = opened(started=False)
        case "adjourned":
            table = closed()
        case "sealed already":
            table = ordered()
            table.done("white", SEAL)
        case _:
            table = opened()
    match case:
        case "claim":
            table.done("white", cmd.ClaimDraw(kind="repetition"))
        case "reconstruction":
            table.done("arbiter", cmd.BeginReconstruction(reason="scores differ"))
        case "said":
            table.say("white", "e4")
        case "made":
            table.say("white", "e4")
            table.say("black", "e4")
            assert table.ply(1).made and not table.ply(1).completed
    assert table.do("arbiter", order) == refusal


SAY, ENTER = cmd.Say(announcement=said("e4")), cmd.EnterMove(uci="e2e4", announcement=said("e4"))
TOUCH = cmd.ReportTouch(seat=W, square="g1", how="lifted")
GATED: list[tuple[cmd.AnyAct, str, str]] = [  # for whom it is refused: the sealer (s), the other (o), by stage
    (SAY, "so", "so"),
    (ENTER, "so", "so"),
    (cmd.RestoreTo(ply=0), "so", "so"),
    (cmd.Resume(), "", "so"),
    (cmd.ClaimDraw(kind="repetition"), "", "so"),
    (cmd.Propose(what="claim_draw"), "", "so"),
    (cmd.Propose(what="resign"), "", ""),
    (cmd.Execute(uci="g1f3"), "s", "s"),
    (cmd.Execute(uci="g1f3", board=W), "so", "so"),
    (cmd.Execute(uci="g1f3", board=B), "", ""),
    (cmd.WriteScore(index=1, text="Nf3"), "s", "s"),
    (TOUCH, "s", "s"),
    (cmd.AboutToCastle(), "s", "s"),
    (cmd.SenseMove(seat=W, uci="g1f3", announcement=said("Nf3")), "s", "s"),
    (cmd.NoteBoard(seat=W, what="stale"), "s", "s"),
    (cmd.OfferDraw(), "", ""),
    (cmd.Press(), "", ""),
]


@pytest.mark.law("L208", "L215")
@pytest.mark.parametrize(("body", "under_order", "sealed"), GATED)
def test_what_is_refused_between_the_order_and_the_resumption_and_to_whom(
    body: cmd.AnyAct, under_order: str, sealed: str
) -> None:
    resumed = closed()
    there(resumed, B)
    resumed.done("arbiter", cmd.OpenEnvelope(content=heard()))
    faulty = closed()
    there(faulty, B)
    faulty.done("arbiter", cmd.OpenEnvelope(content=heard("Ne5")))
    waits, shut = Refusal("sealing", "I.1.1"), Refusal("adjourned", "I.7")
    cases: list[tuple[GameState, str, Refusal]] = [
        (opened().state, "", waits),
        (ordered().state, under_order, waits),
        (closed().state, sealed, shut),
        (faulty.state, sealed, shut),
        (resumed.state, "", shut),
    ]
    for state, refused, refusal in cases:
        assert [refuse_while_sealed(state, seat, body) for seat in (W, B)] == [
            refusal if one in refused else None for one in "so"
        ]


@pytest.mark.parametrize("seat", list(Seat))
def test_an_older_record_in_which_the_press_was_not_the_clocks_turns_the_clock_with_the_envelope(seat: Seat) -> None:
    """Where the clock stood, such a press was written down without effect: the envelope itself then turned it."""
    table = ordered(seat)
    table.done(seat.value, SEAL)
    label = label_of(table.state, seat, T, 0)
    state = altered(
        table.state,
        {"time.clock": replace(table.state.time.clock, this_move_ms=700), "schedule.session_due_ms": 90_000},
    )
    after = apply(state, ev.Adjourned(at=5_000, seat=seat, ply=1, sha256="ab", label=label))
    assert (after.time.clock.running, after.time.clock.turn, after.time.clock.this_move_ms) == (None, seat.other, 0)
    assert after.time.clock.time_used(seat, 9_000) == 4_000 and after.schedule.session_due_ms is None
    other = apply(
        altered(state, {"time.clock_master": ClockMaster.MANUAL}),
        ev.Adjourned(at=5_000, seat=seat, ply=1, sha256="ab", label=label),
    )
    assert other.time.clock.turn is seat, "another clock is no matter of this one's turn"
