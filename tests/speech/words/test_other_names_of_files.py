"""Letters and the spelling alphabet name files as the radio names do; a scheme, or one table, says what is heard."""

from __future__ import annotations

import pytest

from speech.announcements.announce import text_of
from speech.announcements.understand import said_of_text, understand, words_of_text
from speech.complaint import Complaint
from speech.hearing.confusions import load_confusions
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.config_file import language_tags
from speech.words.grammar import announcement_grammar
from speech.words.language import FILES
from speech.words.loading import load_scheme
from speech.words.said import Said
from speech.words.scheme import Scheme


@pytest.fixture(scope="module")
def german() -> Scheme:
    return load_scheme("d21", "de")


def kinds_heard(scheme: Scheme) -> set[str]:
    """The kinds of names of the d file that the scheme listens for."""
    return {word.partition(".")[0] for word in vocabulary_of(scheme).grammar.words() if word.endswith(".d")}


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Springer Dora vier", Said("knight", to_square="d4")),
        ("Berta zwo, Berta vier", Said(from_square="b2", to_square="b4")),
        ("Turm Heinrich acht", Said("rook", to_square="h8")),
        ("Friedrich drei", Said(to_square="f3")),
        ("Emil vier", Said(to_square="e4")),
        ("Cäsar drei", Said(to_square="c3")),
        ("Gustav zwo", Said(to_square="g2")),
        ("e vier", Said(to_square="e4")),
        ("Ef drei", Said(to_square="f3")),
    ],
)
def test_typed_as_german_players_say_it(text: str, said: Said, german: Scheme) -> None:
    assert said_of_text(text, german).said == said


@pytest.mark.law("L184")
def test_a_name_of_the_spelling_alphabet_is_read_back_as_the_scheme_has_it(german: Scheme) -> None:
    heard = understand(("piece.knight", "spelling.d", "rank.4"))
    assert heard.said == Said("knight", to_square="d4") and heard.words[1] == "spelling.d"
    assert text_of(german.tokens(german.square("d4"))) == "David vier"


def test_gustav_is_one_name_of_one_file(german: Scheme) -> None:
    """It is in both alphabets: typed it is the first one's, and the ears have it once."""
    assert words_of_text("Gustav vier", german) == ("file.g", "rank.4")
    words = vocabulary_of(german).grammar.words()
    assert {"spelling.c", "spelling.g"}.isdisjoint(words) and {"file.c", "file.g"} <= set(words)
    assert {f"spelling.{file}" for file in "abdefh"} <= set(words)
    plain = vocabulary_of(load_scheme("letters", "de")).grammar.words()
    assert {f"spelling.{file}" for file in FILES} <= set(plain), "there no other name has the place"


@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("d21", {"file", "nato", "letter", "spelling"}),
        ("national", {"file", "nato", "letter", "spelling"}),
        ("letters", {"letter", "nato", "spelling"}),
        ("d21+also_heard=nato", {"file", "nato"}),
        ("d21+also_heard=nato,letter", {"file", "nato", "letter"}),
        ("d21+also_heard=none", {"file"}),
        ("d21+file_names=letter+also_heard=file", {"letter", "file"}),
    ],
)
def test_a_table_says_what_else_is_heard(name: str, kinds: set[str], language: str) -> None:
    scheme = load_scheme(name, language)
    assert kinds_heard(scheme) == kinds
    assert load_scheme(scheme.name, language) == scheme
    assert scheme.text("rank.2") and scheme.square("d4")[0].partition(".")[0] == scheme.file_names


@pytest.mark.parametrize("value", ["dora", "nato,", "nato+letter", "nato,dora", "None"])
def test_names_that_do_not_exist_are_refused_in_one_sentence(value: str) -> None:
    with pytest.raises(Complaint, match=r"also_heard|letter"):
        load_scheme(f"d21+also_heard={value}", "de")


def test_the_grammar_has_the_spelling_alphabet_where_it_is_asked_for() -> None:
    words = ("piece.knight", "spelling.d", "rank.4")
    assert announcement_grammar(("file", "spelling")).accepts(words)
    assert not announcement_grammar(("file", "nato", "letter")).accepts(words)


def test_a_name_that_nobody_counted_costs_what_the_radio_name_does() -> None:
    confusions = load_confusions("own")
    if any("spelling.d" in row for row in confusions.files.values()):
        pytest.skip("The spelling alphabet has been counted since.")
    assert confusions.cost("files", "d", "spelling.d") == confusions.cost("files", "d", "nato.d")
    assert confusions.cost("files", "a", "spelling.d") > confusions.cost("files", "d", "spelling.d")
