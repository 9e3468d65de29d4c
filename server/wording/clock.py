"""What the clock tells is put into a listener's words here: answers, cues, settings, corrections."""

from __future__ import annotations

from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster
from server.game.views.messages import (
    AnswerGiven,
    ClockCorrected,
    ClockMasterShown,
    ClockSetting,
    IncrementShown,
    TimeCue,
    TimeGiven,
)
from speech.announcements.clock_phrases import ClockFacts, PeriodTold, clock_told, control_told, time_told
from speech.voices.voice import Segment
from speech.words.numerals import for_voice, load_numerals
from speech.words.scheme import Scheme

ANSWERED = ("time", "opponent_time", "moves", "clock")
"""What a player can ask the clock."""


def clock_answer(message: AnswerGiven, scheme: Scheme) -> str:
    """Return the answer, own time first, and nothing that was not asked."""
    times = message.what in ("time", "clock")
    runs = {True: "own", False: "opponent", None: ""}[message.own_runs] if times and message.age_ms is None else None
    facts = ClockFacts(
        own_ms=message.own_ms,
        opponent_ms=message.opponent_ms,
        runs=runs if runs or message.what == "clock" else None,
        moves=message.moves,
        to_control=message.to_control,
        period=message.period,
        periods=message.periods,
        flag_first=message.flag_first,
        age_ms=message.age_ms,
    )
    return " ".join(clock_told(facts, scheme.messages))


def cue_text(message: TimeCue, scheme: Scheme) -> str:
    """Return the time left, or a counted second."""
    if message.way == "time":
        return scheme.messages.text("clock.left", time=time_told(message.left_s * 1000, scheme.messages))
    return scheme.messages.text("clock.counted", number=message.left_s)


def setting_text(message: ClockSetting, scheme: Scheme) -> str:
    """Return the time control, read back, and whether it is set, asked about or given up."""
    if message.stage == "unset":
        return scheme.messages.text("clock.unset")
    control = TimeControl.parse(message.control)
    periods = tuple(PeriodTold(one.moves, one.base_ms, one.increment_ms, one.kind) for one in control.periods)
    words = scheme.listener.words
    answers = {"yes": words["cmd.yes"].text, "no": words["cmd.no"].text} if message.stage == "asked" else {}
    return f"{control_told(periods, scheme.messages)} {scheme.messages.text(f'clock.{message.stage}', **answers)}"


def corrected_text(message: ClockCorrected, scheme: Scheme) -> str:
    """Say that the arbiter has set the clock, and the times where they are told."""
    runs = {True: "own", False: "opponent", None: None}[message.own_runs]
    facts = ClockFacts(own_ms=message.own_ms, opponent_ms=message.opponent_ms, runs=runs)
    return " ".join((scheme.messages.text("clock.corrected"), *clock_told(facts, scheme.messages)))


def changed_text(message: TimeGiven | IncrementShown | ClockMasterShown, scheme: Scheme) -> str:
    """Return what the arbiter changed of the clock: the difference, never the time that is left."""
    match message:
        case TimeGiven():
            key = f"{'given' if message.ms >= 0 else 'taken'}_{'own' if message.own else 'opponent'}"
            return scheme.phrase(key, time=time_told(abs(message.ms), scheme.messages))
        case IncrementShown():
            return scheme.phrase("increment_now", time=time_told(message.increment_ms, scheme.messages))
        case ClockMasterShown():
            return scheme.phrase("clock_ours" if message.clock_master is ClockMaster.SERVER else "clock_other")


def in_listeners_voice(text: str, scheme: Scheme) -> tuple[Segment, ...]:
    """Return a sentence with numbers, for the voice of the listener's language."""
    tongue = scheme.listener.tag
    return (Segment(for_voice(text, load_numerals().get(tongue, {})), tongue),)
