"""What an utterance may have been: the ears' list and counted confusions as announcements with costs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.complaint import Complaint
from speech.hearing.confusions import load_confusions
from speech.hearing.evidence import LEAST, MOST, Confusions, as_the_player_is_heard, expand_alternatives, nearby
from speech.recognisers.recogniser import Hypothesis, WordHeard
from speech.training.curves.confusions import HeardUtterance, confusions_toml, count_confusions, improbability, pairs_of
from speech.words.said import Said
from speech.words.voice_profile import VoiceProfile

CONFUSIONS = load_confusions("own")
F3 = ("piece.knight", "file.f", "rank.3")


def chain(*words: str, score: float = 0.0, fit: float = 0.9) -> Hypothesis:
    return Hypothesis(tuple(WordHeard(word, fit) for word in words), score)


def chances(*ranked: Hypothesis, sure: float) -> dict[Said, float]:
    return {one.said: math.exp(-one.cost) for one in expand_alternatives(ranked, sure, CONFUSIONS)}


def test_the_best_one_has_the_confidence_of_the_verdict_and_the_rest_shares_what_is_left() -> None:
    found = chances(chain(*F3), chain("piece.knight", "file.f", "rank.2", score=-5.0), sure=0.8)
    best, second = Said("knight", None, "f3"), Said("knight", None, "f2")
    assert found[best] == pytest.approx(0.8, abs=0.01)
    assert second in list(found)[:2] and 0.02 < found[second] < 0.2
    assert sum(found.values()) <= 1.0


def test_what_was_counted_as_misheard_comes_before_what_never_was() -> None:
    """ "Vier" is heard as "fuenf" now and then, "eins" never was."""
    found = chances(chain("piece.knight", "file.f", "rank.5"), sure=0.5)
    assert found[Said("knight", None, "f4")] > found.get(Said("knight", None, "f1"), 0.0)


def test_a_word_that_hardly_fits_its_sound_is_doubted_first() -> None:
    words = tuple(WordHeard(word, fit) for word, fit in (("piece.knight", 0.99), ("file.f", 0.99), ("rank.3", 0.05)))
    near = nearby(Hypothesis(words, 0.0), CONFUSIONS)
    other_ranks = sum(share for said, share in near.items() if said.to_square and said.to_square[0] == "f")
    assert other_ranks > 0.5 > sum(share for said, share in near.items() if said.piece != "knight")


def test_a_command_or_nothing_leaves_only_what_else_was_nearly_heard() -> None:
    assert expand_alternatives((), 0.5, CONFUSIONS) == ()
    assert expand_alternatives((chain("cmd.time"),), 0.9, CONFUSIONS) == ()
    found = chances(chain("cmd.time"), chain(*F3, score=-9.0), sure=0.9)
    assert 0.0 < found[Said("knight", None, "f3")] < 0.8


@given(
    st.sampled_from(["king", "queen", "rook", "bishop", "knight", "pawn"]),
    st.sampled_from("abcdefgh"),
    st.sampled_from("12345678"),
    st.floats(0.0, 1.0),
    st.floats(0.0, 1.0),
)
def test_the_answer_is_bounded_well_formed_and_the_same_each_time(
    piece: str, file: str, rank: str, sure: float, fit: float
) -> None:
    ranked = (
        chain(f"piece.{piece}", f"file.{file}", f"rank.{rank}", fit=fit),
        chain(f"piece.{piece}", "file.e", "rank.2", f"file.{file}", f"rank.{rank}", score=-8.0),
        chain("castle.short", score=-20.0),
    )
    found = expand_alternatives(ranked, sure, CONFUSIONS)
    assert found == expand_alternatives(ranked, sure, CONFUSIONS)
    assert len(found) <= MOST and sum(math.exp(-one.cost) for one in found) <= 1.001
    assert all(0.0 <= one.cost <= -math.log(LEAST) + 0.001 for one in found)
    assert len({one.said for one in found}) == len(found)
    assert [one.cost for one in found] == sorted(one.cost for one in found)
    assert all(one.said.from_square != one.said.to_square or one.said.castling for one in found)


def test_counting_finds_what_was_misheard() -> None:
    heard = [HeardUtterance(F3, "f1", (chain("piece.knight", "file.f", rank),), 0.5) for rank in ("rank.2", "rank.3")]
    assert pairs_of(heard[0]) == [("pieces", "knight", "knight"), ("files", "f", "file.f"), ("ranks", "3", "2")]
    tables, unseen = count_confusions(heard)
    assert tables["ranks"]["3"]["2"] == tables["ranks"]["3"]["3"] < unseen["ranks"]
    other_shape = HeardUtterance(F3, "f1", (chain("file.f", "rank.3", "file.g", "rank.3"),), 0.5)
    assert pairs_of(other_shape) == [] == pairs_of(HeardUtterance(F3, "f1", (), 0.0))


def test_a_surer_ear_makes_the_truth_less_improbable() -> None:
    right, wrong = (HeardUtterance(F3, "f1", (chain(*F3),), sure) for sure in (0.9, 0.2))
    assert improbability([right], CONFUSIONS) < improbability([wrong], CONFUSIONS)


def test_the_table_as_written_reads_back(tmp_path: Path) -> None:
    (tmp_path / "confusions").mkdir()
    (tmp_path / "confusions" / "own.toml").write_text(confusions_toml(CONFUSIONS), "utf-8")
    assert load_confusions("own", tmp_path) == CONFUSIONS
    assert load_confusions("vosk+whisper", tmp_path) == CONFUSIONS, "an engine never counted takes another's"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (f"temperature = {CONFUSIONS.temperature}", "temperature = 0.0", "temperature"),
        (f"listed = {CONFUSIONS.listed}", "listed = 1.0", "listed"),
        (f"temperature = {CONFUSIONS.temperature}", "", "temperature"),
        (f"castling = {CONFUSIONS.unseen['castling']}", "", "unseen.castling"),
        (f'"file.a" = {CONFUSIONS.files["a"]["file.a"]}', '"file.a" = -1.0', 'files.a."file.a"'),
    ],
)
def test_a_wrong_table_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = confusions_toml(CONFUSIONS)
    assert old in text
    (tmp_path / "confusions").mkdir()
    (tmp_path / "confusions" / "own.toml").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(Complaint, match=f"config/confusions/own.toml.*{named}"):
        load_confusions("own", tmp_path)


def test_no_reserved_voice_was_counted() -> None:
    for voice in ("f5", "m7", "klatt2", "Storm", "slt", "rms", "mv"):
        assert f" {voice}," not in CONFUSIONS.provenance and f"({voice}," not in CONFUSIONS.provenance


def test_a_player_is_known_by_the_way_in_which_they_are_misheard() -> None:
    """Ada's "vier" was heard as "sieben", which nobody counted: then such a sieben may well be a vier, of Ada alone."""
    profile = VoiceProfile("Ada", "de", "d21", {}, confusions={"rank.4": {"rank.7": 6}, "piece.king": {"": 1}})
    of_ada = as_the_player_is_heard(CONFUSIONS, profile)
    heard = chain("piece.knight", "file.f", "rank.7")
    f4 = Said("knight", None, "f4")

    def chance(confusions: Confusions) -> float:
        return next(
            (math.exp(-one.cost) for one in expand_alternatives((heard,), 0.5, confusions) if one.said == f4), 0.0
        )

    assert chance(of_ada) > 2 * chance(CONFUSIONS)
    assert sum(math.exp(-cost) for cost in of_ada.ranks["4"].values()) == pytest.approx(
        sum(math.exp(-cost) for cost in CONFUSIONS.ranks["4"].values()), abs=0.1
    )
    assert (of_ada.pieces, of_ada.files) == (CONFUSIONS.pieces, CONFUSIONS.files)
