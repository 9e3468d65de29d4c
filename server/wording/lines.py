"""Everything said into an ear is also given as lines of at most forty cells, the move first.

The lines are for a braille display, and for a hearing-impaired player's eye (D.2.11). Pure except for the words that
`wording` has loaded.
"""

from __future__ import annotations

from server.game.views.messages import AnyMessage
from server.protocol import SealedWords
from server.wording.words import spoken, tick_text
from speech.announcements.cells import CELLS, cells_of, pages
from speech.announcements.short_form import short_form
from speech.words.scheme import Scheme


def lines_of(message: AnyMessage | SealedWords, scheme: Scheme) -> tuple[str, ...]:
    """Return the lines of a message; () where nothing is said.

    A move that takes more than a line stands first in its short form, and then in its words.
    """
    said = spoken(message, scheme, read_back=True)
    text = said[0] if said is not None else tick_text(message, scheme)
    if not text:
        return ()
    words: tuple[str, ...] = getattr(message, "words", ())
    lines = pages(text)
    if words and cells_of(text) > CELLS and (short := short_form(words, scheme.listener)):
        return (short, *lines)
    return lines
