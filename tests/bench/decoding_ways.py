"""Three ways to have Whisper write our words alone, beside one another: `python -m tests.bench.decoding_ways`.

`own`: our decoder along the word graph (`speech.recognisers.whisper`). `generate`: CTranslate2 writes ten texts with
every other token suppressed; the first that is an announcement counts. `align`: our own model's list, put in order by
how likely Whisper finds the texts of each. A letter and a rank by people who tune (`kl-Helmut Kriege` with `hd02`, and
a telephone voice); ours alone stands beside. The processor's seconds are an utterance's, encoding included.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import time
from collections.abc import Mapping, Sequence
from itertools import islice, product
from pathlib import Path

import ctranslate2
import msgspec
import numpy as np

from speech.announcements.understand import understand
from speech.hearing.confidence import meaning
from speech.models.whisper import whisper_folder
from speech.recognisers.own.model import shipped_model
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.preparing import prepare_speech
from speech.recognisers.recogniser import SAMPLE_RATE, Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.child import WhisperEngine, Words
from speech.recognisers.whisper.features import Floats, without_long_pauses
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.recognisers.whisper.search import Chain, Signs, Tokens, Tree, trees_of
from speech.training.common.people_speech import announcement, by_word, recordings_folder, takes
from speech.training.curves.hall_plan import scheme_of
from tests.bench.listening.shares import brief, table

PAIRS = (("kl-Helmut Kriege", "hd02"), ("ast-tootai-de", "ast-tootai-de"))
"""Who says the letter, and who the rank."""
_TEXTS = 10
_WRITINGS = 24
"""So many ways to write a chain are aligned at most: each repeats the cross attention."""
_MARKS = (11, 13)


class Sound(msgspec.Struct, frozen=True):
    """What was said, and its samples (mono s16le 16 kHz)."""

    words: Chain
    pcm: bytes


def letters_and_ranks(count: int, seed: int) -> list[Sound]:
    """Announcements of people who tune; ranks 1 and 8 with a letter alone may be a promotion and are left out."""
    root, found = recordings_folder(), []
    chance = random.Random(seed)
    for letters, ranks in PAIRS:
        said = {**by_word(takes(root, {ranks})), **by_word(takes(root, {letters}))}
        for letter, rank in product("abcdefgh", "234567"):
            words = (f"letter.{letter}", f"rank.{rank}")
            if all(word in said for word in words):
                sound = np.pad(announcement(root, words, said, None, chance), SAMPLE_RATE // 2)
                found.append(Sound(words, (np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes()))
    return chance.sample(found, min(count, len(found)))


class Ways:
    """The model of one process, asked in the two ways that the program does not take."""

    def __init__(self, folder: Path, asked: Mapping[str, object]) -> None:
        self._engine = WhisperEngine(folder)
        self._engine.hello()
        self._words = msgspec.convert(asked, Words)
        self._trees = trees_of(self._words.graph, self._words.ways)
        names = self._engine._names
        self._signs = Signs(names["<|endoftext|>"], _MARKS)
        self._prompts = [
            [names[name] for name in ("<|startoftranscript|>", f"<|{tag}|>", "<|transcribe|>", "<|notimestamps|>")]
            for tag in self._words.languages
        ]
        used = {token for ways in self._words.ways.values() for way in ways for token in way}
        self._others = [token for token in range(max(names.values()) + 1) if token not in used | {*_MARKS}]
        self._others.remove(self._signs.end)

    def encoded(self, pcm: bytes) -> Floats:
        """The encoder's output, of shape (frames, width)."""
        speech = prepare_speech(pcm)
        assert speech is not None
        sound = np.pad(without_long_pauses(speech, 0.1), SAMPLE_RATE // 5)
        return self._engine._encode(sound, 15 if len(sound) <= 15 * SAMPLE_RATE else 30)

    def generated(self, pcm: bytes) -> Chain:
        """The first of ten texts that is an announcement; nothing where none is."""
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(self.encoded(pcm)[None]))
        found: list[tuple[float, Chain]] = []
        for prompt in self._prompts:
            written = self._engine._model.generate(
                view,
                [prompt],
                beam_size=_TEXTS,
                num_hypotheses=_TEXTS,
                return_scores=True,
                length_penalty=0.0,
                suppress_tokens=self._others,
                max_length=len(prompt) + self._words.beam.longest,
            )[0]
            for text, score in zip(written.sequences_ids, written.scores, strict=True):
                if chain := self._chain_of(tuple(text)):
                    found.append((score, chain))
                    break
        return max(found)[1] if found else ()

    def aligned(self, pcm: bytes, chains: Sequence[Chain]) -> Chain:
        """The likeliest of these chains, over all ways to write each."""
        encoded = self.encoded(pcm)
        view = ctranslate2.StorageView.from_array(np.ascontiguousarray(encoded[None]))
        return max(chains, key=lambda chain: self._likely(view, chain, len(encoded)), default=())

    def _likely(self, view: ctranslate2.StorageView, chain: Chain, frames: int) -> float:
        rows = islice(product(*(self._words.ways.get(word, ()) for word in chain)), _WRITINGS)
        texts = [tuple(token for way in row for token in way) for row in rows]
        found = [self._engine._log_share(view, text, self._prompts[0], frames) for text in texts]
        return max(found, default=-math.inf)

    def _chain_of(self, text: Tokens) -> Chain:
        """The words of a text, whatever marks stand between them; nothing where it is none of the graph's."""
        graph, plain = self._words.graph, [token for token in text if token not in _MARKS and token != self._signs.end]
        places: list[tuple[Chain, int, Tree]] = [((), graph.start, self._trees[graph.start])]
        for token in plain:
            onward: list[tuple[Chain, int, Tree]] = []
            for words, state, node in places:
                starts = [(words, state, node)]
                starts += [((*words, word), target, self._trees[target]) for word, target in node.ends]
                onward += [(w, s, n.onward[token]) for w, s, n in starts if token in n.onward]
            places = onward
        ends = [((*words, word), target) for words, _, node in places for word, target in node.ends]
        return next((words for words, target in ends if target in graph.finals), ())


def _means(chain: Chain, said: Chain) -> bool:
    return bool(chain) and meaning(understand(chain)) == meaning(understand(said))


async def measured(count: int, seed: int) -> str:
    """The table."""
    vocabulary: Vocabulary = vocabulary_of(scheme_of("letters", "de"))
    folder, ours = whisper_folder(), shipped_model()
    assert folder is not None, "no model of Whisper is here: anna-eins models get whisper-base"
    assert ours is not None
    whisper, own = WhisperRecogniser(folder), OwnRecogniser(ours)
    await whisper.start()
    await own.start()
    ways = Ways(folder, whisper.request_for(vocabulary))
    right = dict.fromkeys(("our own model alone", "own", "generate", "align"), 0)
    none, spent = dict.fromkeys(right, 0), dict.fromkeys(right, 0.0)
    sounds = letters_and_ranks(count, seed)
    for sound in sounds:
        listed = await own.recognise(sound.pcm, vocabulary)
        chains = [one.ids for one in listed.ranked]
        along = await whisper.recognise(sound.pcm, vocabulary)
        answers = {
            "our own model alone": chains[0] if chains else (),
            "own": along.ranked[0].ids if along.ranked else (),
        }
        for way, ask in (("generate", ways.generated), ("align", lambda pcm, c=chains: ways.aligned(pcm, c))):
            before = time.process_time()
            answers[way] = ask(sound.pcm)
            spent[way] += time.process_time() - before
        for way, chain in answers.items():
            right[way] += _means(chain, sound.words)
            none[way] += not chain
    await whisper.close()
    await own.close()
    rows = [
        [
            way,
            f"{right[way]} of {len(sounds)}",
            brief(right[way], len(sounds)),
            str(none[way]),
            _seconds(spent[way], len(sounds)),
        ]
        for way in right
    ]
    return table(("way", "first choice right", "%", "nothing", "processor s"), rows)


def _seconds(spent: float, count: int) -> str:
    return f"{spent / count:.2f}" if spent else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=72)
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    print(asyncio.run(measured(asked.count, asked.seed)))
