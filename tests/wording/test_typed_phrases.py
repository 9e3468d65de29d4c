"""What players type in their own words: natural phrases in six languages, and phrases that must bind nobody.

`typed_phrases.tsv` is ours: language, phrase, meaning. `denied_phrases.tsv` has phrases that deny, ask, or speak of
somebody else. The reference (`phrases-not-understood.tsv` in `shared`) was drawn up by others.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from braille.letters import spell, unwritable
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.wording.typed import codes_of, heard_of_cells, heard_of_text
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.language import DENYING, WEIGHTLESS
from speech.words.loading import load_phrasebook
from speech.words.said import Heard
from tests.table.open_hall import played

HERE = Path(__file__).parent
REFERENCE = HERE.parents[2] / "shared" / "reference" / "phrases-not-understood.tsv"
BINDING = {"resign", "draw_offer", "draw_accept", "claim_draw", "claim_time"}
NOTHING = ("none", "cmd:?")
LEAST = 0.95
NOT_IN_CELLS = dict.fromkeys(map(ord, "՞՛՜،؟؛"))
"""Marks that liblouis does not write in Armenian, or with cells of other marks: left out."""
ELSEWHERE = "r3k2r/pppq1ppp/2npbn2/4p3/2B1P3/2NP1N2/PPP2PPP/R2Q1RK1 b kq - 4 9"


def rows(file: Path) -> list[list[str]]:
    return list(csv.reader(file.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))


def meaning(heard: Heard) -> str:
    """`cmd:NAME`, a bare draw as an offer, or `mv:PIECE:FROM:TO:PROMOTION:CASTLING`.

    A pawn named or not is one meaning (C.4); where only its file is said, it is White's.
    """
    if heard.said is None:
        return f"cmd:{'draw_offer' if heard.command == 'draw' else heard.command}"
    said = heard.said
    piece = "" if said.piece in (None, "pawn") else said.piece
    departure = said.from_square or ""
    if said.from_file is not None and said.to_square is not None:
        departure = f"{said.from_file}{int(said.to_square[1]) - 1}"
    return f"mv:{piece}:{departure}:{said.to_square or ''}:{said.promotion or ''}:{said.castling or ''}"


def wanted(meant: str) -> str:
    """The same, of a row: `mv:pawn:e?:d5::` names the file that a white pawn comes from; squares may be joined."""
    if meant in NOTHING or not meant.startswith("mv:"):
        return meant
    parts = meant.replace("e?:d5", "e4:d5").split(":")
    kind, piece, first, second, promotion, castling = (*parts[:5], "".join(parts[5:]))
    return ":".join((kind, "" if piece == "pawn" else piece, first, second, promotion, castling))


async def in_six_languages(folder: Path, **options: str) -> dict[str, GameState]:
    found = {}
    for tag in language_tags():
        (folder / tag).mkdir(parents=True)
        async with played(folder / tag, language=tag, **options) as game:  # type: ignore[arg-type]
            found[tag] = game.table.state
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def states(tmp_path_factory: pytest.TempPathFactory) -> dict[str, GameState]:
    """Of a game before its first move, by the language of its player; a state never changes."""
    return await in_six_languages(tmp_path_factory.mktemp("states"))


def understood(text: str, state: GameState, language: str) -> str:
    try:
        return meaning(heard_of_text(text, state, Seat.WHITE, language))
    except Complaint:
        return "none"


def judged(file: Path, states: dict[str, GameState]) -> Iterator[tuple[str, str, str, str]]:
    """Language, phrase, what it means, what was understood ("none" where it was not)."""
    for tag, phrase, meant, *_ in rows(file):
        found = understood(phrase, states[tag], tag)
        yield tag, phrase, "none" if meant in NOTHING else wanted(meant), found


@pytest.mark.parametrize("file", [HERE / "typed_phrases.tsv", REFERENCE], ids=["ours", "reference"])
def test_95_of_100_natural_phrases_are_understood_and_none_wrongly(file: Path, states: dict[str, GameState]) -> None:
    if not file.exists():
        pytest.skip(f"{file.name} is not here")
    found = list(judged(file, states))
    wrong = [one for one in found if one[3] not in ("none", one[2])]
    assert wrong == []
    tags = {one[0] for one in found}
    assert len(tags) >= 6 and (file == REFERENCE or tags == {*language_tags()}), "phrases of each language"
    for tag in tags:
        mine = [one for one in found if one[0] == tag]
        missed = [one for one in mine if one[3] != one[2]]
        assert len(mine) >= 40 and 1 - len(missed) / len(mine) >= LEAST, missed


def test_a_phrase_in_braille_cells_is_understood_as_the_same_in_letters(states: dict[str, GameState]) -> None:
    """In the computer braille of the player's language, else in its uncontracted prose (Armenian, Arabic)."""
    missed, asked = [], dict.fromkeys(language_tags(), 0)
    for tag, phrase, meant in rows(HERE / "typed_phrases.tsv"):
        tables = (codes_of(tag).printed.letters, *codes_of(tag).prose)
        text = phrase.lower().translate(NOT_IN_CELLS)
        letters = next((one for one in tables if not unwritable(text, one)), None)
        if not meant.startswith("cmd:") or letters is None:
            continue
        cells = spell(text, letters)
        asked[tag] += 1
        try:
            found = meaning(heard_of_cells(cells, states[tag], Seat.WHITE, tag))
        except Complaint:
            found = "none"
        missed += [(tag, phrase, found)] if found != meant else []
    assert min(asked.values()) >= 20, asked
    assert len(missed) <= (1 - LEAST) * sum(asked.values()) and {one[2] for one in missed} <= {"none"}, missed


def test_what_denies_or_asks_or_is_of_somebody_else_binds_nobody(states: dict[str, GameState]) -> None:
    bound = []
    for tag, phrase in rows(HERE / "denied_phrases.tsv"):
        found = understood(phrase, states[tag], tag)
        if found.startswith("mv:") or found.removeprefix("cmd:") in BINDING:
            bound.append((tag, phrase, found))
    assert bound == []


async def test_what_is_understood_never_depends_on_the_position(states: dict[str, GameState], tmp_path: Path) -> None:
    there = await in_six_languages(tmp_path, fen=ELSEWHERE)
    for tag, phrase, _ in rows(HERE / "typed_phrases.tsv"):
        assert understood(phrase, states[tag], tag) == understood(phrase, there[tag], tag), phrase


@pytest.mark.parametrize("tag", language_tags())
def test_every_knight_move_in_english_letters_is_a_knights(tag: str, states: dict[str, GameState]) -> None:
    """An Armenian `N` in a table of braille is a rook; the script of what is typed tells whose letters they are."""
    for file in "abcdefgh":
        for rank in "12345678":
            heard = heard_of_text(f"N{file}{rank}", states[tag], Seat.WHITE, tag)
            assert heard.said is not None and (heard.said.piece, heard.said.to_square) == ("knight", file + rank)


@pytest.mark.parametrize("page", language_tags())
def test_ones_own_letters_are_read_whatever_the_pages_language(page: str, states: dict[str, GameState]) -> None:
    own = {"de": "Sf3", "en": "Nf3", "hu": "Hf3", "hy": "Ձf3", "ar": "Nf3", "he": "פו3"}
    for tag, text in own.items():
        for typed in (text, own[page]):
            assert understood(typed, states[tag], page) == "mv:knight::f3::", (tag, page, typed)


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("remis vielleicht", "Remisangebot"),
        ("Rochade", "Kurze Rochade"),
        ("die Uhr zeigt seltsames", "Zeit"),
        ("Aufgeben morgen", "ich gebe auf"),
        ("reklamiere etwas", "Remisreklamation"),
        ("fünfzig Züge vielleicht", "Remisreklamation"),
        ("beide Uhren komisch", "beide Zeiten"),
        ("Versprecher morgen", "Korrektur"),
    ],
)
def test_what_is_not_understood_is_answered_with_the_right_example(
    text: str, example: str, states: dict[str, GameState]
) -> None:
    with pytest.raises(Complaint) as told:
        heard_of_text(text, states["de"], Seat.WHITE, "de")
    assert example in str(told.value) and "Felix" not in str(told.value)


def test_a_move_and_an_offer_are_two_things(states: dict[str, GameState]) -> None:
    """9.1.2.1: a player offers a draw after making the move; the refusal says how."""
    with pytest.raises(Complaint, match="eigenen Befehl an"):
        heard_of_text("Springer f3, remis?", states["de"], Seat.WHITE, "de")


@pytest.mark.parametrize("tag", language_tags())
def test_no_word_that_denies_is_without_weight(tag: str) -> None:
    book = load_phrasebook(tag)
    assert all(not any(one & DENYING for one in ways) for ways in book.phrases.values() if WEIGHTLESS in ways)
    assert not [end for end in book.before if any(one & DENYING for one in book.phrases.get(end, ()))]
