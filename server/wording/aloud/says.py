"""Which function puts a message into words for a private ear: it registers itself with `@says`, by its subject.

A message that is never said is registered with `silent`, so that nobody forgets to decide it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from speech.voices.voice import Segment
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme
from speech.words.signs import for_voice, load_numerals, signs_said

Told = tuple[str, tuple[Segment, ...]]
"""Text of a message, and its segments for the voices."""
Wording = Callable[..., Told | str | None]
Says = TypeVar("Says", bound=Wording)
GIVEN = frozenset({"message", "scheme", "read_back"})
"""Values that a function may ask for, by the names of its parameters."""

_said: dict[type, tuple[Wording, tuple[str, ...]]] = {}


def says(*kinds: type) -> Callable[[Says], Says]:
    """Register a function as what these messages say.

    The function names those of `GIVEN` that it needs. It returns the text with its segments, or a sentence alone for
    the voice of the listener's language, or None where the message is silent. Raises TypeError for any other name and
    for a message that is registered already.
    """

    def register(say: Says) -> Says:
        names = tuple(inspect.signature(say).parameters)
        if not GIVEN.issuperset(names):
            raise TypeError(f"{say.__qualname__} asks for what it cannot be given")
        for kind in kinds:
            _register(kind, say, names)
        return say

    return register


def silent(*kinds: type) -> None:
    """Register messages that are never said. Raises TypeError for one that is registered already."""
    for kind in kinds:
        _register(kind, lambda: None, ())


def _register(kind: type, say: Wording, names: tuple[str, ...]) -> None:
    if kind in _said:
        raise TypeError(f"{say.__qualname__} cannot say {kind.__name__}, which is registered already")
    _said[kind] = (say, names)


def check_said(kinds: Iterable[type]) -> None:
    """Check that all these messages are registered. Raises TypeError where one is not."""
    if missing := sorted(kind.__name__ for kind in kinds if kind not in _said):
        raise TypeError(f"wording/aloud does not say how {', '.join(missing)} is said")


def words_of_message(message: Any, scheme: Scheme, *, read_back: bool) -> Told | None:
    """Return what a message says by the function that is registered for it; None where it is silent."""
    say, names = _said[type(message)]
    given = {"message": message, "scheme": scheme, "read_back": read_back}
    told = say(**{name: given[name] for name in names})
    return (told, in_listeners_voice(told, scheme)) if isinstance(told, str) else told


def in_listeners_voice(text: str, scheme: Scheme) -> tuple[Segment, ...]:
    """Return a sentence with numbers and signs, for the voice of the listener's language."""
    return in_voice_of(text, scheme.listener.tag)


def in_voice_of(text: str, language: str) -> tuple[Segment, ...]:
    """Return a sentence with numbers and signs, for the voice of a language."""
    if language in language_tags():
        text = signs_said(text, load_messages(language))
    return (Segment(for_voice(text, load_numerals().get(language, {})), language),)
