"""A Vosk model laid out as the small published ones are: `am/ conf/ graph/ ivector/`, small, and it hears German.

The network is our own with one more input, an i-vector: four numbers about the speaker that Kaldi finds while the
speaker speaks, with a mixture of two Gaussians over spliced and reduced cepstra. The extractor's files are genuine, its
numbers drawn by chance, and they weigh little in the network. Every phone has four ids, by its place in the word, as
graph/phones/word_boundary.int tells; the word list stands in Gr.fst.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from speech.recognisers.lexicon import SILENCE, load_lexicon, units
from speech.recognisers.own.inventory import read_outputs
from speech.recognisers.own.kaldi.binary import HEADER, double, integer, matrix, vector
from speech.recognisers.own.kaldi.folder import Search, conf, write_folder
from speech.recognisers.own.kaldi.lexicon_graph import lexicon_graph
from speech.recognisers.own.kaldi.network import affine_layers
from speech.recognisers.own.kaldi.transitions import transition_model
from speech.recognisers.own.model import NETWORK, OUTPUTS, load_own_settings, shipped_model
from tests.speech.hearing.random_vosk_model import FEATURES, any_words

SPELLED = {
    **dict(zip("abcdefgh", ("anna", "bella", "cäsar", "david", "eva", "felix", "gustav", "hektor"), strict=True)),
    **dict(zip("12345678", ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"), strict=True)),
}
WORDS = {f"{'rank' if key.isdigit() else 'file'}.{key}": word for key, word in SPELLED.items()} | {
    "piece.king": "könig",
    "piece.queen": "dame",
    "piece.rook": "turm",
    "piece.bishop": "läufer",
    "piece.knight": "springer",
    "word.takes": "schlägt",
}
"""Word id -> how the model spells it. "Bauer", castling and the commands are not among them."""

UNKNOWN = "[unk]"
SPEAKER = 4  # numbers of an i-vector
GAUSSIANS = 2
REDUCED = 6  # numbers of a frame that the extractor sees
AROUND = 1  # frames before and after that are spliced to it
PLACES = ("begin", "end", "internal", "singleton")
FILES = ("final.dubm", "final.ie", "final.mat", "global_cmvn.stats", "online_cmvn.conf", "splice.conf")
"""What `ivector/` holds."""

Doubles = npt.NDArray[np.float64]


def write_published_model(folder: Path, *, seed: int = 1) -> Path:
    """Write the model into a new folder and return it. `seed`: of the extractor's numbers."""
    shipped = shipped_model()
    assert shipped is not None
    known, settings, ways = read_outputs(shipped / OUTPUTS), load_own_settings(), load_lexicon("de")
    pdfs = [place for place, (unit, _) in enumerate(known.outputs) if unit != SILENCE]
    numbers = {pdf: 2 + len(PLACES) * place for place, pdf in enumerate(pdfs)}  # of the phone at a word's beginning
    listed = {name: number for number, name in enumerate((*WORDS.values(), UNKNOWN), 1)}

    def placed(word: str, way: Sequence[str]) -> list[int]:
        phones = [numbers[known.number(unit, f"de:{word}")] for unit in units(way)]
        within = [phone + PLACES.index("internal") for phone in phones[1:-1]]
        return [phones[0], *within, phones[-1] + 1] if len(phones) > 1 else [phones[0] + PLACES.index("singleton")]

    write_folder(
        folder,
        acoustics=_with_speaker(
            (shipped / NETWORK).read_bytes(),
            transition_model([known.number(SILENCE, ""), *(pdf for pdf in pdfs for _ in PLACES)]),
            np.random.default_rng(1),
        ),
        lexicon=lexicon_graph(
            {listed[name]: [placed(word, way) for way in ways[word]] for word, name in WORDS.items()},
            1,
            listed[UNKNOWN],
            [numbers[pdf] + PLACES.index("internal") for pdf in pdfs if not known.outputs[pdf][1]],
            settings.garbage_phone_cost,
        ),
        grammar=any_words(list(listed.values())),
        words=listed,
        search=Search(),
        silence=1,
    )
    word_list_in_graph(folder)
    boundaries = ["1 nonword"]
    boundaries += [f"{first + more} {place}" for first in numbers.values() for more, place in enumerate(PLACES)]
    (folder / "graph" / "phones").mkdir()
    (folder / "graph" / "phones" / "word_boundary.int").write_text("\n".join(boundaries) + "\n", encoding="ascii")
    (folder / "README").write_text("A model that a test made.\n", encoding="ascii")
    _write_extractor(folder / "ivector", np.random.default_rng(seed))
    return folder


def word_list_in_graph(folder: Path) -> None:
    """Take words.txt away and put its words into Gr.fst behind the head, as in the small published models."""
    listed = (folder / "graph" / "words.txt").read_text("utf-8").splitlines()
    (folder / "graph" / "words.txt").unlink()

    def text(value: str) -> bytes:
        return struct.pack("<i", len(value.encode())) + value.encode()

    table = struct.pack("<i", 2125658996) + text("words") + struct.pack("<qq", len(listed), len(listed))
    for line in listed:
        word, number = line.split()
        table += text(word) + struct.pack("<q", int(number))
    graph = folder / "graph" / "Gr.fst"
    data = graph.read_bytes()
    flags, head = struct.calcsize("<ii6si8si"), struct.calcsize("<ii6si8siiQqqq")
    graph.write_bytes(data[:flags] + struct.pack("<i", 2) + data[flags + 4 : head] + table + data[head:])


def _with_speaker(acoustics: bytes, transitions: bytes, chance: np.random.Generator) -> bytes:
    """The network with an i-vector beside the first layer's frames, and another transition model before it."""
    place = affine_layers(acoustics)["tdnn1"]
    weights, _ = place.read(acoustics)
    wider = np.hstack([weights, chance.normal(0.0, 0.05, (place.rows, SPEAKER)).astype(np.float32)])
    begin, end = place.weights - len(matrix(weights)) + weights.nbytes, place.weights + weights.nbytes
    net = acoustics[acoustics.index(b"<Nnet3>") : begin] + matrix(wider) + acoustics[end:]
    node = f"input-node name=input dim={FEATURES}\n".encode()
    net = net.replace(node, node + f"input-node name=ivector dim={SPEAKER}\n".encode(), 1)
    net = re.sub(
        rb"(name=tdnn1 component=tdnn1 input=Append\(.*\))\)\n", rb"\1, ReplaceIndex(ivector, t, 0))\n", net, count=1
    )
    return HEADER + transitions + net


def _write_extractor(folder: Path, chance: np.random.Generator) -> None:
    """The six files of `ivector/` as Kaldi writes them."""
    folder.mkdir()
    spliced = FEATURES * (2 * AROUND + 1)
    means = chance.normal(0.0, 1.0, (GAUSSIANS, REDUCED))
    (folder / "splice.conf").write_text(conf({"left-context": str(AROUND), "right-context": str(AROUND)}))
    (folder / "online_cmvn.conf").write_text("# no options\n")
    reducing = chance.normal(0.0, 0.05, (REDUCED, spliced)).astype(np.float32)
    (folder / "final.mat").write_bytes(HEADER + matrix(reducing))
    frames = 100.0
    stats = np.zeros((2, FEATURES + 1))
    stats[0, -1], stats[1, :-1] = frames, frames * 400.0  # mean 0, standard deviation 20
    (folder / "global_cmvn.stats").write_bytes(HEADER + _doubles("DM", stats.shape, stats))
    ones = np.ones((GAUSSIANS, REDUCED), np.float32)
    even = np.full(GAUSSIANS, 1.0 / GAUSSIANS, np.float32)
    mixture = b"<GCONSTS> " + vector(np.zeros(GAUSSIANS, np.float32)) + b"<WEIGHTS> " + vector(even)
    mixture += b"<MEANS_INVVARS> " + matrix(means.astype(np.float32)) + b"<INV_VARS> " + matrix(ones)
    (folder / "final.dubm").write_bytes(HEADER + b"<DiagGMM> " + mixture + b"</DiagGMM> ")
    (folder / "final.ie").write_bytes(HEADER + _extractor(means, chance))


def _extractor(means: Doubles, chance: np.random.Generator) -> bytes:
    """final.ie: for each Gaussian how its mean moves with the i-vector, and its precision (a lower triangle)."""
    offset = 1.0
    moving = chance.normal(0.0, 0.3, (GAUSSIANS, REDUCED, SPEAKER))
    moving[:, :, 0] = means / offset  # the first number stands for the mean itself
    triangle = np.eye(REDUCED)[np.tril_indices(REDUCED)]
    parts = b"<w> " + _doubles("DM", (0, 0), np.zeros(0)) + b"<w_vec> "
    parts += _doubles("DV", (GAUSSIANS,), np.full(GAUSSIANS, 1.0 / GAUSSIANS))
    parts += b"<M> " + integer(GAUSSIANS) + b"".join(_doubles("DM", one.shape, one) for one in moving)
    parts += b"<SigmaInv> " + _doubles("DP", (REDUCED,), triangle) * GAUSSIANS
    return b"<IvectorExtractor> " + parts + b"<IvectorOffset> " + double(offset) + b"</IvectorExtractor> "


def _doubles(kind: str, shape: Sequence[int], values: Doubles) -> bytes:
    """A matrix (DM), vector (DV) or packed symmetric matrix (DP) of doubles."""
    return f"{kind} ".encode() + b"".join(integer(size) for size in shape) + values.astype("<f8").tobytes()
