"""The people who train, who tune and who measure. Data.

The people are the speakers of `shared/data/human/index.tsv`. Each stands in exactly one of the lists, so that no figure
is of a voice that the model or its confidence knows (`tests/speech/test_people.py`).
"""

from __future__ import annotations

TRAINING = (
    *("hd00", "hd01", "hd02", "hd03", "hd04", "kl-Helmut Kriege", "ast-tootai-de", "kl-kl-hu", "kl-Robert Wadley"),
    *("kl-kl-ar", "gc-hu-other", *(f"arcmd-{number:08d}" for number in range(1, 11))),
)
"""People who may teach the network."""
TUNING = (
    *("hd05", "kl-Wiese/Dibbern", "kl-kl-en_GB", "gc-Makni Bassem", "gc-he-other", "gc-Istvan Somlai"),
    *(f"arcmd-{number:08d}" for number in range(11, 15)),
)
"""People who may fit the confidence, the thresholds and what is misheard, and never the network."""
MEASURING = (
    *("hd06", "hd07", "gc-Martin Herweg", "gc-Claudia Charruau", "kl-Assaf Gorgon", "gc-Daniel Mariano"),
    *(f"arcmd-{number:08d}" for number in range(15, 21)),
)
"""People who are only measured."""
