"""What one ear is sure of is taken without asking the other: on engines that write down what they are asked."""

from __future__ import annotations

import asyncio
import math
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.combine import Combination
from speech.hearing.confidence import Curve, meaning
from speech.hearing.hearing import Hearing
from speech.hearing.settings import HearingSettings, SecondOpinion, Thresholds, load_hearing
from speech.hearing.verdict import judge_utterance
from speech.process import ChildFailed
from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Utterance, Vocabulary, WordHeard
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered

E4, A4 = ("piece.pawn", "file.e", "rank.4"), ("piece.pawn", "file.a", "rank.4")
YES, NO = ("cmd.yes",), ("cmd.no",)
SOUND = bytes(3_200)
SURE, UNSURE, FAIR = 6.0, 2.5, 3.2

CURVE = Curve(0.0, {"fit": 1.0})
EACH = {"own.with": 1.0, "whisper.with": 1.0, "own.doubt": -2.0, "whisper.doubt": -2.0}
HOW = Combination(
    candidates={"whisper.gap": 0.5, "whisper.unlisted": 1.0, "own.gap": 0.5, "own.unlisted": 1.0},
    right=Curve(0.0, EACH),
    for_us=Curve(3.0, {}),
    before=0.5,
    twice=Curve(0.0, {"now": 0.7, "then": 0.7, "now_other": -1.0, "then_other": -1.0}),
)
SETTINGS = HearingSettings(
    provenance={},
    thresholds=Thresholds(accept=0.95, confirm=0.93, for_us=0.1, word=0.02, against=0.975),
    right={"whisper": CURVE, "own": CURVE},
    for_us={"whisper": CURVE, "own": CURVE},
    together={"whisper": HOW, "own": HOW, "own+whisper": HOW},
    second_opinion=SecondOpinion(alone={"own": 0.97}, wait_ms=200, late_ms=20_000, languages=("de",)),
)


class WrittenEngine:
    """Hears what it is told to, and writes down the sounds that it was given; `free`: when it answers."""

    def __init__(self, name: str, words: tuple[str, ...], sure: float) -> None:
        self.name = name
        self.words = words
        self.sure = sure
        self.given: list[bytes] = []
        self.free = asyncio.Event()
        self.free.set()
        self.dead = False
        self.busy = self.most = 0

    async def start(self) -> None:
        return None

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        self.given.append(pcm)
        self.busy += 1
        self.most = max(self.most, self.busy)
        await self.free.wait()
        self.busy -= 1
        if self.dead:
            raise ChildFailed("The engine was ended by SIGKILL.")
        ranked = (Hypothesis(tuple(WordHeard(word, 0.9) for word in self.words), 0.0),)
        return Hypotheses(self.name, ranked, {"fit": self.sure, "words": 3.0})

    async def close(self) -> None:
        return None


def engines(own: tuple[str, ...], sure: float, whisper: tuple[str, ...] = E4) -> tuple[WrittenEngine, WrittenEngine]:
    return WrittenEngine("whisper", whisper, SURE), WrittenEngine("own", own, sure)


async def test_a_sure_ear_is_enough_and_the_other_does_no_work(german: Scheme) -> None:
    whisper, own = engines(E4, SURE, whisper=A4)
    found = await Hearing([own, whisper], SETTINGS).hear(SOUND, german)
    assert (found.verdict, found.engine, found.words) == ("accept", "own", E4)
    assert own.given == [SOUND] and whisper.given == []
    assert [one.engine for one in found.found] == ["own"]


async def test_an_unsure_ear_has_the_other_asked_about_the_same_sound(german: Scheme) -> None:
    for heard, verdict in ((E4, "accept"), (A4, "repeat")):
        whisper, own = engines(E4, UNSURE, whisper=heard)
        found = await Hearing([own, whisper], SETTINGS).hear(SOUND, german)
        assert (found.verdict, found.engine) == (verdict, "own+whisper")
        assert whisper.given == own.given == [SOUND]


async def test_what_left_one_ear_in_doubt_is_read_back_where_both_are_not_surer_than_usual(german: Scheme) -> None:
    for least, verdict in ((0.999, "accept"), (0.9999, "confirm")):
        second = msgspec.structs.replace(SETTINGS.second_opinion, accept=least)
        careful = msgspec.structs.replace(SETTINGS, second_opinion=second)
        whisper, own = engines(E4, UNSURE)
        found = await Hearing([own, whisper], careful).hear(SOUND, german)
        assert (found.verdict, found.sure) == (verdict, verdict == "confirm"), "sure, and read back all the same"
        whisper, own = engines(E4, SURE)
        assert (await Hearing([own, whisper], careful).hear(SOUND, german)).engine == "own", "a sure ear is enough"


async def test_a_letter_is_never_taken_from_one_ear_that_is_not_sure_of_letters(german: Scheme) -> None:
    b4 = ("letter.b", "rank.4")
    steps = msgspec.structs.replace(SETTINGS.thresholds, letters=0.9999)
    careful = msgspec.structs.replace(SETTINGS, thresholds=steps)
    for other, sure, verdict in (
        (b4, UNSURE, "confirm"),
        (b4, SURE, "accept"),
        (("letter.d", "rank.4"), SURE, "repeat"),
    ):
        whisper, own = engines(b4, SURE, whisper=other)
        whisper.sure = sure
        found = await Hearing([own, whisper], careful).hear(SOUND, german)
        assert (found.verdict, found.engine) == (verdict, "own+whisper")


async def test_no_command_is_taken_from_one_ear(german: Scheme) -> None:
    whisper, own = engines(YES, SURE, whisper=NO)
    found = await Hearing([own, whisper], SETTINGS).hear(SOUND, german)
    assert (found.verdict, found.engine) == ("repeat", "own+whisper")
    whisper, own = engines(YES, SURE, whisper=YES)
    assert (await Hearing([own, whisper], SETTINGS).hear(SOUND, german)).verdict == "accept"
    assert whisper.given == [SOUND]


async def test_in_a_language_that_the_second_ear_hardly_knows_the_first_decides(german: Scheme) -> None:
    """35.3: na'am and la are ours; German names of an Arabic listener's table are for both."""
    for sure, verdict in ((SURE, "accept"), (UNSURE, "repeat")):
        whisper, own = engines(YES, sure, whisper=NO)
        found = await Hearing([own, whisper], SETTINGS).hear(SOUND, load_scheme("d21", "ar"))
        assert (found.verdict, found.engine, whisper.given) == (verdict, "own", [])
    whisper, own = engines(E4, UNSURE)
    assert (await Hearing([own, whisper], SETTINGS).hear(SOUND, load_scheme("national", "ar"))).engine == "own"
    for scheme in (load_scheme("d21", "ar"), german):
        assert (await Hearing([own, whisper], SETTINGS).hear(SOUND, scheme)).engine == "own+whisper"
    whisper, own = engines((), UNSURE)
    assert (await Hearing([own, whisper], SETTINGS).hear(SOUND, load_scheme("national", "ar"))).engine == "own+whisper"


@pytest.mark.parametrize("own", [E4, ()])
async def test_a_verdict_that_would_come_late_asks_again_and_nothing_is_taken_from_it(
    german: Scheme, own: tuple[str, ...]
) -> None:
    """35.7: lateness never accepts; who plays nothing may wait."""
    second = msgspec.structs.replace(SETTINGS.second_opinion, wait_ms=300, late_ms=300)
    hurried = msgspec.structs.replace(SETTINGS, second_opinion=second)
    pair = engines(own, FAIR)
    pair[0].free.clear()
    late = await Hearing(pair[::-1], hurried).hear(SOUND, german)
    assert (late.verdict, late.engine) in (("repeat", "own"), ("reject", "own")) and pair[0].given == [SOUND]
    waiting = asyncio.create_task(Hearing(pair[::-1], hurried, patient=True).hear(SOUND, german))
    while len(pair[0].given) < 2:
        await asyncio.sleep(0)
    pair[0].free.set()
    assert (await waiting).engine == "own+whisper"


async def test_nothing_is_recorded_that_one_ear_alone_heard_unless_it_is_very_sure_by_itself(german: Scheme) -> None:
    """35.3: two that agree, or one very sure; whatever the sum of both says."""
    likes_whisper = {**HOW.candidates, "whisper.unlisted": 2.0}
    trusting = msgspec.structs.replace(HOW, right=Curve(9.0, {}), candidates=likes_whisper)
    settings = msgspec.structs.replace(SETTINGS, together={"own": HOW, "own+whisper": trusting})
    for other, sure, verdict in (
        (E4, FAIR, "accept"),
        (A4, FAIR, "confirm"),
        ((), FAIR, "confirm"),
        (A4, SURE, "accept"),
    ):
        whisper, own = engines(E4, UNSURE, whisper=other)
        whisper.sure = UNSURE
        own.sure = FAIR if sure is FAIR else UNSURE
        if sure is SURE:
            whisper.words, whisper.sure, own.words = E4, SURE, A4
        found = await Hearing([own, whisper], settings).hear(SOUND, german)
        assert (found.verdict, found.engine) == (verdict, "own+whisper")
    steps = msgspec.structs.replace(settings.thresholds, contradicted=0.8)
    timid = msgspec.structs.replace(settings, thresholds=steps)
    for other_is, verdict in ((UNSURE, "repeat"), (1.0, "confirm")):
        whisper, own = engines(E4, other_is, whisper=A4)
        whisper.sure = UNSURE
        assert (await Hearing([own, whisper], timid).hear(SOUND, german)).verdict == verdict, "a sure ear says no"
    asking = msgspec.structs.replace(settings, thresholds=msgspec.structs.replace(steps, command_asked=0.8))
    for words, how, verdict in (
        (YES, settings, "repeat"),
        (YES, asking, "repeat"),
        (("cmd.draw_offer",), asking, "confirm"),
        (("cmd.time",), asking, "confirm"),
        (("cmd.arbiter",), asking, "repeat"),
        (("cmd.time",), settings, "repeat"),
    ):
        whisper, own = engines(words, FAIR, whisper=("word.check",))
        whisper.sure = UNSURE
        found = await Hearing([own, whisper], how).hear(SOUND, german)
        assert found.verdict == verdict and not found.sure, "only what asks first, or tells, is taken in doubt"


B4, D4 = ("letter.b", "rank.4"), ("letter.d", "rank.4")


@pytest.mark.parametrize(
    ("whisper", "shares", "verdict", "asked"),
    [
        (D4, (0.8, 0.2), "repeat", (B4, D4)),  # they differ and neither is sure: which of the two squares?
        (D4, (0.95, 0.05), "confirm", ()),
        (B4, (0.8, 0.2), "confirm", ()),  # both heard it
        (("letter.d", "rank.5"), (0.8, 0.2), "repeat", ()),  # no two squares of one rank: say it again
    ],
)
def test_a_letter_that_the_ears_hear_differently_is_not_guessed(
    whisper: tuple[str, ...], shares: tuple[float, float], verdict: str, asked: tuple[tuple[str, ...], ...]
) -> None:
    steps = msgspec.structs.replace(SETTINGS.thresholds, letters_confirm=0.5, letters_apart=0.9, letters=0.9999)
    steps = msgspec.structs.replace(steps, two_squares=0.6, two_squares_below=0.65)
    how = msgspec.structs.replace(
        HOW, candidates={"own.gap": 1.0, "whisper.gap": 0.0}, right=Curve(2.0, {}), for_us=Curve(3.0, {})
    )
    settings = msgspec.structs.replace(SETTINGS, thresholds=steps, together={"own+whisper": how})
    other = whisper if whisper != B4 else D4
    gap = math.log(shares[0] / shares[1]) ** 2  # the shares of the two as the curve above makes them
    own = Hypotheses("own", (chain(B4, 0.0), chain(other, -gap)), {"fit": UNSURE})
    heard = judge_utterance((own, Hypotheses("whisper", (chain(whisper, 0.0),), {"fit": UNSURE})), settings)
    assert (heard.verdict, heard.two_squares) == (verdict, asked)


def test_a_name_that_the_ears_hear_differently_is_read_back_only_from_an_ear_that_is_sure_of_it() -> None:
    steps = msgspec.structs.replace(SETTINGS.thresholds, names_apart=0.85)
    how = msgspec.structs.replace(HOW, candidates={"own.unlisted": 2.0}, right=Curve(2.7, {}))
    settings = msgspec.structs.replace(SETTINGS, thresholds=steps, together={"own+whisper": how})
    for sure, words, verdict in ((1.7, A4, "repeat"), (1.8, A4, "confirm"), (1.7, E4, "confirm"), (1.7, (), "repeat")):
        own = Hypotheses("own", (chain(E4, 0.0),), {"fit": sure})
        other = Hypotheses("whisper", (chain(words, 0.0),) if words else (), {"fit": 0.5})
        assert judge_utterance((own, other), settings).verdict == verdict, (sure, words)


def test_nothing_is_read_back_that_the_other_ear_takes_for_talk() -> None:
    settings = msgspec.structs.replace(
        SETTINGS,
        thresholds=msgspec.structs.replace(SETTINGS.thresholds, unmeant=0.2),
        for_us={"own": CURVE, "whisper": Curve(-1.0, {"fit": 1.0})},
        together={"own+whisper": msgspec.structs.replace(HOW, candidates={"own.unlisted": 2.0}, right=Curve(2.7, {}))},
    )
    own = Hypotheses("own", (chain(E4, 0.0),), {"fit": UNSURE})
    for words, fit, verdict in ((A4, -1.0, "repeat"), (A4, 1.0, "confirm"), (E4, -1.0, "confirm")):
        other = Hypotheses("whisper", (chain(words, 0.0),), {"fit": fit})
        assert judge_utterance((own, other), settings).verdict == verdict, (words, fit)


def test_an_announcement_that_names_files_in_two_ways_is_asked_for_again_once() -> None:
    """ "Eva kommt um sieben" sounds like "Eva acht Anton sieben"."""
    steps = msgspec.structs.replace(SETTINGS.thresholds, two_squares=0.6, two_squares_below=0.99)
    settings = msgspec.structs.replace(SETTINGS, thresholds=steps)
    for engines_heard in (("own",), ("own", "whisper"), ("own", "vosk")):
        curves = dict.fromkeys((*SETTINGS.right, "vosk"), CURVE)
        settings = msgspec.structs.replace(settings, right=curves, for_us=curves)
        for words, verdict in ((("file.e", "rank.8", "spelling.a", "rank.7"), "repeat"), ((*E4, *E4[1:]), "accept")):
            found = [Hypotheses(name, (chain(words, 0.0),), {"fit": SURE}) for name in engines_heard]
            heard = judge_utterance(found, settings)
            assert (heard.verdict, heard.two_squares) == (verdict, ()), (engines_heard, words)
            assert judge_utterance(found, settings, found).verdict == "accept", "who says it again means it"


def chain(words: tuple[str, ...], score: float) -> Hypothesis:
    return Hypothesis(tuple(WordHeard(word, 0.9) for word in words), score)


async def test_without_an_entry_all_listen_to_everything(german: Scheme) -> None:
    both = msgspec.structs.replace(SETTINGS, second_opinion=SecondOpinion())
    apart = msgspec.structs.replace(SETTINGS, together={"own": HOW})  # nobody fitted these two together
    for settings in (both, apart):
        whisper, own = engines(E4, SURE)
        assert (await Hearing([own, whisper], settings).hear(SOUND, german)).engine == "own+whisper"
        assert whisper.given == own.given == [SOUND]


async def test_a_dead_ear_leaves_the_other_to_judge(german: Scheme) -> None:
    for dead, left in ((0, "own"), (1, "whisper")):
        pair = engines(E4, FAIR)
        pair[dead].dead = True
        found = await Hearing(pair, SETTINGS).hear(SOUND, german)
        assert (found.engine, found.verdict) == (left, "accept")
    for one in (pair := engines(E4, UNSURE)):
        one.dead = True
    with pytest.raises(Complaint, match="SIGKILL"):
        await Hearing(pair, SETTINGS).hear(SOUND, german)


async def test_one_utterance_at_a_time_and_who_waits_too_long_is_asked_again(german: Scheme) -> None:
    whisper, own = engines(E4, FAIR)
    hearing = Hearing([own, whisper], SETTINGS)
    whisper.free.clear()
    first = asyncio.create_task(hearing.hear(SOUND, german))
    while not whisper.given:
        await asyncio.sleep(0)
    late = await hearing.hear(SOUND, german)
    assert (late.verdict, late.engine, late.words) == ("repeat", "own", E4)
    own.sure = SURE
    assert (await hearing.hear(SOUND, german)).verdict == "accept", "what needs no second opinion does not wait"
    own.sure = UNSURE
    waiting = asyncio.create_task(hearing.hear(SOUND, german))
    await asyncio.sleep(0)
    whisper.free.set()
    assert (await first).verdict == (await waiting).verdict == "accept"
    assert whisper.most == 1


async def test_what_was_asked_again_is_judged_by_both_sounds_of_the_ear_that_answers(german: Scheme) -> None:
    whisper, own = engines(A4, UNSURE, whisper=E4)
    hearing = Hearing([own, whisper], SETTINGS)
    doubt = await hearing.hear(SOUND, german)
    assert doubt.verdict == "repeat" and len(doubt.found) == 2
    own.words, own.sure, whisper.given = E4, SURE, []
    settled = await hearing.hear(SOUND, german, after=doubt)
    # Sure as it is now, the same ear heard something else before: the other is asked, and agrees with both.
    assert whisper.given == [SOUND] and meaning(settled.heard) == meaning(understand(E4))
    own.sure = FAIR
    again = await hearing.hear(SOUND, german, after=await hearing.hear(SOUND, german))
    assert again.verdict == "accept"


def changed(text: str, folder: Path) -> HearingSettings:
    (folder / "hearing.toml").write_text(text, "utf-8")
    load_hearing.cache_clear()
    return load_hearing(folder)


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("own = 0.98", "own = 0.5", r"second_opinion\.alone\.own: it must be from thresholds\.accept"),
        ("own = 0.98", "vosk = 0.97", r"second_opinion\.alone\.vosk: there is no curve"),
        ("accept = 0.985", "accept = 0.5", r"second_opinion\.accept: it must be from thresholds\.accept"),
        ("letters = 0.995", "letters = 0.9", r"thresholds\.letters: it must be from thresholds\.accept"),
        ("letters_confirm = 0.5", "letters_confirm = 0.985", r"thresholds\.letters_confirm: it must not be above"),
        ("taken = 0.75", "taken = 0.05", r"thresholds\.taken: it must not be below"),
        (
            "short_taken = 0.5",
            "short_taken = 0.9",
            r"thresholds\.short_taken: it must be from thresholds\.for_us",
        ),
        ("wait_ms = 1500", "wait_ms = -1", r"second_opinion\.wait_ms: expected a whole number at least 0"),
        ("late_ms = 2000", "late_ms = 1000", r"second_opinion\.late_ms: it must not be below wait_ms"),
    ],
)
def test_a_wrong_setting_is_told_by_its_key(tmp_path: Path, was: str, becomes: str, told: str) -> None:
    text = files("config").joinpath("hearing.toml").read_text("utf-8")
    assert text.count(f"\n{was}\n") == 1
    assert changed(text, tmp_path) == load_hearing()
    with pytest.raises(Complaint, match=told):
        changed(text.replace(f"\n{was}\n", f"\n{becomes}\n"), tmp_path)


@pytest.mark.needs("vosk", "whisper")
@pytest.mark.asyncio(loop_scope="session")
async def test_the_engines_in_force_take_clear_announcements_from_our_own_model(ears: Hearing, german: Scheme) -> None:
    """And what it finds alone is never another move than both find together."""
    said = announcements(8, 95)
    sounds = await rendered([phrase(words, german, "m3") for words in said])
    always = msgspec.structs.replace(load_hearing(), second_opinion=SecondOpinion())
    both = Hearing([one for name in ears.engines if (one := ears.engine(name)) is not None], always, patient=True)
    found = [await ears.hear(sound, german) for sound in sounds]
    assert sum(one.engine == "own" for one in found) >= 5
    assert [one for one in found if one.verdict == "accept" and one.words not in said] == []
    for one, sound in zip(found, sounds, strict=True):
        other = await both.hear(sound, german)
        assert other.engine == "own+whisper"
        if "accept" == one.verdict == other.verdict:
            assert meaning(one.heard) == meaning(other.heard)
