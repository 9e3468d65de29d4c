"""Words that come without an echo, twice, or before the hand: what they are taken for, and who hears what (D.2.1)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.game import Game
from server.game.state.apply import apply
from server.game.values.words import Mode, Origin, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, kinds, only, played, said

MODES = pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
HANDS = pytest.mark.parametrize("sensed", [False, True], ids=["screen", "sensing board"])
WHITE_TO_MOVE = "rnbqkb1r/pp2pppp/2p2n2/3p4/2P5/2N5/PP1PPPPP/R1BQKBNR w KQkq - 0 1"


class Reply:
    """White, who plays by touch, has announced a move and pressed; Black, who sees, answers."""

    def __init__(
        self, first: str, *, mode: Mode = Mode.TABLE, black: SeatKind = SeatKind.SIGHTED, **options: Any
    ) -> None:
        self.table = CoreTable(black=black, **options)
        if mode is not Mode.TABLE:
            self.table.mode(mode)
        self.table.say("white", first, act="announce")
        self.table.press("white")
        self.begun = len(self.table.events)

    def hand(self, uci: str, text: str, *, sensed: bool = False, carried: str = "") -> tuple[ev.AnyEvent, ...]:
        if not sensed:
            return self.table.enter("black", uci, text)
        if carried:
            self.table.own(cmd.SenseMove(seat=Seat.BLACK, uci=carried))
        body = cmd.SenseMove(seat=Seat.BLACK, uci=uci, announcement=said(text), words=(uci,), text=text)
        return self.table.own(body)

    def told(self, seat: Seat, kind: type[msg.Message]) -> list[Any]:
        """What this player's station was told since White's press, of one kind."""
        state, found = Game.replay(self.table.events[: self.begun]), []
        for event in self.table.events[self.begun :]:
            state = apply(state, event)
            found.append(view(event, state, Station(seat.value, Role.PLAYER, seat)))
        return [one for one in found if isinstance(one, kind)]

    def heard_by_white(self) -> list[str]:
        return [one.text for one in self.told(Seat.WHITE, msg.Relayed)]

    def open_alerts(self) -> list[str]:
        return [kept.alert.kind for kept in self.table.state.rulings.unsettled]

    def is_one_announcement(self, text: str, uci: str, mode: Mode, first: str) -> None:
        """Black's move was announced once, in Black's words; White's move stands as White announced it."""
        table, record = self.table, self.table.ply(2)
        assert (record.announcement, record.text, record.placed) == (said(text), text, uci)
        assert not record.announced_by_board and not record.hand_differs
        assert len([one for one in only(table.events[self.begun :], ev.Announced) if one.ply == 2]) == 1
        assert table.ply(1).echo is None and table.state.moves.line == (first, uci)
        assert table.placement(Seat.BLACK) == str(table.state.moves.positions[-1].placement)
        assert self.heard_by_white() == ([text] if mode is Mode.RELAY else [])
        assert self.open_alerts() == [], "nobody is called for words and hand that agree"
        assert Game.replay(table.events) == table.state


@pytest.mark.law("L182", "L191")
@MODES
@HANDS
@pytest.mark.parametrize("origin", [Origin.HEARD, Origin.ENTERED])
@pytest.mark.parametrize("presses", [False, True])
def test_own_words_without_an_echo_and_the_hand_after_them_are_one_announcement(
    mode: Mode, sensed: bool, origin: Origin, presses: bool
) -> None:
    """D.2.1, 4.7: today a wrong echo, carried out on this player's own board as the opponent's move."""
    reply = Reply("e4", mode=mode)
    reply.table.say("black", "Nf6", origin=origin)
    reply.hand("g8f6", "Ng8f6", sensed=sensed, carried="e2e4")
    if presses:
        reply.table.press("black")
    reply.is_one_announcement("Nf6", "g8f6", mode, "e2e4")


@pytest.mark.law("L182", "L191")
@MODES
@HANDS
@pytest.mark.parametrize("pressed", [False, True], ids=["words, press", "press, words"])
def test_the_hand_first_and_then_the_words_are_one_announcement_too(mode: Mode, sensed: bool, pressed: bool) -> None:
    """D.2.1: in relay the opponent hears the move once, and once more only where it is said again."""
    reply = Reply("e4", mode=mode)
    reply.hand("g8f6", "Nf6", sensed=sensed, carried="e2e4")
    if pressed:
        reply.table.press("black")
    reply.table.say("black", "Nf6")
    reply.table.press("black")
    assert reply.table.state.moves.line == ("e2e4", "g8f6") and reply.open_alerts() == []
    assert reply.heard_by_white() == (["Nf6"] if mode is Mode.RELAY else [])
    assert len(only(reply.table.events[reply.begun :], ev.Announced)) == 1
    reply.table.say("black", "Nf6")
    assert reply.heard_by_white() == (["Nf6"] * 2 if mode is Mode.RELAY else []), "White asked for it again"


@pytest.mark.law("L182")
@MODES
@pytest.mark.parametrize("words", ["Nf6", "e4", "Nb8c6"])
@pytest.mark.parametrize("hand_first", [True, False])
def test_what_a_tactile_hand_found_decides_nothing_that_its_player_or_the_opponent_hears(
    mode: Mode, words: str, hand_first: bool
) -> None:
    """11.3.1, D.2.10.4: the same words, and one time a slip of the hand; the score is the player's to read as well."""
    told = []
    for uci in ("g8f6", "g8h6"):
        reply = Reply("e4", mode=mode, black=SeatKind.TACTILE)
        for hand in (hand_first, not hand_first):
            if hand:
                reply.hand(uci, "Nf6", sensed=True, carried="e2e4")
            else:
                reply.table.say("black", words)
        before = len(reply.table.events)
        reply.table.press("black")
        assert before < len(reply.table.events)
        told.append([reply.told(seat, msg.Message) for seat in Seat])
        if words == "Nf6":
            assert reply.table.ply(2).announcement == said("Nf6")
    assert told[0] == told[1]


@pytest.mark.law("L182")
@MODES
def test_a_wrong_echo_that_the_hand_does_not_bear_out_stays_one(mode: Mode) -> None:
    reply = Reply("Nf3", mode=mode)
    reply.table.say("black", "Nf6")
    reply.hand("d7d5", "d5")
    assert reply.table.ply(1).echo == said("Nf6") and "echo_differs" in reply.open_alerts()
    assert reply.heard_by_white() == (["d5"] if mode is Mode.RELAY else [])


@pytest.mark.law("L182")
def test_what_was_carried_out_by_the_wrong_words_is_put_right_on_that_board() -> None:
    """Black declares White's move carried out; the server had taken Black's own words for it (D.2.1)."""
    table = played("Kg1", "Ke8", "Nd5", fen="3k4/8/5n2/8/8/2N5/8/5K2 w - - 0 1")
    table.say("black", "Ne4")
    table.done("black", cmd.Execute())
    assert table.placement(Seat.BLACK) == "4k3/8/5n2/8/4N3/8/8/6K1"
    at, board, inferred = table.now, Seat.BLACK, Origin.INFERRED
    before = "4k3/8/5n2/8/8/2N5/8/6K1"
    assert table.enter("black", "f6e4", "Ne4")[:4] == (
        ev.EchoRecalled(at=at, seat=board, ply=3),
        ev.BoardSet(at=at, board=board, placement=before, turn=Seat.WHITE, origin=inferred),
        ev.Executed(at=at, board=board, ply=3, origin=inferred),
        ev.BoardMoved(at=at, board=board, ply=3, uci="c3d5", origin=inferred),
    )
    table.press("black")
    assert table.state.moves.line[2:] == ("c3d5", "f6e4")
    assert table.placement(Seat.BLACK) == "4k3/8/8/3N4/4n3/8/8/6K1"


@pytest.mark.law("L182")
def test_what_a_board_showed_stays_when_the_words_were_no_echo() -> None:
    table = played("Nd5", fen="4k3/8/5n2/8/8/2N5/8/4K3 w - - 0 1")
    table.own(cmd.SenseMove(seat=Seat.BLACK, uci="c3e4"))
    table.say("black", "Ne4")
    assert kinds(table.say("black", "Ne4")) == ["EchoRecalled", "Announced"]
    assert table.placement(Seat.BLACK) == "4k3/8/5n2/8/4N3/8/8/4K3"


@pytest.mark.law("L182")
def test_the_hand_takes_up_words_only_where_the_player_has_announced_nothing() -> None:
    reply = Reply("e4")
    reply.table.say("black", "d5")
    reply.table.say("black", "e5", act="announce")
    reply.hand("d7d5", "d5")
    assert (reply.table.ply(1).echo, reply.table.ply(2).announcement) == (said("d5"), said("e5"))
    relay = Reply("e4", mode=Mode.RELAY)
    relay.table.say("black", "d5")
    relay.hand("e7e5", "e5")
    relay.hand("d7d5", "d5")
    announced = only(relay.table.events[relay.begun :], ev.Announced)
    assert [(one.text, one.by_board, one.replaces) for one in announced] == [("e5", True, False), ("d5", False, True)]


@pytest.mark.law("L182")
@HANDS
def test_a_sound_between_the_words_and_the_hand_keeps_them_together(sensed: bool) -> None:
    reply = Reply("e4")
    reply.table.say("black", "Nf6")
    reply.table.mumble("black", "b1")
    reply.hand("g8f6", "Nf6", sensed=sensed, carried="e2e4")
    assert reply.table.ply(2).announcement == said("Nf6") and reply.table.ply(1).echo is None


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("understood", "carried", "echo"),
    [(True, None, True), (False, None, True), (False, "c3d5", True), (False, "c3b5", False)],
)
def test_words_that_can_be_the_echo_stay_it_though_the_hand_makes_the_same_move(
    understood: bool, carried: str | None, echo: bool
) -> None:
    table = CoreTable(fen=WHITE_TO_MOVE)
    if understood:
        table.say("white", "Nd5")
    else:
        table.mumble("white", "w1")
    table.press("white")
    table.say("black", "Nd5")
    table.done("black", cmd.Execute(uci=carried, origin="entered" if carried else "declared"))
    table.enter("black", "f6d5", "Nd5")
    assert (table.ply(1).echo == said("Nd5"), table.ply(2).announcement is None) == (echo, echo)


@pytest.mark.law("L182")
def test_words_from_an_empty_square_that_were_no_echo_have_moved_nothing() -> None:
    """A slip of the tongue, said twice; what Black said to have carried out was not known (D.2.1)."""
    table = played("e4")
    table.say("black", "d4d5")
    table.done("black", cmd.Execute())
    assert kinds(table.say("black", "d4d5")) == ["EchoRecalled", "Announced"]


@pytest.mark.law("L182")
@pytest.mark.parametrize(("words", "own"), [("Nf6", True), ("Nf3", False)])
def test_words_after_a_move_that_was_not_understood_are_own_only_where_they_can_be_nothing_else(
    words: str, own: bool
) -> None:
    table = CoreTable()
    table.mumble("white", "w1")
    table.press("white")
    table.say("black", words)
    table.enter("black", "g8f6", "Nf6")
    assert (table.ply(2).announcement == said("Nf6")) is own
    assert (table.ply(1).echo is None) is own


@pytest.mark.law("L182")
def test_whether_the_opponent_may_castle_decides_nothing_that_a_sighted_player_sees() -> None:
    """11.3.1: castling said after a move that was not understood is its echo with the right to castle and without."""
    boards = set()
    for rights in ("KQkq", "-"):
        table = CoreTable(fen=f"r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")
        table.press("white")
        table.say("black", "O-O")
        table.enter("black", "e8g8", "O-O")
        boards.add((table.placement(Seat.BLACK), table.ply(1).echo))
    assert len(boards) == 1


# Said twice.


@pytest.mark.law("L182")
@MODES
@pytest.mark.parametrize("black", list(SeatKind))
@pytest.mark.parametrize("first", ["e4", "e2e4", "Nf3"])
def test_the_right_echo_said_twice_is_no_announcement_and_nothing_is_relayed(
    mode: Mode, black: SeatKind, first: str
) -> None:
    """D.2.1: it is said again because the opponent did not hear it."""
    reply = Reply(first, mode=mode, black=black)
    for _ in range(3):
        reply.table.say("black", first)
    assert reply.table.state.ply(2) is None and reply.heard_by_white() == []
    assert [one.echo for one in reply.told(Seat.BLACK, msg.Understood)] == [False, True, True]
    assert reply.open_alerts() == [] and reply.table.ply(1).echo_agrees
    reply.table.say("black", "Nf6")
    reply.table.press("black")
    assert reply.table.ply(2).announcement == said("Nf6")
    assert reply.heard_by_white() == (["Nf6"] if mode is Mode.RELAY else [])
    if black is SeatKind.TACTILE:
        assert reply.table.score(Seat.BLACK) == [first, "Nf6"]


@pytest.mark.law("L182")
@MODES
def test_an_echo_before_the_opponents_press_said_again_is_no_announcement_either(mode: Mode) -> None:
    table = CoreTable()
    if mode is not Mode.TABLE:
        table.mode(mode)
    table.say("white", "e4")
    table.say("black", "e4")
    table.say("black", "e4")
    table.press("white")
    table.say("black", "e4")
    assert table.state.ply(2) is None and table.ply(1).echoed
    if mode is Mode.RELAY:
        assert [one.seat for one in only(table.events, ev.Announced)] == [Seat.WHITE]


@pytest.mark.law("L182")
@MODES
@pytest.mark.parametrize("black", list(SeatKind))
def test_both_castle_the_same_words_are_the_own_move_at_the_press(mode: Mode, black: SeatKind) -> None:
    """D.2.1: echo and own move in the same words; the press says that the second was a move."""
    reply = Reply("O-O", mode=mode, black=black, fen="4k2r/5p2/8/8/8/8/5P2/4K2R w Kk - 0 1")
    reply.table.say("black", "O-O")
    reply.table.say("black", "O-O")
    assert reply.heard_by_white() == []
    announced = Reply("O-O", mode=mode, black=black, fen="4k2r/5p2/8/8/8/8/5P2/4K2R w Kk - 0 1")
    for act in ("echo", "announce"):
        announced.table.say("black", "O-O", act=act)
    assert kinds(announced.table.say("black", "O-O")) == ["AnnouncementRepeated"], "the own one, once it is known"
    reply.table.press("black")
    assert reply.table.state.moves.line == ("e1g1", "e8g8") and reply.open_alerts() == []
    assert reply.heard_by_white() == (["O-O"] if mode is Mode.RELAY else [])


@pytest.mark.law("L182")
@HANDS
@pytest.mark.parametrize("black", list(SeatKind))
def test_a_piece_taken_back_by_one_of_its_kind_is_announced_by_words_and_hand(sensed: bool, black: SeatKind) -> None:
    if black is SeatKind.TACTILE and not sensed:
        pytest.skip("a tactile player enters nothing on a screen")
    reply = Reply("Nd5", black=black, fen=WHITE_TO_MOVE)
    reply.table.say("black", "Nd5")
    reply.table.say("black", "Nd5", doubtful=True)
    reply.hand("f6d5", "Nd5", sensed=sensed, carried="c3d5")
    if black is SeatKind.TACTILE:
        assert reply.table.ply(2).announcement is None, "what that hand found decides nothing: the press does"
        reply.table.press("black")
    assert reply.table.ply(2).announcement == said("Nd5") and reply.table.ply(2).made
    assert reply.table.ply(1).echo == said("Nd5"), "the first time it was the echo"
    assert not only(reply.table.events, ev.Announced)[-1].speech.doubtful, "words and hand, or words and press, agree"
    assert reply.table.state.moves.line == ("c3d5", "f6d5")


@pytest.mark.law("L182")
def test_nobody_moves_from_the_square_that_the_opponent_has_just_left() -> None:
    """The echo said twice with its departure, and a press without a word: the own move is not known."""
    reply = Reply("e2e4")
    reply.table.say("black", "e2e4")
    reply.table.say("black", "e2e4")
    reply.table.press("black")
    assert reply.table.ply(2).announcement is None


# Words that may be both.


@pytest.mark.law("L182")
@MODES
@pytest.mark.parametrize("black", list(SeatKind))
@pytest.mark.parametrize("fen", ["4k3/2p5/4n3/B7/8/8/7P/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"])
def test_a_recapture_without_an_echo_is_told_for_what_it_was_taken_whatever_stands_there(
    mode: Mode, black: SeatKind, fen: str
) -> None:
    """D.2.1, 11.3.1: "Bishop Cesar seven", and "Eva six Cesar seven" in return."""
    reply = Reply("Bc7", mode=mode, black=black, fen=fen)
    reply.table.say("black", "e6c7")
    assert [(one.text, one.echo) for one in reply.told(Seat.BLACK, msg.Understood)] == [("e6c7", True)]
    assert reply.heard_by_white() == []
    reply.table.say("black", "e6c7", origin=Origin.HEARD)
    if mode is Mode.TABLE:  # said again after that: it is the own move
        assert [one.echo for one in reply.told(Seat.BLACK, msg.Understood)] == [True, False]
        assert reply.table.ply(2).announcement == said("e6c7")
    else:  # a recogniser may mishear twice: the press says so
        assert reply.table.state.ply(2) is None and reply.heard_by_white() == []
        reply.table.press("black")
        assert reply.heard_by_white() == ["e6c7"]
    assert reply.table.ply(2).announcement == said("e6c7")


@pytest.mark.law("L182")
@MODES
@HANDS
def test_a_recapture_without_an_echo_and_its_hand_are_one_announcement(mode: Mode, sensed: bool) -> None:
    reply = Reply("Bc7", mode=mode, fen="4k3/2p5/4n3/B7/8/8/7P/4K3 w - - 0 1")
    reply.table.say("black", "e6c7")
    reply.hand("e6c7", "e6c7", sensed=sensed, carried="a5c7")
    reply.table.press("black")
    reply.is_one_announcement("e6c7", "e6c7", mode, "a5c7")


@pytest.mark.law("L182")
def test_an_echo_that_says_more_stays_the_echo_where_the_hand_does_something_else() -> None:
    reply = Reply("Bc7", fen="4k3/2p5/4n3/B7/8/8/7P/4K3 w - - 0 1")
    reply.table.say("black", "a5c7")
    reply.hand("e6c7", "e6c7")
    assert reply.table.ply(1).echo == said("a5c7") and reply.table.ply(2).announcement is None
    assert reply.table.state.moves.line == ("a5c7", "e6c7")
