"""Guidelines I, the resumption of an adjourned game: presence, opening, I.8, lateness, a lost envelope (L215-L224)."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import Adjournment, SealedMove
from server.game.values.announcement import Announcement
from server.game.values.words import Seat, SeatKind
from tests.game.core_table import CoreTable, only, play, refused, said

WITH_I = EventOptions(guidelines=("I",), default_time_s=900)
MINUTE = 60_000


def of(table: CoreTable) -> Adjournment:
    assert table.state.adjournment is not None
    return table.state.adjournment


def adjourned(fen: str = chess.STARTING_FEN, regulations: EventOptions = WITH_I) -> CoreTable:
    """White has sealed, five seconds after the order."""
    table = CoreTable(fen=fen, regulations=regulations, control="5400")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    table.done("white", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.wait(5_000)
    table.press("white")
    table.wait(60 * MINUTE)
    return table


def content(text: str = "Nf3", utterance: str | None = "u1") -> SealedMove:
    return SealedMove(announcement=said(text), words=(text,), text=text, utterance=utterance)


def there(table: CoreTable, seat: Seat, present: bool = True) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", cmd.MarkPresent(seat=seat, present=present))


def open_it(table: CoreTable, sealed: SealedMove | None = None) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", cmd.OpenEnvelope(content=sealed or content()))


@pytest.mark.law("L215")
def test_the_envelope_stays_closed_until_the_player_who_must_reply_is_there() -> None:
    table = adjourned()
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content())), "replier_absent", "I.7")
    there(table, Seat.WHITE)
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content())), "replier_absent", "I.7")
    there(table, Seat.BLACK)
    there(table, Seat.BLACK, present=False)
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content())), "replier_absent", "I.7")
    there(table, Seat.BLACK)
    refused(table.do("arbiter", cmd.OpenEnvelope()), "wrong_seal_code", "I.3")
    refused(table.do("black", cmd.OpenEnvelope(content=content())), "only_the_arbiter", "12.3")
    assert only(open_it(table), ev.EnvelopeOpened)[0].found == "played"


@pytest.mark.law("L217")
def test_with_the_replier_there_the_move_is_made_and_their_clock_runs() -> None:
    table = adjourned()
    there(table, Seat.BLACK)
    label = of(table).label
    assert label is not None
    refused(table.do("arbiter", cmd.StartResumption()), "replier_present", "I.9.1")
    open_it(table)
    record = table.ply(1)
    assert (table.state.moves.line, record.made, record.completed) == (("g1f3",), True, True)
    assert (record.white_ms, record.black_ms) == (label.white_ms, label.black_ms), "the times of the sealing"
    assert table.state.time.clock.running is Seat.BLACK
    assert table.state.time.clock.remaining(Seat.BLACK, table.now) == label.black_ms == 5_400_000
    assert table.score(Seat.WHITE) == ["Nf3"], "the tactile player's score has that player's own words"
    assert table.placement(Seat.WHITE) == table.state.moves.positions[1].placement
    play(table, "e5")
    assert table.state.made_plies == 2 and Game.replay(table.events) == table.state


@pytest.mark.law("L218")
def test_a_clock_may_be_started_again_where_it_was_stopped_for_nothing() -> None:
    table = adjourned()
    table.done("arbiter", cmd.StartResumption())
    began = of(table).began_ms
    table.done("arbiter", cmd.Pause())
    table.wait(MINUTE)
    table.done("arbiter", cmd.StartResumption())
    assert table.state.time.clock.running is Seat.BLACK and of(table).began_ms == began


@pytest.mark.law("L219")
def test_while_the_sealer_is_away_the_replier_may_seal_their_reply() -> None:
    table = adjourned()
    there(table, Seat.BLACK)
    open_it(table)
    table.wait(MINUTE)
    table.done("arbiter", cmd.OrderSeal(key="fresh", salt="salt", reply=True))
    assert (of(table).seat, of(table).ply, of(table).key) == (Seat.BLACK, 2, "fresh")
    table.done("black", cmd.SealMove(sealed="ZnJlc2g=", sha256="cd"))
    table.press("black")
    assert table.state.time.clock.running is Seat.WHITE, "the absent player's clock is started"
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content("e5"))), "replier_absent", "I.7")
    table.wait(5 * MINUTE)
    there(table, Seat.WHITE)
    open_it(table, content("e5"))
    assert table.state.moves.line == ("g1f3", "e7e5") and table.state.time.clock.running is Seat.WHITE
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L219")
def test_a_reply_is_sealed_only_while_the_sealer_is_away_and_only_as_the_first() -> None:
    table = adjourned()
    reply = cmd.OrderSeal(key="fresh", salt="salt", reply=True)
    refused(table.do("arbiter", reply), "adjourned", "I.7")
    there(table, Seat.BLACK)
    open_it(table)
    there(table, Seat.WHITE)
    refused(table.do("arbiter", reply), "no_sealed_reply", "I.9.3")
    there(table, Seat.WHITE, present=False)
    play(table, "e5")
    refused(table.do("arbiter", reply), "no_sealed_reply", "I.9.3")
    table.done("arbiter", cmd.OrderSeal(key="next", salt="salt"))
    assert not of(table).reply, "the end of a further session is another matter"


SEALED: list[tuple[str, Announcement | str, str]] = [
    ("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", said("Ne2"), "ambiguous"),  # both knights
    ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", said("Ne3"), "illegal"),  # no knight goes there
    ("4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1", said("Nf3"), "illegal"),  # a check stands
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", said("a8"), "ambiguous"),  # which piece?
    ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "ambiguous"),
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", said("O-O"), "illegal"),  # no right
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", said("O-O-O"), "illegal"),
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", said("d6"), "ambiguous"),  # either pawn takes en passant
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1", said("e5d6"), "illegal"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e2e4", "illegal"),  # nothing stands there
]


@pytest.mark.law("L216")
@pytest.mark.parametrize(("fen", "sealed", "found"), SEALED)
def test_what_is_no_move_is_told_to_the_arbiter_and_never_played(
    fen: str, sealed: Announcement | str, found: str
) -> None:
    table = adjourned(fen)
    there(table, Seat.BLACK)
    whole = SealedMove(uci=sealed) if isinstance(sealed, str) else SealedMove(announcement=sealed, utterance="u1")
    events = open_it(table, whole)
    (told,) = only(events, ev.Alerted)
    assert told.kind == "sealed_lost" and f"{found}: 0-1 under I.8" in told.detail and not told.grey
    assert told.utterance == whole.utterance, "with the stored sound"
    assert not table.state.over and table.state.made_plies == 0 and table.state.time.clock.running is None
    refused(table.do("arbiter", cmd.RuleSealed(lost=False, uci="e1e2", reason="x")), "never_repaired", "I.8")
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content())), "opened_already", "I.8")
    (ended,) = only(table.done("arbiter", cmd.RuleSealed(lost=True)), ev.GameEnded)
    bare = not set(fen.split()[0]) & set("pnbrq")
    assert (ended.result, ended.article) == (("1/2-1/2", "6.9") if bare else ("0-1", "I.8"))


@pytest.mark.law("L220")
@pytest.mark.parametrize(("late_by", "told"), [(-1, False), (0, False), (1, True)])
@pytest.mark.parametrize("seat", list(Seat))
def test_who_comes_after_the_default_time_loses_unless_the_arbiter_decides_otherwise(
    seat: Seat, late_by: int, told: bool
) -> None:
    table = adjourned()
    table.done("arbiter", cmd.StartResumption())
    table.wait(900_000 + late_by)
    alerts = only(there(table, seat), ev.Alerted)
    assert ([one.kind for one in alerts] == ["default_time_over", "late_at_resumption"]) is told
    if told:
        assert "White and Black absent" in alerts[0].detail and "-/-" in alerts[0].detail
        assert f"{'0-1' if seat is Seat.WHITE else '1-0'} (I.10)" in alerts[1].detail and not table.state.over
        assert not only(there(table, seat), ev.Alerted), "once"


@pytest.mark.law("L220")
def test_a_sealed_mate_prevails_over_the_default_time() -> None:
    table = adjourned("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    table.done("arbiter", cmd.StartResumption())
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content("Ra8"))), "replier_absent", "I.7")
    table.wait(900_001)
    events = open_it(table, content("Ra8"))  # the replier never came: what was sealed is looked at all the same
    assert "checkmate" in {one.kind for one in only(events, ev.Alerted)}
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert table.state.ending.result == "1-0"


@pytest.mark.law("L221")
def test_with_neither_there_the_replier_loses_the_time_not_white() -> None:
    table = CoreTable(regulations=WITH_I, control="5400", white=SeatKind.SIGHTED)
    table.say("white", "e4")
    table.press("white")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    table.done("black", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press("black")
    table.done("arbiter", cmd.StartResumption())
    assert table.state.time.clock.running is Seat.WHITE, "White replies here"
    other = adjourned()
    other.done("arbiter", cmd.StartResumption())
    assert other.state.time.clock.running is Seat.BLACK, "and Black here"


@pytest.mark.law("L223")
def test_a_game_that_the_server_does_not_know_is_mended_before_the_opening() -> None:
    table = CoreTable(regulations=WITH_I)
    table.mumble("white", "u1")
    table.press("white")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    table.done("black", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press("black")
    there(table, Seat.WHITE)
    refused(table.do("arbiter", cmd.OpenEnvelope(content=content("e5"))), "mend_first", "I.5")
    table.done("arbiter", cmd.Mend(ply=1, uci="e2e4"))
    open_it(table, content("e5"))
    assert table.state.moves.line == ("e2e4", "e7e5")


@pytest.mark.law("L214", "L217")
def test_a_crash_during_the_resumption_leaves_it_where_it_was() -> None:
    table = adjourned()
    table.done("arbiter", cmd.StartResumption())
    table.wait(MINUTE)
    table.own(cmd.NoteInterruption(witness_ms=table.now, uncertain_ms=3_000, reason="the_program_was_stopped"))
    table.now = 50  # another run
    assert table.state.time.clock.running is None and of(table).stage == "sealed" and of(table).began_ms is None
    assert Game.replay(table.events) == table.state
    table.done("arbiter", cmd.StartResumption())
    there(table, Seat.BLACK)
    open_it(table)
    assert table.state.moves.line == ("g1f3",)


@pytest.mark.law("L216", "L065")
@pytest.mark.parametrize(("verdict", "result"), [("yes", "0-1"), ("no", "1/2-1/2"), ("unknown", None)])
def test_whether_the_opponent_can_mate_is_asked_before_a_sealed_move_loses(verdict: Any, result: str | None) -> None:
    """I.8 excepts 6.9: the game ruled lost is drawn where no series of legal moves mates; where nobody knows, G11."""
    table = adjourned("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    table.mates = False
    there(table, Seat.BLACK)
    open_it(table, SealedMove(uci="e2e4"))
    events = table.done("arbiter", cmd.RuleSealed(lost=True))
    (asked,) = only(events, ev.MateAsked)
    assert (asked.seat, asked.why, table.state.over) == (Seat.BLACK, "sealed", False)
    refused(table.do("arbiter", cmd.RuleSealed(lost=True)), "not_adjourned", "I")
    events = table.own(cmd.NoteMateAnswer(number=asked.number, verdict=verdict))
    assert table.state.ending.result == result
    if result is None:
        (told,) = only(events, ev.Alerted)
        assert told.kind == "sealed_lost" and "The arbiter decides (6.9)" in told.detail
