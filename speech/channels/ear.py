"""The order in which phrases are said into one ear; the queue is a frozen value. Pure.

`step(ear, event, now)` gives the ear after the event and what must be done. There is one voice at a time, and never
over a human one: while anyone at the table speaks nothing starts, and what is playing stops. What is more urgent goes
first. Nothing here knows of positions, of the time on a clock, or of what the words mean: in time trouble an ear is
served as always.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

GAP_MS = 200
"""Silence between two phrases in one ear."""
AFTER_TALK_KEY_MS = 400
"""After a talk key is pressed nothing starts for so long: somebody is about to speak, even before the voice is there.
"""
RENDERED_MS = 300
"""A short phrase is rendered within this time, also on a busy machine."""
MARGIN_MS = 500
"""Time after its length at which a phrase counts as ended, where the player's device does not report it."""
NOTICED_MS = 500
"""If the listener's own voice, or a key for something else, cuts news off before they have sounded this long, the
listener may not have noticed anything of them: they are said again."""
AGAIN = "again"
"""The `about` of a repeated phrase: only the last wish to hear it counts, so that a held key fills no queue."""
LINE_BACK = "line back"
"""The `about` of the news that the line is there again, which never counts as the last phrase."""
LONGEST = 64
"""Phrases that may wait for one ear; with more, the oldest of the least urgent goes."""


class Kind(StrEnum):
    """Kind of phrase to its listener, the most urgent first."""

    LINK = "link"
    """The line or the microphone is lost, or is back."""
    ANNOUNCEMENT = "announcement"
    """The opponent's move, where the machine announces it (relay); to the arbiter, an alert that needs them at once."""
    ANSWER = "answer"
    """Answer to the listener's question, or a question to the listener."""
    READ_BACK = "read_back"
    """The listener's own words as they were understood."""
    PAGE = "page"
    """Words of the listener's own page on their keys: a menu, the echo of their typing. Only the newest counts."""
    CUE = "cue"
    """Cue that the clock gives by itself."""


_RANK = {Kind.LINK: 0, Kind.ANNOUNCEMENT: 1, Kind.ANSWER: 2, Kind.READ_BACK: 2, Kind.PAGE: 3, Kind.CUE: 4}
MUST_BE_HEARD = frozenset({Kind.LINK, Kind.ANNOUNCEMENT})
"""Kinds that stay in the queue, unless the listener turns sound off or the queue is full of them. They are said again
from the beginning when another person's voice cut them off."""
SAID_AGAIN = MUST_BE_HEARD | {Kind.ANSWER}


class Phrase(msgspec.Struct, frozen=True):
    """Phrase to be said.

    `length_ms`: of its sound. `good_until`: ms of this run after which it is not true any more (a time) and is dropped;
    None: always true. `about`: a waiting phrase about the same thing is replaced ("time"). `asked`: it answers what the
    listener asked, and a newer question stops it. `piece`: its place in a long answer, from 0; what comes after the
    first lets everything else but cues go before it. `message`: the one of which it is a part, where that has several.
    `doubtful`: the listener's words were taken for something that they may not have said. `whole`: nothing but news of
    more urgency is said between the pieces. `asks`: the listener is asked whether they said something that binds them
    ("consent"), or what it was that they said ("words").
    """

    id: str
    kind: Kind
    length_ms: int
    good_until: int | None = None
    about: str = ""
    asked: bool = False
    piece: int = 0
    message: str = ""
    doubtful: bool = False
    whole: bool = False
    asks: str = ""

    @property
    def said_again(self) -> bool:
        """Return whether it is said again where another person's voice, or a broken line, cut it off."""
        return self.kind in SAID_AGAIN or self.doubtful

    @property
    def is_news(self) -> bool:
        """Return whether the listener was told it unasked, and has it from nowhere else by ear."""
        return self.kind in MUST_BE_HEARD or (self.kind is Kind.ANSWER and not self.asked)

    @property
    def tells_time(self) -> bool:
        """Return whether it answers with a time, which soon is not true any more."""
        return self.kind is Kind.ANSWER and self.good_until is not None and not self.asks

    @property
    def gives_way(self) -> bool:
        """Return whether the phrase is the rest of an answer, before which everything else but cues goes."""
        return self.piece > 0 and not self.whole

    @property
    def rank(self) -> int:
        """Return how urgent the phrase is; 0 is the most urgent."""
        return max(_RANK[self.kind], _RANK[Kind.PAGE]) if self.gives_way else _RANK[self.kind]

    def good_at(self, now: int) -> bool:
        """Return whether the phrase may still begin."""
        return self.good_until is None or now <= self.good_until


class Playing(msgspec.Struct, frozen=True):
    """Phrase that sounds now.

    It says since when it sounds, and when it counts as over even if no end is reported (ms of this run).
    """

    phrase: Phrase
    since: int
    until: int


class Ear(msgspec.Struct, frozen=True):
    """One listener's queue.

    `voices`: who speaks at the table now. `there`: whether anything can play for the listener. `quiet_until`: nothing
    starts before this time. `last`: what the listener heard last, for "repeat".
    """

    waiting: tuple[Phrase, ...] = ()
    playing: Playing | None = None
    voices: frozenset[str] = frozenset()
    there: bool = True
    quiet_until: int = 0
    last: Phrase | None = None


# What happens


class Enqueue(msgspec.Struct, frozen=True):
    """A phrase is ready to be said: the event that puts it into the queue."""

    phrase: Phrase


class Began(msgspec.Struct, frozen=True):
    """The device reports that a phrase sounds from now on."""

    id: str


class PhraseEnded(msgspec.Struct, frozen=True):
    """The device reports that a phrase is over, or cannot be played."""

    id: str


class VoiceBegan(msgspec.Struct, frozen=True):
    """Somebody at the table began to speak. `own`: it is the listener."""

    who: str
    own: bool = False


class VoiceEnded(msgspec.Struct, frozen=True):
    """The person has stopped speaking; told twice, or without a beginning, it changes nothing."""

    who: str


class Asked(msgspec.Struct, frozen=True):
    """The listener has asked something: what they asked before is not said any more, and what sounds makes way.

    What nobody asked for and was cut, as a ruling, is said again after the answer. `cuts_all` False: the listener is
    asked something in return, and only an earlier answer makes way. `answered`: they have answered what they were told
    about this, and nothing more of it is said.
    """

    cuts_all: bool = True
    answered: str = ""


class QuestionSettled(msgspec.Struct, frozen=True):
    """The listener is not asked that any more (`asks` of a `Phrase`), by no repetition either; all else goes on."""

    asks: str


class ClockChanged(msgspec.Struct, frozen=True):
    """The clock was pressed, stopped or set: an answer with a time that waits is stale, and is made anew.

    `cues_over`: the listener's own time stands now, or is another one: so are the cues that wait.
    """

    cues_over: bool


class KeyPressed(msgspec.Struct, frozen=True):
    """The listener pressed a key.

    "talk", "stop", "next" and "off" cut whatever plays; "press" (the clock) and "page" (another key, whose own words
    come now) cut it unless it must be heard. Of what waits, "stop" drops all but news, "press" the listener's
    read-backs, "page" what the listener's page wanted to say, "off" (the listener wants to hear nothing) everything,
    and "next" nothing. "stop" also ends the message of which a part sounds, and "press", "page" and "talk" a long
    answer.
    """

    key: str


class Repeat(msgspec.Struct, frozen=True):
    """The listener wants to hear the last phrase again, under this new id."""

    id: str


class There(msgspec.Struct, frozen=True):
    """The listener's device can play from now on, or nothing can play any more."""

    yes: bool


class HoldBack(msgspec.Struct, frozen=True):
    """Something that goes before all else is being turned into sound: nothing starts for so many ms."""

    ms: int


class Tick(msgspec.Struct, frozen=True):
    """Time has passed; see `wake_at`."""


Event = (
    Enqueue
    | Began
    | PhraseEnded
    | VoiceBegan
    | VoiceEnded
    | Asked
    | QuestionSettled
    | ClockChanged
    | KeyPressed
    | Repeat
    | There
    | HoldBack
    | Tick
)

# What is to be done


class Start(msgspec.Struct, frozen=True):
    """The device must play this phrase now."""

    phrase: Phrase


class Stop(msgspec.Struct, frozen=True):
    """The device must silence this phrase at once.

    `heard_ms`: how much of it sounded. `again`: it will be said again.
    """

    phrase: Phrase
    why: str
    heard_ms: int
    again: bool = False


class Drop(msgspec.Struct, frozen=True):
    """Drop a phrase, which will never be said."""

    phrase: Phrase
    why: str


Act = Start | Stop | Drop


def step(ear: Ear, event: Event, now: int) -> tuple[Ear, tuple[Act, ...]]:
    """Return the ear after an event at `now` (ms of this run), and what must be done, in order. Pure."""
    acts: list[Act] = []
    if ear.playing is not None and now >= ear.playing.until:
        ear = _over(ear, ear.playing.until)
    match event:
        case Enqueue(phrase):
            ear = _make_way(_put_in_queue(ear, phrase, acts), phrase, now, acts)
        case Began(id):
            if ear.playing is not None and ear.playing.phrase.id == id:
                until = now + ear.playing.phrase.length_ms + MARGIN_MS
                ear = msgspec.structs.replace(ear, playing=Playing(ear.playing.phrase, now, until))
        case PhraseEnded(id):
            if ear.playing is not None and ear.playing.phrase.id == id:
                ear = _over(ear, now)
        case VoiceBegan(who, own):
            ear = msgspec.structs.replace(ear, voices=ear.voices | {who})
            if ear.playing is not None:
                again = _is_unnoticed(ear, now) if own else ear.playing.phrase.said_again
                ear = _stop_playing(ear, "voice", now, acts, again=again)
            if own:
                ear = _drop_phrases(ear, _rest_of_answer(ear), "voice", acts)
        case VoiceEnded(who):
            if who in ear.voices:
                ear = msgspec.structs.replace(ear, voices=ear.voices - {who})
                if not ear.voices:
                    ear = msgspec.structs.replace(ear, quiet_until=max(ear.quiet_until, now + GAP_MS))
        case Asked():
            ear = _ask_anew(ear, event, now, acts)
        case QuestionSettled(asks):
            ear = _settle_question(ear, asks, now, acts)
        case ClockChanged(cues_over):
            gone = [one for one in ear.waiting if one.tells_time or (cues_over and one.kind is Kind.CUE)]
            ear = _drop_phrases(ear, gone, "stale", acts)
        case KeyPressed(key):
            ear = _key(ear, key, now, acts)
        case Repeat(id):
            ear = _say_again(ear, id, now, acts)
        case There(yes):
            ear = msgspec.structs.replace(ear, there=yes)
            if not yes and ear.playing is not None:
                ear = _stop_playing(ear, "link", now, acts, again=ear.playing.phrase.said_again)
        case HoldBack(ms):
            ear = msgspec.structs.replace(ear, quiet_until=max(ear.quiet_until, now + ms))
        case Tick():
            pass
    return _start_next(ear, now, acts), tuple(acts)


def wake_at(ear: Ear) -> int | None:
    """Return when a `Tick` can change something (ms of this run); None: only an event can."""
    if ear.playing is not None:
        return ear.playing.until
    if ear.waiting and ear.there and not ear.voices:
        return ear.quiet_until
    return None


def _put_in_queue(ear: Ear, phrase: Phrase, acts: list[Act]) -> Ear:
    """Put the phrase in its place: behind what is as urgent, before what is less urgent."""
    waiting = list(ear.waiting)
    if phrase.about:
        for older in [one for one in waiting if one.about == phrase.about and one.kind not in MUST_BE_HEARD]:
            waiting.remove(older)
            acts.append(Drop(older, "newer"))
    if phrase.asked and not phrase.gives_way:  # the answer to a question goes before what nobody asked for
        waiting.insert(0, phrase)
    else:
        waiting.append(phrase)
    waiting.sort(key=lambda one: one.rank)
    if len(waiting) > LONGEST:
        oldest = next(one for one in waiting if one.rank == waiting[-1].rank)
        waiting.remove(oldest)
        acts.append(Drop(oldest, "too many"))
    return msgspec.structs.replace(ear, waiting=tuple(waiting))


def _make_way(ear: Ear, phrase: Phrase, now: int, acts: list[Act]) -> Ear:
    """Stop what is less urgent, to make way for what must be heard."""
    playing = ear.playing
    if playing is None or phrase.kind not in MUST_BE_HEARD or playing.phrase.rank <= phrase.rank:
        return ear
    return _stop_playing(ear, "urgent", now, acts, again=playing.phrase.said_again)


def _stop_playing(ear: Ear, why: str, now: int, acts: list[Act], *, again: bool) -> Ear:
    assert ear.playing is not None
    phrase = ear.playing.phrase
    heard = max(0, min(phrase.length_ms, now - ear.playing.since))
    acts.append(Stop(phrase, why, heard, again))
    if not again:
        return msgspec.structs.replace(_over(ear, now), quiet_until=max(ear.quiet_until, now + GAP_MS))
    waiting = tuple(sorted((phrase, *ear.waiting), key=lambda one: one.rank))  # stable: before its equals
    return msgspec.structs.replace(ear, playing=None, waiting=waiting, quiet_until=max(ear.quiet_until, now + GAP_MS))


def _is_unnoticed(ear: Ear, now: int) -> bool:
    playing = ear.playing
    return playing is not None and playing.phrase.is_news and now - playing.since < NOTICED_MS


def _over(ear: Ear, at: int) -> Ear:
    assert ear.playing is not None
    phrase = ear.playing.phrase
    passes = phrase.kind in (Kind.CUE, Kind.PAGE) or phrase.about == LINE_BACK
    last = ear.last if passes else phrase
    return msgspec.structs.replace(ear, playing=None, last=last, quiet_until=max(ear.quiet_until, at + GAP_MS))


def _ask_anew(ear: Ear, event: Asked, now: int, acts: list[Act]) -> Ear:
    def goes(phrase: Phrase) -> bool:
        return phrase.asked or (event.answered != "" and phrase.about == event.answered)

    playing = ear.playing
    if playing is not None and playing.phrase.kind not in MUST_BE_HEARD and (event.cuts_all or goes(playing.phrase)):
        unasked = playing.phrase.kind is Kind.ANSWER and not goes(playing.phrase)
        ear = _stop_playing(ear, "asked", now, acts, again=unasked)
        if unasked:  # the answer goes first, as soon as it is sound
            ear = msgspec.structs.replace(ear, quiet_until=max(ear.quiet_until, now + RENDERED_MS))
    return _drop_phrases(ear, [one for one in ear.waiting if goes(one)], "asked", acts)


def _settle_question(ear: Ear, asks: str, now: int, acts: list[Act]) -> Ear:
    if ear.playing is not None and ear.playing.phrase.asks == asks:
        ear = _stop_playing(ear, "asked", now, acts, again=False)
    ear = _drop_phrases(ear, [one for one in ear.waiting if one.asks == asks], "asked", acts)
    if ear.last is not None and ear.last.asks == asks:  # said again, it would be answered again
        ear = msgspec.structs.replace(ear, last=None)
    return ear


def _rest_of_answer(ear: Ear) -> tuple[Phrase, ...]:
    """Return the waiting pieces of long answers, but those of a message that waits to be said from its beginning."""
    begins = {one.message for one in ear.waiting if not one.piece}
    return tuple(one for one in ear.waiting if one.asked and one.piece and one.message not in begins)


def _drop_phrases(ear: Ear, gone: Sequence[Phrase], why: str, acts: list[Act]) -> Ear:
    acts += [Drop(one, why) for one in gone]
    return msgspec.structs.replace(ear, waiting=tuple(one for one in ear.waiting if one not in gone))


def _key(ear: Ear, key: str, now: int, acts: list[Act]) -> Ear:
    message = "" if ear.playing is None else ear.playing.phrase.message
    if ear.playing is not None and (key not in ("press", "page") or ear.playing.phrase.kind not in MUST_BE_HEARD):
        again = key in ("talk", "press", "page") and _is_unnoticed(ear, now)
        ear = _stop_playing(ear, key, now, acts, again=again)
    gone: tuple[Phrase, ...] = ()
    if key == "off":
        gone = ear.waiting
    elif key == "stop":
        gone = tuple(one for one in ear.waiting if not one.is_news or (message and one.message == message))
    elif key != "next":
        ended = {"press": Kind.READ_BACK, "page": Kind.PAGE}.get(key)
        gone = (*(one for one in ear.waiting if one.kind is ended), *_rest_of_answer(ear))
    if key == "talk":
        ear = msgspec.structs.replace(ear, quiet_until=max(ear.quiet_until, now + AFTER_TALK_KEY_MS))
    return _drop_phrases(ear, gone, key, acts)


def _say_again(ear: Ear, id: str, now: int, acts: list[Act]) -> Ear:
    """Say again the phrase that plays, or else the last one, before everything of its kind."""
    phrase = ear.playing.phrase if ear.playing is not None else ear.last
    if phrase is None:
        return ear
    if ear.playing is not None:
        ear = _stop_playing(ear, "repeat", now, acts, again=False)
    phrase = msgspec.structs.replace(phrase, id=id, about=LINE_BACK if phrase.about == LINE_BACK else AGAIN)
    gone = [one for one in ear.waiting if one.about == AGAIN]  # asked for twice before it began: once is enough
    acts += [Drop(one, "newer") for one in gone]
    left = (one for one in ear.waiting if one.about != AGAIN)
    waiting = tuple(sorted((phrase, *left), key=lambda one: one.rank))
    return msgspec.structs.replace(ear, waiting=waiting)


def _start_next(ear: Ear, now: int, acts: list[Act]) -> Ear:
    stale = [one for one in ear.waiting if not one.good_at(now)]
    if stale:
        acts += [Drop(one, "stale") for one in stale]
        ear = msgspec.structs.replace(ear, waiting=tuple(one for one in ear.waiting if one.good_at(now)))
    if ear.playing is not None or ear.voices or not ear.there or now < ear.quiet_until or not ear.waiting:
        return ear
    phrase, *rest = ear.waiting
    acts.append(Start(phrase))
    playing = Playing(phrase, now, now + phrase.length_ms + MARGIN_MS)
    return msgspec.structs.replace(ear, waiting=tuple(rest), playing=playing)
