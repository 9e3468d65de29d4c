"""Time controls as people and files write them: read to the end, or refused with one sentence; nothing is guessed."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import group
from server.game.values.time_control import TimeControl
from server.game.values.written_control import control_written
from server.wording.rules import control_of, load_control_words

READ = {
    "1500 + 10": "1500+10",
    "15 minutes + 10 seconds": "900+10",
    "90'+30''": "5400+30",
    "90’ + 30”": "5400+30",
    "3 + 2": "180+2",
    "15|10": "900+10",
    "G/60;d5": "3600d5",
    "game in 60 minutes, delay 5": "3600d5",
    "G/90 inc30": "5400+30",
    "1500b5": "1500b5",
    "40/90, SD/30; +30": "40/5400+30:1800+30",
    "40/2h, 20/1h, G/30m": "40/7200:20/3600:1800",
    "1h30 + 30s": "5400+30",
    "1 hora y 30 minutos + 30 segundos": "5400+30",
    "15 min + 10 s por lance": "900+10",
    "90 min. + 30 sec.": "5400+30",
    "90 + 0 d": "5400",
    "15 minutos + 10 segundos por jugada": "900+10",
    "25 minutes + 10 secondes par coup": "1500+10",
    "25 Minuten + 10 Sekunden je Zug": "1500+10",
    "15 perc + 10 mp": "900+10",
    "40 moves in 90 minutes, then 30 minutes; 30 seconds increment": "40/5400+30:1800+30",
    "90 Minuten für 40 Züge, danach 30 Minuten für den Rest der Partie, 30 Sekunden pro Zug ab dem ersten Zug": (
        "40/5400+30:1800+30"
    ),
}
ANNOUNCED = {  # as federations announce them, and as is seldom written
    "90 minutes for 40 moves followed by 30 minutes for the rest of the game with an increment of 30 seconds per move "
    "starting from move one": "40/5400+30:1800+30",
    "100 minutes for the first 40 moves followed by 50 minutes for the next 20 moves followed by 15 minutes for the "
    "rest of the game with an addition of 30 seconds per move starting from move one": "40/6000+30:20/3000+30:900+30",
    "120 minutes for the first 40 moves and 60 minutes for the next 20 moves and then 15 minutes for the rest": (
        "40/7200:20/3600:900"
    ),
    "40 moves in 90 minutes + 30 seconds per move, then 15 minutes + 30 seconds per move": "40/5400+30:900+30",
    "90 min for the entire game + 30 s each move from the beginning": "5400+30",
    "2h for 40 moves then 1h": "40/7200:3600",
    "2h 40": "9600",
    "1 h and 30 minutes": "5400",
    "90 minutes pour 40 coups puis 30 minutes KO avec 30 secondes par coup à partir du 1er coup": "40/5400+30:1800+30",
    "90 minutos para 40 movimientos más 30 minutos con 30 segundos de incremento por jugada desde la primera": (
        "40/5400+30:1800+30"
    ),
    "90 perc 40 lépésre, majd 30 perc a játszma végéig, lépésenként 30 mp az első lépéstől": "40/5400+30:1800+30",
    "15 Minuten pro Spieler mit einem Inkrement von 10 Sekunden pro Zug": "900+10",
    "40/5400b5:1800+30": "40/5400b5:1800+30",
    "40/90, 20/60, 30; +30": "40/5400+30:20/3600+30:1800+30",
    "40/90+30, 30+30": "40/5400+30:1800+30",
    "d5 60": "3600d5",
    "90 + 30 (Bronstein)": "5400b30",
    "180": "180",
    "179": "10740",
    "90 minutes for the rest of the game": "5400",
    "40 moves 90 minutes 20 moves 60 minutes 15 minutes": "40/5400:20/3600:900",
    "90 minutes for 40 moves + 30 seconds per move, then 30 minutes": "40/5400+30:1800",
    "40/5400b5:1800": "40/5400b5:1800",
    "60 d5": "3600d5",
    "60 b5": "3600b5",
    "90/SD": "5400",
    "90 perc, lépésenként 30 mp": "5400+30",
    "1h 30 moves, 1h": "30/3600:3600",
}
NOT_READ = (
    "",
    "?",
    "abc",
    "90+",
    "+30",
    "0+5",
    "90+30+30",
    "90+30 foo",
    "90-30",
    "1.5 h",
    "3 2",
    "9" * 200,
    "\0",
    "<h>",
    "90:30",
    "15+10+5",
    "90 minutes, 40 moves",
    "90 + 1 min",
    "2h 30 s",
    "40 moves in 90 minutes for the rest of the game",
    "40/90 for the rest; 15",
    "120 minutes for 40 moves and then 15 minutes with 30 seconds per move starting from move 41",
    "90" + " " * 300 + "minutes" + " for the game" * 20,
)


@pytest.mark.law("L057")
@pytest.mark.parametrize("text", READ)
def test_what_people_write_is_read(text: str) -> None:
    assert control_of(text) == control_of(text.upper()) == TimeControl.parse(READ[text])
    assert control_of(text).text == READ[text]


@pytest.mark.law("L057")
@pytest.mark.parametrize("text", ANNOUNCED)
def test_what_federations_announce_is_read(text: str) -> None:
    assert control_of(text) == control_of(text.upper()) == TimeControl.parse(ANNOUNCED[text])
    assert control_of(text).text == ANNOUNCED[text]


@pytest.mark.law("L057")
def test_a_control_of_two_hundred_letters_is_read_and_a_longer_one_is_refused_by_its_beginning() -> None:
    longest = "90 minutes" + " of play" * 23 + " in in"
    assert len(longest) == 200 and control_of(longest).text == "5400"
    with pytest.raises(ValueError, match="^'" + longest[:80] + "' is not a time control"):
        control_of(longest + " x")
    with pytest.raises(ValueError, match="is not a time control"):
        control_of(longest + "s")


@pytest.mark.law("L057")
@pytest.mark.parametrize("control", ["5400+30", "300", "40/6000+30:900+30", "1500d5", "40/5400:20/3600:900+30"])
def test_what_the_program_writes_is_read_as_it_was(control: str) -> None:
    assert control_written(control, load_control_words()) == TimeControl.parse(control)


PERIODS = {  # in signs, in words before the time, in words after it; as the program writes them
    "90": ("G/90", "90 minutes", "90 minutes for the whole game", (("", 5400),)),
    "150": ("150", "2 hours and 30 minutes", "2h30", (("", 9000),)),
    "61": ("SD/61", "1 h 1 min", "1 hour 1'", (("", 3660),)),
    "40/90": (
        "40/90, SD/30",
        "40 moves in 90 minutes, then 30 minutes",
        "1h30 for 40 moves followed by 30' for the rest of the game",
        (("40/", 5400), ("", 1800)),
    ),
    "40/120": (
        "40/2h; 20/1h; G/0h45",
        "first 40 moves in 2 hours; next 20 moves in 60 min; 45 min",
        "2h for 40 moves, 1h for 20 moves, 45 minutes for the rest",
        (("40/", 7200), ("20/", 3600), ("", 2700)),
    ),
}
EXTRAS = {  # each as it stands behind all periods, and as the program writes it
    "none": ("", ""),
    "signs": ("; +30", "+30"),
    "seconds": (", 30 seconds per move from move 1", "+30"),
    "quotes": (" with 30'' per move from the first move", "+30"),
    "minute": (", increment 60", "+60"),
    "delay": ("; d5", "d5"),
    "delay in words": (", delay 5 seconds", "d5"),
    "delay behind": (", 5 seconds delay", "d5"),
    "Bronstein": (", 10 s Bronstein", "b10"),
}


@pytest.mark.law("L057")
@pytest.mark.parametrize("periods", PERIODS)
def test_every_way_to_write_the_periods_goes_with_every_way_to_write_what_is_added(periods: str) -> None:
    *ways, written = PERIODS[periods]
    for way, (extra, (added, sign)) in product(ways, EXTRAS.items()):
        control = control_of(way + added)
        assert control.text == ":".join(f"{moves}{base}{sign}" for moves, base in written), way + added
        assert control.in_advance is (extra == "Bronstein")


@pytest.mark.parametrize("text", NOT_READ)
def test_what_is_no_time_control_is_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time control") as wrong:
        control_written(text, load_control_words())
    assert len(str(wrong.value)) < 200


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("*180", "an hourglass is not played here"),
        ("90 min/40 moves + 30 min + 30 sec per move", "from the first move"),
    ],
)
def test_what_is_not_played_or_not_clear_says_so(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        control_written(text, load_control_words())


PGN = '[Event "Open"]\n[Round "1.1"]\n[White "Adler, Anna"]\n[Black "Busch, Bruno"]\n[TimeControl "{}"]\n\n*\n'
TRF = "012 X\n{} {}\n" + "\n".join(
    f"001 {rank:4}      {name:33}{' ' * 44}{other:04} {colour}    "
    for rank, name, other, colour in ((1, "Adler, Anna", 2, "w"), (2, "Busch, Bruno", 1, "b"))
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PGN.format("1500 + 10"), "1500+10"),
        (PGN.format("G/60;d5"), "3600d5"),
        (PGN.format("?"), "5400+30"),
        (TRF.format("222", "1500 + 10"), "1500+10"),
        (TRF.format("122", "25 Minuten + 10 Sekunden je Zug"), "1500+10"),
    ],
)
def test_the_control_of_a_file_is_shown_before_a_table_is_opened(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / ("round.trf" if "001 " in text else "round.pgn")
    file.write_text(text, "utf-8")
    run = CliRunner().invoke(group, ["import", str(file), "--look", "--data", str(tmp_path / "data")])
    assert run.exit_code == 0 and run.output == f"r1-b1: Adler, Anna – Busch, Bruno, {told}\n"


@pytest.mark.parametrize("text", [PGN.format("slow"), TRF.format("122", "as last year")])
def test_a_control_that_is_not_understood_opens_no_table(tmp_path: Path, text: str) -> None:
    file, data = tmp_path / "round", tmp_path / "data"
    file.write_text(text, "utf-8")
    for look in ([], ["--look"]):
        run = CliRunner().invoke(group, ["import", str(file), "--data", str(data), *look])
        assert run.exit_code != 0 and re.search("slow|as last year", str(run.exception))
    stated = CliRunner().invoke(group, ["import", str(file), "--look", "--control", "25+10", "--data", str(data)])
    assert stated.output.endswith(", 1500+10\n")
