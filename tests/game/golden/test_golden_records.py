"""Records of every milestone are read and replayed to the same game; today's program can write all that there is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.exports.table_pgn import pgn_of
from server.game.acts import VERSION, AnyEvent, SpeechEvent, event_in
from server.game.game import Game
from server.game.values.words import Role, Station
from server.game.views.chronicle import of_alerts
from server.game.views.reconciled import Dated
from server.game.views.view import view
from server.journal.sqlite.reader import JournalReader
from speech.complaint import Complaint
from tests.game.golden.full_game import (
    ADJOURNED,
    CHESS960,
    IRREGULAR,
    PERIODS,
    TABLE,
    TRAINING,
    UNSUPERVISED,
    WAITING,
    play_full_game,
)
from tests.game.golden.golden_record import FOLDER, events_of, facts, names, read_golden, record, written_facts

KINDS = {str(kind.__struct_config__.tag) for kind in get_args(AnyEvent)}


@pytest.fixture(scope="module")
def full_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of today's full game, which is played once."""
    data = tmp_path_factory.mktemp("golden") / "data"
    asyncio.run(play_full_game(data))
    return data


def test_there_is_a_record_of_the_first_milestone() -> None:
    assert "first-light" in names()


@pytest.mark.parametrize("name", names())
def test_a_record_replays_to_its_game(name: str) -> None:
    kept = msgspec.json.decode((FOLDER / f"{name}.state.json").read_bytes())
    replayed = msgspec.json.decode(msgspec.json.encode(facts(Game.replay(events_of(name)))))
    assert {key: replayed[key] for key in kept} == kept


def test_an_old_record_that_names_pocketsphinx_is_read_as_it_is() -> None:
    """An ear of then is named in the text of an alert; the ear is no more, and the record stays as it was written."""
    told, named = b"no announcement was understood", b"pocketsphinx was ended by SIGKILL"
    events = [event_in(bytes(line.body).replace(told, named)) for line in read_golden("first-light")]
    assert facts(Game.replay(events)) == facts(Game.replay(events_of("first-light")))
    told_to_the_arbiter = of_alerts([Dated(event, 0) for event in events])
    assert named.decode() in {place for line in told_to_the_arbiter for place in line.values}


@pytest.mark.parametrize("name", names())
def test_every_event_of_a_record_says_what_its_envelope_says(name: str) -> None:
    lines = read_golden(name)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    for line, event in zip(lines, events_of(name), strict=True):
        assert line.kind == event.__struct_config__.tag
        assert line.version <= VERSION
        assert line.seat == str(getattr(event, "seat", None) or "")


@pytest.mark.parametrize("name", names())
def test_nothing_that_was_recorded_is_lost_in_reading(name: str) -> None:
    """Every field of every old event is in the event of today, under its name and with its value."""
    for line, event in zip(read_golden(name), events_of(name), strict=True):
        old: dict[str, Any] = msgspec.json.decode(line.body)
        new = msgspec.json.decode(msgspec.json.encode(event))
        if isinstance(event, SpeechEvent):  # what was said is one value since form 2
            new |= written(msgspec.structs.asdict(event.speech))
        assert _kept(old, new)


def _kept(old: Any, new: Any) -> bool:
    """Whether all of an old value is in the new one; fields that came later may stand beside it."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and _kept(value, new[key]) for key, value in old.items())
    if isinstance(old, list):
        return (
            isinstance(new, list) and len(old) == len(new) and all(_kept(a, b) for a, b in zip(old, new, strict=True))
        )
    return bool(old == new)


def written(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields as they stand in JSON, those too that are left out where they are usual."""
    return {name: msgspec.json.decode(msgspec.json.encode(value)) for name, value in fields.items()}


FORM_1 = (FOLDER / "said" / "form1.jsonl").read_bytes().splitlines()
"""Events on what was said as they were recorded before it was one value: each kind full, and with the least."""


@pytest.mark.parametrize("body", FORM_1, ids=lambda body: msgspec.json.decode(body)["event"])
def test_an_event_of_form_1_says_what_it_said_and_is_recorded_in_todays_form(body: bytes) -> None:
    """Its bytes stay as they are in the record, so its link does too (`tests/hall/test_earlier_folders.py`)."""
    event = event_in(body)
    assert isinstance(event, SpeechEvent)
    flat = {
        "event": event.__struct_config__.tag,
        **msgspec.structs.asdict(event),
        **msgspec.structs.asdict(event.speech),
    }
    old = msgspec.json.decode(body)
    assert written({name: flat[name] for name in old}) == old
    assert event_in(msgspec.json.encode(event)) == event


def test_all_events_on_what_was_said_are_there_in_form_1() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(AnyEvent) if issubclass(kind, SpeechEvent)}
    assert {msgspec.json.decode(body)["event"] for body in FORM_1} == kinds


@pytest.mark.parametrize(
    "wrong",
    [
        b'{"event":"announced","at":1,"seat":"white","ply":1,"origin":"heard","words":["a"]}',
        b'{"event":"announced","at":1,"seat":"white","ply":1,"origin":"heard","speech":{"words":"a"}}',
        b'{"event":"said_to_arbiter","at":1,"seat":"white","speech":{"words":"a"}}',
        b'{"event":"fire"}',
        b"[]",
        b"{",
    ],
)
def test_what_is_no_event_in_any_form_is_refused(wrong: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        event_in(wrong)


def test_the_first_record_holds_every_kind_of_its_time() -> None:
    """Thirty-six kinds: a later milestone adds its own to its own record, none is taken away."""
    kinds = {line.kind for line in read_golden("first-light")}
    assert len(kinds) == 36
    assert kinds <= KINDS


@pytest.mark.parametrize("name", names())
def test_every_station_of_an_old_game_can_be_shown_it(name: str) -> None:
    """Taking up an old table computes all messages of all stations again."""
    shown = dict.fromkeys(Role, 0)
    events = events_of(name)
    for number, event in enumerate(events, 1):
        state = Game.replay(events[:number])
        late = Station("observer", Role.OBSERVER)  # a role that old records do not know
        for station in (*(state.stations.admitted or (Station("nobody", Role.ARBITER),)), late):
            shown[station.role] += view(event, state, station) is not None
    assert all(shown.values())


def test_todays_full_game_provokes_every_kind_of_event(full_game: Path, tmp_path: Path) -> None:
    """A new kind of event is not done until `full_game.py` provokes it; then it is in the next golden record."""
    with JournalReader.open(full_game / "journal.sqlite") as journal:
        envelopes = journal.read(TABLE)
        others = [*journal.read(PERIODS), *journal.read(IRREGULAR), *journal.read(CHESS960)]
        others += [one for number in ("", 1, 2) for one in journal.read(f"{ADJOURNED}{number}")]
        others += [*journal.read(WAITING), *journal.read(UNSUPERVISED), *journal.read(TRAINING)]
    assert {envelope.kind for envelope in (*envelopes, *others)} == KINDS
    state = Game.replay(msgspec.json.decode(envelope.body, type=AnyEvent) for envelope in envelopes)
    assert state.moves.line == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "a4b3")
    assert state.ending.result == "0-1"
    out = tmp_path / "game.pgn"
    command = ["export", TABLE, "--data", str(full_game)]
    ended = CliRunner().invoke(group, [*command, "--out", str(out)])
    assert ended.exit_code == 0, ended.output
    assert out.read_text(encoding="utf-8") == pgn_of(state, "2023.11.14")
    assert CliRunner().invoke(group, command).output == out.read_text(encoding="utf-8")


def test_an_old_record_is_never_written_again() -> None:
    before = (FOLDER / "first-light.jsonl").read_bytes()
    with pytest.raises(FileExistsError):
        record("first-light", [])
    assert (FOLDER / "first-light.jsonl").read_bytes() == before


def test_export_complains_in_one_sentence(full_game: Path, tmp_path: Path) -> None:
    def complaint(data: Path, *arguments: str) -> str:
        ended = CliRunner().invoke(group, ["export", *arguments, "--data", str(data)])
        assert isinstance(ended.exception, Complaint), ended
        return str(ended.exception)

    assert "no record" in complaint(tmp_path, "demo")
    assert TABLE in complaint(full_game, "nowhere")
    assert "cannot be written" in complaint(full_game, TABLE, "--out", str(tmp_path))


def test_facts_are_written_for_people_to_read() -> None:
    assert (FOLDER / "first-light.state.json").read_bytes().count(b"\n") > 100
    assert written_facts(Game.replay(events_of("first-light"))).endswith(b"}\n")
