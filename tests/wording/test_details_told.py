"""What an alert says beside its name reaches the arbiter in each language: the record has a key and values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.endings import WORDS
from server.game.decide.rulings.conduct import DEVICE_PENALTIES
from server.game.decide.scores import SHEETS
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.state.rulings import ENDS
from server.game.values.saying import Saying, join_sayings, players, saying
from server.game.values.words import Seat
from server.game.views.messages import Recorded
from server.wording.details import told_in, told_of
from speech.words.catalogue import load_messages, places_of
from speech.words.config_file import language_tags
from speech.words.messages import ONLY
from tests.table.open_hall import played

TAGS = language_tags()
Made = dict[str, set[frozenset[str]]]
"""Key of a saying -> the places that it is made with, one set for each way."""
OWN_WORDS = {"white", "black"}  # made of a seat (`saying`, `players`)


def sayings_of_the_code(repo: Path) -> Made:
    """Every saying that the program can make, from the calls that stand in its code."""
    made: Made = {key: {frozenset()} for key in OWN_WORDS}
    for path in (repo / "server").rglob("*.py"):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "aying(" in source else ():
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "Saying":
                assert path.name == "saying.py", f"{path}:{node.lineno}: write saying(...) with its key"
            if node.func.id == "saying":
                (key,) = node.args
                places = frozenset(place.arg or "**" for place in node.keywords)
                for one in _keys(key, f"{path}:{node.lineno}"):
                    made.setdefault(one, set()).add(places)
    return made


def _keys(key: ast.expr, where: str) -> Iterator[str]:
    """The key as it stands there, or either of two."""
    if isinstance(key, ast.IfExp):
        yield from _keys(key.body, where)
        yield from _keys(key.orelse, where)
        return
    assert isinstance(key, ast.Constant) and isinstance(key.value, str), f"{where}: the key is not written out"
    yield key.value


def test_what_the_program_can_say_is_what_the_catalogue_has(repo: Path) -> None:
    made = sayings_of_the_code(repo)
    assert len(made) > 200
    entries = load_messages("en").entries
    known = {
        key.removeprefix("detail."): {frozenset(places_of(one.forms[ONLY]))}
        for key, one in entries.items()
        if key.startswith("detail.")
    }
    assert made == known


def test_each_language_has_words_of_its_own(repo: Path) -> None:
    """Only what is made of values alone reads the same everywhere."""
    english = load_messages("en").entries
    same = {
        key
        for tag in TAGS
        for key, one in load_messages(tag).entries.items()
        if tag != "en" and key.startswith("detail.") and one.forms == english[key].forms
    }
    alone = ("and_then", "as_written", "at_seat", "board_listed", "by_article", "end_doubted", "on_squares")
    assert same == {f"detail.{key}" for key in (*alone, "refused", "verdict_why", "with_finding", "with_note")}


@pytest.mark.parametrize(
    ("said", "english", "german"),
    [
        (saying("calls", who=Seat.WHITE), "White calls the arbiter (6.11.2)", "Weiß ruft den Schiedsrichter (6.11.2)"),
        (
            join_sayings(
                saying("draw_agreed"),
                saying(
                    "void_if",
                    end=saying(
                        "end_doubted",
                        end=saying("end_since", what=saying("mate_stands"), article="5.1.1", ply=3, result="1-0"),
                        why=saying("queen_forced", uci="a7a8"),
                    ),
                ),
            ),
            "a draw has been agreed; void if the move stands: checkmate on the "
            "server's board (5.1.1) since move 2 (White): 1-0, the "
            "pawn of a7 to a8 became a queen under 7.5.2",
            "Remis ist vereinbart; gilt nicht, wenn der Zug bestehen bleibt: Matt auf dem Brett des Servers (5.1.1) "
            "seit Zug 2 (Weiß): 1-0, der Bauer von a7 nach a8 wurde nach 7.5.2 zur Dame",
        ),
        (
            saying("wait_irregular", what=(saying("irregular_kings"), saying("irregular_pawn")), article="A.5.4"),
            "both kings in check, a pawn on the last rank: wait for the next completed move (A.5.4)",
            "beide Könige im Schach, ein Bauer auf der letzten Reihe: "
            "den nächsten abgeschlossenen Zug abwarten (A.5.4)",
        ),
        (
            saying("update_before_play", who=players((Seat.WHITE, Seat.BLACK)), article="8.5.1"),
            "White and Black: update the score before play continues (8.5.1)",
            "Weiß und Schwarz: die Mitschrift ergänzen, bevor weitergespielt wird (8.5.1)",
        ),
        (
            saying("reports", name="white", what=saying("noise"), text="touch; flag: yes"),
            "white reports: noise; touch; flag: yes (12.4)",
            "white meldet: Lärm; touch; flag: yes (12.4)",
        ),
    ],
)
def test_a_saying_in_words(said: Saying, english: str, german: str) -> None:
    """What people wrote, and the name of a station, is no word of the catalogue and stays as it is."""
    assert msgspec.json.decode(msgspec.json.encode(said), type=Saying) == said
    assert (told_in(said, "en"), told_in(said, "de")) == (english, german)


def test_every_code_that_an_alert_names_has_its_saying() -> None:
    assert tuple(WORDS) == ENDS and set(SHEETS) == set(Scoresheet)
    assert set(DEVICE_PENALTIES) == set(get_args(get_type_hints(EventOptions)["device_penalty"]))
    device = saying("device_not_listed", device="watch", who=Seat.WHITE, proposed=DEVICE_PENALTIES["loss"])
    assert told_in(device, "de") == (
        "watch bei Weiß ist nicht zugelassen; mögliche Strafe, Sie entscheiden: Verlust der Partie (11.3.2.2)"
    )


def test_each_value_keeps_its_own_direction() -> None:
    said = saying("lost_by", who=Seat.WHITE, result="0-1")
    assert told_in(said, "ar") == "خسر \u2068الأبيض\u2069، \u20680-1\u2069 (6.9)"


def test_a_record_with_a_sentence_that_is_gone_stays_readable() -> None:
    assert told_in(Saying("no_such_key", {"who": Saying("white"), "ply": 3}), "de") == "no_such_key Weiß 2 (Weiß)"
    assert told_in(Saying("calls", {"whom": Saying("white")}), "en") == "calls White"


async def test_the_arbiter_gets_the_words_and_the_record_keeps_its_own(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        desk = game.attach("arbiter")
        await game.done("white", cmd.CallArbiter())
        mine = [one for one in desk.of(Recorded) if isinstance(one.event, ev.Alerted)]
        assert mine and mine[-1].told is not None and set(mine[-1].told) == set(TAGS)
        assert mine[-1].told["de"] == "Weiß ruft den Schiedsrichter (6.11.2)"
        assert mine[-1].told["en"] == "White calls the arbiter (6.11.2)"
        assert isinstance(mine[-1].event, ev.Alerted)
        assert mine[-1].event.said == saying("calls", who=Seat.WHITE)


def test_the_text_of_an_old_record_stays_as_it_was_written() -> None:
    old = b'{"event":"alerted","at":0,"kind":"called","ply":0,"grey":false,"detail":"White calls the arbiter (6.11.2)"}'
    alert = msgspec.json.decode(old, type=ev.AnyEvent)
    assert isinstance(alert, ev.Alerted) and alert.detail == "White calls the arbiter (6.11.2)" and alert.said is None
    assert told_of(alert) is None
    assert told_of(ev.GameStarted(at=0)) is None
