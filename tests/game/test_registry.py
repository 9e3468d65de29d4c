"""Acts, events, rules and reducers register themselves; what nobody imports, decides or applies is found here."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from server.game import acts
from server.game.acts import base
from server.game.acts.base import Act, ActMeta, Event, EventMeta, Form, Rights
from server.game.acts.command import SUBJECTS
from server.game.decide import decide
from server.game.decide.rule import decides, has_rule
from server.game.state.apply import SLICES, apply
from server.game.state.reducer import applies, change_of
from server.game.state.state import GameState
from server.game.values.words import Duty, Role, Seat
from server.game.views import view
from server.game.views.messages import AnyMessage, Message
from server.game.views.seats.shown import check_shown, shown, silent
from server.protocol import ReadOut, SealedWords
from server.wording.aloud import spoken
from server.wording.aloud.says import check_said, says
from server.wording.aloud.says import silent as silenced

WITHOUT_A_RULE = {acts.OpenTable, acts.OpenNext, acts.PressKey}
"""Two open a table, before there is anything to decide about; a key is that player's own press."""

WITHOUT_A_REDUCER = {
    acts.AppealNoted,
    acts.ArbiterCalled,
    acts.CommandRefused,
    acts.Decided,
    acts.DeviceFound,
    acts.DisturbanceNoted,
    acts.Explored,
    acts.HandedOver,
    acts.IncidentNoted,
    acts.LawAsked,
    acts.LawReleased,
    acts.LeaveRuled,
    acts.LeavingReported,
    acts.ObserverReported,
    acts.Penalised,
    acts.RehearsalNoted,
    acts.ResumptionPrepared,
    acts.SaidToArbiter,
    acts.SoundKept,
    acts.SoundLost,
    acts.SpeechCut,
    acts.SpokenPrivately,
    acts.SupervisionNoted,
    acts.TakenOver,
    acts.TrainingAsked,
    acts.VoiceAccepted,
}
"""They concern the record or one ear alone: the state stays as it was."""


def test_the_class_of_an_act_says_who_may_give_it_and_how_it_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_acts", [])

    class Knock(Act, by=Role.PLAYER, duty=Duty.ADJOURN, ends_game=True, of_play=True, sealed="both", part="knock"):
        times: int

    class Ring(Act, by=(Role.ARBITER, Role.OBSERVER), notes=True, after_the_end=True, group="clock", article="6.8",
               form={"times": {"sort": "seconds"}}, sure={}):  # fmt: skip
        times: int

    class Tick(Act):
        pass

    ActMeta("Kept", (msgspec.Struct,), {})
    assert base.acts() == (Knock, Ring, Tick), "what is no act is not kept among them"
    assert Knock.rights == Rights(frozenset({Role.PLAYER}), Duty.ADJOURN, False, True, True, "both")
    assert Ring.rights == Rights(frozenset({Role.ARBITER, Role.OBSERVER}), after_the_end=True)
    assert Tick.rights == Rights() and Tick.rights.own
    assert (Knock.notes, Ring.notes, Tick.notes) == (False, True, False)
    assert Knock.form == Form("", "", {}, None, "knock") and Tick.form is None
    assert Ring.form == Form("clock", "6.8", {"times": {"sort": "seconds"}}, {})
    with pytest.raises(AttributeError, match="immutable"):
        Knock(times=1).times = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="positional"):
        Knock(1)  # type: ignore[misc]


def test_every_act_is_asked_for_at_a_station_or_done_by_the_program_alone() -> None:
    asked, own = set(get_args(acts.StationAct)), set(get_args(acts.OwnAct))
    assert acts.Say in asked and acts.NoteBelief in own
    assert not asked & own and asked | own == set(get_args(acts.AnyAct))


def test_what_several_events_have_in_common_is_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_events", [])

    class OfBells(Event, is_kind=False):
        bell: str

    class Rung(OfBells):
        times: int

    EventMeta("Kept", (msgspec.Struct,), {})
    assert base.events() == (Rung,)
    with pytest.raises(AttributeError, match="immutable"):
        Rung(at=1, bell="a", times=1).times = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="positional"):
        Rung(1, "a", 1)  # type: ignore[misc]


def files(room: Path, name: str) -> set[str]:
    """The files of a room and its folders in which this name is used as a base class or as a decorator."""
    found = set()
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                used = [base.id for base in node.bases if isinstance(base, ast.Name)]
            elif isinstance(node, ast.FunctionDef):
                calls = [one.func for one in node.decorator_list if isinstance(one, ast.Call)]
                used = [one.id for one in calls if isinstance(one, ast.Name)]
            else:
                continue
            if name in used:
                found.add(path.stem)
    return found


def reducers(repo: Path) -> Iterator[tuple[Callable[..., Any], set[type[acts.Event]]]]:
    """Every function with `@applies`, and the events that it is registered for."""
    for path in sorted((repo / "server" / "game" / "state").glob("*.py")):
        module = importlib.import_module(f"server.game.state.{path.stem}")
        functions = (one for one in ast.parse(path.read_text("utf-8")).body if isinstance(one, ast.FunctionDef))
        for node in functions:
            for one in node.decorator_list:
                if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "applies":
                    kinds = {getattr(acts, kind.attr) for kind in one.args if isinstance(kind, ast.Attribute)}
                    yield getattr(module, node.name), kinds


def names(modules: tuple[ModuleType, ...]) -> set[str]:
    return {module.__name__.rpartition(".")[2] for module in modules}


def test_no_file_of_acts_is_forgotten(repo: Path) -> None:
    room = repo / "server" / "game" / "acts"
    assert files(room, "Act") | files(room, "Event") == names(SUBJECTS) | {"command"}


def test_no_file_of_rules_is_forgotten(repo: Path) -> None:
    assert files(repo / "server" / "game" / "decide", "decides") - {"decide"} == names(decide.RULES)


def test_every_command_has_a_rule() -> None:
    assert {kind for kind in acts.acts() if not has_rule(kind)} == WITHOUT_A_RULE


def test_all_acts_and_events_are_found_in_their_room() -> None:
    kinds = (*acts.acts(), *acts.events())
    assert len({kind.__struct_config__.tag for kind in acts.acts()}) == len(acts.acts()) > 100
    assert len({kind.__struct_config__.tag for kind in acts.events()}) == len(acts.events()) > 100
    assert all(getattr(acts, kind.__name__) is kind for kind in kinds)


def test_an_act_that_says_nothing_of_its_rights_is_nobodys() -> None:
    rights = acts.Rights()
    assert rights.own and not rights.by and rights.duty is None and not rights.after_the_end
    assert acts.NoteInstant.rights.own and not acts.RuleStop.rights.own
    assert acts.RuleStop.rights.by == {Role.ARBITER}


def test_a_rule_that_asks_for_what_there_is_not_or_decides_twice_is_no_rule() -> None:
    with pytest.raises(TypeError):
        decides(acts.OpenNext)(lambda draft, clock: None)
    with pytest.raises(TypeError):
        decides(acts.Press)(lambda draft: None)


def test_no_file_of_reducers_is_forgotten(repo: Path) -> None:
    assert files(repo / "server" / "game" / "state", "applies") == names(SLICES) | {"apply"}


def test_every_event_has_a_reducer_or_is_known_to_change_nothing() -> None:
    assert {kind for kind in acts.events() if change_of(kind) is None} == WITHOUT_A_REDUCER


def test_a_reducer_takes_and_returns_the_slices_that_it_names(repo: Path) -> None:
    """The names of its parameters decide what it is given, so their types have to be those of the slices."""
    slices = get_type_hints(GameState) | {"state": GameState}
    found = list(reducers(repo))
    for reducer, kinds in found:
        hints = get_type_hints(reducer)
        event, changed = hints.pop("event"), hints.pop("return")
        assert set(get_args(event) or (event,)) == kinds, reducer.__qualname__
        first = next(iter(hints))
        assert set(get_args(changed) or (changed,)) <= set(get_args(slices[first]) or (slices[first],)), reducer
        assert hints == {name: slices[name] for name in hints}, reducer.__qualname__
    assert {kind for _, kinds in found for kind in kinds} == {one for one in acts.events() if change_of(one)}


def test_a_reducer_changes_its_own_slice_and_leaves_the_others_alone() -> None:
    before = GameState()
    after = apply(before, acts.AnnouncementOwed(at=1, seat=Seat.BLACK, ply=1))
    changed = [name for name in before.__struct_fields__ if getattr(after, name) is not getattr(before, name)]
    assert changed == ["time"] and after.time.owed is Seat.BLACK


def test_a_reducer_that_comes_second_or_does_not_say_what_it_changes_is_no_reducer() -> None:
    with pytest.raises(TypeError):
        applies(acts.StopRuled)(lambda time, event: time)
    for wrong in (lambda event: event, lambda event, time: time, lambda state, event, time: state):
        with pytest.raises(TypeError):
            applies(acts.LawAsked)(wrong)
    assert change_of(acts.LawAsked) is None


def test_no_file_of_what_a_seat_is_told_is_forgotten(repo: Path) -> None:
    room = repo / "server" / "game" / "views" / "seats"
    assert files(room, "shown") == names(view.SUBJECTS)


def registered(room: Path, *by: str) -> list[tuple[str, str]]:
    """Each kind that these calls of a room's files name, with the file."""
    found: list[tuple[str, str]] = []
    for path in room.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in by:
                kinds = [one for part in node.args for one in ast.walk(part)]
                found += [(one.attr, path.stem) for one in kinds if isinstance(one, ast.Attribute)]
                found += [(one.id, path.stem) for one in kinds if isinstance(one, ast.Name) and one.id != "ev"]
    return sorted(found)


def test_every_event_says_once_what_a_seat_is_told_in_the_file_of_its_subject(repo: Path) -> None:
    """Each event stands once in `@shown` or in `silent`, in the file that is named like the event's own."""
    told = registered(repo / "server" / "game" / "views" / "seats", "shown", "silent")
    assert told == sorted((kind.__name__, kind.__module__.rpartition(".")[2]) for kind in acts.events())


def test_an_event_is_shown_once_and_by_what_may_be_asked_for() -> None:
    for wrong, everywhere, why in (
        (lambda event, clock: None, False, "cannot be given"),
        (lambda event, seat: None, True, "cannot be given"),
        (lambda event, seat: None, False, "registered already"),
    ):
        with pytest.raises(TypeError, match=why):
            shown(acts.Resigned, everywhere=everywhere)(wrong)
    with pytest.raises(TypeError, match="registered already"):
        silent(acts.Resigned)
    with pytest.raises(TypeError, match="Unknown"):
        check_shown([acts.Resigned, type("Unknown", (), {})])  # type: ignore[list-item]


UNKNOWN_EVENT = """
from server.game.acts import Event
class FireAlarm(Event):
    pass
import server.game.views.view
"""


UNKNOWN_MESSAGE = """
from server.game.views.messages import Message
class FireShown(Message, frozen=True):
    pass
import server.wording.aloud.spoken
"""


def refused_import(source: str) -> str:
    """What an import says that must fail, in a program of its own: what registers itself stays registered."""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    return done.stderr.rstrip().rpartition("\n")[2]


def test_an_event_of_which_nobody_says_what_a_seat_is_told_stops_the_import() -> None:
    assert refused_import(UNKNOWN_EVENT) == "TypeError: views/seats does not say what a seat is told of FireAlarm"


def test_no_file_of_what_a_message_says_is_forgotten(repo: Path) -> None:
    assert files(repo / "server" / "wording" / "aloud", "says") == names(spoken.SUBJECTS)


def test_every_message_has_its_words_once(repo: Path) -> None:
    """Each kind of message stands once in `@says` or in `silent`, and each that a station may be sent is a kind."""
    kinds = {*get_args(AnyMessage), SealedWords, ReadOut}
    assert {name for name, _ in registered(repo / "server" / "wording" / "aloud", "says", "silent")} == {
        kind.__name__ for kind in kinds
    }
    assert {kind for kind in Message.__subclasses__() if kind.__module__.startswith("server.")} == kinds - {
        SealedWords,
        ReadOut,
    }


def test_a_message_is_worded_once_and_by_what_may_be_asked_for() -> None:
    for wrong in (lambda message, seat: None, lambda message: None):
        with pytest.raises(TypeError):
            says(ReadOut)(wrong)
    with pytest.raises(TypeError):
        silenced(ReadOut)
    with pytest.raises(TypeError, match="Unknown"):
        check_said([ReadOut, type("Unknown", (), {})])


def test_a_message_that_nobody_puts_into_words_stops_the_import() -> None:
    assert refused_import(UNKNOWN_MESSAGE) == "TypeError: wording/aloud does not say how FireShown is said"
