"""Article 9.2 to 9.6: what is claimed, looked up and ruled, what a wrong claim costs, draws that need no claim."""

from __future__ import annotations

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.words import Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import changes_picture, greeting, picture, view
from tests.conformance.law_table import KNIGHTS, ended, repeated_twice, rule_claim
from tests.game.core_table import CoreTable, alerts, only, play, said, told


@pytest.mark.law("L104", "L109", "L133")
def test_l104_the_intended_move_is_for_the_arbiter_alone() -> None:
    table = repeated_twice()
    before = len(told(table, Seat.WHITE))
    events = table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), words=("Ng8",), text="Ng8"))
    assert table.state.time.clock.running is None and table.state.made_plies == 7, "neither announced nor made"
    assert not only(events, ev.Announced)
    (alert,) = only(events, ev.Alerted)
    assert ": correct according to the record (9.2.1)" in alert.detail and "0, 2 (Black), 4 (Black)" in alert.detail
    assert told(table, Seat.WHITE)[before:] == [msg.Paused(), msg.DrawOffer(own=False, by_claim=True)]
    for station in (Station("white", Role.PLAYER, Seat.WHITE), Station("display", Role.DISPLAY)):
        shown = [view(event, table.state, station) for event in events]
        assert b"Ng8" not in msgspec.json.encode([*shown, greeting(table.state, station, table.now)])


@pytest.mark.law("L104")
def test_l104_a_tactile_players_intended_move_is_in_their_own_score() -> None:
    table = CoreTable()
    play(table, f"{KNIGHTS} {KNIGHTS}")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    assert table.score(Seat.WHITE)[8] == "Nf3" and len(table.score(Seat.BLACK)) < 9


@pytest.mark.law("L105")
def test_l105_who_claims_has_seen_the_opponents_move_made() -> None:
    table = repeated_twice()
    table.say("black", "Ng8", act="announce")  # not pressed, and White claims at once
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert (
        table.state.made_plies == 8 and ": correct according to the record" in alerts(table, "draw_claimed")[0].detail
    )
    rule_claim(table, "correct")
    assert table.ply(8).completed, "the last move of the game needs no press any more"


@pytest.mark.law("L103")
def test_l103_a_claim_leaves_the_opponents_offer_as_it_is() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.draws.offer_by is Seat.BLACK
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L106")
def test_l106_lost_castling_makes_another_position() -> None:
    table = CoreTable(fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    play(table, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert alerts(table, "draw_claimed")[0].detail.startswith(
        "White claims a draw (repetition): incorrect according to the record"
    )


@pytest.mark.law("L107")
@pytest.mark.parametrize(
    ("halfmoves", "intended", "word"),
    [(99, "Ra2", "correct"), (98, "Ra2", "incorrect"), (99, "e4", "incorrect")],
    ids=["the fiftieth", "one too few", "a pawn starts the count anew"],
)
def test_l107_fifty_moves_with_the_intended_one(halfmoves: int, intended: str, word: str) -> None:
    table = CoreTable(fen=f"4k3/8/8/8/8/8/4P3/R3K3 w - - {halfmoves} 80")
    table.done("white", cmd.ClaimDraw(kind="fifty_moves", intended=said(intended), text=intended))
    assert f": {word} according to the record (9.3.1)" in alerts(table, "draw_claimed")[0].detail


@pytest.mark.law("L108")
def test_l108_a_piece_touched_closes_the_claim() -> None:
    for how, word in (
        ("touched", ": correct according to the record"),
        ("lifted", ": incorrect according to the record: a piece was touched (9.4)"),
    ):
        table = CoreTable()
        play(table, f"{KNIGHTS} {KNIGHTS}")
        table.done("white", cmd.Execute())
        touch = msgspec.convert({"do": "report_touch", "seat": "white", "square": "g1", "how": how}, cmd.ReportTouch)
        table.done("arbiter", touch)
        table.done("white", cmd.ClaimDraw(kind="repetition"))
        assert word in alerts(table, "draw_claimed")[0].detail, "feeling is free at the tactile board (D.2.2)"


@pytest.mark.law("L103")
def test_l103_a_claim_is_an_offer_which_a_wrong_claim_leaves_open() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.draws.offers == (0, 0), "no offer to be counted for 11.5"
    rule_claim(table, "wrong")
    assert "ask the opponent" in alerts(table, "claim_wrong")[0].detail
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table)[:2] == ("1/2-1/2", "draw_agreed")


@pytest.mark.law("L111")
@pytest.mark.parametrize(
    ("edition", "control", "bonus"),
    [
        ("fide2023", "5400+30", 120_000),
        ("fide2023", "900+10", 60_000),
        ("fide2023", "180+2", 60_000),
        ("fide2018", "900+10", 120_000),
        ("fide2018", "180+2", 60_000),
    ],
)
def test_l111_a_wrong_claim_costs_by_edition_and_kind_of_game(edition: str, control: str, bonus: int) -> None:
    supervision = msgspec.convert({"supervision": "basic"}, EventOptions)
    table = CoreTable(rule_set=edition, control=control, regulations=supervision)
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    (given,) = only(rule_claim(table, "wrong"), ev.TimeAdded)
    assert (given.seat, given.ms, given.article) == (Seat.BLACK, bonus, "9.5.3")


@pytest.mark.law("L111")
@pytest.mark.parametrize(("intended", "made"), [("b8c6", "c6"), ("b8c6", "c7c6"), ("d8e7", "Be7"), ("d8f6", "Nf6")])
def test_l111_another_man_to_the_square_of_the_intended_move_is_another_move(intended: str, made: str) -> None:
    """9.5.3: words that do not contradict the intended squares ("Cesar sechs") may be of another move."""
    table = CoreTable()
    play(table, "e4 e5 Nf3")
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said(intended), words=("x",), text=intended))
    rule_claim(table, "wrong")
    table.done("arbiter", cmd.Resume())
    play(table, made)
    assert [one.ply for one in alerts(table, "intended_not_made")] == [4]


@pytest.mark.law("L111")
def test_l111_the_opponents_late_press_does_not_free_the_claimant() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    rule_claim(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.press("black")
    assert table.ply(2).completed and table.state.draws.intended is not None
    play(table, "d4")
    assert alerts(table, "intended_not_made")


@pytest.mark.law("L133")
def test_l133_nobody_hears_of_a_repetition_that_nobody_claims() -> None:
    table = CoreTable()
    play(table, f"{KNIGHTS} {KNIGHTS}")
    told = [alert.kind for alert in only(table.events, ev.Alerted) if alert.kind != "not_recorded"]
    assert not told, "three times: not even the arbiter is told unasked"


@pytest.mark.law("L133", "L112")
def test_l133_players_are_told_the_same_whether_or_not_the_game_is_drawn() -> None:
    """Fivefold on the last move against a game of other moves: the players get the same kinds and numbers."""
    drawn, live = CoreTable(), CoreTable()
    play(drawn, " ".join([KNIGHTS] * 4))
    play(live, f"{' '.join([KNIGHTS] * 3)} Nf3 Nf6 Ng1 Nd5")
    assert alerts(drawn, "fivefold") and not alerts(live, "fivefold")
    for seat in Seat:
        assert [type(message) for message in told(drawn, seat)] == [type(message) for message in told(live, seat)]


@pytest.mark.law("L112")
def test_l112_five_times_is_told_once_with_its_ply() -> None:
    table = CoreTable()
    play(table, " ".join([KNIGHTS] * 4))
    (found,) = alerts(table, "fivefold")
    assert found.ply == 16 and "9.6.1" in found.detail and found.grey and not table.state.over
    table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="fivefold", article="9.6.1"))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L112")
def test_l112_found_later_it_makes_a_resignation_void() -> None:
    table = CoreTable()
    play(table, f"{' '.join([KNIGHTS] * 4)} e4 e5")
    events = table.done("white", cmd.Resign())
    assert not table.state.over and "since move 8 (Black)" in only(events, ev.Alerted)[-1].detail


@pytest.mark.law("L113")
def test_l113_seventy_five_moves_and_mate_goes_first() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/R3K3 w - - 149 100")
    play(table, "Ra2")
    (found,) = alerts(table, "seventy_five_moves")
    assert "9.6.2" in found.detail and found.ply == 1
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100")
    play(table, "Ra8")
    assert alerts(table, "checkmate") and not alerts(table, "seventy_five_moves")


def looked(table: CoreTable) -> msg.ClaimLooked | None:
    return picture(table.state, table.now).claim


@pytest.mark.law("L105", "L106", "L133")
def test_l133_with_the_claim_the_arbiter_is_shown_after_which_half_moves_the_position_stood() -> None:
    table = repeated_twice()
    assert looked(table) is None, "nothing is searched before somebody claims (11.12)"
    events = table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    assert looked(table) == msg.ClaimLooked(
        seat=Seat.BLACK, kind="repetition", intended="Ng8", known=True, same=(0, 4, 8), quiet=8
    )
    assert any(changes_picture(one) for one in events), "and the arbiter is shown it"
    for station in (*(Station(seat.value, Role.PLAYER, seat) for seat in Seat), Station("d", Role.DISPLAY)):
        seen = [view(event, table.state, station) for event in events]
        assert b"same" not in msgspec.json.encode([*seen, greeting(table.state, station, table.now)])
    rule_claim(table, "wrong")
    assert looked(table) is None


@pytest.mark.law("L107", "L133")
def test_l133_and_how_many_half_moves_had_no_pawn_move_and_no_capture() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/R3K3 w - - 97 80")
    play(table, "Ra2 Kd8")
    table.done("white", cmd.ClaimDraw(kind="fifty_moves", awaits=True))
    assert looked(table) == msg.ClaimLooked(seat=Seat.WHITE, kind="fifty_moves", awaits=True), "the move is to come"
    table.say("white", "Ra3")
    found = looked(table)
    assert found is not None and (found.quiet, found.same, found.intended) == (100, (3,), "Ra3")


@pytest.mark.law("L133", "L104")
@pytest.mark.parametrize("intended", ["Ra9", "Bb5"])
def test_l133_what_the_record_cannot_tell_is_said_so(intended: str) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/R3K3 w - - 97 80")
    meant = said("Kd3") if intended == "Ra9" else said(intended)
    table.done("white", cmd.ClaimDraw(kind="unstated", intended=meant, text=intended))
    found = looked(table)
    assert found is not None and not found.known and found.same == ()


AFTER_ILLEGAL = [
    # position, intended, what is told, then each move made with whether it is told of
    ("4k3/8/8/8/8/5N2/8/RB2K3", "Nc3", "f3", {"Ng5": 0, "Nd4": 0, "Ra3": 1, "Kf2": 1}),  # no knight goes so
    ("4k3/8/8/8/4r3/8/4N3/4K3", "Nc3", "", {"Kd1": 0, "Kf2": 0}),  # pinned: its piece cannot move (4.5)
    ("4k3/8/8/8/8/8/r7/4K2R", "O-O", "e1", {"Kf1": 0, "Kd1": 0, "Rh2": 1}),  # castling has no right (4.4.3)
    ("4k3/8/8/8/8/8/8/2N1K1N1", "Ne5", "c1", {"Nb3": 0, "Nf3": 0, "Ke2": 1}),  # either knight may have been meant
    ("4k3/8/8/8/2N5/5N2/8/4K3", "Nf3f5", "f3", {"Ne5": 0, "Ne3": 1}),  # either knight may have gone to e5
    ("4k3/8/8/8/8/3P1N2/3P4/rN2K3", "Nd2", "f3", {"Ng5": 0, "Ke2": 1}),  # the other knight is pinned
    ("4k3/8/8/3p4/8/8/4P3/4K1B1", "Bd5", "g1", {"Bh2": 0, "Bf2": 0, "e4": 1}),  # nor can the pawn be taken (4.3.3)
    ("4k3/8/8/3p4/4P3/8/8/4K1B1", "Bd5", "g1", {"Bh2": 0, "d5": 1}),
]


@pytest.mark.law("L028", "L111")
@pytest.mark.parametrize(
    ("men", "intended", "square", "made", "told_of"),
    [(men, move, square, made, told_of) for men, move, square, ways in AFTER_ILLEGAL for made, told_of in ways.items()],
)
def test_l111_after_an_illegal_intended_move_only_what_articles_3_and_4_allow_had_to_be_made(
    men: str, intended: str, square: str, made: str, told_of: int
) -> None:
    table = CoreTable(fen=f"{men} w - - 0 1")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said(intended), words=("x",), text=intended))
    rule_claim(table, "wrong")
    ruled = alerts(table, "claim_wrong")[-1].detail
    assert f'"{intended}" is not legal' in ruled and f"{square}" in ruled and "if it is legal" not in ruled
    table.done("arbiter", cmd.Resume())
    table.say("white", made, act="announce")
    table.press("white")
    alerted = alerts(table, "intended_not_made")
    assert len(alerted) == told_of and table.state.draws.intended is None
    assert all("is not legal; one of these had to be made (9.5.3, 4." in one.detail for one in alerted)
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L111")
@pytest.mark.parametrize(("made", "told_of"), [("Nd2", 0), ("Nb1d2", 0), ("Nf3d2", 0), ("Nc3", 1)])
def test_l111_where_two_pieces_may_have_been_meant_each_of_them_is_the_intended_move(made: str, told_of: int) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nd2"), words=("x",), text="Nd2"))
    rule_claim(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.say("white", made, act="announce")
    table.press("white")
    assert len(alerts(table, "intended_not_made")) == told_of
