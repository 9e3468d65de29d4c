"""Typing in braille: chords, back-translated text and print letters find every move they may write, by form alone."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille.brf import to_brf
from braille.cells import Written, cells_of_move
from braille.letters import spell, unwritable
from braille.loading import load_profile
from braille.profile import FILES, PIECES, PROMOTIONS, RANKS, has_eight_dots
from braille.typed import departures, moves_of_cells, moves_of_text, text_of_prose, texts_of_cells, well_formed
from server.wording.typed import codes_of

LANGUAGES = ("en", "de", "hu", "hy", "ar", "he")
SQUARES = [file + rank for file, rank in product(FILES, RANKS)]

moves = st.one_of(
    st.builds(
        Written,
        piece=st.sampled_from(PIECES),
        from_file=st.none() | st.sampled_from(FILES),
        from_rank=st.none() | st.sampled_from(RANKS),
        to_square=st.sampled_from(SQUARES),
        capture=st.booleans(),
        check=st.booleans(),
    ),
    st.builds(
        Written,
        from_file=st.none() | st.sampled_from(FILES),
        to_square=st.sampled_from([square for square in SQUARES if square[1] not in "18"]),
        capture=st.booleans(),
        en_passant=st.booleans(),
    ),
    st.builds(
        Written, to_square=st.sampled_from(["e8", "b1"]), promotion=st.sampled_from(PROMOTIONS), mate=st.booleans()
    ),
    st.builds(Written, piece=st.just("king"), castling=st.sampled_from(["short", "long"]), check=st.booleans()),
).filter(well_formed)


def bare(move: Written) -> Written:
    return msgspec.structs.replace(move, capture=False, check=False, mate=False, en_passant=False)


@pytest.mark.parametrize("language", LANGUAGES)
@given(move=moves)
def test_every_well_formed_move_is_found_in_every_code_of_its_player(language: str, move: Written) -> None:
    codes = codes_of(language)
    for profile in codes.dotted:
        cells = cells_of_move(move, profile)
        found = moves_of_cells(cells, codes)
        assert bare(move) in found, (profile.name, cells)
        if max(cells) > "⠿":
            assert found == (bare(move),), "a capital is a piece: nothing else can be meant"
        if has_eight_dots(profile):
            continue
        # What a screen reader with North American computer braille hands to a page.
        assert bare(move) in moves_of_text(to_brf(cells).lower(), codes)


@pytest.mark.parametrize("language", ["en", "de", "hu"])
@given(move=moves)
def test_print_in_the_readers_letters(language: str, move: Written) -> None:
    codes = codes_of(language)
    (text, *_) = texts_of_cells(cells_of_move(move, codes.printed), codes)
    if text != text.lower():
        assert moves_of_text(text, codes) == (bare(move),)
    assert bare(move) in moves_of_text(text.lower(), codes)


def test_six_dots_have_no_capitals_so_a_bishop_may_be_a_file() -> None:
    codes = codes_of("en")
    assert [(one.piece, one.from_file) for one in moves_of_text("bc4", codes)] == [("pawn", "b"), ("bishop", None)]
    assert [one.piece for one in moves_of_text("Bc4", codes)] == ["bishop"]
    assert [one.piece for one in moves_of_text("bxc4", codes)] == ["pawn", "bishop"]
    assert [one.piece for one in moves_of_text("Bc4", codes_of("hu"))] == ["rook"]
    for language, text in (("en", "bxc4"), ("de", "dxe5"), ("hu", "bxc4"), ("hu", "fxe5")):
        assert len(moves_of_text(text, codes_of(language))) == 2, "the player is asked, unless capitals tell which"
        small, large = (moves_of_text(one, codes_of(language), capitals=True) for one in (text, text.capitalize()))
        assert [one.piece for one in small] == ["pawn"] and [one.piece for one in large] != ["pawn"] and len(large) == 1
    assert moves_of_text("nf3", codes, capitals=True) == () and moves_of_text("Nf3", codes, capitals=True)
    assert [one.piece for one in moves_of_text("lxc4", codes_of("de"))] == ["bishop"], "no letter of a file: not asked"
    assert [one.piece for one in moves_of_text("bxc4", codes_of("de"))] == ["pawn"], "no letter of a piece: not asked"
    assert moves_of_text("Bc4", codes_of("de")) == ()  # no letter of a German piece
    assert [one.piece for one in moves_of_cells("⠃⠰⠉⠲", codes)] == ["pawn"]  # the code's own sign for a capture
    hebrew = moves_of_cells("⠗⠓⠢", codes_of("he"))
    assert {one.piece for one in hebrew} == {"bishop", "rook"}  # the ר and UKAAF's rook are one cell


def test_unified_english_braille_read_back() -> None:
    codes = codes_of("en")
    assert moves_of_text("e.", codes) == moves_of_text("e4", codes) == (Written(to_square="e4"),)
    assert moves_of_text("s" + "f:", codes) == (Written("knight", to_square="f3"),)
    assert moves_of_cells("⠠⠝⠋⠼⠉", codes) == (Written("knight", to_square="f3"),)  # Nf3 in prose


@given(st.text(alphabet="abefkqr rnNBKQR0123458.,-+()", max_size=20))
def test_prose_is_read_back(text: str) -> None:
    letters = load_profile("ukaaf").letters
    plain = " ".join(text.split())
    if not unwritable(plain, letters):
        read = text_of_prose(spell(plain, letters), letters)
        assert read is not None and read.lower() == plain.lower()


def test_a_departure_by_form_alone() -> None:
    pawn = Written(from_file="c", to_square="d5", capture=True)
    assert departures(pawn, black=False) == ("c4",) and departures(pawn, black=True) == ("c6",)
    assert departures(Written("rook", from_file="a", to_square="d1"), black=False) == ("a1",)
    assert departures(Written("rook", from_rank="1", to_square="d4"), black=False) == ("d1",)
    assert departures(Written("knight", from_file="b", to_square="d7"), black=True) == ("b6", "b8")
    assert departures(Written("knight", from_file="b", from_rank="1", to_square="c3"), black=False) == ("b1",)
    assert departures(Written("knight", to_square="c3"), black=False) == ()
