"""The scores: what may stand in them, whose they are, what is missing, who may look (8.1-8.5, A.2, D.2.7)."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.decide.decide import decide
from server.game.decide.scores import missing
from server.game.game import Game
from server.game.laws.scoresheet import CERTIFIED, Scoresheet, is_cell, marks_offer, plain, sheet_finding, without_marks
from server.game.state.apply import apply
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind
from server.game.views import messages as msg
from server.game.views.view import greeting, picture
from server.wording.rules import load_rule_set
from tests.game.core_table import CoreTable, alerts, only, said, told
from tests.game.test_random_play import STEPS, opened


def play(table: CoreTable, moves: str, *, echo: bool = True) -> None:
    """Both announce and press; who plays by touch repeats the opponent's move first."""
    for text in moves.split():
        seat = table.state.on_move
        last = table.state.ply(table.state.made_plies)
        if echo and last is not None and last.announcement is not None:
            table.done(seat.value, cmd.Say(announcement=last.announcement, text=last.text, act="echo"))
        table.say(seat.value, text, act="announce")
        table.press(seat.value)


def write(table: CoreTable, station: str, index: int, text: str, *words: str) -> Any:
    return table.do(station, cmd.WriteScore(index=index, text=text, words=words))


# 8.1.1: two scores


SOURCES = {"announcement", "echo", "claim", "offer", "answer", "station"}


@pytest.mark.law("L086")
@settings(max_examples=200, deadline=None)
@given(st.sampled_from([(Seat.WHITE, Seat.BLACK), (Seat.WHITE,)]), STEPS)
def test_l086_a_cell_comes_from_its_own_players_act_alone(seats: tuple[Seat, ...], steps: Any) -> None:
    """Whatever anyone does: a cell holds what that player said or typed, or the assistant wrote, and nothing else."""
    state, _ = opened(chess.STARTING_FEN, seats)
    own: dict[Seat, set[str]] = {Seat.WHITE: {""}, Seat.BLACK: {""}}
    now = 0
    for number, (wait, (station, body), about) in enumerate(steps):
        now += wait
        if isinstance(body, cmd.Say | cmd.EnterMove):  # tell every utterance from every other
            body = type(body)(**{name: getattr(body, name) for name in body.__struct_fields__} | {"text": f"{number}"})
        decided = decide(
            state, Command(id=f"{number:032x}", table="t", station=station, body=body, about_ply=about), now
        )
        if isinstance(decided, Refusal):
            continue
        for event in decided:
            if isinstance(event, ev.Announced | ev.Echoed | ev.AnnouncementRepeated | ev.DrawClaimed):
                own[event.seat].add(event.text)
            if isinstance(event, ev.ScoreWritten):
                assert event.source in SOURCES
                text = without_marks(event.text) if event.source != "station" else event.text
                if event.source == "station":
                    assert isinstance(body, cmd.WriteScore) and body.text == event.text
                    acting = state.stations.find(station)
                    assert acting is None or acting.seat is event.seat
                    own[event.seat].add(text)
                    own[event.seat].add(without_marks(text))
                else:
                    assert text in own[event.seat] or event.text in own[event.seat]
            state = apply(state, event)


@pytest.mark.law("L086")
def test_l086_nothing_of_the_arbiter_or_the_opponent_writes_into_a_score() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "e4", echo=False)
    before = (table.score(Seat.WHITE), table.score(Seat.BLACK))
    assert before == (["e4"], [])
    for body in (
        cmd.Mend(ply=1, uci="d2d4"),
        cmd.MarkOutOfStep(note="d4"),
        cmd.SetBoard(board=Seat.BLACK, placement=table.placement(Seat.WHITE), turn=Seat.BLACK),
        cmd.RestoreTo(ply=0),
    ):
        table.done("arbiter", body)
    assert (table.score(Seat.WHITE), table.score(Seat.BLACK)) == before


@pytest.mark.law("L086")
@pytest.mark.parametrize(
    ("edition", "kind", "sheet", "says", "article"),
    [
        ("fide2018", SeatKind.SIGHTED, "paper", "allowed", "8.1.1"),
        ("fide2018", SeatKind.SIGHTED, "station", "arbiter", "8.1.1"),
        ("fide2023", SeatKind.SIGHTED, "paper", "allowed", "8.1.1.1"),
        ("fide2023", SeatKind.SIGHTED, "station", "arbiter", "8.1.1.2"),
        ("fide2023", SeatKind.SIGHTED, "longhand", "arbiter", "8.1.6"),
        ("fide2023", SeatKind.SIGHTED, "dictated", "arbiter", "8.1.1"),
        ("fide2023", SeatKind.SIGHTED, "braille", "arbiter", "8.1.1"),
        ("fide2023", SeatKind.TACTILE, "dictated", "allowed", "D.2.7"),
        ("fide2018", SeatKind.LOW_VISION, "braille", "allowed", "D.2.7"),
        ("fide2023", SeatKind.TACTILE, "longhand", "arbiter", "D.2.10.3"),
    ],
)
def test_l086_on_what_a_score_is_kept_by_edition(
    edition: str, kind: SeatKind, sheet: str, says: str, article: str
) -> None:
    found = sheet_finding(load_rule_set(edition), kind, Scoresheet(sheet))
    assert (found.says, found.article) == (says, article)
    table = CoreTable(black=kind, rule_set=edition)
    (event,) = only(
        table.done("arbiter", cmd.RecordScoresheet(seat=Seat.BLACK, sheet=Scoresheet(sheet))), ev.ScoresheetRecorded
    )
    assert (event.says, event.article, event.certified, CERTIFIED) == (says, article, False, False)
    uncertified = "; this program is not a certified electronic scoresheet (8.1.1.2)" if sheet == "station" else ""
    by = {"station": "typed on a device", "longhand": "written by an assistant", "braille": "in braille"}
    detail = (
        f"Black keeps score ({by.get(sheet, sheet)}): this needs the permission of the arbiter or of the event"
        f"{uncertified} ({article})"
    )
    alert = ev.Alerted(at=1_000, kind="scoresheet", ply=0, grey=False, detail=detail)
    assert alerts(table, "scoresheet") == ([alert] if says == "arbiter" else [])
    assert table.state.scores.sheets == (Scoresheet.DICTATED, Scoresheet(sheet))


# 8.1.2, 8.1.3: when


@pytest.mark.law("L087")
def test_l087_nothing_is_written_in_advance_but_the_move_of_a_claim() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.SCORE_AND_CLOCK)
    for station in ("white", "black", helper):
        assert write(table, station, 1, "e4") == Refusal("not_in_advance", "8.1.2")
    table.say("white", "e4", act="announce")
    assert write(table, "white", 1, "e4") == Refusal("not_in_advance", "8.1.2"), "announced is not made"
    assert table.score(Seat.WHITE) == [], "nor is the dictation a cell before its move is completed"
    table.press("white")
    assert table.score(Seat.WHITE) == ["e4"]
    assert write(table, "black", 2, "e5") == Refusal("not_in_advance", "8.1.2")
    play(table, "e5")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    assert table.score(Seat.WHITE)[2] == "Nf3", "9.2.1: written, declared, not made"


@pytest.mark.law("L088")
def test_l088_the_arbiter_alone_hears_once_that_the_previous_move_is_not_recorded() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3", echo=False)  # White replies before recording Black's move: allowed
    assert not alerts(table, "not_recorded")
    since = len(table.events)
    table.say("black", "Nc6", act="announce")
    table.press("black")
    table.say("white", "Bb5", act="announce")
    table.press("white")
    (alert,) = alerts(table, "not_recorded")
    assert (alert.ply, alert.grey) == (5, False)
    assert alert.detail == "White moves again, moves missing from the score: 1 (Black) (8.1.3)"
    write(table, "white", 4, "Nc6")
    play(table, "a6 Ba4", echo=False)
    assert len(alerts(table, "not_recorded")) == 1, "once told; and the cell of ply 4 was written in time"
    kinds = {type(message) for message in told(table, Seat.WHITE, since)}
    assert kinds <= {msg.Understood, msg.ScoreLine}


@pytest.mark.law("L088")
def test_l088_a_sound_that_nobody_understood_is_an_entry() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    play(table, "e5", echo=False)
    table.mumble("white", "u2")  # White's echo
    table.say("white", "Nf3", act="announce")
    table.press("white")
    play(table, "Nc6", echo=False)
    table.say("white", "Bb5", act="announce")
    table.press("white")
    assert not alerts(table, "not_recorded")
    assert [cell.utterance if cell else None for cell in table.state.scores.white][:2] == ["u1", "u2"]


@pytest.mark.law("L088")
def test_l088_each_missing_entry_is_told_once_at_the_move_before_which_it_was_due() -> None:
    table = CoreTable()
    for _ in range(3):
        table.press("white")
        table.press("black")
    assert [(alert.ply, alert.detail) for alert in alerts(table, "not_recorded")] == [
        (3, "White moves again, moves missing from the score: 1 (White) (8.1.3)"),
        (5, "White moves again, moves missing from the score: 1 (Black) and 2 (White) (8.1.3)"),
    ]


@pytest.mark.law("L088")
def test_l088_of_a_paper_or_braille_score_nothing_is_said() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.WHITE, sheet=Scoresheet.BRAILLE))
    for _ in range(4):
        table.press("white")
        table.press("black")
    assert not alerts(table, "not_recorded")
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.BLACK, sheet=Scoresheet.STATION))
    table.press("white")
    table.press("black")
    (alert,) = alerts(table, "not_recorded")
    assert "Black" in alert.detail


@pytest.mark.law("L088", "L146", "L094")
@pytest.mark.parametrize("control", ["900+10", "180+2", "250"])
def test_l146_no_duty_to_record_in_rapid_and_blitz_nor_under_five_minutes_but_the_dictation_is_kept(
    control: str,
) -> None:
    table = CoreTable(control=control)
    play(table, "e4 e5 Nf3 Nc6 Bb5", echo=False)
    assert not alerts(table, "not_recorded")
    assert table.score(Seat.WHITE) == ["e4", "", "Nf3", "", "Bb5"], "recording is on at the tactile board all the same"
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.draws.claim is not None, "a claim that rests on the score stays possible"


# 8.1.4: what


WRITTEN = """
e4 Nf3 exd5 exd6e.p. exd6 O-O 0-0-0 O–O Qxh7# Bb5+ Nbd7 R1a3 Qh4e1 e8=Q e8Q d8(D) fxg8=N+ BxN dxe ed4 ed gxRQ Bxb
QxNd5 B:c4 Be4: N5 B6 Sf3 Sgf3 Dd4 Tad1 Lb5 e2-e4 Ng1-f3 K:K gyxd5 Vf4 Hf3 Фf3 Лd1 Ձf3 Թd4 سf3 وa1 ملd4 צf3 מהד7
رهـ٣ ♘f3 (=) Nf3(=) ?? 0:45 1:02:33 [0:59] 12' 9.2 9.3 III.4 1-0 ½-½ - … ⠠⠝⠋⠒ E4 nf3 g1f3 a7a8q edQ Nc Qd+
"""
CELLS = WRITTEN.split()


@pytest.mark.law("L089")
@pytest.mark.parametrize("text", [*CELLS, "", "Nf3 (=)", "exd6 e.p.", "e4 1:25", "Nf3 9.2", "O-O 0:12 (=)"])
def test_l089_whatever_players_write_of_moves_times_offers_and_claims_is_taken(text: str) -> None:
    assert is_cell(text), text
    table = CoreTable()
    play(table, "e4")
    assert not isinstance(write(table, "black", 1, text), Refusal)


@pytest.mark.law("L089")
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Nf3 (=)", "Nf3 (=)"),
        ("e\u0301", "\u00e9"),  # composed
        ("\u0631\u064f\u062e", "\u0631\u062e"),  # without the vowel sign
        ("\u0631\u0640\u062e", "\u0631\u062e"),  # without the tatweel
        ("\u05e6\u05f3f3", "\u05e6f3"),  # without the geresh
        ("\u200ee4\u200f", "e4"),  # without direction marks
        ("f\u0663", "f3"),  # an Arabic digit
        ("e\u096a", "e4"),  # a Devanagari digit
        ("e2\u2013e4", "e2-e4"),  # an en dash
        ("e2\u2212e4", "e2-e4"),  # a minus sign
        ("\u00bd-\u00bd", "\u00bd-\u00bd"),
    ],
)
def test_l089_the_shape_in_which_a_cell_is_read(text: str, shape: str) -> None:
    assert plain(text) == shape


NOTES = [
    "his king is weak",
    "watch the knight",
    "e4 then Nf3 then Bb5 then O-O",
    "plan b",
    "hello",
    "note1",
    "Nf3 good move",
]


@pytest.mark.law("L089")
@pytest.mark.parametrize("text", [*NOTES, "x" * 65, "Springer nicht vergessen", "не забыть", "لا تنس الحصان"])
def test_l089_free_notes_are_refused_for_everyone(text: str) -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.SCORE_AND_CLOCK)
    play(table, "e4")
    for station in ("white", "black", helper):
        assert write(table, station, 1, text) == Refusal("free_text", "8.1.4")


@pytest.mark.law("L089")
@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("e4 e5 Nf3", True),
        ("e4 e5 Nf3 Nc6", False),
        ("e4 e5 Nf3 (=) 0:45 9.2", True),
        ("e4".ljust(64), True),
        ("e4".ljust(65), False),
    ],
)
def test_l089_a_cell_holds_three_moves_with_any_marks_and_64_letters_at_most(text: str, taken: bool) -> None:
    assert is_cell(text) is taken


@pytest.mark.law("L089")
def test_l089_words_of_an_announcement_are_a_cell_where_the_server_knows_them() -> None:
    table = CoreTable()
    play(table, "e4")
    assert write(table, "white", 1, "Bauer Eva vier") == Refusal("free_text", "8.1.4")
    assert not isinstance(write(table, "white", 1, "Bauer Eva vier", "piece.pawn", "file.e", "rank.4"), Refusal)


# 8.1.5, 9.1.2: the mark of an offer


@pytest.mark.law("L090", "L102")
def test_l090_who_offers_aloud_and_dictates_has_noted_it_and_the_arbiter_sees_who_has_not() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.BLACK, sheet=Scoresheet.STATION))
    play(table, "e4 e5")
    table.say("white", "e5", act="echo")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    assert marks(table) == [(3, "missing", "missing")], "White's cell of this move is not written yet"
    table.press("white")
    assert table.score(Seat.WHITE) == ["e4", "e5", "Nf3 (=)"]
    assert table.score(Seat.BLACK) == [], "nobody writes it for Black"
    assert marks(table) == [(3, "written", "missing")]
    table.done("black", cmd.AnswerDraw(accept=False))
    assert marks(table) == [(3, "written", "missing")], "Black's answer is spoken, Black's score is typed"
    write(table, "black", 3, "Nf3 (=)")
    assert marks(table) == [(3, "written", "written")]


def marks(table: CoreTable) -> list[tuple[int, str, str]]:
    return [(one.ply, one.white, one.black) for one in picture(table.state, table.now).offers]


@pytest.mark.law("L090", "L102")
def test_l102_the_tactile_players_answer_notes_it_in_their_own_dictated_score() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3 Nc6")
    table.say("white", "Nc6", act="echo")
    table.done("black", cmd.OfferDraw())
    assert table.score(Seat.WHITE)[3] == "Nc6", "the opponent's offer writes nothing into White's score"
    assert marks(table) == [(4, "missing", "not_kept_here")], "of paper the program knows nothing"
    (events,) = [table.done("white", cmd.AnswerDraw(accept=False))]
    (cell,) = only(events, ev.ScoreWritten)
    assert (cell.seat, cell.index, cell.text, cell.source) == (Seat.WHITE, 4, "Nc6 (=)", "answer")
    assert table.score(Seat.BLACK) == []


@pytest.mark.law("L090")
@pytest.mark.parametrize(
    ("kind", "sheet", "marked"),
    [
        (SeatKind.TACTILE, Scoresheet.DICTATED, True),
        (SeatKind.TACTILE, Scoresheet.STATION, False),
        (SeatKind.SIGHTED, Scoresheet.DICTATED, False),
        (SeatKind.SIGHTED, Scoresheet.PAPER, False),
    ],
)
def test_l090_an_offer_marks_the_score_that_its_tactile_player_dictates_and_no_other(
    kind: SeatKind, sheet: Scoresheet, marked: bool
) -> None:
    table = CoreTable(white=kind, black=SeatKind.TACTILE if kind is SeatKind.SIGHTED else SeatKind.SIGHTED)
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.WHITE, sheet=sheet))
    play(table, "e4 e5")
    write(table, "white", 2, "e5")
    written = [(one.seat, one.index, one.text) for one in only(table.done("white", cmd.OfferDraw()), ev.ScoreWritten)]
    assert written == ([(Seat.WHITE, 2, "e5 (=)")] if marked else [])


@pytest.mark.law("L090")
def test_l090_a_claim_is_an_offer_but_asks_for_no_mark() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    table.done("black", cmd.AnswerDraw(accept=False))
    assert marks(table) == [] and table.score(Seat.WHITE) == ["e4"]
    assert marks_offer("Nf3 =") and marks_offer("(=)") and not marks_offer("e8=Q")


# 8.2, 8.3


@pytest.mark.law("L092")
def test_l092_the_arbiter_sees_every_cell_with_its_source_and_its_sound() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce", utterance="u7")
    table.press("white")
    play(table, "e5", echo=False)
    write(table, "white", 2, "e5")
    shown = picture(table.state, table.now)
    assert shown.white_score == ("e4", "e5") and shown.white_sheet is not None
    assert shown.white_sheet.utterances == ("u7", None) and shown.white_sheet.sources == ("announcement", "station")
    assert (
        shown.white_sheet.sheet == "dictated" and shown.black_sheet is not None and shown.black_sheet.sheet == "paper"
    )


@pytest.mark.law("L093")
def test_l093_a_device_that_replaces_a_defective_one_gets_the_score_from_the_record() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3")
    table.own(cmd.Admit(station="white-2", role=Role.PLAYER, seat=Seat.WHITE))
    replacement = table.state.stations.find("white-2")
    assert replacement is not None
    assert greeting(table.state, replacement, table.now).own_score == ("e4", "e5", "Nf3")
    table.press("black")
    table.say("white-2", "Bb5", act="announce")
    table.press("white-2")
    assert table.score(Seat.WHITE)[4] == "Bb5"


# 8.5: after a flag


@pytest.mark.law("L095", "L096")
def test_what_is_missing_in_a_score_is_named_from_its_first_ply_on() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "e4 e5 Nf3 Nc6", echo=False)
    assert missing(table.state, Seat.WHITE, 4) == (2, 4) and missing(table.state, Seat.BLACK, 4) == (1, 3)
    write(table, "black", 1, "(=)")
    assert missing(table.state, Seat.BLACK, 2) == (1,), "the mark of an offer alone is no entry"
    write(table, "black", 1, "e4 (=)")
    assert missing(table.state, Seat.BLACK, 4) == (3,) and missing(table.state, Seat.BLACK, 6) == (3, 5, 6)
    write(table, "black", 1, "")
    assert missing(table.state, Seat.BLACK, 1) == (1,), "a cell that was taken back"


def fallen(**more: Any) -> CoreTable:
    """Both short of time; White has no entry of Black's moves; Black's flag falls after White's third move."""
    table = CoreTable(control="120", **more)
    play(table, "e4 e5 Nf3 Nc6 Bb5", echo=False)
    for index, text in enumerate(("e4", "e5", "Nf3", "Nc6", "Bb5"), 1):
        write(table, "black", index, text)
    table.wait(121_000)
    table.own(cmd.NoteInstant())
    return table


@pytest.mark.law("L095", "L096")
def test_l095_l096_play_before_a_due_score_is_complete_is_recorded_and_never_held_back() -> None:
    table = fallen()
    (due,) = only(table.events, ev.ScoreDue)
    assert (due.seats, due.ply, due.when, due.article) == ((Seat.WHITE,), 5, "before_moving", "8.5.2")
    (behind,) = alerts(table, "scores_behind")
    assert (behind.ply, behind.grey) == (5, False)
    assert behind.detail == "White: update the score before moving (8.5.2)"
    since = len(table.events)
    play(table, "a6", echo=False)
    assert not alerts(table, "moved_before_completing"), "Black owes nothing"
    play(table, "Ba4", echo=False)
    (alert,) = alerts(table, "moved_before_completing")
    assert (alert.ply, alert.grey) == (7, False) and table.ply(7).made
    assert alert.detail == "White moves before completing the score (8.5.2)"
    shown = picture(table.state, table.now)
    assert shown.white_sheet is not None and shown.white_sheet.owing
    write(table, "white", 2, "e5")
    write(table, "white", 4, "Nc6")
    shown = picture(table.state, table.now)
    assert shown.white_sheet is not None and not shown.white_sheet.owing
    play(table, "Nf6 O-O", echo=False)
    assert len(alerts(table, "moved_before_completing")) == 1
    heard = {type(message) for message in told(table, Seat.WHITE, since)}
    assert heard <= {msg.Understood, msg.ScoreLine}, "the arbiter alone is told"


@pytest.mark.law("L095", "L096")
def test_l095_when_neither_kept_score_both_are_named_before_play_goes_on() -> None:
    table = CoreTable(control="120")
    play(table, "e4 e5 Nf3", echo=False)
    table.wait(121_000)
    table.own(cmd.NoteInstant())
    (due,) = only(table.events, ev.ScoreDue)
    assert (due.seats, due.when, due.article) == ((Seat.WHITE, Seat.BLACK), "before_play", "8.5.1")
    (behind,) = alerts(table, "scores_behind")
    assert behind.detail == "White and Black: update the score before play continues (8.5.1)"


@pytest.mark.law("L244", "L096")
def test_l244_the_short_rules_ask_it_before_a_piece_is_touched() -> None:
    detail = "White touches a piece before completing the score (8.5.2)"
    for rule_set, how, asked in (
        ("short", "lifted", True),
        ("short", "touched", True),
        ("short", "released", False),  # it was touched before
        ("fide2023", "lifted", False),
        ("fide2023", "touched", False),
    ):
        table = fallen(rule_set=rule_set)
        play(table, "a6", echo=False)
        table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="b5", how=how))  # type: ignore[arg-type]
        found = [(alert.ply, alert.grey, alert.detail) for alert in alerts(table, "moved_before_completing")]
        assert found == ([(7, False, detail)] if asked else []), (rule_set, how)


@pytest.mark.law("L244", "L096")
def test_l244_a_touch_is_told_only_of_who_owes_entries_in_a_score_that_is_kept_here() -> None:
    table = fallen(rule_set="short")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="a7", how="lifted"))
    assert not alerts(table, "moved_before_completing"), "Black owes nothing"
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.WHITE, sheet=Scoresheet.BRAILLE))
    play(table, "a6", echo=False)
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="b5", how="lifted"))
    play(table, "Ba4", echo=False)
    assert not alerts(table, "moved_before_completing"), "what stands in it the program does not see"


@pytest.mark.law("L096")
def test_l096_the_opponents_score_is_read_only_by_the_arbiters_release_on_ones_own_move() -> None:
    table = fallen()
    asking = cmd.Ask(what="opponent_score")
    assert table.do("white", asking) == Refusal("not_lent", "8.5.2")
    assert table.do("white", cmd.LendScore(to=Seat.WHITE)) == Refusal("only_the_arbiter", "12.3")
    assert table.do("arbiter", cmd.LendScore(to=Seat.WHITE)) == Refusal("only_on_his_move", "8.5.2")
    play(table, "a6", echo=False)
    assert table.do("arbiter", cmd.LendScore(to=Seat.BLACK)) == Refusal("nothing_to_complete", "8.5.2")
    since = len(table.events)
    table.done("arbiter", cmd.LendScore(to=Seat.WHITE))
    given = msg.OpponentScore(lent=True, cells=("e4", "e5", "Nf3", "Nc6", "Bb5"))
    assert told(table, Seat.WHITE, since) == [given] and told(table, Seat.BLACK, since) == []
    table.done("white", asking)
    (answer,) = [one for one in told(table, Seat.WHITE, since) if isinstance(one, msg.AnswerGiven)]
    assert answer.score == given.cells
    assert table.do("black", asking) == Refusal("not_lent", "8.5.2")
    assert table.do("black", cmd.ReturnScore()) == Refusal("not_lent", "8.5.2"), "it is not lent to Black"
    assert list(table.done("white", cmd.ReturnScore())) == [ev.ScoreReturned(at=table.now, seat=Seat.WHITE)]
    assert table.do("white", asking) == Refusal("not_lent", "8.5.2")
    assert table.do("white", cmd.ReturnScore()) == Refusal("not_lent", "8.5.2")
    table.done("arbiter", cmd.LendScore(to=Seat.WHITE))
    play(table, "Ba4", echo=False)
    assert table.state.scores.lent is None and told(table, Seat.WHITE)[-1] != given, "White's move gives it back"
    assert only(table.events, ev.ScoreReturned)[1:] == [ev.ScoreReturned(at=table.now, seat=Seat.WHITE)]
    assert table.score(Seat.WHITE) == ["e4", "", "Nf3", "", "Bb5", "", "Ba4"], "looking writes nothing"


@pytest.mark.law("L096")
@pytest.mark.parametrize("mode", list(Mode))
def test_l096_nothing_else_ever_shows_a_player_the_opponents_score(mode: Mode) -> None:
    table = fallen()
    table.mode(mode)
    play(table, "a6 Ba4 Nf6", echo=False)
    write(table, "black", 7, "Ba4 (=)")
    for message in told(table, Seat.WHITE):
        assert not isinstance(message, msg.OpponentScore)
        assert not (isinstance(message, msg.ScoreLine) and message.text == "Ba4 (=)")
    assert only(table.events, ev.ScoreWritten)[-1].seat is Seat.BLACK


@pytest.mark.law("L194")
@pytest.mark.parametrize("chosen", [True, False])
def test_l194_the_echo_is_the_score_entry_if_the_player_chose_so(chosen: bool) -> None:
    """One utterance serves as echo and as entry by default; else the player writes the opponent's move."""
    table = CoreTable(started=False)
    first, *rest = table.events
    assert isinstance(first, ev.TableOpened)
    plan = msgspec.structs.replace(first.white, echo_scores=chosen)
    table.state = Game.replay([msgspec.structs.replace(first, white=plan), *rest])
    table.done("arbiter", cmd.StartGame())
    play(table, "e4 e5 Nf3", echo=True)
    cells = table.state.scores.white
    assert (cells[1] is not None) is chosen
    assert table.state.moves.plies[1].echoed
    table.done("white", cmd.WriteScore(index=2, text="e5"))
    assert table.state.scores.white[1] is not None
