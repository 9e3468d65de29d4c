"""Pairings imported: TRF16, TRF26 and PGN headers become tables that `serve` then has."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from server.cli import group
from server.hall.foreign_files.pairings import read_pairings
from server.journal.sqlite.reader import JournalReader
from speech.complaint import Complaint


def player(rank: int, name: str, *rounds: str) -> str:
    head = f"001 {rank:>4} {'':1} {'':3} {name:<33} {'':4} {'':3} {'':11} {'':10} {'':4} {'':4}  "
    return head[:91] + "".join(f"{one:<10}" for one in rounds)


TRF = "\n".join(
    [
        "012 Hall of the Blind 2026",
        "222 40/6000+30:900+30",
        player(1, "Adler, Anna", "0003 w 1", "0002 b  "),
        player(2, "Busch, Bruno", "0004 b =", "0001 w  "),
        player(3, "Conrad, Clara", "0001 b 0", "0004 w  "),
        player(4, "Dorn, David", "0002 w =", "0003 b  "),
        player(5, "Ende, Emil", "0000 - U", "0000 - U"),
    ]
)
PGN = """[Event "Open"]
[Round "3.2"]
[White "Nagy Éva"]
[Black "Kiss Béla"]
[TimeControl "5400+30"]
[Result "*"]

*

[Event "Open"]
[Round "3.1"]
[White "A"]
[Black "B"]
[Result "*"]

*

[Event "Open"]
[Round "2.1"]
[White "A"]
[Black "Nagy Éva"]
[Result "1-0"]

1-0
"""


def test_trf_has_the_last_paired_round_with_colours_and_time() -> None:
    found = read_pairings(TRF)
    assert [(one.round, one.board, one.white, one.black) for one in found] == [
        (2, 1, "Busch, Bruno", "Adler, Anna"),
        (2, 2, "Conrad, Clara", "Dorn, David"),
    ]
    assert {(one.event, one.control) for one in found} == {("Hall of the Blind 2026", "40/6000+30:900+30")}
    assert [one.white for one in read_pairings(TRF, 1)] == ["Adler, Anna", "Dorn, David"]


def test_pgn_headers_alone() -> None:
    found = read_pairings(PGN)
    assert [(one.board, one.white, one.black, one.control) for one in found] == [
        (1, "A", "B", ""),
        (2, "Nagy Éva", "Kiss Béla", "5400+30"),
    ]


@pytest.mark.parametrize("round", ["²", "1.²", "9" * 5_000])
def test_a_round_that_is_no_number_loses_no_board_in_silence(round: str) -> None:
    with pytest.raises(Complaint, match="Game 2 of this file gives its round as"):
        read_pairings(PGN.replace("3.1", round))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "neither TRF"),
        ("hello", "neither TRF"),
        (player(1, "A", "0002 w  "), "do not fit each other"),
        ("001 abcd", "starting rank"),
        (TRF.replace("0002 b", "000x b"), "no opponent"),
        (TRF.replace("0002 b", "000² b"), "no opponent"),
        ('[Event "x"]\n\n*\n', "no pairing"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(Complaint, match=why):
        read_pairings(text)


@given(st.text(max_size=300))
def test_any_text_is_pairings_or_one_sentence(text: str) -> None:
    for whole in (text, f"001 {text}", f"[Event {text}"):
        try:
            read_pairings(whole)
        except Complaint as told:
            assert "\n" not in str(told)


def test_a_round_is_opened_once_and_survives(tmp_path: Path) -> None:
    file = tmp_path / "round.trf"
    file.write_text(TRF, "utf-8")
    data = tmp_path / "data"
    arguments = ["import", str(file), "--data", str(data), "--tactile", "Adler"]
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, done.output
    assert "r2-b1: Busch, Bruno – Adler, Anna (tactile board)" in done.output
    assert done.output.endswith(f"Start the server with: anna-eins serve --data {data}\n"), "where the tables are"
    with JournalReader.open(data / "journal.sqlite") as journal:
        assert journal.tables() == ["r2-b1", "r2-b2"]
    exported = CliRunner().invoke(group, ["export", "r2-b1", "--data", str(data)])
    assert '[Round "2"]' in exported.output and '[Board "1"]' in exported.output
    again = CliRunner().invoke(group, arguments)
    assert again.exit_code != 0 and isinstance(again.exception, Complaint | SystemExit)


def test_a_name_of_nobody(tmp_path: Path) -> None:
    file = tmp_path / "round.trf"
    file.write_text(TRF, "utf-8")
    done = CliRunner().invoke(group, ["import", str(file), "--look", "--tactile", "Zorn"])
    assert done.exit_code != 0 and "fits no player" in str(done.exception or done.output)


@pytest.mark.parametrize(
    ("written", "touches"),
    [("Adler, Anna", "Adler, Anna"), (" adler,  anna ", "Adler, Anna"), ("Adler, Anna-", "Adler, Anna-Lena")],
)
def test_a_whole_name_is_that_players_though_another_begins_with_it(tmp_path: Path, written: str, touches: str) -> None:
    file = tmp_path / "round.trf"
    file.write_text(TRF.replace(f"{'Dorn, David':<33}", f"{'Adler, Anna-Lena':<33}"), "utf-8")
    done = CliRunner().invoke(group, ["import", str(file), "--look", "--tactile", written])
    assert done.exit_code == 0, done.output
    assert done.output.count("(tactile board)") == 1 and f"{touches} (tactile board)" in done.output
    both = CliRunner().invoke(group, ["import", str(file), "--look", "--tactile", "Adler"])
    assert both.exit_code != 0 and "more than one" in str(both.exception or both.output)


def test_pgn_headers_without_results_lose_no_game() -> None:
    """python-chess takes tags after a blank line for the same game; every second board was lost."""
    text = "\n".join(f'[White "W{n}"]\n[Black "B{n}"]\n[Round "1.{n}"]\n' for n in range(1, 5))
    assert [one.white for one in read_pairings(text)] == ["W1", "W2", "W3", "W4"]
    ended = text.replace("\n\n", "\n\n{[%clk 1:00]} *\n\n")
    assert [one.white for one in read_pairings(ended)] == ["W1", "W2", "W3", "W4"]


@pytest.mark.law("L207")
def test_how_players_play_and_who_is_hearing_impaired_is_said_once(tmp_path: Path) -> None:
    file, event = tmp_path / "round.trf", tmp_path / "event.toml"
    file.write_text(TRF, "utf-8")
    event.write_text('[players]\n"conrad,  clara" = { hearing_impaired = true }\n', "utf-8")
    look = ["import", str(file), "--look", "--event", str(event), "--tactile", "Adler", "--low-vision", "Dorn"]
    said = CliRunner().invoke(group, look).output
    assert "Busch, Bruno – Adler, Anna (tactile board)" in said
    assert "Conrad, Clara (hearing-impaired) – Dorn, David (low vision)" in said
    both = CliRunner().invoke(group, [*look, "--low-vision", "Adler", "--hearing-impaired", "Adler"])
    assert isinstance(both.exception, Complaint) and "Adler, Anna" in str(both.exception)
    wrong = CliRunner().invoke(group, [*look, "--hearing-impaired", "Zorn"])
    assert "--hearing-impaired Zorn fits no player" in str(wrong.exception)
