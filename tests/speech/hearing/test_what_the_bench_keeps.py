"""What `tests/bench/hearing` keeps is heard again when something that decides it has changed, and only then."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from speech.recognisers.recogniser import Hypotheses, Hypothesis, Vocabulary, WordHeard
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.loading import load_scheme
from tests.bench.listening.judging import BOTH, Ears
from tests.bench.listening.keeping import Kept, digest_of_code
from tests.bench.listening.remembering import Remembering, remembering_whisper

SOUND = b"\x01\x02" * 800


class Counting:
    """An engine that hears the same in everything, or nothing, and counts how often it had to listen."""

    def __init__(self, name: str, words: tuple[str, ...] = ("piece.knight", "file.f", "rank.3")) -> None:
        self.name, self.asked = name, 0
        self._ranked = (Hypothesis(tuple(WordHeard(word, 0.9) for word in words), -1.0),) if words else ()

    async def start(self) -> None:
        """Nothing to start."""

    async def close(self) -> None:
        """Nothing to end."""

    async def recognise(self, _pcm: bytes, _vocabulary: Vocabulary) -> Hypotheses:
        self.asked += 1
        return Hypotheses(self.name, self._ranked)


async def _digest(vocabulary: Vocabulary) -> bytes:
    return vocabulary.name.encode()


def remembered(engine: Counting, folder: Path, model: bytes = b"model") -> Remembering:
    return Remembering(engine, Kept(folder), model, _digest)  # type: ignore[arg-type]


async def test_a_second_run_hears_nothing_again(tmp_path: Path) -> None:
    vocabulary = vocabulary_of(load_scheme("d21", "de"))
    first, second, other = Counting("own"), Counting("own"), Counting("own")
    heard = await remembered(first, tmp_path).recognise(SOUND, vocabulary)
    assert await remembered(second, tmp_path).recognise(SOUND, vocabulary) == heard
    await remembered(other, tmp_path, b"another model").recognise(SOUND, vocabulary)
    assert (first.asked, second.asked, other.asked) == (1, 0, 1)


@pytest.mark.parametrize(
    ("written", "alike"),
    [
        ('"""Another."""\n\n# why\nimport re\n\ndef level(x):\n    """Told."""\n    return x + 1\n', True),
        ("def level(x):\n    return x + 2\n", False),
        ("STEP = 3\n\ndef level(x):\n    return x + 1\n", False),
    ],
)
def test_only_what_a_file_does_counts(tmp_path: Path, written: str, alike: bool) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text("def level(x):\n    return x + 1\n", "utf-8")
    after.write_text(written, "utf-8")
    assert (digest_of_code([before]) == digest_of_code([after])) is alike


@pytest.mark.needs("whisper")
async def test_whisper_is_asked_again_for_other_words_alone(tmp_path: Path) -> None:
    """Its key is made of its code, model, words and graph: no curve, threshold or model of ours is among them."""
    whole = vocabulary_of(load_scheme("d21", "de"))
    whisper = remembering_whisper(Kept(tmp_path), 1)
    renamed = msgspec.structs.replace(whole, name="another name")
    said_otherwise = msgspec.structs.replace(
        whole, name="said otherwise", forms={**whole.forms, "file.a": ("Arnold", "Bella")}
    )
    english = vocabulary_of(load_scheme("d21", "en"))
    key = await whisper.key(SOUND, whole)
    assert await whisper.key(SOUND, renamed) == key
    assert len({key, *[await whisper.key(SOUND, one) for one in (said_otherwise, english)]}) == 3
    assert await whisper.key(SOUND + SOUND, whole) != key


async def test_who_has_no_row_hears_only_what_both_ask_for(tmp_path: Path) -> None:
    scheme = load_scheme("d21", "de")
    whisper, own = Counting("whisper", ()), Counting("own", ())
    engines = [remembered(own, tmp_path, b"own"), remembered(whisper, tmp_path, b"whisper")]
    ears = Ears(engines, ("own", BOTH))
    await ears.listen([SOUND], scheme, ("own",))
    assert (ears.names, ears.compared) == (("own", BOTH), False)
    assert (whisper.asked, own.asked) == (0, 1)
    await ears.listen([SOUND], scheme)
    assert (whisper.asked, own.asked) == (1, 1), "our own ear heard nothing, so the other is asked for both"
    await ears.verdict(BOTH, SOUND, scheme)
    assert (whisper.asked, own.asked) == (1, 1), "what it heard is kept"
    assert Ears(engines).names == ("own", "whisper", BOTH)
