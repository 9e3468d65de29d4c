"""Which of two squares a sound with a letter named: found from the sound alone, in the order of the files."""

from __future__ import annotations

import math

import msgspec
import pytest

from speech.announcements.understand import understand
from speech.hearing.settings import Thresholds
from speech.hearing.two_squares import Chain, in_plain_names, two_squares, which_of_two
from speech.recognisers.recogniser import Hypothesis, WordHeard
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

STEPS = Thresholds(accept=0.9, confirm=0.7, for_us=0.1, word=0.0, against=0.97, two_squares=0.9, two_squares_below=0.8)
B4, D4, E4 = ("letter.b", "rank.4"), ("letter.d", "rank.4"), ("letter.e", "rank.4")
KNIGHT = ("piece.knight",)


def ranked(*shares: tuple[Chain, float]) -> list[Hypothesis]:
    return [Hypothesis(tuple(WordHeard(word, 0.9) for word in ids), math.log(share)) for ids, share in shares]


def found(first: Chain, second: Chain, shares: tuple[float, float] = (0.5, 0.45), right: float = 0.5) -> object:
    return two_squares(ranked((first, shares[0]), (second, shares[1])), right, STEPS)


def test_the_two_stand_in_the_order_of_the_files_whichever_the_ears_like_better() -> None:
    assert found(B4, D4) == found(D4, B4) == (B4, D4)


@pytest.mark.parametrize(
    ("first", "second", "two"),
    [
        ((*KNIGHT, *B4), (*KNIGHT, *D4), ((*KNIGHT, *B4), (*KNIGHT, *D4))),
        ((*KNIGHT, *B4, *E4), (*KNIGHT, *D4, *E4), ((*KNIGHT, *B4, *E4), (*KNIGHT, *D4, *E4))),
        ((*KNIGHT, *E4, *D4), (*KNIGHT, *E4, *B4), ((*KNIGHT, *E4, *B4), (*KNIGHT, *E4, *D4))),
        (D4, ("piece.pawn", *B4), (B4, D4)),  # the same announcement, said otherwise
        (("spelling.d", "rank.4"), ("file.b", "rank.4"), (("spelling.b", "rank.4"), ("spelling.d", "rank.4"))),
    ],
)
def test_they_differ_in_the_file_of_one_square_and_in_nothing_else(
    first: Chain, second: Chain, two: tuple[Chain, ...]
) -> None:
    assert found(first, second) == two


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (B4, ("letter.b", "rank.5")),  # another rank
        (B4, ("letter.d", "rank.5")),
        (B4, (*KNIGHT, *D4)),  # another piece
        ((*KNIGHT, *B4, *E4), (*KNIGHT, *D4, *D4)),  # two squares differ
        ((*KNIGHT, *B4), (*KNIGHT, *B4, *E4)),
        (("file.b", "rank.4"), ("file.d", "rank.4")),  # neither is a letter
        (("castle.short",), B4),
        (("cmd.time",), B4),
    ],
)
def test_nothing_else_is_asked_about(first: Chain, second: Chain) -> None:
    assert found(first, second) == ()


def test_they_carry_nearly_all_of_the_probability_and_the_better_one_is_in_doubt() -> None:
    assert found(B4, D4, (0.5, 0.39)) == ()
    assert found(B4, D4, right=0.79) != () == found(B4, D4, right=0.8)
    assert two_squares(ranked((B4, 1.0)), 0.5, STEPS) == ()
    never = msgspec.structs.replace(STEPS, two_squares=None)
    assert two_squares(ranked((B4, 0.5), (D4, 0.5)), 0.5, never) == ()


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("scheme", "kind"), [("d21", "file"), ("letters", "spelling"), ("letters+also_heard=nato", "nato")]
)
def test_the_player_is_asked_in_names_that_the_table_listens_for_and_that_hardly_rhyme(scheme: str, kind: str) -> None:
    asked = in_plain_names(((*KNIGHT, *B4), (*KNIGHT, *D4)), load_scheme(scheme, "de"))
    assert asked == ((*KNIGHT, f"{kind}.b", "rank.4"), (*KNIGHT, f"{kind}.d", "rank.4"))


def test_where_only_letters_are_heard_nobody_is_asked() -> None:
    assert in_plain_names((B4, D4), load_scheme("letters+also_heard=none", "de")) == ()


def test_the_answer_is_the_announcement_or_the_square_in_which_they_differ(german: Scheme) -> None:
    two = in_plain_names(((*KNIGHT, *B4, *E4), (*KNIGHT, *D4, *E4)), german)
    for answer in (two[1], (*KNIGHT, *D4, *E4), D4, ("nato.d", "rank.4"), ("file.d", "rank.4")):
        assert which_of_two(understand(answer), two) == two[1]
    for other in (E4, (*KNIGHT, *D4), ("cmd.no",), ("file.d",), ("letter.d", "rank.5")):
        assert which_of_two(understand(other), two) is None
    assert which_of_two(understand(D4), ()) is None
