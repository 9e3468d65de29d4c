"""Voice activity over real synthesised speech: whole utterances in noise, and nothing of a neighbour."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from speech.audio.level import level_of, levels
from speech.audio.sound import Sound
from speech.audio.vad import Activity, ActivitySettings, load_activity
from speech.complaint import Complaint
from speech.training.curves.babble import with_babble
from speech.voices.joining import trim_silence
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import SPEAKERS, announcements, phrase, rendered

GAP = bytes(2 * 16_000 * 3 // 2)
Span = tuple[int, int]


class Stream:
    """Utterances with pauses between them, where each lies (samples), and how loud they are."""

    def __init__(self, utterances: list[bytes]) -> None:
        self.spans: list[Span] = []
        pcm = b""
        for one in utterances:
            pcm += GAP
            self.spans.append((len(pcm) // 2, (len(pcm) + len(one)) // 2))
            pcm += one
        self.pcm = pcm + GAP
        self.own_dbfs = levels(b"".join(utterances)).speech_dbfs


@pytest.fixture(scope="module")
def spoken(german: Scheme) -> list[bytes]:
    chosen = [phrase(words, german, SPEAKERS[n % len(SPEAKERS)]) for n, words in enumerate(announcements(14, 11))]
    return [trim_silence(Sound(pcm, 16_000)).pcm for pcm in asyncio.run(rendered(chosen))]


def cut(activity: Activity, pcm: bytes, step: int = 640) -> list[Span]:
    """Begin and end of every utterance found, in samples."""
    found: list[Span] = []
    begin = 0
    for place in range(0, len(pcm), step):
        pieces = activity.take(pcm[place : place + step])
        now = place + step
        if pieces and pieces[0].begins:
            begin = now // 2 - 320 * len(pieces)
        if pieces and pieces[-1].ends:
            found.append((begin, now // 2))
    return found


def noisy(pcm: bytes, own_dbfs: float, ratio_db: float, seed: int = 3) -> bytes:
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    hiss = np.random.default_rng(seed).normal(0.0, 32_768 * 10 ** ((own_dbfs - ratio_db) / 20), len(samples))
    return np.clip(samples + hiss, -32_768, 32_767).astype("<i2").tobytes()


def whole(found: list[Span], spans: list[Span]) -> int:
    """How many utterances were taken each in one piece of its own, its first and last 60 ms included."""
    count = 0
    for begin, end in spans:
        over = [(first, last) for first, last in found if first < end and last > begin]
        others = [1 for one, other in spans if over and over[0][0] < other and over[0][1] > one]
        count += len(over) == 1 and len(others) == 1 and over[0][0] <= begin + 480 and over[0][1] >= end - 960
    return count


@pytest.mark.parametrize("kind", ["clean", "white 20 dB", "babble 20 dB"])
def test_every_utterance_is_taken_whole_and_by_itself(spoken: list[bytes], kind: str) -> None:
    stream = Stream(spoken[:8])
    if kind == "babble 20 dB":
        pcm = with_babble(stream.pcm, [b"".join(spoken[place::6]) for place in range(6)], 20.0, 5)
    else:
        pcm = noisy(stream.pcm, stream.own_dbfs, 60.0 if kind == "clean" else 20.0)
    found = cut(Activity(stream.own_dbfs, load_activity()), pcm)
    assert (whole(found, stream.spans), len(found)) == (8, 8)
    late = [last - end for (_, last), (_, end) in zip(found, stream.spans, strict=True)]
    assert max(late) <= 16 * 700, "the end is found within the hang-over"


def test_the_moment_before_its_first_loud_frame_is_part_of_it(spoken: list[bytes]) -> None:
    stream = Stream(spoken[:3])
    found = cut(Activity(stream.own_dbfs, load_activity()), noisy(stream.pcm, stream.own_dbfs, 60.0))
    # A soft first sound takes its share of the 300 ms; what a sharp one leaves is shown in test_open_microphone.
    assert all(begin - first >= 16 * 120 for (first, _), (begin, _) in zip(found, stream.spans, strict=True))


def test_a_neighbour_twenty_decibels_below_the_player_is_not_taken(spoken: list[bytes]) -> None:
    stream = Stream(spoken[:8])
    neighbour = np.frombuffer(Stream(spoken[8:]).pcm, "<i2") // 10
    assert cut(Activity(stream.own_dbfs, load_activity()), neighbour.astype("<i2").tobytes()) == []


def test_what_does_not_end_is_cut_and_nothing_follows_before_a_silence(spoken: list[bytes]) -> None:
    talk = b"".join(spoken) * 3
    activity = Activity(levels(talk).speech_dbfs, load_activity())
    longest = load_activity().longest_ms
    found = cut(activity, talk + GAP + spoken[0] + GAP)
    assert found[0][1] - found[0][0] == longest * 16
    assert len(found) == 2 and found[1][0] >= len(talk) // 2


def test_our_own_voice_is_never_speech(spoken: list[bytes]) -> None:
    activity = Activity(levels(spoken[0]).speech_dbfs, load_activity())
    assert [piece for _ in range(5) for piece in activity.take(spoken[0], muted=True)] == []
    assert activity.take(spoken[0])[0].begins
    assert activity.open
    assert any(piece.ends and piece.muted for piece in activity.take(bytes(2 * 16_000), muted=True))


def test_sound_in_any_pieces_gives_the_same_utterances(spoken: list[bytes]) -> None:
    stream = Stream(spoken[:3])
    pcm = noisy(stream.pcm, stream.own_dbfs, 30.0)

    def joined(step: int) -> bytes:
        activity = Activity(stream.own_dbfs, load_activity())
        return b"".join(p.pcm for at in range(0, len(pcm), step) for p in activity.take(pcm[at : at + step]))

    assert joined(640) == joined(146) == joined(6_400)


def test_the_level_of_silence_and_of_full_scale() -> None:
    assert level_of(bytes(640)) == -96.0
    assert abs(level_of(np.tile(np.array([32_767, -32_767], "<i2"), 160).tobytes())) < 0.01


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("begin_frames = 4", "begin_frames = 9"),
        ("hangover_ms = 600", "hangover_ms = 0"),
        ("floor_share = 0.15", "floor_share = 1.5"),
        ("above_floor_db = 9.0", "above_the_floor = 9.0"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, line: str, said: str) -> None:
    text = files("config").joinpath("voice_activity.toml").read_text("utf-8")
    assert line in text
    (tmp_path / "voice_activity.toml").write_text(text.replace(line, said))
    with pytest.raises(Complaint, match=r"voice_activity\.toml"):
        load_activity(tmp_path)


def test_the_settings_are_those_of_the_file() -> None:
    assert isinstance(load_activity(), ActivitySettings) and load_activity().preroll_ms == 300
