"""One ear's queue on a virtual sound card: what was queued is what came out, once each, in the order of its urgency,
with the gaps, none overlapping; and a human voice stops it."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from speech.audio.sound import Sound
from speech.audio.wav import read_wav, write_wav
from speech.channels.ear import GAP_MS, Kind
from tests.speech.audio.test_devices import virtual_card as virtual_card
from tests.waiting import wait_until

SCRIPT = Path(__file__).with_name("queue_on_card_script.py")
RATE = 16_000
PLAN = [
    ("cue", Kind.CUE),
    ("answer", Kind.ANSWER),
    ("move", Kind.ANNOUNCEMENT),
    ("back", Kind.READ_BACK),
    ("link", Kind.LINK),
    ("next", Kind.ANNOUNCEMENT),
]
ORDER = ["link", "move", "answer", "back", "cue"]


def noise(seed: int, ms: int) -> Sound:
    """Never silent for a sample, and never like another: so that every sample that comes out tells whose it is."""
    chance = np.random.default_rng(seed)
    samples = chance.integers(1_000, 8_000, RATE * ms // 1000) * chance.choice([-1, 1], RATE * ms // 1000)
    return Sound(samples.astype("<i2").tobytes(), RATE)


@pytest.mark.needs("portaudio", "pulseaudio")
def test_what_was_queued_is_what_came_out(tmp_path: Path, repo: Path, virtual_card: dict[str, str]) -> None:
    # The last one sounds longer than a busy machine takes from hearing it to stopping it.
    lengths = [*(250 + 50 * number for number in range(len(PLAN) - 1)), 3_000]
    sounds = {id: noise(number, ms) for number, ((id, _), ms) in enumerate(zip(PLAN, lengths, strict=True))}
    for id, sound in sounds.items():
        write_wav(tmp_path / f"{id}.wav", sound)
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    told: dict[str, Any] = {}

    def heard_whole() -> bool:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(tmp_path)],
            env=virtual_card | {"PYTHONPATH": str(repo)},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        told.update(json.loads(done.stdout))
        return bool(told["overflows"] == 0)

    wait_until(heard_whole, lambda: f"this machine is too busy to hear what it plays: {told}")
    assert [(kind, id) for _, kind, id in told["acts"]] == [
        *(("Start", id) for id in ORDER),
        ("Start", "next"),
        ("Stop", "next"),
        ("Start", "next"),
    ]
    heard = read_wav(tmp_path / "heard.wav").array
    sounding = np.flatnonzero(heard)
    out = heard[sounding]
    # A loudspeaker that was served late is silent for a moment: what is not silence must be ours, sample for sample.
    place, edges = 0, []
    for id in ORDER:
        length = sounds[id].samples
        assert np.array_equal(out[place : place + length], sounds[id].array), f"{id} is not what was queued"
        edges.append((int(sounding[place]), int(sounding[place + length - 1])))
        place += length
    rest, whole = out[place:], sounds["next"].array
    cut = len(rest) - len(whole)
    assert 0 < cut < len(whole), "stopped while it sounded, then said from its beginning"
    assert np.array_equal(rest[:cut], whole[:cut]) and np.array_equal(rest[cut:], whole)
    edges += [(int(sounding[place]), int(sounding[place + cut - 1])), (int(sounding[place + cut]), int(sounding[-1]))]
    gaps = [(after[0] - before[1]) * 1000 / RATE for before, after in pairwise(edges)]
    print("gaps on the card, ms:", [round(gap) for gap in gaps])
    assert min(gaps) >= GAP_MS
