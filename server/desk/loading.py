"""The reconciliation desk reads from `config`, once, its costs and how each language's players write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec.structs import replace

from braille.loading import computer_profile, load_profile, national_profile
from braille.profile import codes_agree
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.scoresheets.braille import form_in_cells, written_in
from server.scoresheets.cell import Writing
from server.scoresheets.endings import Endings, EndingWords
from server.scoresheets.forms import Form
from server.scoresheets.letters import Alphabet, Letters, alphabet_from, alphabet_of
from server.scoresheets.likelihood import Playing, PlayingCounts
from server.scoresheets.reconcile.explanations import ExplainingCosts
from server.scoresheets.slips import SlipCosts
from speech.announcements.understand import said_of_text
from speech.complaint import Complaint
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_has, language_tags, of_language, read_settings
from speech.words.loading import load_language, load_scheme
from speech.words.said import Said
from speech.words.scheme import Scheme

ENDINGS = "score_endings.toml"
"""The words of a language with which players write that a game is over."""


@lru_cache(maxsize=1)
def load_explaining_costs() -> ExplainingCosts:
    """Read `config/reconciling/explaining.toml`.

    Raises Complaint where it is missing or wrong.
    """
    return read_settings("reconciling/explaining.toml", ExplainingCosts)


@lru_cache(maxsize=1)
def load_playing() -> Playing:
    """Read `config/reconciling/playing.toml`. Raises Complaint where it is missing or wrong."""
    return Playing(read_settings("reconciling/playing.toml", PlayingCounts))


@lru_cache(maxsize=1)
def load_slip_costs() -> SlipCosts:
    """Read `config/reconciling/slips.toml`. Raises Complaint where it is missing or wrong."""
    return read_settings("reconciling/slips.toml", SlipCosts)


@lru_cache(maxsize=1)
def writings() -> Mapping[str, Writing]:
    """Return how a player of each language writes or dictates, English first.

    The player's letters, braille, and the words of D.2.1.
    """
    ukaaf = load_profile("ukaaf")

    def braille(tag: str) -> Callable[[str], Form | None]:
        """Return a reader of UKAAF and of those codes of the language that agree with it.

        A code that gives a cell another meaning is left out, so that nothing is guessed.
        """
        own = (load_profile(name) for name in (national_profile(tag), computer_profile(tag)))
        profiles = (ukaaf, *(profile for profile in own if codes_agree(profile, ukaaf)))

        def form(cells: str) -> Form | None:
            written = written_in(cells, profiles)
            return form_in_cells(written) if written is not None else None

        return form

    tags = sorted(language_tags(), key=lambda tag: (tag != "en", tag))
    return MappingProxyType(
        {tag: Writing(_alphabet(tag), _reader_of(load_scheme("d21", tag)), braille(tag)) for tag in tags}
    )


@lru_cache(maxsize=1)
def score_writings() -> Mapping[str, Writing]:
    """Return how a score may be written: in our own languages, and in those of `config/reconciling/letters.toml`.

    Raises Complaint where the file is missing or wrong.
    """
    known = writings()
    more = read_settings("reconciling/letters.toml", dict[str, Letters])
    ukaaf = known[MEASURE].braille
    behind = load_endings().pattern
    alphabets = {tag: replace(alphabet_from(tag, letters), behind=behind) for tag, letters in more.items()}
    written = {tag: Writing(alphabet, None, ukaaf) for tag, alphabet in alphabets.items()}
    return MappingProxyType({**known, **written})


@lru_cache(maxsize=1)
def load_endings() -> Endings:
    """Read `score_endings.toml` of each language, and `config/reconciling/endings.toml`. Raises Complaint."""
    own = [
        read_settings(of_language(tag, ENDINGS), EndingWords) for tag in language_tags() if language_has(tag, ENDINGS)
    ]
    return Endings([*own, *read_settings("reconciling/endings.toml", dict[str, EndingWords]).values()])


def languages_tried(state: GameState, seat: Seat) -> tuple[str, ...]:
    """Return the languages in which a seat's score is tried: its own, its opponent's, English."""
    return tuple(dict.fromkeys((state.language_of(seat), state.language_of(seat.other), MEASURE)))


def _alphabet(tag: str) -> Alphabet:
    return replace(alphabet_of(tag, load_language(tag).notation), behind=load_endings().pattern)


def _reader_of(scheme: Scheme) -> Callable[[str], Said | None]:
    def read_text(text: str) -> Said | None:
        try:
            return said_of_text(text, scheme).said
        except Complaint:
            return None

    return read_text
