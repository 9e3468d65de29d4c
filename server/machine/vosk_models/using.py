"""Which engines listen: what is asked for, with the models that the user named or added."""

from __future__ import annotations

from collections.abc import Mapping

from speech.hearing.hearing import recognisers
from speech.recognisers.recogniser import Recogniser
from speech.recognisers.vosk.model import configured_model


def engines_with(engine: str, model: str | None, folders: Mapping[str, str]) -> tuple[Recogniser, ...]:
    """The engines that `engine` ("auto", "vosk" or "sphinx") stands for.

    `model`: a Vosk folder named for this once; it and the one that the environment names win over `folders` (language
    -> folder). Raises Complaint.
    """
    if engine not in ("auto", "vosk") or not folders or configured_model(model) is not None:
        return recognisers(engine, model)
    models = tuple(one for folder in folders.values() for one in recognisers("vosk", folder))
    return models if engine == "vosk" else (*recognisers("sphinx"), *models)
