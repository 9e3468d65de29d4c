"""What a seat, a table and an event can be: each field is set from outside, by a door that a person can use.

A field that only a test can set promises what nobody can have. These tests walk the fields themselves, so that a new
one fails here until it has its door: the event's profile, the players in it, a table that is asked for (page, API,
`import`), the settings, or an act of the arbiter.
"""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest

from server.app import open_demonstration
from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import OPTIONS, Options
from server.game.state.clock import TimeState
from server.game.state.state import GameState
from server.game.state.table import TableState
from server.game.values import words
from server.game.values.words import ClockMaster, Mode, Role, Seat, SeatPlan, Station
from server.hall.event_profile import EventProfile, as_toml, check_profile
from server.hall.hall import Hall
from server.hall.rounds import Wanted, open_round
from server.settings import Settings
from server.wording.rules import load_rule_set
from speech.words.config_file import Source, source_of
from tests.table.open_hall import Played, ScriptedClock, reopened, turn

PLAYERS = {"white": {"name": "Ida"}, "black": {"name": "Jo"}}


def profile_of(**fields: Any) -> EventProfile:
    """A profile as a file has it."""
    return check_profile(Source("event.toml", fields))


async def opened(hall: Hall, profile: EventProfile = EventProfile(), **fields: Any) -> GameState:  # noqa: B008
    """The state of a table as it is asked for over the line."""
    wanted = msgspec.convert({**PLAYERS, **fields}, Wanted)
    (name,) = await open_round(hall, (wanted,), profile)
    return hall.table(name).state


# Of a seat: another value than the usual one.
SEAT: dict[str, Any] = {
    "kind": "low-vision",
    "name": "Ida",
    "language": "hu",
    "scheme": "letters",
    "hearing_impaired": True,
    "needs": "a table by the window",
    "echo_scores": False,
}
OF_THE_EVENT = ("scheme",)  # one for all seats: the event settles how moves are announced


@pytest.mark.law("L207", "L134")
async def test_each_field_of_a_seat_is_set_for_one_table_and_by_the_event(tmp_path: Path) -> None:
    """D.2.11, 12.2.6, D.2.7: at `POST /api/tables` and in the profile of the event."""
    async with reopened(tmp_path) as (hall, _):
        usual = (await opened(hall)).plan(Seat.WHITE)
        for name in SeatPlan.__struct_fields__:
            value = SEAT[name]
            if name in OF_THE_EVENT:
                asked = by_event = await opened(hall, profile_of(**{name: value}))
            else:
                asked = await opened(hall, white={"name": "Eva", name: value})
                known = {} if name == "name" else {"IDA": {name: value}}
                by_event = await opened(hall, profile_of(players=known))
            for state in (asked, by_event):
                assert getattr(state.plan(Seat.WHITE), name) == value, name
                if name not in OF_THE_EVENT:
                    assert getattr(state.plan(Seat.BLACK), name) == getattr(SeatPlan(usual.kind, "Jo"), name), name
            assert getattr(usual, name) != value or name == "name"


@pytest.mark.law("L207")
async def test_one_table_may_say_otherwise_than_the_event(tmp_path: Path) -> None:
    facts = {"hearing_impaired": False, "needs": "", "echo_scores": True}
    profile = profile_of(players={"Ida": {name: SEAT[name] for name in facts}})
    async with reopened(tmp_path) as (hall, _):
        by_event = (await opened(hall, profile)).plan(Seat.WHITE)
        one_table = (await opened(hall, profile, white={"name": "Ida", **facts})).plan(Seat.WHITE)
        for name, other in facts.items():
            assert (getattr(by_event, name), getattr(one_table, name)) == (SEAT[name], other)


# Of a seat at a table that is open: what the arbiter's act changes.
DESCRIBED = tuple(name for name in cmd.DescribePlayer.__struct_fields__ if name != "seat")


@pytest.mark.law("L207")
async def test_the_arbiter_describes_a_player_at_the_table(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, clock):
        game = await table_with_arbiter(hall, clock)
        for name in DESCRIBED:
            before = game.table.state.plan(Seat.BLACK)
            await game.done("arbiter", cmd.DescribePlayer(seat=Seat.BLACK, **{name: SEAT[name]}))
            after = game.table.state.plan(Seat.BLACK)
            assert after == msgspec.structs.replace(before, **{name: SEAT[name]}), "and nothing else"
        assert game.table.state.plan(Seat.WHITE) == SeatPlan(before.kind, "Ida")


async def table_with_arbiter(hall: Hall, clock: ScriptedClock, profile: EventProfile = EventProfile()) -> Played:  # noqa: B008
    wanted = msgspec.convert({**PLAYERS, "name": "t"}, Wanted)
    await open_round(hall, (wanted,), profile)
    game = Played(hall, clock, hall.table("t"))
    for station in (
        Station("arbiter", Role.ARBITER),
        Station("white", Role.PLAYER, Seat.WHITE),
        Station("black", Role.PLAYER, Seat.BLACK),
    ):
        assert (await game.table.admit(station)).outcome.ok
    return game


async def by_act(game: Played, *bodies: cmd.StationAct) -> TableState:
    for body in bodies:
        await game.done("arbiter", body)
    return game.table.state.table


async def next_game_of(game: Played) -> TableState:
    """The table that the hall opens where the arbiter cancels a game."""
    await game.done("arbiter", ANSWER)
    await game.done("arbiter", cmd.StartGame())
    await game.done("arbiter", cmd.CancelGame())
    await turn(lambda: (ordered := game.table.state.table.next_game) is not None and ordered.open)
    ordered = game.table.state.table.next_game
    assert ordered is not None
    return game.hall.table(ordered.table).state.table


async def cancelled(game: Played) -> TableState:
    await next_game_of(game)
    return game.table.state.table


ANSWER = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="note")
Door = Callable[[Played], Awaitable[TableState]]
# Of a table: the profile of the event, the table that is asked for, or what the arbiter does at it.
TABLE: dict[str, dict[str, Any] | Door] = {
    "white": {"white": {"name": "Eva"}},
    "black": {"black": {"name": "Otto"}},
    "rated": {"profile": {"rated": False}},
    "mode": lambda game: by_act(
        game, cmd.RecordAdaptation(name="machine_announces", value="on"), cmd.SetMode(mode=Mode.RELAY)
    ),
    "rule_set": {"profile": {"edition": "short"}},
    "rules": {"edition": "fide2018"},
    "event_name": {"event": "Open"},
    "round": {"round": 3},
    "board_number": {"board": 7},
    "starts": {"starts": "15:00"},
    "way": {"way": "Second door on the left"},
    "regulations": {"profile": {"event": {"guidelines": ["I"]}}},
    "boards": {"boards": "two_special"},
    "ticks": lambda game: by_act(game, cmd.TickChecklist(item="orientation", seat=Seat.WHITE)),
    "adaptations": lambda game: by_act(game, ANSWER),
    "names_swapped": lambda game: by_act(
        game, ANSWER, cmd.StartGame(), cmd.RuleSetUp(what="colours", names="swap")
    ),
    "started": lambda game: by_act(game, ANSWER, cmd.StartGame()),
    "begun": lambda game: by_act(game, ANSWER, cmd.StartGame()),
    "follows": next_game_of,
    "next_game": cancelled,
}  # fmt: skip
OF_EVERY_TABLE = {"opened", "checklist", "known_adaptations"}  # as the program's own configuration has it
BY_SETTINGS = {"training"}


@pytest.mark.law("L001", "L134", "L176")
async def test_each_field_of_a_table_has_a_door(tmp_path: Path) -> None:
    asked = {name: door for name, door in TABLE.items() if isinstance(door, dict)}
    at_the_table = {name: door for name, door in TABLE.items() if not isinstance(door, dict)}
    assert {*asked, *at_the_table, *OF_EVERY_TABLE, *BY_SETTINGS} == {*TableState.__struct_fields__}
    async with reopened(tmp_path / "asked") as (hall, _):
        await open_demonstration(hall, training=True)
        for name in BY_SETTINGS:
            assert name in Settings.__struct_fields__ and getattr(hall.table("demo").state.table, name) is True
        usual = (await opened(hall)).table
        for name in OF_EVERY_TABLE:
            assert getattr(usual, name) and getattr(usual, name) != getattr(TableState(), name), name
        for name, fields in asked.items():
            more = {key: value for key, value in fields.items() if key != "profile"}
            found = (await opened(hall, profile_of(**fields.get("profile", {})), **more)).table
            assert getattr(found, name) != getattr(usual, name), name
    for name, door in at_the_table.items():
        short = {"edition": "short"} if name == "names_swapped" else {}  # 7.3: there the game goes on
        async with reopened(tmp_path / name) as (hall, clock):
            found = await door(await table_with_arbiter(hall, clock, profile_of(**short)))
            assert getattr(found, name) != getattr(usual, name), name


async def test_what_is_asked_of_a_table_stands_in_the_state(tmp_path: Path) -> None:
    """Each field of the command that opens a table comes from outside, and lies in the state or in its clock."""
    asked = {*cmd.OpenTable.__struct_fields__}
    seen = {*TableState.__struct_fields__, *TimeState.__struct_fields__}
    renamed = {"adaptations": "known_adaptations", "board": "board_number", "control": "clock", "start_fen": "begun"}
    assert {renamed.get(name, name) for name in asked} - seen == {"chess960"}
    async with reopened(tmp_path) as (hall, clock):
        profile = profile_of(chess960="BBQNNRKR", event={"guidelines": ["II"]})
        (start,) = (await opened(hall, profile, control="10+5")).moves.positions
        assert start.chess960 and start.placement.endswith("/BBQNNRKR")
        game = await table_with_arbiter(hall, clock)
        assert game.table.state.moves.positions[0].fen == chess.STARTING_FEN
        await game.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))
        assert game.table.state.time.clock_master is ClockMaster.MANUAL


# The regulations of an event: another value than the usual one, as its file has it.
REGULATIONS: dict[str, Any] = {
    "default_time_s": 900, "draw_offer_min_moves": 30, "supervision": "basic", "points": "3-1-0",
    "report_when_leaving": True, "guidelines": ["I"], "overrides": {"illegal_loses_at": 3}, "low_time_s": [300],
    "trouble_s": 30, "trouble_with_increment_s": 10, "long_increment_s": 20, "sound_needs_consent": False,
    "voice_days": 30, "player_copies": True, "unsupervised": True, "device_penalty": "warning",
}  # fmt: skip


@pytest.mark.law("L003")
async def test_each_regulation_is_one_of_the_events_file(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        usual = (await opened(hall)).table.regulations
        for name in EventOptions.__struct_fields__:
            profile = profile_of(event={name: REGULATIONS[name]})
            kept = check_profile(source_of(as_toml(profile).encode(), "event.toml"))
            assert kept.regulations == profile.regulations, "as it is kept"
            settled = (await opened(hall, profile)).table.regulations
            assert getattr(settled, name) != getattr(usual, name), name


@pytest.mark.parametrize("name", [name for name in EventProfile.__struct_fields__ if name not in ("event", "ways")])
def test_the_sample_names_each_field_of_a_profile(repo: Path, name: str) -> None:
    assert re.search(rf"(?m)^(\[{name}\]|{name} = )", (repo / "config" / "event.toml").read_text("utf-8"))


@pytest.mark.law("L001")
async def test_each_option_of_the_laws_may_be_settled_by_the_event(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        for option in OPTIONS:
            other = another_value(option)
            state = await opened(hall, profile_of(event={"overrides": {option: msgspec.to_builtins(other)}}))
            assert getattr(state.table.rules.options, option) == other, option


def another_value(option: str) -> Any:
    """The value of another edition where they differ, else what is left of its kind."""
    own = getattr(load_rule_set("fide2023").options, option)
    for name in ("fide2018", "short", "fide2017h2"):
        if (value := getattr(load_rule_set(name).options, option)) not in (None, own):
            return value
    if isinstance(own, bool | int):
        return not own if isinstance(own, bool) else own + 1
    kind = {field.name: str(field.type) for field in msgspec.structs.fields(Options)}[option]
    return next(one for one in re.findall(r"'(\w+)'", kind) if one != own)


@cache
def named_in_product(repo: Path) -> frozenset[str]:
    """Names of fields that the product sets: in calls and keys of Python, and in what the pages send."""
    found: set[str] = set()
    for path in (repo / "server").rglob("*.py"):
        if "acts" in path.parts or (path.name == "words.py" and path.parent.name == "values"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                found |= {key.arg for key in node.keywords if key.arg}
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                found |= {str(node.slice.value)} if isinstance(node.slice, ast.Constant) else set()
    for path in (repo / "server" / "web" / "static").rglob("*.js"):
        text = path.read_text("utf-8")
        found |= set(re.findall(r"[{,]\s*(\w+)\s*(?=[:,}])", text))
        found |= {*re.findall(r'check\("(\w+)"\)', text), *re.findall(r"\bbody\.(\w+) = ", text)}
    return frozenset(found)


VALUES = [kind for kind in vars(words).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
POSITIONAL = {"Station": {"id", "role", "seat"}, "ArbiterEar": {"station", "language"}, "SeatPlan": {"kind"}}


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_each_field_of_a_value_of_the_table_is_set_by_the_product(repo: Path, kind: type[msgspec.Struct]) -> None:
    fields = set(kind.__struct_fields__) - POSITIONAL.get(kind.__name__, set())
    assert fields - named_in_product(repo) == set(), "only a test could set it"


@pytest.mark.parametrize("kind", [one for one in cmd.acts() if one.form is None], ids=lambda kind: kind.__name__)
def test_each_field_of_an_act_without_a_form_is_given_by_the_product(repo: Path, kind: type[msgspec.Struct]) -> None:
    """An act with a form has every field on the arbiter's page by itself (`acts/forms.py`)."""
    assert set(kind.__struct_fields__) - named_in_product(repo) == set(), "only a test could give it"


async def test_two_arbiters_who_open_rounds_at_once_have_all_tables_of_both(tmp_path: Path) -> None:
    pair = msgspec.convert(PLAYERS, Wanted)
    async with reopened(tmp_path) as (hall, _):
        first, second = await asyncio.gather(open_round(hall, (pair,) * 3), open_round(hall, (pair,) * 2))
        assert (first, second) == (("1", "2", "3"), ("4", "5"))
        assert set(hall.tables) == {"1", "2", "3", "4", "5"}
