"""What the clock tells is put into a listener's words here: answers, cues, settings, corrections."""

from __future__ import annotations

from collections.abc import Sequence

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
from speech.announcements.clock_phrases import (
    ClockFacts,
    PeriodTold,
    clock_told,
    control_told,
    time_short,
    time_told,
)
from speech.voices.voice import Segment
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme
from speech.words.signs import for_voice, load_numerals, signs_said

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


def cue_text(message: TimeCue, scheme: Scheme) -> str:
    """Return the time left, or a counted second."""
    if message.way == "time":
        return scheme.messages.text("clock.left", time=time_told(message.left_s * 1000, scheme.messages))
    return scheme.messages.text("clock.counted", number=message.left_s)


def setting_text(message: ClockSetting, scheme: Scheme) -> str:
    """Return the time control, read back, and whether it is set, asked about or given up."""
    if message.stage == "unset":
        return scheme.messages.text("clock.unset")
    return f"{control_text(message.control, scheme)} {scheme.messages.text(f'clock.{message.stage}')}"


def corrected_text(message: ClockCorrected, scheme: Scheme) -> str:
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
    """Return a sentence with numbers and signs, for the voice of the listener's language."""
    return in_voice_of(text, scheme.listener.tag)


def in_voice_of(text: str, language: str) -> tuple[Segment, ...]:
    """Return a sentence with numbers and signs, for the voice of a language."""
    if language in language_tags():
        text = signs_said(text, load_messages(language))
    return (Segment(for_voice(text, load_numerals().get(language, {})), language),)
