"""Pairing files as other programs write them: each board is read, or one sentence says which is not."""

from __future__ import annotations

from pathlib import Path

import chess
import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.hall.foreign_files.pairings import Pairing, read_pairings
from server.hall.foreign_files.trf_results import EndedGame, with_results
from server.hall.rounds import Wanted, control_stated
from speech.complaint import Complaint


def player(rank: int, name: str, rounds: str, *, by_bytes: bool = False) -> str:
    """A line of a TRF; `by_bytes`: the name is padded to 33 bytes, as some programs do."""
    width = 33 - (len(name.encode()) - len(name) if by_bytes else 0)
    return f"001 {rank:4}      {name:{width}}{' ' * 44}{rounds}"


def trf(*players: str, head: str = "012 Open") -> str:
    return "\r\n".join((head, *players))


def boards(text: str, round: int | None = None) -> list[tuple[str, str]]:
    return [(one.white, one.black) for one in read_pairings(text, round)]


OTHERS = (player(3, "Conrad, Clara", "0004 w  "), player(4, "Dorn, David", "0003 b  "))


def test_a_name_padded_by_bytes_keeps_its_board() -> None:
    text = trf(player(1, "Müller, Änne", "0002 w  ", by_bytes=True), player(2, "Busch, Bruno", "0001 b  "), *OTHERS)
    assert boards(text) == [("Müller, Änne", "Busch, Bruno"), ("Conrad, Clara", "Dorn, David")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("0002    ", "0001    "),
        ("0002 b  ", ""),
        ("0002 w  ", ""),
        ("0002 w  ", "0001 w  "),
        ("0002 b  ", "0001 b  "),
        ("0002 w  ", "0003 b  "),
        ("0001 w  ", "0001 b  "),
        ("0009 b  ", "0001 w  "),
    ],
    ids=["no colours", "half", "other half", "both White", "both Black", "another", "oneself", "nobody"],
)
def test_two_lines_that_do_not_fit_are_one_sentence(first: str, second: str) -> None:
    with pytest.raises(Complaint, match=r"Adler.*do not fit each other"):
        read_pairings(trf(player(1, "Adler, Anna", first), player(2, "Busch, Bruno", second), *OTHERS))


def test_a_blank_opponent_is_a_bye_and_a_forfeit_has_no_colours() -> None:
    text = trf(
        player(1, "Adler, Anna", "   3 w 1     2 w    "),
        player(2, "Busch, Bruno", "       H     1 b    "),
        player(3, "Conrad, Clara", "   1 b 0         -  "),
        player(4, "Dorn, David", "   5 - +  0000 - U  "),
        player(5, "Ernst, Eva", "   4 - -            "),
    )
    assert boards(text) == [("Adler, Anna", "Busch, Bruno")]
    assert boards(text, 1) == [("Adler, Anna", "Conrad, Clara")]


def test_only_a_carriage_return_or_a_line_feed_ends_a_line() -> None:
    text = trf(player(1, "Adler\x85 A", "0002 w  "), player(2, "Busch\u2028B", "0001 b  "))
    assert len(boards(text)) == 1
    assert len(boards(text.replace("\r\n", "\r"))) == 1


PGN = '[Event "Open"]\n[Round "1.1"]\n[White "A \\"Bee\\" C"]\n[Black "B"]\n{}\n*\n'
TURNED = "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1"
ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def test_a_game_of_chess960_keeps_its_start() -> None:
    (one,) = read_pairings(PGN.format(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{TURNED}"]\n'))
    assert one == Pairing(round=1, board=1, white='A "Bee" C', black="B", event="Open", chess960="BQNNRKRB")


@pytest.mark.parametrize(
    "tags",
    [
        '[SetUp "1"]',
        '[Variant "Chess960"]',
        f'[FEN "{TURNED}"]',
        f'[Variant "Chess960"]\n[FEN "{TURNED.replace("KQkq", "-")}"]',
        f'[FEN "{chess.STARTING_FEN.replace("KQkq", "Kkq")}"]',
        f'[FEN "{chess.STARTING_FEN.replace("0 1", "3 5")}"]',
        '[FEN "hello"]',
        f'[SetUp "1"]\n[FEN "{ENDGAME}"]',
        f'[Variant "Chess960"]\n[FEN "{ENDGAME}"]',
        '[Variant "Atomic"]',
    ],
)
def test_another_start_is_one_sentence(tags: str) -> None:
    with pytest.raises(Complaint, match="position of its own"):
        read_pairings(PGN.format(f"{tags}\n"))


def test_tags_may_stand_after_blanks() -> None:
    assert boards(PGN.format("").replace("\n[", "\n  [")) == [('A "Bee" C', "B")]


def test_utf_16_is_read(tmp_path: Path) -> None:
    file = tmp_path / "round.trf"
    file.write_text(trf(*OTHERS), "utf-16")
    run = CliRunner().invoke(group, ["import", str(file), "--look", "--data", str(tmp_path / "data")])
    assert run.output == "r1-b1: Conrad, Clara – Dorn, David, 5400+30\n"


def test_results_go_back_into_the_columns_of_a_name_padded_by_bytes() -> None:
    padded = player(1, "Müller, Änne", "0002 w  ", by_bytes=True).replace(" " * 44 + "0002", f"{'':33} 0.0{'':7}0002")
    text = trf(padded, player(2, "Busch, Bruno", "0001 b  "), *OTHERS)
    found = with_results(text, [EndedGame(1, "Müller, Änne", "Busch, Bruno", "1-0")])
    assert found == text.replace(" 0.0       0002 w  ", " 1.0       0002 w 1").replace("0001 b  ", "0001 b 0")


@pytest.mark.parametrize("head", ["BBW  3.0", "BBD  1.0", "162  W  3.0"])
def test_points_that_a_file_counts_its_own_way_are_left_as_they_are(head: str) -> None:
    text = trf(player(1, "Adler, Anna", "0002 w  "), player(2, "Busch, Bruno", "0001 b  "), head=head)
    text = text.replace(" " * 44 + "0002", f"{'':33} 3.0{'':7}0002")
    found = with_results(text, [EndedGame(1, "Adler, Anna", "Busch, Bruno", "1-0")])
    assert " 3.0" in found and " 4.0" not in found and "0002 w 1" in found


GAME = '[White "Adler, Anna"]\n[Black "Busch, Bruno"]\n[Round "1.1"]\n'
OTHER = '[Event "Open"]\n[White "Conrad, Clara"]\n[Black "Dorn, David"]\n[Round "1.2"]\n'
BOTH = [("Adler, Anna", "Busch, Bruno"), ("Conrad, Clara", "Dorn, David")]


@pytest.mark.parametrize(
    "text",
    [
        f"{GAME}\n{OTHER}",
        f"{GAME}\n*\n\n{OTHER}\n*\n",
        f"{GAME}\n{OTHER}".replace("\n", "\r"),
        f"{GAME}\n{OTHER}".replace('"]\n[', '"] ['),
        f"{GAME}\n{OTHER}".replace('Anna"]', 'Anna"]\n'),
        f"{GAME}\n{OTHER}".replace('Clara"]', 'Clara"]\n\n'),
        f'{GAME}[Result "*"]\n\n[WhiteElo "2000"]\n\n{OTHER}',
        f"% made by hand\n{GAME}\n{{ a remark }} *\n\n{OTHER}",
    ],
    ids=["no moves", "results", "CR", "one line", "empty line", "two", "tags after", "remarks"],
)
def test_both_boards_of_a_pgn_are_read_however_it_is_set_out(text: str) -> None:
    assert boards(text) == BOTH


@pytest.mark.parametrize("moves", ["1. e4 e5 *", "1. e4", "e4 e5 1-0", "1. e4 (1. d4) *", "1. xyz *"])
def test_a_game_that_has_begun_opens_no_new_one(moves: str) -> None:
    with pytest.raises(Complaint, match="Game 1 of this file has moves already"):
        read_pairings(f"{GAME}\n{moves}\n\n{OTHER}\n*\n")
    with pytest.raises(Complaint, match=r"moves already|has its result"):
        read_pairings(f"{GAME}\n{moves}\n")
    later = OTHER.replace("1.2", "2.1")
    assert boards(f"{GAME}\n{moves}\n\n{later}\n*\n") == BOTH[1:]


@pytest.mark.parametrize("tag", ["[White Adler]", '[White "Adler', "[White]"])
def test_a_line_that_is_no_tag_is_named(tag: str) -> None:
    with pytest.raises(Complaint, match="Line 2 of this PGN"):
        read_pairings(f'[Round "1.1"]\n{tag}\n[Black "Busch"]\n')


def test_the_round_that_is_read_is_the_last_without_all_its_results() -> None:
    both = player(1, "Adler, Anna", "0002 w 1  0002 b    "), player(2, "Busch, Bruno", "0001 b 0  0001 w    ")
    assert [(one.round, one.white) for one in read_pairings(trf(*both))] == [(2, "Busch, Bruno")]
    games = GAME + '[Result "1-0"]\n\n' + OTHER.replace("1.2", "2.1") + '[Result "*"]\n\n'
    assert [one.round for one in read_pairings(games)] == [2]


def test_a_game_that_goes_on_is_named_where_no_other_waits() -> None:
    with pytest.raises(Complaint, match="Game 1 of this file has moves already"):
        read_pairings(f"{GAME}\n1. e4 *\n")


def test_where_every_game_has_its_result_the_round_must_be_named() -> None:
    over = trf(player(1, "Adler, Anna", "0002 w 1"), player(2, "Busch, Bruno", "0001 b 0"))
    ended = GAME + '[Result "1-0"]\n\n'
    for text in (over, ended):
        with pytest.raises(Complaint, match="has its result"):
            read_pairings(text)
        assert boards(text, 1) == [("Adler, Anna", "Busch, Bruno")]


@pytest.mark.parametrize("castling", ["KQkq", "GEge"])
def test_a_start_is_the_same_in_x_fen_and_in_shredder_fen(castling: str) -> None:
    tags = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{TURNED.replace("KQkq", castling)}"]\n'
    assert read_pairings(PGN.format(tags))[0].chess960 == "BQNNRKRB"


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ('[Board "two"]', '"two" for Board'),
        ('[Time "25:00"]', '"25:00" for Time'),
        ('[White "C"]', "Game 2 of this file names one player"),
        ('[Black "\u200b"]', "names one player"),
    ],
)
def test_what_a_game_states_and_cannot_be_read_is_one_sentence(tags: str, why: str) -> None:
    text = PGN.format(f"{tags}\n")
    with pytest.raises(Complaint, match=why):
        read_pairings(text.replace('[Black "B"]\n', "") if "Black" in tags else text)


@pytest.mark.parametrize(
    ("round", "meant"),
    [("5", 5), ("5.3", 5), ("Round 5", 5), ("5. forduló", 5), ("Runde 5.2", 5), ("V", 0), ("-1", 0), ("5/2", 0)],
)
def test_a_round_is_a_number_or_one_sentence(round: str, meant: int) -> None:
    text = GAME.replace("1.1", round)
    if meant:
        assert [one.round for one in read_pairings(text)] == [meant]
    else:
        with pytest.raises(Complaint, match="gives its round as"):
            read_pairings(text)


def test_a_round_of_a_long_event_is_taken_with_its_number(tmp_path: Path) -> None:
    """Up to four digits, in PGN and in TRF, on the command line and on the page; one more is a sentence."""
    file = tmp_path / "round.pgn"
    file.write_text(GAME.replace("1.1", "61.1"), "utf-8")
    looked = CliRunner().invoke(group, ["import", str(file), "--look", "--round", "61"])
    assert looked.exit_code == 0 and looked.output.startswith("r61-b1: ")
    assert msgspec.convert({"white": {"name": "A"}, "black": {"name": "B"}, "round": 9_999}, Wanted).round == 9_999
    white, black = (
        player(rank, name, f"{cell}  " * 61) for rank, name, cell in ((1, "A", "0002 w 1"), (2, "B", "0001 b 0"))
    )
    (one,) = read_pairings(trf(f"{white}0002 w  ", f"{black}0001 b  "))
    assert (one.round, one.white) == (62, "A")
    with pytest.raises(Complaint, match="at most four digits"):
        read_pairings(GAME.replace("1.1", "10000"))


def test_a_look_shows_the_start_of_chess960(tmp_path: Path) -> None:
    file = tmp_path / "round.pgn"
    file.write_text(PGN.format(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{TURNED}"]\n'), "utf-8")
    look = ["import", str(file), "--look"]
    assert CliRunner().invoke(group, look).output.endswith(", Chess960 BQNNRKRB\n")
    file.write_text(GAME, "utf-8")
    for start, shown in (("518", "RNBQKBNR"), ("draw", "draw")):
        assert CliRunner().invoke(group, [*look, "--chess960", start]).output.endswith(f", Chess960 {shown}\n")
    assert "Chess960" not in CliRunner().invoke(group, look).output
    assert isinstance(CliRunner().invoke(group, [*look, "--chess960", "960"]).exception, Complaint)


def test_two_games_with_nothing_between_them_are_two_boards() -> None:
    games = f"{OTHER}{OTHER}".replace("1.2", "1.1", 1).replace("Conrad, Clara", "A", 1).replace("Dorn, David", "B", 1)
    assert boards(games) == [("A", "B"), ("Conrad, Clara", "Dorn, David")]


@pytest.mark.parametrize(("first", "second"), [("w 1", "b  "), ("w 1", "b ="), ("w 0", "b 1 "), ("w =", "b +")])
def test_results_that_do_not_fit_each_other_are_one_sentence(first: str, second: str) -> None:
    text = trf(player(1, "Adler, Anna", f"0002 {first}"), player(2, "Busch, Bruno", f"0001 {second}"), *OTHERS)
    if (first, second) == ("w 0", "b 1 "):
        assert len(boards(text, 1)) == 2
    else:
        with pytest.raises(Complaint, match="results of Adler, Anna and of rank 2 do not fit"):
            read_pairings(text, 1)


@pytest.mark.parametrize(
    ("lines", "control"),
    [
        ("222 5400+30\n122 90 min + 30 sec per move", "5400+30"),
        ("222 900+10\n122 90 min + 30 sec", "900+10 ≠ 90 min + 30 sec"),
        ("122 90+30\n122 15+10", "90+30 ≠ 15+10"),
        ("222 W300-B240", "W300-B240"),
    ],
)
def test_two_time_controls_in_one_file_are_never_one_in_silence(lines: str, control: str) -> None:
    """What is no time control is named before a table is opened."""
    text = trf(player(1, "Adler, Anna", "0002 w  "), player(2, "Busch, Bruno", "0001 b  "), head=lines)
    assert read_pairings(text)[0].control == control
    if control != "5400+30":
        with pytest.raises(Complaint, match="not a time control"):
            control_stated(control)
