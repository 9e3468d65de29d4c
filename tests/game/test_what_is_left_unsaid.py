"""What a command, an event or a message leaves out means the same for ever: devices and journals may be older than we.

All that is not named here means nothing, no or none where it is left out.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts
from server.game.values.words import Boards, ClockMaster, EarChoice, Mode, Origin
from server.game.views import messages, table

YES_OF_COMMANDS = """
    AllowRoom.allowed AnswerRecording.agrees CallArbiter.stop ChooseAlerts.spoken Confirm.sure
    MarkPresent.present NotePresent.present NoteSupervision.recorded OpenTable.rated PermitLeaving.granted
    PermitVoiceActivity.granted Propose.sure RecordAdaptation.approved ReleaseReview.released RuleClaim.bonus
    RuleIrregularity.confirm RuleIrregularity.give Say.ask SealMove.understood TickChecklist.ok"""
OF_COMMANDS: dict[str, Any] = {
    "AskForCues.countdown": "off",
    "CancelGame.article": "7.2.1",
    "Execute.origin": "declared",
    "OpenTable.boards": Boards.TWO,
    "OpenTable.clock_master": ClockMaster.SERVER,
    "OpenTable.mode": Mode.TABLE,
    "OpenTable.rule_set": "fide2023",
    "Penalise.opponents": "win",
    "PermitLeaving.place": "venue",
    "ReportTouch.origin": "entered",
    "RestoreTo.times": "leave",
    "RuleSetUp.names": "swap",
    "Say.act": "auto",
    "Say.origin": Origin.ENTERED,
    "TakeBack.kind": "illegal",
    "TakeBack.times": "leave",
    "SetIncrement.article": "III.4",
}
YES_OF_EVENTS = "AdaptationRecorded.approved MoveSealed.understood NotUnderstood.ask TableOpened.rated"
OF_EVENTS: dict[str, Any] = {
    "IncrementSet.article": "III.4",
    "LeaveRuled.place": "venue",
    "Restored.exempt": (None, None),
    "TableOpened.boards": Boards.TWO,
    "TableOpened.clock_master": ClockMaster.SERVER,
    "TableOpened.mode": Mode.TABLE,
    "TableOpened.rule_set": "fide2023",
}
YES_OF_MESSAGES = "SoundShown.keeps_sound"
OF_MESSAGES: dict[str, Any] = {
    "SoundShown.ear": EarChoice(),
    "TableShown.hearing_impaired": (False, False),  # neither player
}
MESSAGES = [
    kind
    for room in (messages, table)
    for kind in vars(room).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == room.__name__
]
ROOMS = {
    "commands": ([*acts.acts()], YES_OF_COMMANDS, OF_COMMANDS),
    "events": ([*acts.events()], YES_OF_EVENTS, OF_EVENTS),
    "messages": (MESSAGES, YES_OF_MESSAGES, OF_MESSAGES),
}


def left_out(kinds: list[type[msgspec.Struct]]) -> dict[str, Any]:
    """For every field that may be left out what it is then, by class and field."""
    return {
        f"{kind.__name__}.{one.name}": one.default
        for kind in kinds
        for one in msgspec.structs.fields(kind)
        if not one.required
    }


@pytest.mark.parametrize("room", list(ROOMS))
def test_what_is_left_out_is_the_usual_or_nothing(room: str) -> None:
    inside, yes, others = ROOMS[room]
    found = left_out(inside)
    said = {name: value for name, value in found.items() if value is not False and value not in (None, "", (), 0)}
    assert said == dict.fromkeys(yes.split(), True) | others


def test_an_older_device_that_says_no_more_than_it_must_is_understood() -> None:
    said = msgspec.json.decode(b'{"do":"say","announcement":{"to_square":"e4"}}', type=acts.StationAct)
    assert isinstance(said, acts.Say) and (said.origin, said.act, said.ask) == (Origin.ENTERED, "auto", True)


def test_the_present_form_of_the_record_has_its_number() -> None:
    assert acts.VERSION == 2
