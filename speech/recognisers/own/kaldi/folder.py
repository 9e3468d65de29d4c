"""A whole model folder, written as Vosk 0.3.45 wants it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

MFCC = {
    "use-energy": "false",
    "sample-frequency": "16000",
    "num-mel-bins": "40",
    "num-ceps": "40",
    "low-freq": "20",
    "high-freq": "-400",
    "dither": "0.0",
}
"""conf/mfcc.conf: no dither, so that the same samples always give the same words."""


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the decoder's search.

    `acoustic_scale`: the weight of the sound against the graph. `most_active`: so many beginnings of announcements are
    followed at once. `most_bytes`: the memory that the comparison of what was found may take; where that is too little,
    less likely chains are dropped.
    """

    acoustic_scale: float = 0.6
    beam: float = 12.0
    lattice_beam: float = 3.0
    most_active: int = 3000
    most_bytes: int = 50_000_000
    subsampling: int = 3

    def with_less_room(self) -> Search:
        """Return the same search with less room, for a network that comes with a player's profile.

        A network that hears nothing finds everything equally likely. Its search would take half a minute; with these
        bounds it takes no longer than the sound. What a good network finds is the same (speech/training/own-model.md).
        """
        return msgspec.structs.replace(
            self, most_active=min(self.most_active, 800), most_bytes=min(self.most_bytes, 2_000_000)
        )


def model_conf(search: Search, silence: int) -> dict[str, str]:
    """Return conf/model.conf.

    Without --endpoint.silence-phones Vosk ends the process at the first sound.
    """
    return {
        "min-active": "200",
        "max-active": str(search.most_active),
        "max-mem": str(search.most_bytes),
        "beam": str(search.beam),
        "lattice-beam": str(search.lattice_beam),
        "acoustic-scale": str(search.acoustic_scale),
        "frame-subsampling-factor": str(search.subsampling),
        # Without this the garbage loop makes ten seconds of silence cost twelve of work.
        "phone-determinize": "false",
        "endpoint.silence-phones": str(silence),
        # The utterance ends when the talk key is let go, not by itself.
        "endpoint.rule1.min-trailing-silence": "30.0",
        "endpoint.rule2.min-trailing-silence": "30.0",
        "endpoint.rule3.min-trailing-silence": "30.0",
        "endpoint.rule4.min-trailing-silence": "30.0",
        "endpoint.rule5.min-utterance-length": "60.0",
    }


def conf(options: Mapping[str, str]) -> str:
    """Return options as Kaldi reads them."""
    return "".join(f"--{name}={value}\n" for name, value in options.items())


def write_folder(
    folder: Path,
    *,
    acoustics: bytes,
    lexicon: bytes,
    grammar: bytes,
    words: Mapping[str, int],
    search: Search,
    silence: int,
) -> None:
    """Write every file. `words`: the word list, numbers from 1."""
    for part in ("am", "conf", "graph"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "am" / "final.mdl").write_bytes(acoustics)
    (folder / "conf" / "model.conf").write_text(conf(model_conf(search, silence)), encoding="ascii")
    (folder / "conf" / "mfcc.conf").write_text(conf(MFCC), encoding="ascii")
    (folder / "graph" / "HCLr.fst").write_bytes(lexicon)
    (folder / "graph" / "Gr.fst").write_bytes(grammar)
    # Nothing is determinised here, so nothing needs a symbol to tell two ways apart.
    (folder / "graph" / "disambig_tid.int").write_text("", encoding="ascii")
    listed = ["<eps> 0", *(f"{word} {number}" for word, number in words.items())]
    (folder / "graph" / "words.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
