"""A Vosk model with random weights, written byte by byte: small, quick, loaded by Vosk like any other, and deaf.

Formats: Kaldi binary (transition model, nnet3), OpenFst vector FSTs. The letters of a word are its phones, each phone
is one state, the network is one affine layer over one frame.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

FEATURES = 40
FST_MAGIC = 2125659606
HALF = -math.log(0.5)

MODEL_CONF = """--min-active=200
--max-active=3000
--beam=10.0
--lattice-beam=2.0
--acoustic-scale=0.6
--frame-subsampling-factor=3
--phone-determinize=false
--endpoint.silence-phones=1
--endpoint.rule2.min-trailing-silence=0.5
--endpoint.rule3.min-trailing-silence=1.0
--endpoint.rule4.min-trailing-silence=2.0
"""

MFCC_CONF = """--use-energy=false
--sample-frequency=16000
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=-400
--dither=0.0
"""


def _int(value: int) -> bytes:
    return b"\x04" + struct.pack("<i", value)


def _float(value: float) -> bytes:
    return b"\x04" + struct.pack("<f", value)


def _double(value: float) -> bytes:
    return b"\x08" + struct.pack("<d", value)


def _integers(values: Sequence[int]) -> bytes:
    return b"\x04" + struct.pack("<i", len(values)) + struct.pack(f"<{len(values)}i", *values)


def _vector(values: Sequence[float]) -> bytes:
    return b"FV " + _int(len(values)) + struct.pack(f"<{len(values)}f", *values)


def _matrix(values: np.ndarray) -> bytes:
    rows, columns = values.shape
    return b"FM " + _int(rows) + _int(columns) + values.astype("<f4").tobytes()


def final_mdl(phones: int, chance: np.random.Generator) -> bytes:
    """Transition model and network: phones 1..`phones`, one emitting state each with a loop and a way on."""
    numbers = list(range(1, phones + 1))
    topology = _integers(numbers) + _integers([-1] + [0] * phones) + _int(1)
    topology += _int(2)  # states of the one entry, the final one included
    topology += _int(0) + _int(2) + _int(0) + _float(0.5) + _int(1) + _float(0.5)
    topology += _int(-1) + _int(0)
    triples = _int(phones) + b"".join(_int(phone) + _int(0) + _int(phone - 1) for phone in numbers)
    log_probs = _vector([0.0] + [math.log(0.5)] * (2 * phones))
    transitions = (
        b"<TransitionModel> <Topology> "
        + topology
        + b"</Topology> <Triples> "
        + triples
        + b"</Triples> <LogProbs> "
        + log_probs
        + b"</LogProbs> </TransitionModel> "
    )
    config = (
        f"input-node name=input dim={FEATURES}\n"
        "component-node name=affine component=affine input=input\n"
        "component-node name=softmax component=softmax input=affine\n"
        "output-node name=output input=softmax objective=linear\n"
    )
    affine = (
        b"<FixedAffineComponent> <LinearParams> "
        + _matrix(chance.normal(0.0, 0.05, (phones, FEATURES)))
        + b"<BiasParams> "
        + _vector(chance.normal(0.0, 0.1, phones).tolist())
        + b"</FixedAffineComponent> "
    )
    softmax = (
        b"<LogSoftmaxComponent> <Dim> "
        + _int(phones)
        + b"<ValueAvg> "
        + _vector([])
        + b"<DerivAvg> "
        + _vector([])
        + b"<Count> "
        + _double(0.0)
        + b"</LogSoftmaxComponent> "
    )
    network = (
        b"<Nnet3> \n"
        + config.encode()
        + b"\n<NumComponents> "
        + _int(2)
        + b"<ComponentName> affine "
        + affine
        + b"<ComponentName> softmax "
        + softmax
        + b"</Nnet3> "
    )
    return (
        b"\0B"
        + transitions
        + network
        + b"<LeftContext> "
        + _int(0)
        + b"<RightContext> "
        + _int(0)
        + (b"<Priors> " + _vector([1.0 / phones] * phones))
    )


Arc = tuple[int, int, float, int]


def fst(states: Sequence[tuple[float, Sequence[Arc]]]) -> bytes:
    """An OpenFst `vector` FST of `standard` arcs, start state 0; a state is (final weight, arcs)."""
    arcs = sum(len(state[1]) for state in states)
    head = struct.pack("<i", FST_MAGIC) + struct.pack("<i", 6) + b"vector" + struct.pack("<i", 8) + b"standard"
    head += struct.pack("<iiQqqq", 2, 0, 3, 0, len(states), arcs)
    body = b"".join(
        struct.pack("<fq", final, len(out)) + b"".join(struct.pack("<iifi", *arc) for arc in out)
        for final, out in states
    )
    return head + body


def hclr(words: dict[str, int], phones: dict[str, int]) -> bytes:
    """Words as loops of their letters' transition ids, silence between them; arcs sorted by word label."""

    def onward(phone: int) -> int:
        return 2 * phone

    def loop(phone: int) -> int:
        return 2 * phone - 1

    states: list[tuple[float, list[Arc]]] = [(0.0, [])]

    def new_state() -> int:
        states.append((math.inf, []))
        return len(states) - 1

    silence = new_state()
    states[0][1].append((onward(1), 0, HALF, silence))
    states[silence][1].extend([(loop(1), 0, HALF, silence), (0, 0, HALF, 0)])
    for word, number in words.items():
        before, label = 0, number
        for letter in word:
            state = new_state()
            states[before][1].append((onward(phones[letter]), label, HALF, state))
            states[state][1].append((loop(phones[letter]), 0, HALF, state))
            before, label = state, 0
        states[before][1].append((0, 0, HALF, 0))
    return fst([(final, sorted(arcs, key=lambda arc: (arc[1], arc[0]))) for final, arcs in states])


def g(words: dict[str, int]) -> bytes:
    """Any word after any other; nothing at all is possible too."""
    return fst([(2.0, [(number, number, 1.0, 0) for number in sorted(words.values())])])


def write_random_model(folder: Path, words: Sequence[str], *, seed: int = 1) -> Path:
    """Write a model of these words (small letters) into a new folder and return it."""
    letters = sorted({letter for word in words for letter in word})
    phones = {letter: number for number, letter in enumerate(letters, 2)}  # 1 is silence
    numbers = {word: number for number, word in enumerate(words, 1)}
    for part in ("am", "conf", "graph"):
        (folder / part).mkdir(parents=True)
    (folder / "am" / "final.mdl").write_bytes(final_mdl(len(letters) + 1, np.random.default_rng(seed)))
    (folder / "conf" / "model.conf").write_text(MODEL_CONF)
    (folder / "conf" / "mfcc.conf").write_text(MFCC_CONF)
    (folder / "graph" / "HCLr.fst").write_bytes(hclr(numbers, phones))
    (folder / "graph" / "Gr.fst").write_bytes(g(numbers))
    (folder / "graph" / "disambig_tid.int").write_text("")
    listed = ["<eps> 0", *(f"{word} {number}" for word, number in numbers.items())]
    (folder / "graph" / "words.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    return folder
