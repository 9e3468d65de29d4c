"""Answers of the server to requests that are no command of the game, in lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.stations.arbiter.asked import FormOfAct
from server.stations.arbiter.desk import compared_lines

SAID = {"admit": "admitted", "refuse": "sent_away", "open_codes": "codes_opened", "send_away": "stations.sent"}
"""Act -> what its page says once it is done."""


def answer_lines(form: FormOfAct, said: Mapping[str, Any], words: Mapping[str, str]) -> tuple[str, ...]:
    """Return what is shown of an answer: a code to tell somebody, what a comparison found, or that it is done."""
    if form.do == "compare_scores":
        return compared_lines(said, words)
    if form.do == "invite":
        life = words["code_life"].replace("{minutes}", str(said["minutes"]))
        return (said["words"], " ".join(said["code"]), str(said["link"]), life)
    done = words[SAID[form.do]] if form.do in SAID else f"{words[form.words]}: {words['done']}"
    return tuple(filter(None, (done, str(said.get("text") or ""))))
