"""Chains of words and typed text -> what was said; what the sound left open is named, and nothing else."""

from __future__ import annotations

import unicodedata

import pytest

from speech.announcements.understand import complete_chain, said_of_text, understand, words_of_text
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.said import Said

D21 = load_scheme("d21", "de")


@pytest.mark.law("L184", "L185", "L187")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Springer Gustav eins Felix drei", Said(piece="knight", from_square="g1", to_square="f3")),
        ("eva zwei eva vier", Said(from_square="e2", to_square="e4")),
        ("Eva zwo, Eva vier!", Said(from_square="e2", to_square="e4")),
        ("e2 e4", Said(from_square="e2", to_square="e4")),
        ("e2-e4", Said(from_square="e2", to_square="e4")),
        ("e2–e4", Said(from_square="e2", to_square="e4")),
        ("e2e4", Said(from_square="e2", to_square="e4")),
        ("e4", Said(to_square="e4")),
        ("e 4", Said(to_square="e4")),
        ("e٤", Said(to_square="e4")),
        ("e4xd5+", Said(from_square="e4", to_square="d5")),
        ("e4:d5#", Said(from_square="e4", to_square="d5")),
        ("e5 x d6 e.p.", Said(from_square="e5", to_square="d6")),
        ("Alpha 4", Said(to_square="a4")),
        ("KÖNIG ECHO EINS", Said(piece="king", to_square="e1")),
        ("Läufer schlägt Cäsar fünf", Said(piece="bishop", to_square="c5")),
        ("Laeufer schlaegt Caesar fuenf", Said(piece="bishop", to_square="c5")),
        ("laufer schlagt Cesar 5", Said(piece="bishop", to_square="c5")),
        (unicodedata.normalize("NFD", "Läufer schlägt Cäsar fünf"), Said(piece="bishop", to_square="c5")),
        ("Springer von Gustav eins nach Felix drei Schach", Said(piece="knight", from_square="g1", to_square="f3")),
        ("Bauer Eva acht wird Dame", Said(piece="pawn", to_square="e8", promotion="queen")),
        ("Eva sieben Eva acht", Said(from_square="e7", to_square="e8")),
        ("kurze rochade", Said(castling="short")),
        ("0-0-0", Said(castling="long")),
        ("O–O+", Said(castling="short")),
    ],
)
def test_a_move_in_any_spelling(text: str, said: Said) -> None:
    heard = said_of_text(text, D21)
    assert (heard.kind, heard.said, heard.unclear) == ("move", said, None)


@pytest.mark.parametrize(
    ("words", "unclear"),
    [
        ("piece.knight file.g file.f rank.3", "from"),
        ("piece.knight rank.1 file.f rank.3", "from"),
        ("piece.knight file.g word.takes file.f rank.3", "from"),
        ("piece.knight word.from file.f rank.3 word.to file.g rank.5", None),
        ("piece.knight word.from word.to file.f rank.3", "from"),
        ("word.from rank.2 file.e rank.4", "from"),
        ("piece.knight ? file.f rank.3", "from"),
        ("piece.knight file.g ? file.f rank.3", "from"),
        ("piece.knight file.g rank.1 file.f", "to"),
        ("piece.knight file.g rank.1 word.takes", "to"),
        ("piece.knight file.g rank.1 ? rank.3", "to"),
        ("piece.knight file.f", "to"),
        ("piece.knight", "to"),
        ("? file.f rank.3", "piece"),
        ("? file.g rank.1 file.f rank.3", "piece"),
        ("file.e rank.8", "promotion"),
        ("piece.pawn file.e rank.8", "promotion"),
        ("piece.pawn file.e rank.8 word.check", "promotion"),
        ("piece.pawn file.e rank.7 file.e rank.8", "promotion"),
        ("piece.pawn file.e rank.8 word.promotes", "promotion"),
        ("piece.pawn file.e rank.8 ?", "promotion"),
        ("piece.pawn file.e rank.8 piece.king", "promotion"),
        ("file.e rank.7 word.takes file.d rank.8 word.promotes", "promotion"),
        ("piece.knight file.f rank.3 piece.queen", None),
        ("file.e rank.4 piece.queen", None),
        ("castle.short castle.long", None),
        ("cmd.yes cmd.no", None),
        ("word.check", None),
        ("?", None),
        ("", None),
    ],
)
def test_only_what_the_words_left_open_is_named(words: str, unclear: str | None) -> None:
    heard = understand(words.split())
    assert heard.unclear == unclear
    assert heard.kind == ("move" if words.startswith("piece.knight word.from file.f") else "none")
    assert heard.words == tuple(words.split())


@pytest.mark.law("L183", "L184")
@pytest.mark.parametrize(
    ("words", "answer", "whole"),
    [
        ("piece.knight", "file.f rank.3", "piece.knight file.f rank.3"),
        ("piece.knight file.g rank.1 ? rank.3", "file.f rank.3", "piece.knight file.g rank.1 file.f rank.3"),
        ("piece.knight word.takes", "letter.f rank.3", "piece.knight word.takes letter.f rank.3"),
        ("? piece.queen", "file.e rank.8", "file.e rank.8 piece.queen"),
        ("piece.pawn", "file.e rank.8", "piece.pawn file.e rank.8"),  # the promotion is open still
        ("piece.knight file.g ? file.f rank.3", "file.g rank.1", "piece.knight file.g rank.1 file.f rank.3"),
        ("piece.rook ? word.takes file.e rank.4", "file.e rank.1", "piece.rook file.e rank.1 word.takes file.e rank.4"),
        ("? file.f rank.3", "piece.knight", "piece.knight file.f rank.3"),
        ("file.e rank.8", "piece.queen", "file.e rank.8 piece.queen"),
        ("piece.pawn file.e rank.8 ? word.check", "piece.rook", "piece.pawn file.e rank.8 piece.rook word.check"),
        ("file.e rank.8", "piece.king", None),
        ("file.e rank.8", "file.e rank.8", None),
        ("piece.knight", "piece.bishop file.f rank.3", None),
        ("piece.knight", "file.f", None),
        ("piece.knight", "cmd.time", None),
        ("? file.f rank.3", "file.f rank.3", None),
    ],
)
def test_an_answer_is_put_into_the_gap_by_words_alone(words: str, answer: str, whole: str | None) -> None:
    chain = words.split()
    found = complete_chain(chain, understand(chain).unclear or "", answer.split())
    assert found == (None if whole is None else tuple(whole.split()))


@pytest.mark.law("L017", "L183")
def test_a_promotion_without_its_piece_is_not_understood_as_a_queen() -> None:
    heard = said_of_text("Bauer Eva sieben schlägt David acht", D21)
    assert heard.kind == "none" and heard.unclear == "promotion"
    assert heard.said == Said(piece="pawn", from_square="e7", to_square="d8")
    assert said_of_text("Dame Eva acht", D21).said == Said(piece="queen", to_square="e8")


@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("name", ["d21", "letters", "national"])
def test_every_form_of_every_word_reads_back_as_that_word(name: str, language: str) -> None:
    """A name that the spelling alphabet shares with an earlier one (Gustav) reads back as that one of the same file."""
    scheme = load_scheme(name, language)
    for word in scheme.words:
        kind, _, file = word.partition(".")
        for form in scheme.forms_spoken(word):
            shared = kind == "spelling" and form in scheme.forms_spoken(f"file.{file}")
            for written in (form, form.upper(), unicodedata.normalize("NFD", form), f" «{form}» "):
                assert words_of_text(written, scheme) == (f"file.{file}" if shared else word,), (written, word)


def test_several_schemes_at_once_and_the_first_one_first() -> None:
    hungarian = load_scheme("national", "hu")
    assert said_of_text("huszár Gustav eins Felix három", D21, hungarian).said == Said(
        piece="knight", from_square="g1", to_square="f3"
    )
    with pytest.raises(Complaint, match="huszár"):
        words_of_text("huszár Felix drei", D21)


def test_vowel_signs_stretching_digits_and_hamza_make_no_difference() -> None:
    assert said_of_text("פרש ו3", load_scheme("national", "he")).said == Said(piece="knight", to_square="f3")
    assert said_of_text("פרש ו' 3", load_scheme("national", "he")).said == Said(piece="knight", to_square="f3")
    assert said_of_text("حصان ايفا اربعه", load_scheme("national", "ar")).said == Said(piece="knight", to_square="e4")
    for written in ("حِصَان إيفا أَرْبَعَة", "حصـــان إيفا ٤", "\u2067حصان \u2068e4\u2069\u2069"):
        assert said_of_text(written, load_scheme("national", "ar")).said == Said(piece="knight", to_square="e4")
    assert said_of_text("מֶלֶךְ ה־4", load_scheme("national", "he")).said == Said(piece="king", to_square="e4")


def test_a_command_and_an_unknown_word() -> None:
    assert understand(words_of_text("Ich gebe auf.", D21)).command == "resign"
    assert said_of_text("wie viel Zeit habe ich", D21).command == "time"
    assert words_of_text("", D21) == ()
    with pytest.raises(Complaint) as complaint:
        words_of_text("Springer Gurke drei", D21)
    assert "gurke" in str(complaint.value) and "Springer" in str(complaint.value)
    with pytest.raises(Complaint):
        words_of_text("e9", D21)
