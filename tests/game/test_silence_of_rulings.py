"""Silence of touches, claims, offers, resignations and rulings: a player is told the same whatever the position.

(11.12, 12.6; L080, L133, L192.) Each story is played over positions in which the same words are legal, illegal, pinned
or ambiguous, in which a draw is there or not, in which the game is dead or not. Everything that `views` gives a player
is compared byte by byte, answers and refusals among it. What a sighted player sees of that player's board is compared
by the squares that change on it; where the pieces stand elsewhere, that is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.decide.questions import lent_cells
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind, Station
from server.game.views.messages import BoardShown, BoardToSet, Recorded, SquareToSetNow
from server.game.views.view import changes_picture, greeting, picture, view, view_refusal
from tests.game.core_table import CoreTable, said

TACTILE, SIGHTED = SeatKind.TACTILE, SeatKind.SIGHTED
ASSISTANT = "assistant"


class Told(CoreTable):
    """A core table that keeps what each station is told, from the first event on, and the answers to its commands."""

    def __init__(self, **options: Any) -> None:
        self.channels: dict[str, list[bytes]] = {}
        self._seen = GameState()
        self._boards: dict[str, str] = {}
        super().__init__(**options)

    def do(self, station: str, body: cmd.AnyAct, about: int | None = None) -> Any:
        before = len(self.events)
        decided = super().do(station, body, about)
        for event in self.events[before:]:
            self._seen = apply(self._seen, event)
            for one in self._seen.stations.admitted:
                message = view(event, self._seen, one)
                if isinstance(message, Recorded) and changes_picture(event):
                    message = msgspec.structs.replace(message, picture=picture(self._seen, event.at))
                if isinstance(message, BoardShown):
                    self._keep(one, self._changed(one, message.placement).encode())
                elif isinstance(message, BoardToSet | SquareToSetNow):  # what their own hands have moved goes back
                    self._keep(one, b"set " + msgspec.json.encode(message))
                elif message is not None:
                    self._keep(one, msgspec.json.encode(message))
        refusal = decided if isinstance(decided, Refusal) else None
        self.channels.setdefault(station, []).append(msgspec.json.encode(view_refusal("*", refusal)))
        return decided

    def _keep(self, station: Station, told: bytes) -> None:
        self.channels.setdefault(station.id, []).append(told)

    def _changed(self, station: Station, placement: str) -> str:
        """Which squares of the player's own board changed, and what stands on them now."""
        assert station.seat is not None
        start = self._seen.moves.positions[0].placement
        before, after = chess.BaseBoard(self._boards.get(station.id, start)), chess.BaseBoard(placement)
        self._boards[station.id] = placement
        squares = [square for square in chess.SQUARES if before.piece_at(square) != after.piece_at(square)]
        return " ".join(f"{chess.square_name(square)}{after.piece_at(square) or '-'}" for square in squares)

    def players(self, *, boards: bool) -> dict[str, list[bytes]]:
        """What reached the two players, and how they would be greeted now."""
        found = {}
        for seat in Seat:
            station = self.state.stations.find(seat.value)
            assert station is not None
            greeted = greeting(self.state, station, self.now)
            marked = [chess.BaseBoard(one) for one in (*greeted.before, *([greeted.board] if greeted.board else ()))]
            squares = [square for square in chess.SQUARES if len({one.piece_at(square) for one in marked}) > 1]
            self._keep(station, f"[{squares}".encode())  # the move that the page marks on the player's own board
            greeted = msgspec.structs.replace(greeted, board=None, before=())
            told = [one for one in self.channels[seat.value] if boards or one[:1] == b"{"]
            found[seat.value] = [*told, msgspec.json.encode(greeted)]
        return found


Story = Callable[[Told], None]

# "Springer Felix drei", then "Koenig Eva sieben". The same knight on d2: what differs is what stands round it.
ONE_KNIGHT = {
    "legal": "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1",
    "pinned": "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",
    "in check": "4k3/8/8/8/4r3/8/3N4/4K3 w - - 0 1",
    "mates nobody, two kings in check": "4k3/8/8/8/4r3/8/3N4/3RK3 w - - 0 1",
    "a queen against it": "4k2q/8/8/8/8/8/3N4/4K3 w - - 0 1",
}
# Two knights can go to f3: a pin that leaves one of them is what nobody may be told.
TWO_KNIGHTS = {
    "ambiguous": "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
    "one pinned": "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1",
    "in check": "4k3/8/8/8/4r3/8/3N4/4K1N1 w - - 0 1",
    "both pinned": "4k3/8/8/8/1b6/8/3N4/4K1Nr w - - 0 1",
}
# Here the squares that change differ by what stands there for all to see; nothing else may.
ANY_KNIGHT = {
    **ONE_KNIGHT,
    **{f"two knights, {name}": fen for name, fen in TWO_KNIGHTS.items()},
    "no knight": "4k3/8/8/8/8/8/8/4K1B1 w - - 0 1",
    "the mover's own piece there": "4k3/8/8/8/8/5P2/3N4/4K3 w - - 0 1",
    "the king there": "8/8/8/8/8/5k2/3N4/4K3 w - - 0 1",
    "stalemates": "8/8/8/8/8/6p1/3N2Pk/5K2 w - - 0 1",
    "no kings": "8/8/8/8/8/8/3N4/8 w - - 0 1",
    "a king alone": "4k3/8/8/8/8/8/8/8 w - - 0 1",
}
FAMILIES = [
    pytest.param(ONE_KNIGHT, True, id="one knight"),
    pytest.param(TWO_KNIGHTS, True, id="two knights"),
    pytest.param(ANY_KNIGHT, False, id="any knight"),
]


def a_move(table: Told) -> None:
    """Announced, carried out, pressed, echoed; the echo is what Black also sees."""
    table.wait(3_000)
    table.say("white", "Nf3")
    table.wait(2_000)
    table.press("white")
    table.say("black", "Nf3")
    table.wait(1_000)


def asked_which_square(table: Told) -> None:
    """A sound that was one of two squares: its player is asked which, answers, is asked again, and presses without."""
    either = tuple(("piece.knight", f"file.{file}", "rank.3") for file in "df")
    table.mumble("white", "u1", either=either)
    table.say("white", "Nf3")
    table.press("white")
    table.mumble("black", "u2", either=either)
    table.say("black", "Ke7")
    table.mumble("black", "u3", either=either)
    table.press("black")
    table.mumble("white", "u4", either=either)
    table.press("white")


def touches(table: Told) -> None:
    """Touches on both boards reported by the arbiter and an assistant, ruled on, claimed."""
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="d2", how="lifted"))
    helper = table.state.stations.find(ASSISTANT)
    reports = ASSISTANT if helper is not None and helper.seat is Seat.BLACK else "arbiter"  # the opponent's (D.2.10.5)
    table.done(reports, cmd.ReportTouch(seat=Seat.WHITE, square="e1", how="lifted"))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    a_move(table)
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="e8", how="touched"))
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="e8", how="lifted"))
    table.say("black", "Ke7")
    table.press("black")
    table.do("white", cmd.ClaimIrregularity(kind="touch"))


def an_illegal_move(table: Told) -> None:
    """Pressed, answered, claimed by the opponent; the arbiter finds nothing, then rules and gives the time."""
    a_move(table)
    table.do("black", cmd.ClaimIrregularity(kind="illegal", note="look"))
    table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal", confirm=False))
    table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal"))
    table.done("arbiter", cmd.Resume())
    table.say("black", "Ke7")
    table.press("black")


def incidents(table: Told) -> None:
    """The arbiter's book while alerts are raised: nobody hears of it."""
    a_move(table)
    table.done("arbiter", cmd.DecideGap(gap="G2", decision="as found"))
    table.done("arbiter", cmd.NoteIncident(kind="noise", text="a telephone"))
    table.done("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty="warning"))
    table.done("arbiter", cmd.Penalise(seat=Seat.WHITE, penalty="more_time_for_opponent", amount=60_000))
    table.done("arbiter", cmd.MarkOutOfStep())
    table.do("white", cmd.Ask(what="last"))
    table.do("black", cmd.Ask(what="score"))


def a_wrong_claim(table: Told) -> None:
    """A draw claimed with a move that is told to the arbiter alone; ruled wrong, another move is made."""
    table.do("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), words=("Nf3",), text="Nf3"))
    table.do("white", cmd.ClaimDraw(kind="fifty_moves"))
    table.do("white", cmd.OfferDraw())
    table.do("black", cmd.ClaimDraw(kind="fifty_moves"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.do("black", cmd.AnswerDraw(accept=False))
    table.say("white", "Ke2")
    table.press("white")
    table.say("black", "Ke2")


def a_claim_against_an_offer(table: Told) -> None:
    """The opponent's offer stands while a draw is claimed without a move; the arbiter rules, and the game ends."""
    a_move(table)
    table.do("white", cmd.OfferDraw())
    table.do("black", cmd.ClaimDraw(kind="fifty_moves", intended=said("Ke7"), words=("Ke7",), text="Ke7"))
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    table.do("white", cmd.ApproveResult(result="1/2-1/2"))


def a_touch_after_an_offer(table: Told) -> None:
    """A touch rejects an offer, unless it was the carrying out of the move: the answer comes after it."""
    a_move(table)
    table.do("white", cmd.OfferDraw())
    table.do("black", cmd.Execute())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="e8", how="lifted"))
    table.do("black", cmd.AnswerDraw(accept=True))
    table.say("black", "Ke7")
    table.press("black")
    table.do("black", cmd.AnswerDraw(accept=True))


def a_touch_before_the_execution(table: Told) -> None:
    """The same where nobody has said that the offered move stands on the board."""
    table.say("white", "Nf3")
    table.do("white", cmd.OfferDraw())
    table.press("white")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="e8", how="lifted"))
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="d2", how="lifted"))
    table.do("black", cmd.AnswerDraw(accept=True))
    table.do("black", cmd.ClaimDraw(kind="fifty_moves"))


def a_sheet(table: Told) -> None:
    """The arbiter's sheet asked for out of turn, in turn, and too often."""
    table.do("black", cmd.AskForSheet())
    for _ in range(6):
        table.do("white", cmd.AskForSheet())
    a_move(table)
    table.do("white", cmd.AskForSheet())
    table.do("black", cmd.AskForSheet())


def a_flag_claimed(table: Told) -> None:
    """A flag falls and is claimed; what 6.9 makes of the position is the arbiter's."""
    a_move(table)
    table.do("white", cmd.ClaimTime())
    table.done("arbiter", cmd.Resume())
    table.wait(6_000_000)
    table.do("white", cmd.ClaimTime())
    table.done("arbiter", cmd.CallFlag(seat=Seat.BLACK))


def restoration(table: Told) -> None:
    """Back to before the move, as the arbiter rules; then another one."""
    a_move(table)
    table.done("arbiter", cmd.RestoreTo(ply=0, reason="7.5.1"))
    table.say("white", "Ke2")
    table.press("white")
    table.say("black", "Ke2")


STORIES = [touches, an_illegal_move, incidents, a_wrong_claim, a_claim_against_an_offer, a_touch_after_an_offer,
    a_touch_before_the_execution, a_sheet, a_flag_claimed, restoration]  # fmt: skip
SEATED = [(TACTILE, SIGHTED), (SIGHTED, TACTILE), (TACTILE, TACTILE)]


def played(fen: str, white: SeatKind, black: SeatKind, story: Story, mode: Mode = Mode.TABLE, **options: Any) -> Told:
    table = Told(fen=fen, white=white, black=black, **options)
    if mode is not Mode.TABLE:
        table.mode(mode)
    helped = Seat.BLACK if black is TACTILE else Seat.WHITE
    table.own(cmd.Admit(station=ASSISTANT, role=Role.ASSISTANT, seat=helped, duties=(Duty.CLAIM_AND_REPORT,)))
    story(table)
    return table


def silent(tables: dict[str, Told], *, boards: bool) -> None:
    """The players of all these tables were told the same."""
    (first, one), *rest = tables.items()
    expected = one.players(boards=boards)
    for name, table in rest:
        found = table.players(boards=boards)
        for seat in Seat:
            assert found[seat.value] == expected[seat.value], f"{seat.value} can tell {name!r} from {first!r}"


@pytest.mark.law("L080", "L133", "L141")
@pytest.mark.parametrize("kinds", SEATED, ids=lambda kinds: "-".join(kinds))
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
@pytest.mark.parametrize(("positions", "boards"), FAMILIES)
@pytest.mark.parametrize(("control", "mode"), [("5400+30", Mode.TABLE), ("180+2", Mode.RELAY), ("180+2", Mode.CLOCK)])
def test_players_cannot_tell_the_position_by_what_they_are_told(
    positions: dict[str, str],
    boards: bool,
    story: Story,
    kinds: tuple[SeatKind, SeatKind],
    control: str,
    mode: Mode,
) -> None:
    tables = {name: played(fen, *kinds, story, mode, control=control) for name, fen in positions.items()}
    silent(tables, boards=boards)


@pytest.mark.law("L080", "L141")
@pytest.mark.parametrize(("positions", "boards"), FAMILIES)
def test_a_player_is_asked_which_of_two_squares_it_was_in_every_position_alike(
    positions: dict[str, str], boards: bool
) -> None:
    tables = {name: played(fen, TACTILE, SIGHTED, asked_which_square) for name, fen in positions.items()}
    asked = b"".join(next(iter(tables.values())).channels["white"]).count(b'"either":[[')
    assert asked == 2
    silent(tables, boards=boards)


# The same men on the same squares: only what was before, or what stands elsewhere, makes a draw of it.
ROOKS = "Ra2 Ra7 Ra1 Ra8"
DRAWS = [
    pytest.param(
        {"threefold": "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "castling was possible": "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"},
        f"{ROOKS} {ROOKS}",
        "repetition",
        id="threefold",
    ),
    pytest.param(
        {"fivefold": "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "castling was possible": "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"},
        " ".join([ROOKS] * 4),
        "repetition",
        id="fivefold",
    ),
    pytest.param(
        {
            "fifty moves": "r3k3/8/8/8/8/8/8/R3K3 w - - 97 80",
            "none": "r3k3/8/8/8/8/8/8/R3K3 w - - 0 80",
            "75 moves": "r3k3/8/8/8/8/8/8/R3K3 w - - 147 80",
        },
        ROOKS,
        "fifty_moves",
        id="moves",
    ),
    pytest.param(
        {
            "dead": "8/8/8/8/4k3/8/3p4/4K1N1 w - - 0 1",
            "a queen": "q7/8/8/8/4k3/8/3p4/4K1N1 w - - 0 1",
            "pawns that may be locked": "8/p7/8/P7/4k3/8/3p4/4K1N1 w - - 0 1",
            "in check": "8/b7/8/8/4k3/8/3p4/4K1N1 w - - 0 1",
        },
        "Kd2 Kd5",
        "fifty_moves",
        id="dead position",
    ),
    pytest.param(
        {
            "mate": "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1",
            "a way out": "6k1/5pp1/8/8/8/8/8/4R1K1 w - - 0 1",
            "stalemate": "6k1/8/6K1/8/8/8/8/4R3 w - - 0 1",
            "no rook to see": "6k1/5ppp/8/8/8/8/4R3/6K1 w - - 0 1",
        },
        "Re8",
        "repetition",
        id="mate",
    ),
]


def play(table: Told, line: str) -> None:
    """Each move announced, pressed and echoed."""
    for index, move in enumerate(line.split()):
        mover, other = ("white", "black") if index % 2 == 0 else ("black", "white")
        table.wait(1_000)
        table.say(mover, move)
        table.press(mover)
        table.say(other, move)


@pytest.mark.law("L043", "L106", "L112", "L133")
@pytest.mark.parametrize("kinds", SEATED, ids=lambda kinds: "-".join(kinds))
@pytest.mark.parametrize("intended", [None, "Ra2", "Nf3"])
@pytest.mark.parametrize(("positions", "line", "kind"), DRAWS)
def test_whether_the_draw_is_there_only_the_arbiter_is_told(
    positions: dict[str, str], line: str, kind: Any, intended: str | None, kinds: tuple[SeatKind, SeatKind]
) -> None:
    """Claimed, ruled wrong against or for what the record says, offered and refused: the same bytes."""

    def story(table: Told) -> None:
        play(table, line)
        move = said(intended) if intended else None
        on_move = "white" if len(line.split()) % 2 == 0 else "black"
        table.do(on_move, cmd.ClaimDraw(kind=kind, intended=move, words=("x",), text=intended or ""))
        table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
        table.do("white", cmd.AnswerDraw(accept=False))
        table.do("black", cmd.AnswerDraw(accept=False))
        table.done("arbiter", cmd.Resume())
        table.say(on_move, "Ka8")
        table.press(on_move)
        table.do("white", cmd.CallArbiter())

    tables = {name: played(fen, *kinds, story) for name, fen in positions.items()}
    silent(tables, boards=False)
    arbiter = [table.channels["arbiter"] for table in tables.values()]
    fits = intended != "Nf3"  # else the claim is incorrect in whatever position
    assert not fits or all(one != arbiter[0] for one in arbiter[1:]), "the arbiter sees the difference"


@pytest.mark.law("L044", "L133")
@pytest.mark.parametrize("kinds", SEATED, ids=lambda kinds: "-".join(kinds))
@pytest.mark.parametrize("resigns", ["white", "black"])
def test_a_resignation_that_waits_does_not_say_for_what(resigns: str, kinds: tuple[SeatKind, SeatKind]) -> None:
    """Not known, dead before, drawn before, mate before: the clocks stand, and that is all a player is told."""
    lines = {
        "dead": ("8/8/8/8/4k3/8/3p4/4K1N1 w - - 0 1", False),
        "thread lost": ("q7/8/8/8/4k3/8/3p4/4K1N1 w - - 0 1", True),
        "75 moves": ("q7/8/8/8/4k3/8/8/4K1N1 w - - 150 90", False),
    }

    def story(lost: bool) -> Story:
        def resigned(table: Told) -> None:
            play(table, "Kd2")
            if lost:
                table.done("arbiter", cmd.MarkOutOfStep())
            table.do(resigns, cmd.Resign())
            table.do(resigns, cmd.Ask(what="score"))

        return resigned

    tables = {name: played(fen, *kinds, story(lost)) for name, (fen, lost) in lines.items()}
    assert not any(table.state.over for table in tables.values())
    told = {name: table.players(boards=False) for name, table in tables.items()}
    assert told["dead"] == told["thread lost"] == told["75 moves"]


REFUSED: tuple[cmd.AnyAct, ...] = (
    cmd.Execute(),
    cmd.AnswerDraw(accept=True),
    cmd.WriteScore(index=9, text="x"),
    cmd.ApproveResult(result="1-0"),
    cmd.ClaimDraw(kind="quickplay", ground="cannot_win"),
    cmd.ClaimDraw(kind="increment"),
    cmd.ClaimDraw(kind="fifty_moves", intended=Announcement()),
    cmd.EnterMove(uci="d2f3"),
    cmd.AskForSheet(),
    cmd.ReportTouch(seat=Seat.WHITE, square="d2", how="lifted"),
    cmd.RuleTouch(number=1, counts=True),
    cmd.OpenEvidence(reason="x"),
    cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal"),
    cmd.RestoreTo(ply=0),
    cmd.RuleClaim(ruling="wrong"),
    cmd.CallFlag(seat=Seat.WHITE),
    cmd.Penalise(seat=Seat.WHITE, penalty="warning"),
    cmd.Mend(ply=1, uci="d2f3"),
    cmd.SetBoard(board=Seat.WHITE, placement="8/8/8/8/8/8/8/8", turn=Seat.WHITE),
    cmd.RuleResult(result="1-0", reason="x", article="x"),
)


@pytest.mark.law("L141")
@pytest.mark.parametrize("kinds", SEATED, ids=lambda kinds: "-".join(kinds))
@pytest.mark.parametrize("station", ["white", "black", ASSISTANT])
def test_refusals_are_the_same_in_every_position(station: str, kinds: tuple[SeatKind, SeatKind]) -> None:
    """Before the start, on and off the move, after a press; and they leave no trace in anybody's numbers."""

    def story(table: Told) -> None:
        for body in REFUSED:
            table.do(station, body)
        a_move(table)
        for body in REFUSED:
            table.do(station, body)

    tables = {name: played(fen, *kinds, story) for name, fen in ANY_KNIGHT.items()}
    silent(tables, boards=False)
    channels = [table.channels[station] for table in tables.values()]
    assert sum(b'"ok":false' in one for one in channels[0]) >= 16
    answers = [[one for one in channel if b'"ok":' in one] for channel in channels]
    assert all(one == answers[0] for one in answers)


def test_a_comparison_that_can_fail() -> None:
    """The arbiter is told of the pin; were it a player, these tests would say so."""
    tables = [played(ONE_KNIGHT[name], TACTILE, SIGHTED, a_move) for name in ("legal", "pinned")]
    assert tables[0].channels["arbiter"] != tables[1].channels["arbiter"]
    tables[1].channels["white"].append(tables[1].channels["arbiter"][-1])
    with pytest.raises(AssertionError, match="white can tell"):
        silent({"legal": tables[0], "pinned": tables[1]}, boards=True)


KING_AND_ROOKS = {
    "one knight can": "4k3/8/8/8/8/8/3N4/4K1B1 w - - 0 1",
    "two knights can": "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
    "one of two is pinned": "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1",
    "none can": "4k3/8/8/8/8/8/3B4/4K1B1 w - - 0 1",
}


@pytest.mark.law("L101", "L141")
@pytest.mark.parametrize("kinds", SEATED, ids=lambda kinds: "-".join(kinds))
@pytest.mark.parametrize(("square", "rejected"), [("e8", True), ("d2", False), ("g1", False), ("f3", False)])
def test_whether_a_touch_rejects_an_offer_says_nothing_about_the_move(
    square: str, rejected: bool, kinds: tuple[SeatKind, SeatKind]
) -> None:
    """Before the execution Black's own piece rejects it; the opponent's may be the move carried out, known or not."""

    def story(table: Told) -> None:
        table.say("white", "Nf3")
        table.do("white", cmd.OfferDraw())
        table.press("white")
        table.say("black", "Nf3")
        table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square=square, how="lifted"))
        table.do("black", cmd.AnswerDraw(accept=False))

    tables = {name: played(fen, *kinds, story) for name, fen in KING_AND_ROOKS.items()}
    silent(tables, boards=False)
    for table in tables.values():
        assert (b'"no_offer"' in b"".join(table.channels["black"])) is rejected


@pytest.mark.law("L101")
def test_once_the_move_is_carried_out_any_touch_with_intent_rejects_the_offer() -> None:
    for square in ("e8", "d2"):
        table = CoreTable(fen=KING_AND_ROOKS["one knight can"])
        table.say("white", "Nf3")
        table.do("white", cmd.OfferDraw())
        table.press("white")
        table.done("black", cmd.Execute())
        table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square=square, how="touched"))
        assert table.state.draws.offer_by is None


@pytest.mark.law("L104")
def test_an_intended_move_is_not_in_a_score_that_is_lent() -> None:
    table = CoreTable(control="60")
    table.say("white", "Nf3")
    table.press("white")
    table.say("black", "Nf6", act="announce")
    table.press("black")
    table.done("white", cmd.Propose(what="claim_draw"))
    table.say("white", "Ng1")
    assert table.score(Seat.WHITE)[2] == "Ng1"
    assert lent_cells(table.state, Seat.WHITE) == ("Nf3", "")
