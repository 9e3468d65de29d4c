"""This file holds which alerts are not settled yet, and which events answer an alert by themselves.

An alert is settled by the arbiter (`AlertSettled`), or by the act that answers it: a ruling on the claim, on the
irregularity, a board that was set. What answers what is known from the events alone, so that a replay finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.values.saying import Saying
from server.game.values.words import Role, Seat


class AlertKept(msgspec.Struct, frozen=True):
    """This is an alert that is not settled: its number among all alerts, from 1, and whether it was put off or filed.

    One that is filed is settled, but stays for the report.
    """

    number: int
    alert: ev.Alerted
    how: str = ""

    @property
    def seat(self) -> Seat | None:
        """The player whom the alert is about, where its words name one."""
        said = self.alert.said
        who = said.values.get("who") if said is not None else None
        return Seat(who.key) if isinstance(who, Saying) and who.key in ("white", "black") else None


ABOUT_A_MOVE = (
    *("not_legal", "illegal_move_stands", "unpromoted", "takes_king", "touch_move", "irregular_position"),
    *("draw_irregular", "press_without_move", "premature_press", "not_finished", "unannounced_press"),
)
ABOUT_WORDS = ("unheard", "unresolved", "echo_differs", "contested")
ABOUT_BOARDS = ("board_differs", "board_odd", "board_not_followed")
ABOUT_CONDUCT = (
    *("device_found", "sheet_asked", "stop_not_valid", "adjusting_out_of_turn", "out_of_turn_speech"),
    *("offer_out_of_place", "entry_out_of_turn", "premature_press", "unannounced_press", "press_without_move"),
)
ABOUT_THE_END = (
    *("flag", "time_claimed", "flag_called", "flags_called", "resigned", "loses", "draw_claimed", "draw_irregular"),
    *("checkmate", "stalemate", "dead_position", "perhaps_dead", "fivefold", "seventy_five_moves"),
    *("low_time", "default_time_over", "late_arrival", "start_held"),
)

Answer = Callable[[ev.AnyEvent, AlertKept], bool]


def _any(_event: ev.AnyEvent, _kept: AlertKept) -> bool:
    return True


def _seat(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat in (None, getattr(event, "seat", None))


def _same_seat(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat is not None and kept.seat is getattr(event, "seat", None)


def _board(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat in (None, getattr(event, "board", None))


def _ply(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.alert.ply == getattr(event, "ply", None)


def _later(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.alert.ply > getattr(event, "ply", 0)


def _by_the_arbiter(event: ev.AnyEvent, _kept: AlertKept) -> bool:
    return getattr(event, "by", None) is Role.ARBITER


ANSWERS: Mapping[type[ev.Event], tuple[tuple[str, ...], Answer]] = {
    ev.ClaimRuled: (("draw_claimed", "claim_on_display"), _seat),
    ev.IrregularityRuled: ((*ABOUT_A_MOVE, "irregularity_claimed"), _ply),
    ev.TouchRuled: (("touch_move",), _any),
    ev.FlagCalled: (("flag",), _any),
    ev.GameEnded: (ABOUT_THE_END, _any),
    ev.Restored: ((*ABOUT_A_MOVE, *ABOUT_WORDS, *ABOUT_BOARDS, "irregularity_claimed"), _later),
    ev.DeskDecided: ((*ABOUT_BOARDS, *ABOUT_WORDS), _any),
    ev.BoardSet: (ABOUT_BOARDS, _board),
    ev.GameMended: ((*ABOUT_WORDS, "not_legal"), _ply),
    ev.StopRuled: (("called",), _seat),
    ev.ClockPaused: (("medical_call",), _by_the_arbiter),
    ev.LawReleased: (("law_asked",), _seat),
    ev.LeaveRuled: (("leaving",), _seat),
    ev.Penalised: (ABOUT_CONDUCT, _same_seat),
    ev.ClockKept: (("clock_proposed",), _any),
    ev.ClockSetUp: (("clock_proposed",), _any),
    ev.GameStarted: (("clock_proposed", "start_held"), _any),
    ev.AbsenceRuled: (("default_time_over", "late_arrival"), _any),
    ev.ScoresheetRecorded: (("scoresheet",), _seat),
    ev.PressKeysTold: (("press_keys_unknown",), _any),
    ev.TimeAdded: (("adjustment_offered", "bonus_unstated"), _any),
}
"""The kinds of alerts that an event answers, and which of them: by whom or by which move they are."""


def answered(kept: tuple[AlertKept, ...], event: ev.AnyEvent) -> tuple[AlertKept, ...]:
    """Return the alerts that are still to be settled after an event; the same tuple where it answers none."""
    found = ANSWERS.get(type(event))
    if found is None:
        return kept
    kinds, answers = found
    left = tuple(one for one in kept if one.how == "filed" or one.alert.kind not in kinds or not answers(event, one))
    return left if len(left) < len(kept) else kept


def settled(kept: tuple[AlertKept, ...], event: ev.AlertSettled) -> tuple[AlertKept, ...]:
    """Return the alerts after the arbiter settled some: put off and filed ones are kept as such."""
    if event.how == "acknowledged":
        return tuple(one for one in kept if one.number not in event.numbers)
    return tuple(replace(one, how=event.how) if one.number in event.numbers else one for one in kept)
