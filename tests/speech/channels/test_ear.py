"""One ear's queue: one voice at a time, never over a human one, the most urgent first, and nothing that must be heard
is lost."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from speech.channels.ear import (
    AFTER_TALK_KEY_MS,
    GAP_MS,
    LINE_BACK,
    LONGEST,
    MARGIN_MS,
    MUST_BE_HEARD,
    NOTICED_MS,
    Act,
    Asked,
    Began,
    ClockChanged,
    Drop,
    Ear,
    Enqueue,
    Event,
    KeyPressed,
    Kind,
    Phrase,
    PhraseEnded,
    QuestionSettled,
    Repeat,
    Start,
    Stop,
    There,
    Tick,
    VoiceBegan,
    VoiceEnded,
    step,
    wake_at,
)


class Listener:
    """An ear, its time, and all that was done for it."""

    def __init__(self) -> None:
        self.ear, self.now = Ear(), 1_000
        self.acts: list[tuple[int, Act]] = []

    def put(self, id: str, kind: Kind, length_ms: int = 1_000, good_until: int | None = None, about: str = "") -> None:
        self.happens(Enqueue(Phrase(id, kind, length_ms, good_until, about)))

    def happens(self, event: Event) -> tuple[Act, ...]:
        self.ear, acts = step(self.ear, event, self.now)
        self.acts += [(self.now, act) for act in acts]
        return acts

    def wait(self, ms: int) -> None:
        """Time passes as it does: the one who plays tells the end of each phrase."""
        end = self.now + ms
        while True:
            playing = self.ear.playing
            over = playing.since + playing.phrase.length_ms if playing is not None else None
            due = over if over is not None else wake_at(self.ear)
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            self.happens(PhraseEnded(playing.phrase.id) if playing is not None else Tick())
        self.now = end

    @property
    def started(self) -> list[str]:
        return [act.phrase.id for _, act in self.acts if isinstance(act, Start)]

    @property
    def at(self) -> list[int]:
        return [now for now, act in self.acts if isinstance(act, Start)]

    @property
    def ended(self) -> list[tuple[str, str]]:
        return [(act.phrase.id, act.why) for _, act in self.acts if not isinstance(act, Start)]


def test_the_most_urgent_goes_first_and_there_is_a_gap_between_two() -> None:
    one = Listener()
    one.put("first", Kind.ANSWER)
    for id, kind in (("cue", Kind.CUE), ("answer", Kind.ANSWER), ("back", Kind.READ_BACK)):
        one.put(id, kind)
    one.wait(20_000)
    assert one.started == ["first", "answer", "back", "cue"]
    assert one.at == [1_000 + number * (1_000 + GAP_MS) for number in range(4)]


def test_an_announcement_takes_the_ear_from_an_answer_that_is_said_again_and_from_a_cue_that_is_not() -> None:
    one = Listener()
    one.put("answer", Kind.ANSWER)
    one.wait(300)
    one.put("move", Kind.ANNOUNCEMENT)
    one.wait(150)
    one.put("link", Kind.LINK)
    one.wait(10_000)
    assert one.started == ["answer", "link", "move", "answer"]
    assert one.acts[1][1] == Stop(Phrase("answer", Kind.ANSWER, 1_000), "urgent", 300, again=True)
    cue = Listener()
    cue.put("cue", Kind.CUE)
    cue.put("move", Kind.ANNOUNCEMENT)
    cue.wait(10_000)
    assert cue.started == ["cue", "move"] and cue.ended == [("cue", "urgent")]


def test_an_answer_waits_for_an_announcement_and_an_announcement_for_its_like() -> None:
    one = Listener()
    one.put("move", Kind.ANNOUNCEMENT)
    one.put("answer", Kind.ANSWER)
    one.put("next", Kind.ANNOUNCEMENT)
    one.wait(10_000)
    assert one.started == ["move", "next", "answer"] and one.ended == []


def test_nothing_starts_while_somebody_speaks_and_what_plays_stops_at_once() -> None:
    one = Listener()
    one.put("move", Kind.ANNOUNCEMENT)
    one.wait(400)
    (stop,) = one.happens(VoiceBegan("opponent"))
    assert isinstance(stop, Stop) and stop.heard_ms == 400 and stop.again
    one.happens(VoiceBegan("assistant"))
    one.put("answer", Kind.ANSWER)
    one.wait(5_000)
    one.happens(VoiceEnded("opponent"))
    one.wait(5_000)
    assert one.started == ["move"]
    one.happens(VoiceEnded("assistant"))
    one.happens(VoiceEnded("assistant"))
    spoken_until = one.now
    one.wait(10_000)
    assert one.started == ["move", "move", "answer"]
    assert one.at[1] == spoken_until + GAP_MS, "from its beginning, after a gap"


def test_the_listeners_own_voice_cuts_for_good_and_a_cue_or_a_read_back_never_comes_late() -> None:
    for kind, own, again in (
        (Kind.ANNOUNCEMENT, True, False),
        (Kind.ANSWER, True, False),
        (Kind.ANSWER, False, True),
        (Kind.READ_BACK, False, False),
        (Kind.CUE, False, False),
    ):
        one = Listener()
        one.put("x", kind)
        one.wait(NOTICED_MS)
        one.happens(VoiceBegan("somebody", own))
        one.happens(VoiceEnded("somebody"))
        one.wait(10_000)
        assert one.started == (["x", "x"] if again else ["x"]), kind


def test_keys_cut_what_plays() -> None:
    for key, kind, cut in (
        ("talk", Kind.ANNOUNCEMENT, True),
        ("stop", Kind.ANNOUNCEMENT, True),
        ("press", Kind.ANNOUNCEMENT, False),
        ("press", Kind.READ_BACK, True),
        ("press", Kind.ANSWER, True),
        ("stop", Kind.CUE, True),
        ("page", Kind.PAGE, True),
        ("page", Kind.ANSWER, True),
        ("page", Kind.ANNOUNCEMENT, False),
        ("page", Kind.LINK, False),
    ):
        one = Listener()
        one.put("x", kind)
        one.wait(NOTICED_MS)
        acts = one.happens(KeyPressed(key))
        assert (acts == (Stop(Phrase("x", kind, 1_000), key, NOTICED_MS),)) is cut
        one.wait(5_000)
        assert one.started == ["x"]


def test_news_that_were_cut_before_they_could_be_noticed_are_said_again_unless_by_a_key_for_the_ear() -> None:
    """A draw offer, a ruling or a flag is heard by ear or not at all; what was asked for can be asked for again."""
    events = [KeyPressed(key) for key in ("talk", "press", "page", "stop", "next")]
    for event in (VoiceBegan("me", own=True), *events):
        again = event not in (KeyPressed("stop"), KeyPressed("next"))
        for kind, asked in ((Kind.ANNOUNCEMENT, False), (Kind.ANSWER, False), (Kind.ANSWER, True)):
            one = Listener()
            one.happens(Enqueue(Phrase("x", kind, 1_000, asked=asked)))
            one.wait(NOTICED_MS - 1)
            one.happens(event)
            one.happens(VoiceEnded("me"))
            one.wait(10_000)
            left_on = event in (KeyPressed("press"), KeyPressed("page")) and kind is Kind.ANNOUNCEMENT
            assert one.started == (["x", "x"] if again and not asked and not left_on else ["x"]), (event, kind, asked)


def test_the_press_cuts_the_read_back_that_waits_and_stop_all_but_news() -> None:
    for key, left in (("press", ["move", "answer", "cue"]), ("stop", ["move"])):
        one = Listener()
        one.happens(VoiceBegan("opponent"))
        one.happens(Enqueue(Phrase("answer", Kind.ANSWER, 1_000, asked=True)))
        for id, kind in (("back", Kind.READ_BACK), ("cue", Kind.CUE)):
            one.put(id, kind)
        one.put("move", Kind.ANNOUNCEMENT)
        one.happens(KeyPressed(key))
        one.happens(VoiceEnded("opponent"))
        one.wait(20_000)
        assert one.started == left


def test_a_time_that_waits_is_stale_with_the_clock_that_it_tells_of_and_so_are_the_listeners_own_cues() -> None:
    for cues_over, ended in ((True, ["cue", "time"]), (False, ["time"])):
        one = Listener()
        one.happens(VoiceBegan("opponent"))
        one.happens(Enqueue(Phrase("answer", Kind.ANSWER, 1_000, asked=True)))
        one.happens(Enqueue(Phrase("time", Kind.ANSWER, 1_000, good_until=50_000, asked=True)))
        one.happens(Enqueue(Phrase("question", Kind.ANSWER, 1_000, good_until=50_000, asked=True, asks="consent")))
        one.put("cue", Kind.CUE)
        one.happens(ClockChanged(cues_over))
        one.happens(VoiceEnded("opponent"))
        one.wait(20_000)
        assert sorted(one.started) == sorted({"answer", "question", "cue", "time"} - {*ended})
        assert sorted(one.ended) == [(id, "stale") for id in ended]


def test_stop_leaves_the_news_that_waits_and_ends_the_whole_message_that_sounds() -> None:
    """A ruling or a question that nobody asked for is heard by ear or not at all; each takes a key of its own."""
    one = Listener()
    parts = [Phrase(f"part{number}", Kind.ANSWER, 1_000, message="a") for number in range(3)]
    answer = Phrase("answer", Kind.ANSWER, 1_000, asked=True)
    for phrase in (*parts, Phrase("ruling", Kind.ANSWER, 1_000), answer, Phrase("back", Kind.READ_BACK, 1_000)):
        one.happens(Enqueue(phrase))
    one.wait(NOTICED_MS)
    one.happens(KeyPressed("stop"))
    one.wait(20_000)
    assert one.started == ["part0", "ruling"]
    one.put("question", Kind.ANSWER)
    one.put("offer", Kind.ANSWER)
    one.wait(NOTICED_MS)
    one.happens(KeyPressed("stop"))
    one.wait(20_000)
    assert one.started[2:] == ["question", "offer"]


def test_nothing_more_is_said_of_what_is_answered_and_its_rest_waits_where_it_is_said_again() -> None:
    first = Phrase("first", Kind.ANSWER, 1_000, about="square", message="a")
    rest = Phrase("rest", Kind.ANSWER, 1_000, asked=True, piece=1, message="a")
    cases: list[tuple[int, Event, list[str]]] = [
        (NOTICED_MS - 1, VoiceBegan("me", own=True), ["first", "first", "rest"]),
        (NOTICED_MS, VoiceBegan("me", own=True), ["first"]),
        (NOTICED_MS - 1, KeyPressed("talk"), ["first", "first", "rest"]),
        (0, Asked(cuts_all=False, answered="square"), ["first"]),
        (0, Asked(cuts_all=False, answered="another"), ["first"]),
        (0, Asked(cuts_all=False), ["first"]),
    ]
    for heard_ms, event, started in cases:
        one = Listener()
        for phrase in (first, rest):
            one.happens(Enqueue(phrase))
        one.wait(heard_ms)
        one.happens(event)
        one.happens(VoiceEnded("me"))
        one.wait(10_000)
        assert one.started == started, (heard_ms, event)
        about_it = isinstance(event, Asked) and event.answered == "square"
        assert about_it == (("first", "asked") in one.ended)
    one = Listener()
    one.happens(VoiceBegan("opponent"))
    one.happens(Enqueue(first))
    one.happens(Asked(cuts_all=False, answered="square"))
    one.happens(VoiceEnded("opponent"))
    one.wait(10_000)
    assert one.started == []


def test_a_key_and_then_the_voice_leave_nothing_or_all_of_what_they_cut_at_its_beginning() -> None:
    one = Listener()
    one.happens(Enqueue(Phrase("first", Kind.ANSWER, 1_500, message="m")))
    one.happens(Enqueue(Phrase("rest", Kind.ANSWER, 1_500, asked=True, piece=1, message="m", whole=True)))
    one.wait(300)
    one.happens(KeyPressed("talk"))
    one.wait(300)
    one.happens(VoiceBegan("me", own=True))
    one.happens(VoiceEnded("me"))
    one.wait(10_000)
    assert one.started == ["first", "first", "rest"]


def test_a_question_that_is_settled_is_not_asked_and_the_rest_of_what_is_read_goes_on() -> None:
    question = Phrase("question", Kind.ANSWER, 1_000, asked=True, asks="words")
    consent = Phrase("consent", Kind.ANSWER, 1_000, asked=True, asks="consent")
    square = Phrase("square", Kind.ANSWER, 1_000, about="square", message="a", whole=True)
    rest = Phrase("rest", Kind.ANSWER, 1_000, asked=True, piece=1, message="a", whole=True)
    answer = Phrase("answer", Kind.ANSWER, 1_000, asked=True, piece=1, message="b")
    for phrases, waited, started in (
        ((question, square), 0, ["question", "square"]),  # the question sounds
        ((square, rest, question), 0, ["square", "rest"]),  # it waits
        ((square, rest), GAP_MS + 1_000, ["square", "rest"]),  # it was heard, and the rest of the square sounds
        ((question, answer), 0, ["question", "answer"]),
        ((consent, question), 0, ["consent"]),  # another question stands
    ):
        one = Listener()
        for phrase in phrases:
            one.happens(Enqueue(phrase))
        one.wait(waited)
        one.happens(QuestionSettled("words"))
        one.wait(10_000)
        assert one.started == started
        assert one.ended == ([("question", "asked")] if question in phrases else [])
    again = Listener()
    again.happens(Enqueue(question))
    again.wait(2_000)
    again.happens(Repeat("again"))
    again.happens(QuestionSettled("words"))
    assert again.ended == [("again", "asked")]
    again.happens(Repeat("once more"))
    again.wait(2_000)
    assert again.started == ["question", "again"], "its answer would be a new one"


def test_a_doubtful_read_back_that_another_voice_cut_off_is_said_again_and_one_that_is_sure_is_not() -> None:
    for doubtful, own, again in ((True, False, True), (True, True, False), (False, False, False)):
        one = Listener()
        one.happens(Enqueue(Phrase("back", Kind.READ_BACK, 1_000, doubtful=doubtful)))
        one.wait(NOTICED_MS)
        one.happens(VoiceBegan("somebody", own))
        one.happens(VoiceEnded("somebody"))
        one.wait(10_000)
        assert one.started == (["back", "back"] if again else ["back"])


def test_of_what_the_page_says_only_the_newest_counts_and_it_is_never_the_last_phrase() -> None:
    one = Listener()
    one.happens(VoiceBegan("opponent"))
    one.put("answer", Kind.ANSWER)
    for id in ("a", "b", "c"):
        one.happens(KeyPressed("page"))
        one.put(id, Kind.PAGE, about="page")
    one.put("move", Kind.ANNOUNCEMENT)
    one.happens(VoiceEnded("opponent"))
    one.wait(20_000)
    assert one.started == ["move", "answer", "c"]
    one.happens(Repeat("again"))
    one.wait(5_000)
    assert one.ear.last is not None and one.acts[-1][1] == Start(Phrase("again", Kind.ANSWER, 1_000, None, "again"))


def test_that_the_line_is_back_is_not_the_last_phrase() -> None:
    one = Listener()
    one.put("answer", Kind.ANSWER)
    one.wait(5_000)
    one.put("back", Kind.LINK, about=LINE_BACK)
    one.wait(5_000)
    one.happens(Repeat("again"))
    assert one.started == ["answer", "back", "again"] and one.acts[-1][1].phrase.kind is Kind.ANSWER


def test_after_the_talk_key_nothing_starts_before_the_voice_is_there() -> None:
    one = Listener()
    one.happens(KeyPressed("talk"))
    one.put("answer", Kind.ANSWER)
    one.wait(AFTER_TALK_KEY_MS - 1)
    assert one.started == []
    one.wait(1)
    assert one.started == ["answer"]


def test_the_last_phrase_again_a_cue_is_none_and_what_is_not_true_any_more_is_not_said() -> None:
    one = Listener()
    assert one.happens(Repeat("r0")) == ()
    one.put("answer", Kind.ANSWER)
    one.put("cue", Kind.CUE, 100)
    one.wait(5_000)
    one.happens(Repeat("r1"))
    one.wait(500)
    one.happens(Repeat("r2"))
    one.wait(5_000)
    assert one.started == ["answer", "cue", "r1", "r2"] and one.ended == [("r1", "repeat")]
    time = Listener()
    time.put("time", Kind.ANSWER, good_until=3_000)
    time.wait(2_500)
    time.happens(Repeat("later"))
    assert time.started == ["time"] and time.ended == [("later", "stale")]


def test_a_newer_answer_about_the_same_takes_the_place_of_one_that_waits() -> None:
    one = Listener()
    one.happens(VoiceBegan("opponent"))
    one.put("old", Kind.ANSWER, about="time")
    one.put("new", Kind.ANSWER, about="time")
    one.happens(VoiceEnded("opponent"))
    one.wait(5_000)
    assert one.started == ["new"] and one.ended == [("old", "newer")]


def test_what_is_too_late_is_dropped_and_a_sink_that_tells_no_end_holds_nothing_up() -> None:
    one = Listener()
    one.put("first", Kind.ANSWER)
    one.put("cue", Kind.CUE, good_until=1_500)
    one.put("next", Kind.ANSWER)
    due = wake_at(one.ear)
    assert due == 1_000 + 1_000 + MARGIN_MS
    one.now = due
    one.happens(Tick())
    assert one.ended == [("cue", "stale")]
    one.now += GAP_MS
    one.happens(Tick())
    assert one.started == ["first", "next"]


def test_where_nothing_can_play_what_matters_waits_for_the_line() -> None:
    one = Listener()
    one.put("move", Kind.ANNOUNCEMENT)
    one.wait(300)
    one.happens(There(False))
    one.put("answer", Kind.ANSWER, good_until=one.now + 1_000)
    one.wait(60_000)
    one.happens(There(True))
    one.wait(10_000)
    assert one.started == ["move", "move"] and ("answer", "stale") in one.ended


def test_the_wait_is_counted_from_the_real_beginning() -> None:
    one = Listener()
    one.put("move", Kind.ANNOUNCEMENT)
    one.now += 700
    one.happens(Began("move"))
    assert wake_at(one.ear) == one.now + 1_000 + MARGIN_MS
    one.happens(Began("another"))
    one.happens(PhraseEnded("another"))
    assert one.ear.playing is not None


def test_too_many_cost_a_cue_before_an_answer_and_never_an_announcement() -> None:
    one = Listener()
    one.happens(VoiceBegan("opponent"))
    for number in range(LONGEST):
        one.put(f"cue{number}", Kind.CUE)
    for number in range(LONGEST):
        one.put(f"move{number}", Kind.ANNOUNCEMENT)
    assert [phrase.id for phrase in one.ear.waiting] == [f"move{number}" for number in range(LONGEST)]
    assert one.ended[0] == ("cue0", "too many")


KINDS = st.sampled_from(list(Kind))
THINGS = st.one_of(
    st.tuples(st.just("put"), KINDS, st.integers(1, 3_000)),
    st.tuples(st.just("voice"), st.sampled_from(["own", "other"]), st.booleans()),
    st.tuples(st.just("key"), st.sampled_from(["talk", "press", "stop"]), st.just(0)),
    st.tuples(st.just("repeat"), st.just(""), st.just(0)),
    st.tuples(st.just("there"), st.booleans(), st.just(0)),
)


@given(st.lists(st.tuples(st.integers(0, 3_000), THINGS), max_size=60))
def test_never_two_voices_never_over_a_human_one_and_nothing_that_must_be_heard_is_lost(
    things: list[tuple[int, tuple[str, object, object]]],
) -> None:
    one = Listener()
    put: dict[str, Phrase] = {}
    for number, (wait, (what, first, second)) in enumerate(things):
        one.wait(wait)
        match what:
            case "put":
                assert isinstance(first, Kind) and isinstance(second, int)
                put[str(number)] = Phrase(str(number), first, second)
                one.happens(Enqueue(put[str(number)]))
            case "voice":
                one.happens(VoiceBegan(str(first), first == "own") if second else VoiceEnded(str(first)))
            case "key":
                one.happens(KeyPressed(str(first)))
            case "repeat":
                one.happens(Repeat(f"r{number}"))
            case _:
                one.happens(There(bool(first)))
        assert one.ear.playing is None or (not one.ear.voices and one.ear.there)
        assert [phrase.rank for phrase in one.ear.waiting] == sorted(phrase.rank for phrase in one.ear.waiting)
    for who in ("own", "other"):
        one.happens(VoiceEnded(who))
    one.happens(There(True))
    one.wait(1_000_000)
    assert one.ear.playing is None and one.ear.waiting == (), "everything comes to an end"

    sounding: tuple[str, int] | None = None
    silent_since = -GAP_MS
    ends = {}
    for now, act in one.acts:
        if isinstance(act, Start):
            if sounding is not None:
                id, since = sounding
                ends[id] = "heard"
                silent_since = since + put_length(one, id)
            assert now - silent_since >= GAP_MS, "two voices in one ear, or no gap"
            sounding = (act.phrase.id, now)
            ends.pop(act.phrase.id, None)
        elif isinstance(act, Stop):
            assert sounding is not None and sounding[0] == act.phrase.id
            ends[act.phrase.id] = "again" if act.again else "cut"
            sounding, silent_since = None, now
        else:
            ends[act.phrase.id] = act.why
    for id, phrase in put.items():
        if phrase.kind in MUST_BE_HEARD:
            assert ends.get(id, "heard") in ("heard", "cut"), "only the player's own key or voice cuts it off"
            assert id in one.started


def put_length(one: Listener, id: str) -> int:
    return next(act.phrase.length_ms for _, act in one.acts if act.phrase.id == id)


def test_an_ear_is_a_value() -> None:
    before = Ear()
    after, _ = step(before, Enqueue(Phrase("x", Kind.CUE, 1)), 0)
    assert before == Ear() and after != before
    assert msgspec.json.decode(msgspec.json.encode(Drop(Phrase("x", Kind.CUE, 1), "stale")))["why"] == "stale"


def test_a_repeat_key_held_down_fills_no_queue_before_the_opponents_next_move() -> None:
    one = Listener()
    one.put("move", Kind.ANNOUNCEMENT)
    one.wait(500)
    for number in range(200):
        one.happens(Repeat(f"r{number}"))
    one.put("next move", Kind.ANNOUNCEMENT)
    one.wait(5_000)
    assert one.started == ["move", "r199", "next move"]
    assert not one.ear.waiting
