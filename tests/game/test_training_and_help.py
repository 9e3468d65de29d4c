"""Training answers about the position, by its name alone; help tells words; a rehearsal goes on step by step."""

from __future__ import annotations

from typing import Any, get_args

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game import rehearsal
from server.game.acts import Refusal
from server.game.decide.questions import Found, find, words_now
from server.game.state.apply import apply
from server.game.state.scores import Helped
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.speech import Speech
from server.game.values.words import Duty, Role, Seat, SeatKind
from server.game.views import messages as msg
from server.game.views.messages import PositionTold
from tests.game.core_table import CoreTable, altered, only, said
from tests.game.test_events_in_full import told

W, B = Seat.WHITE, Seat.BLACK
# White: Ke1, Ra1, Nf3, Pe5; Black: Ke8, Qd8, Bg4, Pd5 (just moved two squares)
MEN = "3qk3/8/8/3pP3/6b1/5N2/8/R3K3 w Q d6 0 1"


def training(fen: str = MEN, *, rated: bool = False, opened_for_it: bool = True) -> CoreTable:
    table = CoreTable(fen=fen, black=SeatKind.TACTILE)
    table.state = altered(table.state, {"table.rated": rated, "table.training": opened_for_it})
    return table


FOUND = [
    ({"about": "board"}, Found(white=("Ke1", "Ra1", "Nf3", "Pe5"), black=("ke8", "qd8", "bg4", "pd5"))),
    ({"about": "white"}, Found(white=("Ke1", "Ra1", "Nf3", "Pe5"))),
    ({"about": "black"}, Found(black=("ke8", "qd8", "bg4", "pd5"))),
    ({"about": "rank", "rank": "5"}, Found(white=("Pe5",), black=("pd5",))),
    ({"about": "rank", "rank": "1"}, Found(white=("Ke1", "Ra1"))),
    ({"about": "file", "file": "d"}, Found(black=("qd8", "pd5"))),
    ({"about": "file", "file": "h"}, Found()),
    ({"about": "piece", "piece": "king"}, Found(white=("Ke1",), black=("ke8",))),
    ({"about": "piece", "piece": "pawn"}, Found(white=("Pe5",), black=("pd5",))),
    ({"about": "square", "square": "g4"}, Found(black=("bg4",))),
    ({"about": "square", "square": "a8"}, Found()),
    ({"about": "attackers", "square": "d1"}, Found(white=("Ke1", "Ra1"))),
    ({"about": "attackers", "square": "f3"}, Found(black=("bg4",))),
    ({"about": "rays", "square": "g4"}, Found(squares=("f3", "h3", "f5", "h5", "e6", "d7", "c8"))),
    ({"about": "rays", "square": "a2"}, Found()),
    ({"about": "moves", "square": "e5"}, Found(squares=("d6", "e6"))),
    ({"about": "moves", "square": "e1"}, Found(squares=("c1", "d1", "f1", "d2", "e2", "f2"))),
    ({"about": "moves", "square": "d5"}, Found(squares=("d4",))),
    ({"about": "moves", "square": "a3"}, Found()),
    ({"about": "captures"}, Found(takes=(("Pe5", "d6"),))),
]  # fmt: skip
# Rooks on a1 and h1, White's to move; Black has just moved d7-d5, beside a pawn on c7.
OTHER = "4k3/2p5/8/3pP3/8/b6b/8/R3K2R w KQ d6 0 1"
ALSO_FOUND = [
    ({"about": "white"}, Found(white=("Ke1", "Ra1", "Rh1", "Pe5"))),
    ({"about": "piece", "piece": "rook"}, Found(white=("Ra1", "Rh1"))),
    ({"about": "piece", "piece": "bishop"}, Found(black=("ba3", "bh3"))),
    ({"about": "piece", "piece": "knight"}, Found()),
    ({"about": "piece", "piece": "queen"}, Found()),
    ({"about": "rank", "rank": "8"}, Found(black=("ke8",))),
    ({"about": "file", "file": "a"}, Found(white=("Ra1",), black=("ba3",))),
    ({"about": "file", "file": "h"}, Found(white=("Rh1",), black=("bh3",))),
    ({"about": "square", "square": "a1"}, Found(white=("Ra1",))),
    ({"about": "attackers", "square": "d6"}, Found(white=("Pe5",), black=("ba3", "pc7"))),
    ({"about": "rays", "square": "a1"}, Found(squares=("b1", "c1", "d1", "a2", "a3"))),
    ({"about": "moves", "square": "c7"}, Found(squares=("c5", "c6"))),  # nothing en passant for who has just moved
    ({"about": "moves", "square": "e1"}, Found(squares=("d1", "d2", "e2", "f2"))),  # f1 and c1 are covered
    ({"about": "captures"}, Found(takes=(("Ra1", "a3"), ("Rh1", "h3"), ("Pe5", "d6")))),
]


@pytest.mark.parametrize(("asked", "found"), ALSO_FOUND, ids=[str(row[0]) for row in ALSO_FOUND])
def test_what_is_found_among_like_men_on_the_edge_and_of_the_side_that_has_just_moved(
    asked: dict[str, Any], found: Found
) -> None:
    assert find(chess.Board(OTHER), **asked) == found


LACKING = [{"about": one} for one in ("rank", "file", "piece", "square", "attackers", "rays", "moves")]


@pytest.mark.parametrize(("asked", "found"), FOUND, ids=[f"{row[0]['about']}-{n}" for n, row in enumerate(FOUND)])
def test_what_a_question_about_the_position_finds(asked: dict[str, Any], found: Found) -> None:
    assert find(chess.Board(MEN), **asked) == found
    table = training()
    done = table.done("white", cmd.Explore(**asked))
    fields = {name: getattr(found, name) for name in ("white", "black", "squares", "takes")}
    assert list(done) == [ev.Explored(at=1_000, seat=W, station="white", about=asked["about"], **fields)]
    assert told(table, done) == {"white": [PositionTold(about=asked["about"], **fields)]}


@pytest.mark.parametrize("asked", LACKING, ids=[row["about"] for row in LACKING])
def test_a_question_that_lacks_its_square_file_rank_or_piece_is_none(asked: dict[str, Any]) -> None:
    assert find(chess.Board(MEN), **asked) is None
    assert training().do("white", cmd.Explore(**asked)) == Refusal("explore_what", "")


@pytest.mark.law("L121")
@pytest.mark.parametrize(("rated", "opened_for_it"), [(True, True), (True, False), (False, False)])
def test_only_a_table_opened_unrated_and_for_training_answers(rated: bool, opened_for_it: bool) -> None:
    table = training(rated=rated, opened_for_it=opened_for_it)
    for asked, _ in FOUND:
        assert table.do("white", cmd.Explore(**asked)) == Refusal("training_only", "11.3.1")
    assert not only(table.say("white", "Nf6"), ev.TrainingAsked)


def test_what_is_explored_is_the_game_and_where_its_thread_is_lost_the_own_board() -> None:
    table = training("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    asked = cmd.Explore(about="file", file="e")

    def on_the_file(station: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        (event,) = only(table.done(station, asked), ev.Explored)
        return event.white, event.black

    before = (("Ke1", "Pe2"), ("ke8", "pe7"))
    assert on_the_file("white") == on_the_file("black") == before
    table.say("white", "e4")
    table.press("white")
    assert on_the_file("white") == on_the_file("black") == (("Ke1", "Pe4"), ("ke8", "pe7")), "as the game stands"
    table.press("black")
    stands = cmd.SetBoard(board=B, placement="4k3/8/8/4p3/4P3/8/8/4K3", turn=W)
    table.done("arbiter", stands)
    assert table.state.position is None
    assert on_the_file("white") == (("Ke1", "Pe4"), ("ke8", "pe7"))
    assert on_the_file("black") == (("Ke1", "Pe4"), ("ke8", "pe5")), "as the arbiter has seen it"
    (event,) = only(table.done("black", cmd.Explore(about="last")), ev.Explored)
    assert event.words == ("e4",), "the last that was said at all"


def test_the_last_words_are_told_and_where_there_are_none_nothing() -> None:
    table = training()
    (first,) = table.done("black", cmd.Explore(about="last"))
    assert isinstance(first, ev.Explored) and (first.seat, first.station, first.words) == (B, "black", ())
    table.say("white", "Nd4")
    table.press("white")
    (event,) = table.done("black", cmd.Explore(about="last"))
    assert isinstance(event, ev.Explored) and event.words == ("Nd4",)


@pytest.mark.parametrize(
    ("words", "ask", "piece", "choices"),
    [
        ("Nd2", "which", "knight", ("b3", "f3")),
        ("Nb3d2", None, "", ()),
        ("Nd4", None, "", ()),
        ("Nh8", "illegal", "", ()),
        ("exd6", None, "", ()),
        ("d6", "which", "pawn", ("c5", "e5")),
    ],
)
def test_training_asks_which_piece_and_tells_what_no_legal_move_fits(
    words: str, ask: Any, piece: str, choices: tuple[str, ...]
) -> None:
    fen = "4k3/8/8/2PpP3/8/1N3N2/8/K7 w - d6 0 1" if "d6" in words else "4k3/8/8/8/8/1N3N2/8/K7 w - - 0 1"
    if words == "Nd4":
        fen = "4k3/8/8/8/8/1N6/8/K7 w - - 0 1"
    table = training(fen)
    done = table.say("white", "e5d6" if words == "exd6" else words, utterance="u1")
    asked = [] if ask is None else [
        ev.TrainingAsked(at=1_000, seat=W, ply=1, ask=ask, piece=piece, choices=choices, utterance="u1")
    ]  # fmt: skip
    assert only(done, ev.TrainingAsked) == asked
    there = ("file.d", "rank.6" if "d6" in words else "rank.2")
    either = tuple((f"piece.{piece}", f"file.{one[0]}", f"rank.{one[1]}", *there) for one in choices)
    questions = [msg.Question(ask=ask, utterance="u1", piece=piece, choices=choices, either=either)] if ask else []
    assert [one for one in told(table, done)["white"] if isinstance(one, msg.Question)] == questions
    assert not [one for one in told(table, done).get("black", []) if isinstance(one, msg.Question)]


def test_nothing_is_asked_about_a_position_that_is_not_known() -> None:
    table = training()
    table.mumble("white", "u")
    table.press("white")
    assert not only(table.say("black", "Bh3", act="announce"), ev.TrainingAsked)


PLAYING = ("time", "opponent_time", "clock", "moves", "last", "correction", "score", "draw_offer", "arbiter")
EAR = ("repeat", "slower", "faster", "read_keys", "stop")
REST = ("score_move", "score_previous", "score_next", "executed", "adjust", "claim_draw", "claim_time", "resign",
        "article", *EAR)  # fmt: skip


def claiming(table: CoreTable) -> None:
    for text in ("e4", "e5"):
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.press(seat)
    table.done("white", cmd.Propose(what="claim_draw"))


def offered(table: CoreTable) -> None:
    for text in ("e4", "e5"):
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.press(seat)
    table.done("black", cmd.OfferDraw())


HELPED: list[tuple[str, Any, tuple[str, ...], tuple[str, ...]]] = [
    ("before", None, ("set_up", "set_clock", "clock", "pairing", "arbiter", *EAR), ("article",)),
    (
        "choosing",
        lambda table: table.done("white", cmd.ChooseClock(controls=("900+10",))),
        ("yes", "no", "stop"),
        ("repeat", "slower", "faster", "read_keys"),
    ),
    ("playing", lambda table: None, PLAYING, REST),
    (
        "over",
        lambda table: table.done("arbiter", cmd.RuleResult(result="1-0", reason="x")),
        ("last", "score", "score_move", "score_previous", "score_next", "moves", "clock", "pairing", "arbiter"),
        ("article", *EAR),
    ),
    (
        "offered",
        offered,
        ("draw_accept", "draw_decline", "time", "opponent_time", "clock", "moves", "last", "correction", "score",
         "arbiter"),
        REST,
    ),
    ("asked", lambda table: table.done("white", cmd.Propose(what="resign")), ("yes", "no", "arbiter"), PLAYING + REST),
    ("claiming", claiming, ("no", "arbiter"), PLAYING + REST),
]  # fmt: skip


@pytest.mark.parametrize(("when", "act", "first", "rest"), HELPED, ids=[row[0] for row in HELPED])
def test_help_tells_the_words_of_most_use_now_and_then_the_rest(
    when: str, act: Any, first: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    table = CoreTable(started=when not in ("before", "choosing"))
    if act is not None:
        act(table)
    assert words_now(table.state, W) == (first, rest)
    answers = []
    for wait in (0, 30_000, 0, 30_001, 0):
        table.wait(wait if when != "choosing" else 0)
        (event,) = only(table.done("white", cmd.Ask(what="help")), ev.Answered)
        answers.append((tuple(word.removeprefix("cmd.") for word in event.words), event.more))
        if when in ("choosing", "asked"):  # what is asked would lapse meanwhile
            return
    assert answers == [(first, False), (rest, True), (first, False), (first, False), (rest, True)]


def test_help_is_each_players_own_and_knows_what_the_opponent_was_told() -> None:
    table = CoreTable(black=SeatKind.TACTILE, chess960=False)
    for seat in ("white", "black", "white"):
        (event,) = only(table.done(seat, cmd.Ask(what="help")), ev.Answered)
    assert event.more and table.state.scores.helped[0] is None and table.state.scores.helped[1] is not None
    table.wait(1_000)
    (event,) = only(table.done("black", cmd.Ask(what="help")), ev.Answered)
    assert event.more


@pytest.mark.law("L102", "L104")
def test_an_offer_is_answered_by_whom_it_has_reached_and_a_claim_finished_by_whose_it_is() -> None:
    table = CoreTable()
    offered(table)
    assert words_now(table.state, B) == (PLAYING, REST), "it is Black's own offer"
    unseen = altered(table.state, {"draws.offer_delivered": False})
    assert words_now(unseen, W) == (PLAYING, REST)
    table = CoreTable()
    claiming(table)
    to_answer = ("draw_accept", "draw_decline", *PLAYING[:-2], "arbiter")
    assert words_now(table.state, B) == (to_answer, REST), (
        "White's claim is an offer to Black, who states no move of it"
    )
    table = CoreTable()
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.state.draws.claim is not None and words_now(table.state, W) == (PLAYING, REST), (
        "nothing of it is to come"
    )


def test_words_told_in_an_earlier_run_of_the_program_are_told_again() -> None:
    table = CoreTable()
    table.done("white", cmd.Ask(what="help"))
    table.now -= 1
    (event,) = only(table.done("white", cmd.Ask(what="help")), ev.Answered)
    assert (event.words, event.more) == (tuple(f"cmd.{word}" for word in PLAYING), False)
    assert table.state.scores.helped == (Helped(999, event.words), None)


def test_castling_has_a_word_in_chess960() -> None:
    state = CoreTable(fen="4k3/8/8/8/8/8/8/1RK4R w - - 0 1", chess960=False).state
    other = altered(state, {"moves.positions": (msgspec.structs.replace(state.moves.positions[0], chess960=True),)})
    assert "castle" not in words_now(state, W)[1] and words_now(other, W)[1][0] == "castle"


def test_the_own_score_is_read_on_and_back_from_where_the_player_is() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    asked = []
    for what in ("score_previous", "score_next", "score_here"):
        (event,) = only(table.done("white", cmd.Ask(what=what)), ev.Answered)
        asked.append((event.move, event.score))
    assert asked == [(1, ()), (1, ()), (1, ())], "nothing is written yet: the empty place"
    for text in ("e4", "e5", "Nf3", "Nc6", "Bb5"):
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
        table.say(seat.other.value, text, act="echo")
    table.state = altered(table.state, {"scores.read_to": (0, 0)})
    answers = []
    for what in ("score_here", "score_next", "score_next", "score_previous", "score_previous", "score_previous",
                 "score_previous", "score_next", "score_here"):  # fmt: skip
        (event,) = only(table.done("white", cmd.Ask(what=what)), ev.Answered)  # type: ignore[arg-type]
        assert event.what == "score"
        answers.append((event.move, event.score))
    one, two, three = ("e4", "e5"), ("Nf3", "Nc6"), ("Bb5",)
    assert answers == [(3, three), (4, ()), (4, ()), (3, three), (2, two), (1, one), (1, one), (2, two), (2, two)]
    (event,) = only(table.done("black", cmd.Ask(what="score_previous")), ev.Answered)
    assert (event.seat, event.move, event.score) == (B, 3, ("Bb5",)) and table.state.scores.read_to == (2, 3)
    (event,) = only(table.done("white", cmd.Ask(what="score")), ev.Answered)
    assert (event.move, event.score) == (None, (*one, *two, *three))


@pytest.mark.law("L192")
@pytest.mark.parametrize("plies", [4, 5])
@pytest.mark.parametrize("last", [1, 2, 3, 9])
def test_of_the_last_moves_of_the_own_score_the_first_is_named(last: int, plies: int) -> None:
    """The player reads on from there."""
    table, whole = CoreTable(), (plies + 1) // 2
    for text in ("e4", "e5", "Nf3", "Nc6", "Bb5")[:plies]:
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
        table.say(seat.other.value, text, act="echo")
    (event,) = only(table.done("white", cmd.Ask(what="score", last=last)), ev.Answered)
    first = max(1, whole - last + 1)
    assert (event.move, event.score) == (first, ("e4", "e5", "Nf3", "Nc6", "Bb5")[2 * first - 2 : plies])
    (event,) = only(table.done("white", cmd.Ask(what="score_next")), ev.Answered)
    assert event.move == first + 1


@pytest.mark.law("L192")
@pytest.mark.parametrize("what", ["score_here", "score_next", "score_previous"])
@pytest.mark.parametrize("moves", [0, 1])
def test_the_first_question_about_the_own_score_begins_at_its_first_or_at_its_last_move(what: Any, moves: int) -> None:
    table = CoreTable()
    for text in ("e4", "e5", "Nf3")[: 2 * moves]:
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
    (event,) = only(table.done("white", cmd.Ask(what=what)), ev.Answered)
    assert (event.what, event.move, event.score) == ("score", 1, ("e4",)[:moves])


@pytest.mark.law("L192")
@pytest.mark.parametrize(("what", "move"), [("score_previous", 2), ("score_next", 3), ("score_here", 9)])
def test_from_a_move_far_beyond_the_end_of_the_score_a_player_comes_back_to_it(what: Any, move: int) -> None:
    table = CoreTable()
    for text in ("e4", "e5", "Nf3"):
        seat = table.state.on_move
        table.say(seat.value, text, act="announce")
        table.press(seat.value)
    table.done("white", cmd.Ask(what="score", move=9))
    (event,) = only(table.done("white", cmd.Ask(what=what)), ev.Answered)
    assert (event.move, event.score) == (move, ("Nf3",) if move == 2 else ())


@pytest.mark.law("L192")
def test_only_the_question_why_names_what_was_refused_and_only_the_score_a_move() -> None:
    table = CoreTable()
    refused, none = {"refused": "no_offer", "article": "9.1"}, {"refused": "", "article": ""}
    for what, move, known, of in (
        ("article", None, refused, None),
        ("time", None, none, None),
        ("time", 2, none, None),
        ("score", 2, none, 2),
    ):
        body = cmd.Ask(what=what, move=move, **refused)  # type: ignore[arg-type]
        (event,) = only(table.done("white", body), ev.Answered)
        assert ({"refused": event.refused, "article": event.article}, event.move) == (known, of), (what, move)


BOTH = (W, B)


def through(seats: tuple[Seat, ...]) -> list[tuple[rehearsal.Kind, Seat]]:
    """Every step in turn, each done as it is to be done."""
    now, steps = rehearsal.begin(seats), []
    for _ in rehearsal.STEPS:
        if (step := now.step) is None:
            break
        steps.append((step.kind, step.seat))
        act = rehearsal.Trial("said", step.move) if step.move is not None else rehearsal.Trial(step.kind)  # type: ignore[arg-type]
        if step.kind == "level":
            act = rehearsal.Trial("sound", level="good")
        now, reply = rehearsal.take(now, step.seat, act)
        assert reply == "done"
    return steps


def test_a_rehearsal_is_two_moves_each_with_their_echoes_and_a_mistake_mended() -> None:
    assert through(BOTH) == [
        ("level", W), ("level", B),
        ("say", W), ("press", W), ("echo", B),
        ("say", B), ("press", B), ("echo", W),
        ("mistake", W), ("correct", W), ("press", W), ("echo", B),
        ("say", B), ("press", B), ("echo", W),
        ("time", W), ("time", B), ("arbiter", W), ("arbiter", B),
    ]  # fmt: skip
    assert through((B,)) == [step for step in through(BOTH) if step[1] is B]
    moves = [(one.seat, one.move.piece, one.move.to_square) for one in rehearsal.STEPS if one.move is not None]
    assert moves == [
        (W, "pawn", "e4"), (B, "pawn", "e4"), (B, "pawn", "e5"), (W, "pawn", "e5"), (W, "knight", "f6"),
        (W, "knight", "f3"), (B, "knight", "f3"), (B, "knight", "c6"), (W, "knight", "c6"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("at", "seat", "act", "reply"),
    [
        (0, B, rehearsal.Trial("sound", level="good"), "not_yours"),
        (0, W, rehearsal.Trial("sound", level="silent"), "quiet"),
        (0, W, rehearsal.Trial("sound", level="quiet"), "quiet"),
        (0, W, rehearsal.Trial("sound", level=None), "quiet"),
        (0, W, rehearsal.Trial("sound", level="clipped"), "loud"),
        (0, W, rehearsal.Trial("sound", level="noisy"), "done"),
        (0, W, rehearsal.Trial("said", said("e4"), level="good"), "again"),
        (2, W, rehearsal.Trial("said", said("d4")), "again"),
        (2, W, rehearsal.Trial("said"), "again"),
        (2, W, rehearsal.Trial("other", said("e4")), "again"),
        (2, W, rehearsal.Trial("said", Announcement(to_square="e4")), "done"),
        (3, W, rehearsal.Trial("time"), "again"),
        (3, W, rehearsal.Trial("press"), "done"),
        (15, W, rehearsal.Trial("time"), "done"),
        (17, W, rehearsal.Trial("arbiter"), "done"),
        (len(rehearsal.STEPS), W, rehearsal.Trial("press"), "not_yours"),
    ],
)
def test_what_a_player_does_is_the_step_or_is_asked_for_again(
    at: int, seat: Seat, act: rehearsal.Trial, reply: rehearsal.Reply
) -> None:
    before = rehearsal.Rehearsal(BOTH, at=at)
    after, answered = rehearsal.take(before, seat, act)
    assert answered == reply
    assert after == (rehearsal.Rehearsal(BOTH, at=at + 1) if reply == "done" else before)
    assert rehearsal.take(before, W, act)[1] in get_args(rehearsal.Reply)


def test_a_step_that_is_passed_over_is_named_and_at_the_end_there_is_none() -> None:
    now = rehearsal.pass_over(rehearsal.begin((W,)))
    assert (now.at, now.passed) == (2, (1,)), "Black's level is not asked of a player with no station"
    end = rehearsal.Rehearsal(BOTH, at=len(rehearsal.STEPS))
    assert rehearsal.pass_over(end) == end and end.step is None


@pytest.mark.parametrize(
    "event",
    [
        ev.BoardRead(at=1, board=W, placement="8/8/8/8/8/8/8/8"),
        ev.CellTyped(at=1, seat=W, ply=1, text="e4", language="de"),
        ev.CellHeard(at=1, seat=W, ply=1, utterance="u"),
        ev.BoardConfirmed(at=1, board=W),
        ev.BoardSaidSet(at=1, seat=W),
        ev.ReconstructionMoved(at=1, uci="e2e4", legal=True),
        ev.ReconstructionUndone(at=1),
        ev.IntendedStated(at=1, seat=W, speech=Speech(announcement=said("e4"), text="e4")),
        ev.PositionVerified(at=1, seat=W, agrees=True, note=""),
        ev.ClaimRuled(at=1, seat=W, kind="repetition", ruling="wrong", article="9.5.3"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_about_something_that_is_not_open_changes_nothing(event: ev.AnyEvent) -> None:
    for state in (GameState(), CoreTable().state):
        assert apply(state, event) == state


def test_the_assistant_who_informs_asks_for_their_player_and_hears_it_alone() -> None:
    table = CoreTable()
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=W, duties=(Duty.INFORM,)))
    table.wait(5_000)
    done = table.done("helper", cmd.Ask(what="time"))
    (event,) = done
    assert event == ev.Answered(
        at=6_000, seat=W, station="helper", what="time", white_ms=5_425_000, black_ms=5_430_000,
        white_used_ms=5_000, black_used_ms=0, moves=0, running=W, to_control=None, period=1, periods=1,
    )  # fmt: skip
    assert told(table, done) == {
        "helper": [
            msg.AnswerGiven(
                what="time", own_ms=5_425_000, opponent_ms=5_430_000, own_used_ms=5_000, opponent_used_ms=0,
                own_runs=True,
            )
        ]
    }  # fmt: skip
