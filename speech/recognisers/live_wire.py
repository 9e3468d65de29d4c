"""How an utterance that is still being spoken goes to an engine's child: `begin`, `feed`, `finish`, `drop`."""

from __future__ import annotations

from speech.children import Child, ChildFailed

LOST = {"lost": True}
"""The answer to `feed` and `finish` where the child knows of no utterance: it was started again meanwhile."""


async def ask_live(child: Child, message: dict[str, object]) -> dict[str, object]:
    """The child's answer. Raises `ChildFailed` where it died, or was started again and has lost the utterance."""
    answer = await child.request(message, again=False)
    if answer == LOST:
        raise ChildFailed("The engine was started again while somebody spoke.")
    return answer
