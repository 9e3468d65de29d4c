"""A board touched and a move announced are different acts (1.3, D.2.1, D.2.3): a slip of the hand is no words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.state.apply import apply
from server.game.values.announcement import Announcement
from server.game.values.words import Mode, Origin, Role, Seat, SeatKind, Station
from server.game.views.messages import Shown
from server.game.views.view import view
from tests.game.core_table import CoreTable, only, said

START = "rnbqkbnr/ppp1pppp/3p4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STATIONS = {seat.value: Station(seat.value, Role.PLAYER, seat) for seat in Seat}
DISPLAY = Station("display", Role.DISPLAY)
# What was announced, what the hand did: the first pair differs, the second is one move.
SLIP = ("Nc6", "b8d7", "Nd7")
SAME = ("Nc6", "b8c6", "Nc6")
PAWN_SLIP = ("h6", "h7h5", "h5")


class Slip:
    """A table at which White has just moved (e4, pressed, echoed, executed) and Black, who sees, is to reply."""

    def __init__(self, mode: Mode = Mode.TABLE, *, black: SeatKind = SeatKind.SIGHTED, sensed: bool = False) -> None:
        self.table = CoreTable(fen=START, black=black)
        if mode is not Mode.TABLE:
            self.table.mode(mode)
        self.mode, self.sensed, self.told = mode, sensed, dict[str, list[object]]()
        self.table.say("white", "e4", act="announce")
        self.table.press("white")
        self.table.say("black", "e4", act="echo")
        self.table.done("black", cmd.Execute(uci="e2e4", origin="entered"))
        self.begun = len(self.table.events)

    def place(self, uci: str, text: str) -> tuple[ev.AnyEvent, ...]:
        if not self.sensed:
            return self.table.enter("black", uci, text)
        record = self.table.state.ply(2)
        again = record is not None and record.placed is not None
        body = cmd.SenseMove(seat=Seat.BLACK, uci=uci, announcement=said(text), words=(text,), text=text, instead=again)
        return self.table.own(body)

    def act(self, act: str, words: str, uci: str, placed: str) -> tuple[ev.AnyEvent, ...]:
        match act:
            case "says":
                return self.table.say("black", words, utterance="b2", act="announce")
            case "types":
                return self.table.say("black", words, origin=Origin.ENTERED, act="announce")
            case "places":
                return self.place(uci, placed)
            case "echo":
                return self.table.say("white", words, utterance="w2")
            case "press":
                return self.table.press("black")
        raise AssertionError(act)

    @property
    def since(self) -> list[ev.AnyEvent]:
        return self.table.events[self.begun :]

    def differing(self) -> list[ev.Alerted]:
        return [one for one in only(self.since, ev.Alerted) if one.kind == "board_differs"]

    def heard_by(self, station: str) -> list[object]:
        """What a player's station was told since, in order."""
        return [one for one in self.shown_to(STATIONS[station]) if one is not None]

    def shown_to(self, station: Station) -> list[object]:
        state, told = Game.replay(self.table.events[: self.begun]), []
        for event in self.since:
            state = apply(state, event)
            told.append(view(event, state, station))
        return told


def orders(*, announced: str) -> Iterator[tuple[str, ...]]:
    """Every order of the four acts in which words come before their echo, and the press after something was done."""
    acts = [announced, "places", "echo", "press"] if announced else ["places", "echo", "press"]
    for order in itertools.permutations(acts):
        first = announced or "places"  # White repeats what was said; we know of it by words or by the board
        moved = max(order.index(first), order.index("places"))
        if order.index(first) < order.index("echo") and moved < order.index("press"):
            yield order


ALL = [*orders(announced="says"), *orders(announced="types"), *orders(announced="")]


def white_goes_on(slip: Slip) -> None:
    """White's next words are the next announcement, and White's own score has both where they belong (D.2.7)."""
    table = slip.table
    table.say("white", "d4", utterance="w3")
    table.press("white")
    assert table.ply(3).announcement == said("d4") and table.ply(3).completed
    assert table.score(Seat.WHITE)[2] == "d4"


@pytest.mark.law("L005", "L189", "L191", "L195")
@pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
@pytest.mark.parametrize("case", [SLIP, PAWN_SLIP], ids=["Nc6 and b8-d7", "h6 and h7-h5"])
@pytest.mark.parametrize("order", ALL, ids=" ".join)
def test_a_slip_of_the_hand_in_every_order_of_the_acts(
    order: tuple[str, ...], case: tuple[str, str, str], sensed: bool
) -> None:
    words, uci, placed = case
    slip = Slip(sensed=sensed)
    both = 0
    for act in order:
        events = slip.act(act, words, uci, placed)
        told = [one for one in only(events, ev.Alerted) if one.kind == "board_differs"]
        known = set(order[: order.index(act) + 1])
        if "places" in known and known & {"says", "types", "echo"}:
            both += 1
            if both == 1 or act == "press":
                assert told, f"the arbiter is told at once, and reminded at the press: {act}"
    table, record = slip.table, slip.table.ply(2)
    assert [one.announcement for one in only(slip.since, ev.Announced)] == (
        [said(words)] if set(order) & {"says", "types"} else []
    ), "nothing is announced but what was said"
    assert record.announcement in (said(words), None) and record.text in (words, "")
    assert table.placement(Seat.BLACK) == after(uci), "the hand's own board stands as the hand left it"
    assert table.score(Seat.BLACK) == [] or not any(table.score(Seat.BLACK))
    assert table.score(Seat.WHITE) == ["e4", words], "what White heard and repeated (D.2.7)"
    by_both = record.announcement is not None
    assert table.state.moves.line[1] == (said_move(words) if by_both else uci), (
        "announced and repeated, against one hand"
    )
    for one in slip.differing():
        assert all(view(one, table.state, station) is None for station in (*STATIONS.values(), DISPLAY))
    white_goes_on(slip)
    assert table.score(Seat.WHITE) == ["e4", words, "d4"]
    assert Game.replay(table.events) == table.state


def after(uci: str) -> str:
    board = chess.Board(START)
    for move in ("e2e4", uci):
        board.push_uci(move)
    return board.board_fen()


def said_move(words: str) -> str:
    board = chess.Board(START)
    board.push_uci("e2e4")
    return board.parse_san(words).uci()


@pytest.mark.law("L189", "L191")
@pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
@pytest.mark.parametrize("order", ALL, ids=" ".join)
def test_words_and_hand_that_agree_are_one_move_in_every_order(
    order: tuple[str, ...], mode: Mode, sensed: bool
) -> None:
    slip = Slip(mode, sensed=sensed)
    for act in order:
        slip.act(act, *SAME)
    record = slip.table.ply(2)
    assert not slip.differing() and record.placed == record.entered == "b8c6" and not record.hand_differs
    assert slip.table.state.moves.line[1] == "b8c6" and slip.table.placement(Seat.BLACK) == after("b8c6")
    white_goes_on(slip)
    assert slip.table.score(Seat.WHITE) == ["e4", "Nc6", "d4"]


@pytest.mark.law("L182", "L191")
@pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
class TestInRelay:
    """The program carries the announcement: an entry is how a sighted player announces, unless by word before."""

    def test_an_entry_alone_is_announced_to_the_opponent(self, sensed: bool) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        (announced,) = only(slip.place("b8c6", "Nc6"), ev.Announced)
        assert announced.by_board and announced.announcement == said("Nc6")
        assert [one.text for one in slip.heard_by("white")] == ["Nc6"]  # type: ignore[attr-defined]
        slip.table.say("white", "Nc6")
        slip.table.press("black")
        assert not slip.differing()
        white_goes_on(slip)

    @pytest.mark.parametrize("by", ["says", "types"])
    def test_an_entry_after_words_announces_nothing_more(self, by: str, sensed: bool) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        slip.act(by, *SLIP)
        before = slip.heard_by("white")
        slip.table.say("white", "Nc6", utterance="w2")
        slip.place("b8d7", "Nd7")
        assert [one.text for one in before] == ["Nc6"]  # type: ignore[attr-defined]
        assert len(only(slip.since, ev.Announced)) == 1 and slip.table.ply(2).announcement == said("Nc6")
        assert [one.grey for one in slip.differing()] == [False], "both players' words against one hand"
        slip.table.press("black")
        white_goes_on(slip)
        assert slip.table.score(Seat.WHITE) == ["e4", "Nc6", "d4"]

    def test_an_entry_put_right_before_the_press_is_announced_anew(self, sensed: bool) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        slip.place("b8d7", "Nd7")
        slip.table.say("white", "Nd7")
        slip.place("b8c6", "Nc6")
        assert slip.table.ply(2).announcement == said("Nc6") and not slip.differing()
        slip.table.say("white", "Nc6")
        slip.table.press("black")
        assert slip.table.state.moves.line[1] == "b8c6"
        white_goes_on(slip)
        assert slip.table.score(Seat.WHITE) == ["e4", "Nc6", "d4"]

    def test_an_entry_made_twice_is_put_right_like_one(self, sensed: bool) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        for uci, text in (("b8d7", "Nd7"), ("b8d7", "Nd7"), ("b8c6", "Nc6")):
            slip.place(uci, text)
        assert only(slip.since, ev.AnnouncementRepeated) == [], "the opponent is told of each move once"
        assert slip.table.ply(2).announcement == said("Nc6") and slip.table.ply(2).announced_by_board
        assert not slip.differing()

    def test_fuller_words_after_an_entry_join_it(self, sensed: bool) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        slip.place("b8c6", "Nc6")
        slip.table.say("black", "Nb8c6")
        assert [one.text for one in slip.heard_by("white")] == ["Nc6"]  # type: ignore[attr-defined]

    @pytest.mark.parametrize("by", ["says", "types"])
    def test_words_after_an_entry_correct_what_was_announced_and_the_board_is_told_of(
        self, by: str, sensed: bool
    ) -> None:
        slip = Slip(Mode.RELAY, sensed=sensed)
        slip.place("b8d7", "Nd7")
        slip.act(by, *SLIP)
        assert slip.table.ply(2).announcement == said("Nc6") and slip.table.state.moves.line[1] == "b8c6"
        assert [one.text for one in slip.heard_by("white")] == ["Nd7", "Nc6"]  # type: ignore[attr-defined]
        assert len(slip.differing()) == 1 and slip.table.placement(Seat.BLACK) == after("b8d7")


@pytest.mark.law("L189")
@pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
@pytest.mark.parametrize("echo", ["before", "between", "after"])
def test_a_hand_put_right_before_the_press_leaves_no_difference(echo: str, sensed: bool) -> None:
    slip = Slip(sensed=sensed)
    slip.act("says", *SLIP)
    for when, uci, text in (("before", "b8d7", "Nd7"), ("between", "b8c6", "Nc6")):
        if echo == when:
            slip.table.say("white", "Nc6")
        slip.place(uci, text)
    if echo == "after":
        slip.table.say("white", "Nc6")
    assert [one.grey for one in slip.differing()] == {"before": [False], "between": [True, False], "after": [True]}[
        echo
    ]
    assert not slip.table.ply(2).hand_differs and only(slip.table.press("black"), ev.Alerted) == []
    assert slip.table.state.moves.line[1] == "b8c6" and slip.table.placement(Seat.BLACK) == after("b8c6")
    assert len(only(slip.since, ev.Announced)) == 1
    white_goes_on(slip)


@pytest.mark.law("L195")
def test_words_put_right_before_the_press_leave_no_difference_either() -> None:
    slip = Slip()
    slip.place("b8c6", "Nc6")
    slip.table.say("black", "Nd7", act="announce")
    slip.table.say("black", "Nc6", act="announce")
    assert len(slip.differing()) == 1 and slip.table.ply(2).entered == "b8c6"
    slip.table.say("white", "Nc6")
    assert only(slip.table.press("black"), ev.Alerted) == [] and slip.table.state.moves.line[1] == "b8c6"


@pytest.mark.law("L191")
def test_an_entry_alone_says_where_a_piece_stands_and_announces_nothing_at_a_table() -> None:
    slip = Slip()
    slip.place("b8c6", "Nc6")
    assert slip.table.ply(2).made and slip.table.state.moves.line[1] == "b8c6"
    assert only(slip.since, ev.Announced) == [] and slip.heard_by("white") == []
    (answered,) = only(slip.table.done("white", cmd.Ask(what="last")), ev.Answered)
    assert answered.words == (), "nothing that Black said is known, and nothing is read off Black's board"
    slip.table.say("white", "Nc6")
    slip.table.press("black")
    (answered,) = only(slip.table.done("white", cmd.Ask(what="last")), ev.Answered)
    assert answered.words == ("Nc6",), "as White repeated it"


@pytest.mark.law("L141", "L182")
def test_the_hall_is_shown_no_move_that_nobody_announced() -> None:
    def shown(slip: Slip) -> list[object]:
        return [one.placement for one in slip.shown_to(DISPLAY) if isinstance(one, Shown)]

    slip = Slip()
    for act in ("says", "echo", "places", "press"):
        slip.act(act, *SLIP)
    assert after("b8d7") not in shown(slip)
    right = chess.Board(START)
    for move in ("e2e4", "b8c6"):
        right.push_uci(move)
    body = cmd.SetBoard(board=Seat.BLACK, placement=right.board_fen(), turn=Seat.WHITE)
    slip.table.done("arbiter", body)
    assert shown(slip)[-1] == after("b8c6"), "the arbiter has put it right"
    assert slip.table.state.moves.line[1] == "b8c6"


@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
def test_an_entry_out_of_turn_is_neither_move_nor_words(mode: Mode) -> None:
    slip = Slip(mode)
    slip.act("says", *SAME)
    slip.act("echo", *SAME)
    slip.act("press", *SAME)
    before = slip.table.state.moves.plies
    events = slip.table.enter("black", "g8f6", "Nf6")
    assert [one.kind for one in only(events, ev.Alerted)] == ["entry_out_of_turn"]
    assert slip.table.state.moves.plies == before and slip.heard_by("white")[-1:] == slip.heard_by("white")[-1:]
    white_goes_on(slip)


@pytest.mark.parametrize("black", [SeatKind.TACTILE, SeatKind.SIGHTED])
def test_castling_by_words_and_by_hand_is_one_move(black: SeatKind) -> None:
    for uci in ("e8g8", "e8h8"):
        table = CoreTable(fen="r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", black=black)
        table.say("black", "O-O", act="announce")
        events = table.done("black", cmd.EnterMove(uci=uci, announcement=Announcement(castling="short")))
        assert only(events, ev.Alerted) == [] and table.state.moves.line == ("e8g8",)
    table = CoreTable(fen="r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", black=black)
    table.say("black", "O-O-O", act="announce")
    events = table.done("black", cmd.EnterMove(uci="e8g8", announcement=Announcement(castling="short")))
    assert [one.kind for one in only(events, ev.Alerted)] == ["board_differs"]


@pytest.mark.law("L182", "L194")
@pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
@pytest.mark.parametrize("case", [SLIP, SAME], ids=["a slip", "the same"])
@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
def test_an_echo_before_a_move_is_seen_is_the_echo_and_the_next_words_are_the_next_move(
    case: tuple[str, str, str], sensed: bool, twice: bool
) -> None:
    """Black speaks at the table and is not heard here; White repeats it before Black's hand is on the board."""
    slip = Slip(sensed=sensed)
    for act in ("echo", "places", "press", *(["echo"] if twice else [])):
        slip.act(act, *case)
        if act == "places":
            assert bool(slip.differing()) is (case == SLIP), "at once"
    white_goes_on(slip)
    assert slip.table.score(Seat.WHITE) == ["e4", "Nc6", "d4"] and slip.table.ply(2).echo == said("Nc6")
    assert only(slip.since, ev.Announced)[-1].ply == 3 and len(only(slip.since, ev.Announced)) == 1
    assert Game.replay(slip.table.events) == slip.table.state


@pytest.mark.law("L194")
def test_a_press_without_further_words_takes_the_echo_up_too() -> None:
    slip = Slip()
    for act in ("echo", "places", "press"):
        slip.act(act, *SLIP)
    slip.table.press("white")
    assert slip.table.score(Seat.WHITE) == ["e4", "Nc6"] and slip.table.ply(3).announcement is None


@pytest.mark.law("L191")
@pytest.mark.parametrize("acts", [("places", "echo"), ("echo", "places"), ("echo",), ("places",), ()], ids=" ".join)
@pytest.mark.parametrize("needs", [False, True], ids=["clock_back", "needs announcement"])
def test_an_opponent_who_repeats_a_move_shows_that_it_was_announced(acts: tuple[str, ...], needs: bool) -> None:
    """G1: Black's time runs on where no announcement is known; neither is one made of a piece put on a screen."""
    slip = Slip()
    slip.table.adapt("sighted_press_without_announcement", "clock_back")
    if needs:
        slip.table.adapt("sighted_press_needs_announcement")
    for act in acts:
        slip.act(act, *SAME)
    events = slip.act("press", *SAME)
    told = "unannounced_press" in [one.kind for one in only(events, ev.Alerted)]
    assert told is ("echo" not in acts)
    assert slip.table.state.time.clock.running is (Seat.BLACK if told else Seat.WHITE)


PLACED = st.sampled_from([("b8c6", "Nc6"), ("b8d7", "Nd7"), ("b8a6", "Na6"), ("d6d5", "d5"), ("a7a5", "a5")])
ACTS = st.lists(st.sampled_from(["says", "types", "places", "echo", "press", "places"]), min_size=2, max_size=8)


@settings(max_examples=60, deadline=None)
@given(ACTS, st.lists(PLACED, min_size=8, max_size=8), st.sampled_from([Mode.TABLE, Mode.RELAY]))
@example(["says", "echo", "echo", "says", "echo", "echo", "places"], [("b8c6", "Nc6")] * 8, Mode.TABLE)
def test_no_entry_ever_writes_a_score_or_becomes_words_once_a_move_is_announced(
    acts: list[str], placed: list[tuple[str, str]], mode: Mode
) -> None:
    slip = Slip(mode)
    for act, (uci, text) in zip(acts, placed, strict=False):
        record = slip.table.state.ply(2)
        announced = record is not None and record.announcement is not None and not record.announced_by_board
        words = record.text if record is not None else ""
        events = slip.act(act, "Nc6", uci, text)
        if act != "places":
            continue
        # What White announced may only now be known as played; then White's own words are written, never the entry's.
        assert {(one.source, one.utterance) for one in only(events, ev.ScoreWritten)} <= {("announcement", "w2")}
        assert mode is Mode.RELAY or only(events, ev.Announced) == []
        if mode is Mode.TABLE or announced:  # in relay a reply to White's next move is announced by its own entry
            assert [one for one in only(events, ev.Announced) if one.ply == 2] == []
            assert slip.table.state.moves.plies[1].text == words


@pytest.mark.law("L141", "L080")
@settings(max_examples=40, deadline=None)
@given(ACTS, PLACED, PLACED, st.booleans())
def test_what_the_tactile_player_is_told_is_the_same_whatever_the_hand_did(
    acts: list[str], one: tuple[str, str], other: tuple[str, str], relay: bool
) -> None:
    """In relay too, once the move is announced by word; and White's next move as well."""
    heard, scores = [], []
    for uci, text in (one, other):
        slip = Slip(Mode.RELAY if relay else Mode.TABLE)
        echoed = False
        for act in ["types", *acts] if relay else acts:
            if act == "echo" and echoed:
                continue  # said again it is White's own next move
            echoed = echoed or act == "echo"
            slip.act(act, "Nc6", uci, text)
            slip.table.wait(700)
        for act in ("says", "echo", "press"):
            slip.act(act, "Nc6", uci, text)
        slip.table.say("white", "d4")
        slip.table.done("white", cmd.Ask(what="last"))
        slip.table.press("white")
        heard.append(slip.heard_by("white"))
        scores.append(slip.table.score(Seat.WHITE))
    assert heard[0] == heard[1] and scores[0] == scores[1]


@pytest.mark.law("L191")
def test_silence_is_noted_only_of_a_player_whose_words_the_program_has_heard() -> None:
    """G1 as a note: a player at a screen who speaks across the table is never heard, and it is told of no move."""
    table = CoreTable()
    table.adapt("sighted_press_without_announcement", "note")
    for mine, uci, theirs in (("e4", "e7e5", "e5"), ("Nf3", "b8c6", "Nc6")):
        says(table, "white", mine)
        table.press("white")
        table.done("black", cmd.EnterMove(uci=uci, announcement=said(theirs)))
        table.press("black")
        says(table, "white", theirs)
    assert "unannounced_press" not in [one.kind for one in only(table.events, ev.Alerted)]
    says(table, "white", "Bb5")
    table.press("white")
    says(table, "black", "a6")
    table.press("black")
    says(table, "white", "a6")
    says(table, "white", "Ba4")
    table.press("white")
    table.done("black", cmd.EnterMove(uci="b7b5", announcement=said("b5")))
    table.press("black")
    assert "unannounced_press" in [one.kind for one in only(table.events, ev.Alerted)], "now it hears this player"


def says(table: CoreTable, seat: str, words: str) -> None:
    table.done(seat, cmd.Say(announcement=said(words), text=words))
