"""The names by which the record and the wire know things: an old journal must read the same tomorrow."""

from __future__ import annotations

from enum import StrEnum

import pytest

from server.play.recording import Mark
from server.play.rules.draw_offers import OfferMoment
from server.play.rules.event_options import Points, Supervision
from server.play.rules.illegal_penalty import Illegality
from server.play.rules.scoresheet import Scoresheet
from server.play.rules.time_class import TimeClass
from server.play.rules.touch import TouchHow
from server.play.values import Boards, ClockMaster, Duty, Mode, Origin, Role, Seat, SeatKind

NAMES: dict[type[StrEnum], str] = {
    Seat: "white black",
    SeatKind: "tactile low-vision sighted",
    Origin: "sensed declared heard entered inferred",
    Mode: "table relay clock",
    ClockMaster: "server livechess manual",
    Role: "player assistant arbiter display observer",
    Duty: "execute announce score_and_clock inform claim_and_report adjourn",
    Boards: "two one two_special",
    Mark: "written missing not_kept_here",
    Supervision: "full basic",
    Points: "1-½-0 3-1-0",
    OfferMoment: "after_move before_move opponents_time",
    TimeClass: "standard rapid blitz",
    Scoresheet: "paper dictated braille longhand station",
    Illegality: "move unpromoted_pawn press_without_move two_hands",
    TouchHow: "contact lifted",
}


@pytest.mark.parametrize("kind", list(NAMES), ids=lambda kind: kind.__name__)
def test_members_keep_their_names_on_record(kind: type[StrEnum]) -> None:
    named = NAMES[kind].split()
    assert [member.value for member in kind] == named
    assert [member.name.lower() for member in kind if kind is not Points] == [
        name.replace("-", "_") for name in named if kind is not Points
    ]
