"""The clock in the ear: answers, cues, settings, corrections, its start and stops."""

from __future__ import annotations

from collections.abc import Sequence

from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster
from server.game.views.messages import (
    AnswerGiven,
    ClockCorrected,
    ClockMasterShown,
    ClockSetting,
    ClockShown,
    FlagShown,
    IncrementShown,
    Paused,
    Resumed,
    Started,
    TimeCue,
    TimeGiven,
)
from server.wording.aloud.says import Told, says, words_of_message
from server.wording.words import time_in_words
from speech.announcements.clock_phrases import (
    ClockFacts,
    PeriodTold,
    clock_told,
    control_told,
    time_short,
    time_told,
)
from speech.words.scheme import Scheme

ANSWERED = ("time", "opponent_time", "moves", "clock")
"""Questions that a player can ask the clock."""


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
    told = clock_told(facts, scheme.messages)
    return " ".join((*told, control_text(message.control, scheme)) if message.control else told)


def control_text(written: str, scheme: Scheme) -> str:
    """Return a time control as a sentence; its increment once where it is the same in each period."""
    periods = TimeControl.parse(written).periods
    told = tuple(PeriodTold(one.moves, one.base_ms, one.increment_ms, one.kind) for one in periods)
    return control_told(told, scheme.messages)


def clock_in_pieces(message: AnswerGiven, scheme: Scheme) -> Sequence[str]:
    """Return what the ear is told: the times that were asked for, short, then whose clock runs and the rest.

    Asked for their own time, the player hears that alone (L192).
    """
    texts = scheme.messages
    own, opponent = (None if ms is None else time_short(ms, texts) for ms in (message.own_ms, message.opponent_ms))
    told = [texts.text("ear.own", time=own)] if own is not None and message.what != "opponent_time" else []
    if opponent is not None and message.what != "time":
        told.append(texts.text("ear.opponent", time=opponent))
    if message.age_ms is not None:
        told.append(texts.text("clock.read_ago", time=time_short(message.age_ms, texts)))
    if message.what == "clock":
        runs = {True: "ear.own_runs", False: "ear.opponent_runs", None: "clock.stand"}[message.own_runs]
        told += [texts.text(runs)] if message.age_ms is None else []
    rest = ClockFacts(
        moves=message.moves,
        to_control=message.to_control,
        period=message.period,
        periods=message.periods,
        flag_first=message.flag_first if message.what == "clock" else "",
    )
    return (*told, *clock_told(rest, texts))


@says(TimeCue)
def _cue(message: TimeCue, scheme: Scheme) -> str | None:
    """Return the time left in words; a tick is no word, and comes from the teller."""
    return None if message.way == "ticks" else cue_text(message, scheme)


def cue_text(message: TimeCue, scheme: Scheme) -> str:
    """Return the time left, or a counted second."""
    if message.way == "time":
        return scheme.messages.text("clock.left", time=time_told(message.left_s * 1000, scheme.messages))
    return scheme.messages.text("clock.counted", number=message.left_s)


@says(ClockSetting)
def _setting(message: ClockSetting, scheme: Scheme) -> str:
    """Return the time control, read back, and whether it is set, asked about or given up."""
    if message.stage == "unset":
        return scheme.messages.text("clock.unset")
    return f"{control_text(message.control, scheme)} {scheme.messages.text(f'clock.{message.stage}')}"


@says(ClockCorrected)
def _corrected(message: ClockCorrected, scheme: Scheme) -> str:
    """Say that the arbiter has set the clock, and the times where they are told."""
    runs = {True: "own", False: "opponent", None: None}[message.own_runs]
    facts = ClockFacts(own_ms=message.own_ms, opponent_ms=message.opponent_ms, runs=runs)
    return " ".join((scheme.messages.text("clock.corrected"), *clock_told(facts, scheme.messages)))


def corrected_in_pieces(message: ClockCorrected, scheme: Scheme) -> Sequence[str]:
    """Say that the arbiter has set the clock, and both times where they are told, phrase by phrase."""
    if message.own_ms is None or message.opponent_ms is None:
        return (scheme.messages.text("clock.corrected"),)
    times = AnswerGiven(what="clock", own_ms=message.own_ms, opponent_ms=message.opponent_ms, own_runs=message.own_runs)
    return (scheme.messages.text("clock.corrected"), *clock_in_pieces(times, scheme))


@says(TimeGiven)
def _given(message: TimeGiven, scheme: Scheme) -> str:
    """Return the time that the arbiter gave or took, never the time that is left."""
    key = f"{'given' if message.ms >= 0 else 'taken'}_{'own' if message.own else 'opponent'}"
    return scheme.phrase(key, time=time_told(abs(message.ms), scheme.messages))


@says(IncrementShown)
def _increment(message: IncrementShown, scheme: Scheme) -> str:
    return scheme.phrase("increment_now", time=time_told(message.increment_ms, scheme.messages))


@says(ClockMasterShown)
def _clock_master(message: ClockMasterShown, scheme: Scheme) -> str:
    return scheme.phrase("clock_ours" if message.clock_master is ClockMaster.SERVER else "clock_other")


@says(FlagShown)
def _flag(message: FlagShown, scheme: Scheme) -> str:
    return scheme.phrase("time_own" if message.own else "time_opponent", time=time_in_words(0, scheme))


@says(ClockShown)
def _displays(message: ClockShown, scheme: Scheme, read_back: bool) -> Told | None:
    """Return what goes with the displays in words; they themselves are looked at."""
    return None if message.told is None else words_of_message(message.told, scheme, read_back=read_back)


@says(Started)
def _started(message: Started, scheme: Scheme) -> str | None:
    """Return that the game has started by itself: an arbiter who starts it by hand says so in person."""
    return scheme.phrase("shown_started") if message.appointed else None


@says(Paused)
def _paused(message: Paused, scheme: Scheme) -> str:
    return scheme.phrase("shown_medical" if message.medical else "shown_paused")


@says(Resumed)
def _resumed(scheme: Scheme) -> str:
    return scheme.phrase("shown_resumed")


def tick_text(message: object, scheme: Scheme) -> str:
    """Return what is read where a tick is heard; "" for every other message."""
    return cue_text(message, scheme) if isinstance(message, TimeCue) else ""
