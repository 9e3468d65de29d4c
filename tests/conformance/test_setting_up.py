"""Setting up a table: rules in force, checklist, start position of both boards (L001, L009-L011, L060, L118, D.1)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.set_up.table import answer_of, checks, may_keep_sound
from server.game.laws.event_options import EventOptions, Supervision
from server.game.state.state import GameState
from server.game.values.words import Boards, Duty, Seat, SeatKind
from server.game.views.messages import TableShown
from server.game.views.view import greeting
from server.wording.rules import load_checklist
from speech.complaint import Complaint
from tests.game.core_table import CoreTable, altered


def open_checks(state: GameState) -> list[tuple[str, Seat | None]]:
    """Return what has not yet been found in order."""
    return [(item.name, seat) for item, seat, tick in checks(state) if tick is None or not tick.ok]


def greeted(table: CoreTable, station: str) -> TableShown | None:
    here = table.state.stations.find(station)
    assert here is not None
    return greeting(table.state, here, table.now).table


@pytest.mark.law("L001", "L003", "L134", "L175")
def test_l134_the_arbiter_sees_the_rules_in_force_and_nobody_else() -> None:
    event = EventOptions(supervision=Supervision.BASIC, overrides=(("illegal_loses_at", 3),))
    table = CoreTable(rule_set="fide2018", regulations=event, started=False, answered=False)
    shown = greeted(table, "arbiter")
    assert shown is not None
    assert (shown.rule_set, shown.rated, shown.supervision) == ("fide2018", True, "basic")
    assert "2018" in shown.title and shown.overrides == ("illegal_loses_at",) and shown.boards is Boards.TWO
    assert [one.name for one in shown.adaptations if one.question] == ["sighted_press_without_announcement"]
    table.adapt("sighted_press_without_announcement", "note")
    table.adapt("file_names", "nato")
    after = greeted(table, "arbiter")
    assert after is not None
    assert {one.name: one.value for one in after.adaptations if one.recorded} == {
        "sighted_press_without_announcement": "note",
        "file_names": "nato",
    }
    assert not any(one.question for one in after.adaptations)
    helper = table.assistant(Seat.WHITE, *Duty)
    assert [greeted(table, station) for station in ("white", "black", helper)] == [None] * 3


@pytest.mark.law("L009", "L010", "L060", "L118", "L177", "L178", "L179", "L180", "L181")
def test_l009_every_point_is_asked_where_it_applies() -> None:
    table = CoreTable(started=False)
    points = open_checks(table.state)
    for both in ("orientation", "men_in_place"):
        assert [seat for item, seat in points if item == both] == [Seat.WHITE, Seat.BLACK]
    for special in ("special_board_size", "dark_squares_raised", "aperture_in_each_square", "peg_on_each_piece",
                    "staunton_black_marked", "audio_route"):  # fmt: skip
        assert [seat for item, seat in points if item == special] == [Seat.WHITE]
    for once in ("clock_placed", "zones", "network_stays_inside", "devices_registered"):
        assert [seat for item, seat in points if item == once] == [None]
    two = CoreTable(black=SeatKind.TACTILE, started=False)
    assert ("peg_on_each_piece", Seat.BLACK) in open_checks(two.state)
    articles = {item.name: item.article for item in load_checklist()}
    assert articles["special_board_size"] == "D.1.1" and articles["zones"] == "11.2.1"


@pytest.mark.law("L009", "L010")
def test_l009_the_arbiter_ticks_and_sees_what_is_open_and_nothing_holds_the_start_up() -> None:
    table = CoreTable(started=False)
    before = len(open_checks(table.state))
    table.done("arbiter", cmd.TickChecklist(item="orientation", seat=Seat.WHITE))
    table.done("arbiter", cmd.TickChecklist(item="men_in_place", seat=Seat.BLACK, ok=False, note="king and queen"))
    assert len(open_checks(table.state)) == before - 1
    shown = greeted(table, "arbiter")
    assert shown is not None
    found = {(one.item, one.seat): (one.ok, one.note) for one in shown.checklist}
    assert found["orientation", Seat.WHITE] == (True, "") and found["orientation", Seat.BLACK] == (None, "")
    assert found["men_in_place", Seat.BLACK] == (False, "king and queen")
    table.done("arbiter", cmd.TickChecklist(item="men_in_place", seat=Seat.BLACK))
    assert len(open_checks(table.state)) == before - 2
    table.done("arbiter", cmd.StartGame())


@pytest.mark.law("L009")
def test_l009_what_is_no_point_there_is_refused() -> None:
    table = CoreTable(started=False)
    assert table.do("arbiter", cmd.TickChecklist(item="weather")) == Refusal("no_such_check", "12.2")
    off = cmd.TickChecklist(item="peg_on_each_piece", seat=Seat.BLACK)
    assert table.do("arbiter", off) == Refusal("not_checked_there", "D.1.4.1")
    assert table.do("white", cmd.TickChecklist(item="zones")) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L009")
def test_l009_what_was_looked_at_is_on_record_as_the_arbiter_said_it() -> None:
    table = CoreTable(started=False)
    done = table.done("arbiter", cmd.TickChecklist(item="men_in_place", seat=Seat.BLACK, ok=False, note="king"))
    assert list(done) == [
        ev.ChecklistTicked(at=1_000, item="men_in_place", seat=Seat.BLACK, ok=False, note="king", own=False)
    ]


@pytest.mark.law("L194")
@pytest.mark.parametrize("needed", [True, False])
def test_d27_a_voice_is_kept_by_its_players_last_answer_and_without_one_where_the_event_asks_nobody(
    needed: bool,
) -> None:
    table = CoreTable(started=False, regulations=EventOptions(sound_needs_consent=needed))

    def kept() -> list[tuple[bool | None, bool]]:
        return [(answer_of(table.state, seat), may_keep_sound(table.state, seat)) for seat in Seat]

    unasked = (None, not needed)
    assert kept() == [unasked, unasked]
    done = table.done("white", cmd.AnswerRecording(agrees=False))
    ticked = ev.ChecklistTicked(at=1_000, item="voice_recording", seat=Seat.WHITE, ok=False, own=True)
    assert list(done) == [ticked] and kept() == [(False, False), unasked]
    table.done("arbiter", cmd.TickChecklist(item="orientation", seat=Seat.WHITE))
    table.done("white", cmd.AnswerRecording(agrees=True))
    assert kept() == [(True, True), unasked], "taken back"
    table.done("arbiter", cmd.TickChecklist(item="voice_recording", seat=Seat.BLACK, ok=False))
    assert kept() == [(True, True), (False, False)], "as Black told the arbiter"
    others = tuple(one for one in table.state.table.checklist if one.name != "voice_recording")
    table.state = altered(table.state, {"table.checklist": others})
    assert table.do("white", cmd.AnswerRecording(agrees=True)) == Refusal("no_such_check", "D.2.7")


@pytest.mark.law("L010", "L011")
def test_l010_the_start_position_is_on_record_and_stands_on_both_boards() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    table = CoreTable(fen=fen, started=False)
    (opened,) = [event for event in table.events if isinstance(event, ev.TableOpened)]
    assert opened.start_fen == fen
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == fen.split()[0]


@pytest.mark.law("L136")
def test_l136_what_a_player_needs_is_for_the_arbiters_eyes() -> None:
    table = CoreTable(started=False)
    table.state = altered(table.state, {"table.black": replace(table.state.table.black, needs="a chair with arms")})
    shown = greeted(table, "arbiter")
    assert shown is not None and shown.needs == ("", "a chair with arms")
    white = table.state.stations.find("white")
    assert white is not None and "chair" not in repr(greeting(table.state, white, table.now))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[x]\narticle = "2.1"\nscope = "room"\n', r"checklists\.toml, key x\.scope: "),
        ('[x]\narticle = ""\nscope = "table"\n', r"key x\.article"),
        (
            '[x]\narticle = "2.1"\nscope = "table"\n',
            r"en/words/rules\.toml, key checklists\.orientation: this entry is unknown",
        ),
    ],
)
def test_a_bad_checklist_is_named(tmp_path: Path, repo: Path, text: str, said: str) -> None:
    shutil.copytree(repo / "config" / "languages" / "en", tmp_path / "languages" / "en")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "checklists.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Complaint, match=said):
        load_checklist(tmp_path)
