"""A question about the position, as it is typed at a table for training: "moves of g1", "rank four", "where knight"."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from server.game.acts import commands as cmd
from server.wording.words import scheme_of
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.words.scheme import Scheme
from speech.words.spelling import normal_form

ABOUT: tuple[str, ...] = get_args(get_type_hints(cmd.Explore)["about"])
TAKES_SQUARE = ("square", "rays", "attackers", "moves")


def question_of_text(text: str, scheme: Scheme) -> cmd.Explore | None:
    """The question that a text asks, in the words of the seat's language; None where it asks none."""
    asked = f"{normal_form(text).strip(' ?')} "
    phrases = {about: f"{normal_form(scheme.messages.text(f'train.{about}'))} " for about in ABOUT}
    for about, phrase in sorted(phrases.items(), key=lambda one: -len(one[1])):
        if asked.startswith(phrase):
            about_what = _about(about, asked.removeprefix(phrase).strip(), scheme)
            return cmd.Explore(about=about, **about_what) if about_what is not None else None  # type: ignore[arg-type]
    return None


def _about(about: str, text: str, scheme: Scheme) -> dict[str, Any] | None:
    """The square, file, rank or piece that follows; {} where none is to follow; None for anything else."""
    try:
        words = words_of_text(text, scheme, scheme_of("national", scheme.language)) if text else ()
    except Complaint:
        return None
    kinds = tuple(word.partition(".")[0].replace("letter", "file").replace("nato", "file") for word in words)
    names = tuple(word.partition(".")[2] for word in words)
    if about in TAKES_SQUARE:
        return {"square": "".join(names)} if kinds == ("file", "rank") else None
    if about in ("file", "rank", "piece"):
        return {about: names[0]} if kinds == (about,) else None
    return None if words else {}
