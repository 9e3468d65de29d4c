"""Scores as people write them: how they end, comments and times, figurines, capitals, letters of many languages."""

from __future__ import annotations

from collections.abc import Mapping

import chess
import pytest

from server.desk.loading import load_endings, score_writings
from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.endings import is_result
from server.scoresheets.forms import forms_of_cell
from server.scoresheets.language import (
    is_in_capitals,
    languages_told,
    likely_writing,
    read_sheet,
    unread,
    without_result,
)
from server.scoresheets.letters import in_capitals, san_in_letters
from server.scoresheets.reconcile.compare import compare
from server.scoresheets.sheet import Passed, parse_sheet, sheet_of
from speech.complaint import Complaint
from speech.words.config_file import language_has, language_tags, read_source

MOVES = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n4. O-O Nf6\n5. d4"
CELLS = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "Nf6", "d4")
GAME = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 "
    "Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
OPERA = GAME.split()


@pytest.fixture(scope="module")
def letters() -> Mapping[str, Writing]:
    return score_writings()


def in_letters(sans: list[str], writing: Writing) -> tuple[str, ...]:
    return tuple(san_in_letters(san, writing.alphabet) for san in sans)


RESULTS = (
    *("1-0", "0-1", "1:0", "0:1", "1 - 0", "1 : 0", "½-½", "½:½", "½ : ½", "1/2-1/2", "1/2:1/2", "0,5-0,5", "0.5:0.5"),
    *("½", "1/2", "0:0", "+:-", "-:+", "1–0", "(1-0)", "1-0.", "½-0", "1-O", "*"),
)
WORDS = (
    *("draw", "Draw.", "draw agreed", "White resigns", "Black resigned", "1-0 (Black resigns)", "resigns 0:1"),
    *(
        "remis",
        "Remis",
        "REMIS",
        "remis vereinbart",
        "aufgegeben",
        "Weiß gibt auf",
        "Weiss gibt auf",
        "Schwarz gab auf",
    ),
    *(
        "döntetlen",
        "dontetlen",
        "sötét feladta",
        "világos feladja",
        "ոչ-ոքի",
        "սևերը հանձնվեցին",
        "تعادل",
        "استسلم الأسود",
    ),
    *("תיקו", "השחור נכנע", "nulle", "les Noirs abandonnent", "tablas", "las negras abandonan", "patta"),
    *("il Nero abbandona", "remise", "zwart geeft op", "ничья", "черные сдались", "чёрные сдались", "poddał się"),
    *(
        "czarne poddały się",
        "remíza",
        "bílý se vzdal",
        "vzdal",
        "mate",
        "matt",
        "échec et mat",
        "мат",
        "patt",
        "½ remis",
    ),
)


@pytest.mark.parametrize("ending", [*RESULTS, *WORDS])
@pytest.mark.parametrize(
    "form", ["{moves} {ending}", "{moves} exd4 {ending}", "{moves}\n{ending}", "{moves} -\n6. {ending}\n7.\n8."]
)
def test_what_ends_a_score_is_no_move(ending: str, form: str) -> None:
    sheet = parse_sheet(form.format(moves=MOVES, ending=ending), endings=load_endings())
    assert sheet.cells == (*CELLS, "exd4") if "exd4" in form else CELLS
    kept = (sheet.ending or "").replace(" ", "")
    assert kept == ("" if ending == "*" else ending.replace(" ", "").replace("–", "-"))


@pytest.mark.parametrize("ending", ["remis", "draw agreed", "poddał się"])
def test_cells_between_tabs_may_end_a_score(ending: str) -> None:
    text = f"1.\tEva vier\tEva fuenf\n2.\tSpringer Felix drei\t{ending}\n"
    sheet = parse_sheet(text, endings=load_endings())
    assert sheet.cells == ("Eva vier", "Eva fuenf", "Springer Felix drei")
    assert parse_sheet(text).cells[-1] == ending, "on record it is what the player gave for a move"


def test_words_before_a_move_are_not_passed_over() -> None:
    """What is stated before the last move is no ending: it is named with its line, or refused with it."""
    sheet = parse_sheet("1. e4 e5\n2. remis Nc6\n", endings=load_endings())
    assert [(one.line, one.text) for one in unread(sheet, score_writings()["en"])] == [(2, "remis")]
    assert sheet.ending is None
    with pytest.raises(Complaint, match="line 1 of the score has more than two moves"):
        parse_sheet("1. e4 e5 remis\n2. Nf3", endings=load_endings())
    early = parse_sheet("1. e4 e5 1:0\n2. Nf3 -", endings=load_endings())
    assert (early.cells, early.passed) == (("e4", "e5", "Nf3"), (Passed(1, "1:0"),))


MORE_WORDS = (
    *("caída de bandera", "cae la bandera", "tablas de común acuerdo", "Las negras abandonan", "bandera", "tiempo"),
    *(
        "aufg.",
        "Zeit",
        "Schwarz überschreitet die Zeit",
        "Sieg Weiß",
        "ewiges Schach",
        "Ende der Partie",
        "Remisgebot angenommen",
    ),
    *("black's flag fell", "White's time ran out", "perpetual check", "fifty-move rule", "50 moves", "dead position"),
    *("zászlóesés", "sötét ideje lejárt", "leesett a zászlója", "le drapeau tombe", "abandon des noirs", "temps"),
    *("caduta bandierina", "tempo scaduto", "vlag gevallen", "vlag viel", "упал флажок", "флаг", "сдача"),
    *("spadła chorągiewka", "upadek chorągiewki", "praporek", "čas", "ժամանակ", "انتهى وقت الأسود", "נגמר לו הזמן"),
    *("1-0#", "1/0", "1-0 A. Meyer B. Schmidt", "0-1 Weiß erscheint nicht mehr und wird gestrichen", "１-０"),
)


@pytest.mark.parametrize("ending", MORE_WORDS)
def test_flags_and_names_at_the_end_are_no_moves(ending: str) -> None:
    """`de` is a capture too: between two words of an ending it is none. Behind a result words are no moves."""
    for moves, cells in ((MOVES, CELLS), (MOVES + " exd4", (*CELLS, "exd4"))):
        sheet = parse_sheet(f"{moves} {ending}", endings=load_endings())
        assert sheet.cells == cells and sheet.ending


def test_de_stays_a_move_where_no_words_stand_on_both_sides() -> None:
    for text in ("1. d4 e5\n2. de bandera", "1. d4 e5\n2. de de bandera", "1. d4 e5\n2. de\n1-0"):
        sheet = parse_sheet(text, endings=load_endings())
        assert sheet.cells[2] == "de" and sheet.ending
    early = parse_sheet("1. e4 e5 1-0\n2. Nf3 Nf6\n3. Bc4 Bc5\n4. O-O", endings=load_endings())
    assert early.cells[-1] == "O-O" and early.passed, "a move behind a result is none of its words"


BEHIND = (
    "Schach",
    "check",
    "ch",
    "ch.",
    "dbl ch",
    "sakk",
    "échec",
    "echec",
    "jaque",
    "scacco",
    "schaak",
    "шах",
    "szach",
    "šach",
)


@pytest.mark.law("L173")
@pytest.mark.parametrize("word", [*BEHIND, "en passant", "i.V.", "im Vorbeigehen", "al paso", "كش", "שח"])
def test_words_behind_a_move_are_no_move(letters: Mapping[str, Writing], word: str) -> None:
    """Between two moves of a line, in a cell of its own, and typed alone (C.13: such marks are optional)."""
    line = parse_sheet(f"1. e4 e5\n2. Qh5 Nc6\n3. Qxf7 {word} Kxf7\n4. Nf3 Nf6", endings=load_endings())
    table = parse_sheet(f"1.\te4\te5\n2.\tQh5\tNc6\n3.\tQxf7 {word}\tKxf7\n4.\tNf3\tNf6", endings=load_endings())
    bare = read_sheet(sheet_of(["e4", "e5", "Qh5", "Nc6", "Qxf7", "Kxf7", "Nf3", "Nf6"]), letters["en"])
    for sheet in (line, table):
        assert [cell.forms for cell in read_sheet(sheet, letters["en"])] == [cell.forms for cell in bare]
    for language in ("de", "ru", "he"):
        alphabet = letters[language].alphabet
        assert forms_of_cell(f"exd6 {word}", alphabet) == forms_of_cell("exd6", alphabet) != ()


def test_glued_check_words_and_commas(letters: Mapping[str, Writing]) -> None:
    english = letters["en"].alphabet
    for cell in ("Qxf7ch", "Qxf7+ch.", "Qxf7,", "Qxf7.", "Qxf7 ch!", "Qxf7;"):
        assert forms_of_cell(cell, english) == forms_of_cell("Qxf7", english) != (), cell
    assert not forms_of_cell("Qxch", english) and not forms_of_cell("check", english)


@pytest.mark.parametrize(
    "form",
    ["1;e4;e5\n2;Nf3;Nc6;\n3;Bb5;;", "1,e4,e5\n2,Nf3,Nc6\n3,Bb5,", '"1","e4","e5"\n"2","Nf3","Nc6"\n"3","Bb5",""'],
)
def test_a_table_of_a_spreadsheet_is_no_comment(form: str) -> None:
    """`;` begins a comment in PGN: a whole score was lost without a word."""
    assert parse_sheet(form, endings=load_endings()).cells == ("e4", "e5", "Nf3", "Nc6", "Bb5")
    sign = ";" if ";" in form else ","
    castled = parse_sheet(f"12{sign}0-0-0{sign}0-0\n13{sign}Kb1{sign}Kh8\n", endings=load_endings())
    assert castled.cells[22:] == ("0-0-0", "0-0", "Kb1", "Kh8")


def test_minutes_with_their_sign_are_times(letters: Mapping[str, Writing]) -> None:
    sheet = parse_sheet("1. e4 3' e5 5’\n2. Nf3 3'20\" Nc6 12'", endings=load_endings())
    assert len(sheet.cells) == 4 and not unread(sheet, letters["en"])


def test_russian_capitals_of_the_files(letters: Mapping[str, Writing]) -> None:
    sheet = sheet_of(["Е4", "Е5", "КF3", "КС6"])
    assert is_in_capitals(sheet) and not unread(sheet, letters["ru"])


def test_an_unknown_word_at_the_end_stays_a_cell(letters: Mapping[str, Writing]) -> None:
    sheet = parse_sheet(MOVES + " gut", endings=load_endings())
    assert [(one.ply, one.line, one.text) for one in unread(sheet, letters["en"])] == [(10, 5, "gut")]


@pytest.mark.parametrize(
    "token", ["0-0", "O-O", "0-0-0", "1-1", "2-0", "e4", "1.", "12", "--", "-", "1/2-1", ".", "o-o"]
)
def test_no_result(token: str) -> None:
    assert not is_result(token)


@pytest.mark.law("L171")
@pytest.mark.parametrize("zeros", ["0-0", "0–0", "0 - 0"])
@pytest.mark.parametrize(
    ("moves", "plies"),
    [
        (MOVES, 9),  # Black may not castle: the bishop stands on f8
        (MOVES + " exd4", 10),  # White has castled
        ("1. e4 e5\n2. Nf3 Nf6\n3. Bc4 Bc5", 7),  # White castles
        ("1. e4 e5\n2. Nf3 Nf6\n3. Bc4 Bc5\n4. d3", 8),  # Black castles
        ("1. e4 e5\n2. Nf3 Zz\n3. Bc4 Bc5\n4. d3", 8),  # the line is lost: nothing says that it is no move
        ("1. e4 e5\n2. Nf3 Zz\n3. Bc4 Bc5\n4. d3 0-0\n5. h3", 9),  # ... but Black has castled
    ],
)
def test_noughts_at_the_end_are_castling_where_castling_is_a_move(
    letters: Mapping[str, Writing], zeros: str, moves: str, plies: int
) -> None:
    sheet = parse_sheet(f"{moves} {zeros}", endings=load_endings())
    read = without_result(sheet, chess.Board(), letters["en"])
    assert len(read.cells) == plies
    assert (read.ending == "0-0") == (read.cells[-1] != "0-0")
    assert len(read.lines) == plies


def test_noughts_on_record_stay_what_the_player_gave() -> None:
    sheet = parse_sheet(MOVES + " 0-0")
    assert without_result(sheet, chess.Board(), score_writings()["en"]).cells == (*CELLS, "0-0")


@pytest.mark.law("L164", "L173")
@pytest.mark.parametrize(
    "aside",
    [
        *(
            "$1",
            "$14 $6",
            "(42)",
            "(0:05)",
            "[1:23:45]",
            "(1h23)",
            "(12 min)",
            "(42')",
            "(1.45)",
            "[%clk 1:29:00]",
            "±",
        ),
        *("+-", "!?", "(=)", "(=) (42)", "{a comment}", "{[%clk 0:01:02]}", "$1 {why} (42)", "(90 perc)", "(5 мин)"),
    ],
)
@pytest.mark.parametrize("glue", ["", " "])
def test_comments_and_times_are_no_part_of_a_move(letters: Mapping[str, Writing], aside: str, glue: str) -> None:
    sheet = parse_sheet(
        f"1. e4{glue}{aside} e5 {aside}\n2. Nf3{glue}{aside} Nc6{glue}{aside}\n", endings=load_endings()
    )
    cells = read_sheet(sheet, letters["en"])
    plain = read_sheet(sheet_of(["e4", "e5", "Nf3", "Nc6"]), letters["en"])
    assert [cell.forms for cell in cells] == [cell.forms for cell in plain]


def test_a_time_beside_a_blank_cell_makes_no_cell() -> None:
    assert parse_sheet("1. e4 e5\n2. - (0:45) Nc6 (0:50)", endings=load_endings()).cells == (
        "e4",
        "e5",
        None,
        "Nc6 (0:50)",
    )


def test_a_comment_that_nothing_closes_is_refused_with_its_line() -> None:
    with pytest.raises(Complaint, match=r"line 2 of the score opens a comment"):
        parse_sheet("1. e4 e5\n2. Nf3 {Nc6\n3. Bb5")


@pytest.mark.law("L165")
def test_figurines_are_pieces_in_every_language(letters: Mapping[str, Writing]) -> None:
    drawn = (
        dict(zip("KQRBN", "♔♕♖♗♘", strict=True)),
        dict(zip("KQRBN", ("♚\ufe0e", "♛", "♜", "♝\ufe0f", "♞"), strict=True)),
    )
    for figures in drawn:
        cells = tuple("".join(figures.get(sign, sign) for sign in san) for san in OPERA)
        for language in ("en", "de", "he", "ru"):
            board = chess.Board()
            for cell, san in zip(read_sheet(sheet_of(cells), letters[language]), OPERA, strict=True):
                assert legal_readings(board, cell) == (board.parse_san(san),)
                board.push_san(san)
        assert len(languages_told(sheet_of(cells), chess.Board(), letters)) == 1, "all read it alike: nobody is asked"
    assert forms_of_cell("♙e4", letters["en"].alphabet) == forms_of_cell("Pe4", letters["en"].alphabet)
    assert forms_of_cell("e8♕", letters["de"].alphabet) == forms_of_cell("e8D", letters["de"].alphabet)


@pytest.mark.law("L165")
@pytest.mark.parametrize("language", ["en", "de", "hu", "hy", "he", "fr", "es", "it", "nl", "ru", "pl", "cs"])
def test_a_whole_game_tells_its_language(letters: Mapping[str, Writing], language: str) -> None:
    sheet = sheet_of(in_letters(OPERA, letters[language]))
    told = languages_told(sheet, chess.Board(), letters)
    assert told == ("es" if language == "it" else language,), "Spanish and Italian letters are the same"
    english = read_sheet(sheet_of(OPERA), letters["en"])
    found = compare(english, read_sheet(sheet, letters[told[0]]), chess.Board())
    assert (found.verdict, found.agree_plies) == ("same_record", len(OPERA))


def test_russian_letters_from_a_latin_keyboard(letters: Mapping[str, Writing]) -> None:
    russian = letters["ru"]
    for one, other in (("Kf3", "Кf3"), ("Cс4", "Сc4"), ("Kpe2", "Крe2"), ("Ле1", "Лe1"), ("пe4", "e4")):
        assert take(one, russian).forms, one
        assert take(one, russian).forms == take(other, russian).forms or one == "пe4"


def test_the_order_decides_between_equals_at_the_desk(letters: Mapping[str, Writing]) -> None:
    sheet = sheet_of(["e4", "e5", "Bc4", "Bc5"])
    assert languages_told(sheet, chess.Board(), letters) == ("en", "de")
    assert likely_writing(sheet, chess.Board(), {tag: letters[tag] for tag in ("de", "en")}) == "de"


@pytest.mark.law("L165")
def test_a_score_all_in_capitals_keeps_both_readings(letters: Mapping[str, Writing]) -> None:
    """`BXC4` is a bishop or the pawn of the b-file: what follows decides, or the arbiter."""
    board = chess.Board("4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1")
    english = letters["en"]
    sheet = sheet_of(["BXC4"])
    assert is_in_capitals(sheet)
    assert {move.uci() for move in legal_readings(board, read_sheet(sheet, english)[0])} == {"b3c4", "e2c4"}
    assert not take("BXC4", english).readable, "alone no case is folded"
    assert not is_in_capitals(sheet_of(["BXC4", "Kd7"]))
    assert not is_in_capitals(sheet_of(["O-O", "0-0-0"]))


@pytest.mark.parametrize("language", ["en", "de", "hu", "fr", "ru", "pl", "cs"])
@pytest.mark.parametrize("sign", ["X", "x"])
def test_a_whole_game_in_capitals(letters: Mapping[str, Writing], language: str, sign: str) -> None:
    plain = sheet_of(in_letters(OPERA, letters[language]))
    shouted = sheet_of([cell.upper().replace("X", sign) for cell in plain.cells if cell is not None])
    for told in {language, *languages_told(shouted, chess.Board(), letters)} & {language}:
        found = compare(read_sheet(shouted, letters[told]), read_sheet(plain, letters[language]), chess.Board())
        assert (found.verdict, found.agree_plies) == ("same_record", len(OPERA))


def test_passant_and_promotion_in_capitals(letters: Mapping[str, Writing]) -> None:
    english = in_capitals(letters["en"].alphabet)
    assert forms_of_cell("EXD6 E.P.", english) == forms_of_cell("exd6", english)
    assert {form.promotion for form in forms_of_cell("D8=Q", english)} == {chess.QUEEN}


@pytest.mark.parametrize("language", list(score_writings()))
def test_a_word_of_the_end_is_no_move_in_any_language(letters: Mapping[str, Writing], language: str) -> None:
    """Else the last move of a score could be taken for its ending."""
    words = load_endings().words | load_endings().behind
    alphabet = letters[language].alphabet
    for read in (alphabet, in_capitals(alphabet)):
        assert [
            word for word in words for text in (word, word.upper(), word.title()) if forms_of_cell(text, read)
        ] == []


def test_every_language_of_scores_says_how_a_game_ends() -> None:
    named = read_source("reconciling/endings.toml", None).table
    own = {tag for tag in language_tags() if language_has(tag, "score_endings.toml")}
    assert {*named, *own} >= set(score_writings())
