"""When a player is asked to repeat, both sounds together settle the doubt; the position never does.

A player may also be asked which of two announcements it was ("Bella vier oder David vier?"). They are asked that once:
what is in doubt after it is read back or asked again. The verdict that asked is kept in memory, for one station, until
the player has spoken again, a move is made, half a minute is over or the player's scheme has changed. Which of two it
was may be answered after the player's own press too: the question may come after it. A restart forgets it; then the
second sound is judged by itself.

Where one part alone was left open ("To which square?"), the bare square or the lone piece that is said next is put
there (`OpenParts`), by words alone: it is no announcement of a pawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.state import GameState
from server.game.values.words import Seat, Station
from server.game.views.seats.questions import may_ask
from speech.announcements.understand import answers_part, complete_chain, gap_of, understand
from speech.hearing.hearing import Verdict
from speech.hearing.two_squares import Chain
from speech.recognisers.recogniser import Hypothesis, WordHeard
from speech.words.said import Heard
from speech.words.scheme import Scheme

WITHIN_MS = 30_000
LONE_PART = 0.5
"""P(right) of a part that was said alone: no curve was fitted to what is no announcement by itself."""


class Doubt(msgspec.Struct, frozen=True):
    """Verdict on which the program asked again, and when.

    `made`: the moves made by then (`_moves_made`); of which of two is asked, those of the opponent.
    `either`: the two announcements of which the player was asked to name one; () mostly.
    """

    verdict: Verdict
    made: int
    at_ms: int
    scheme: Scheme
    either: tuple[Chain, ...]


class AskedAgain:
    """Open doubts of one table, one for each station."""

    def __init__(self) -> None:
        self._doubts: dict[str, Doubt] = {}
        self._hard: set[str] = set()

    def note(
        self,
        station: Station,
        state: GameState,
        at_ms: int,
        scheme: Scheme,
        verdict: Verdict,
        judgement: str,
        either: tuple[Chain, ...] = (),
    ) -> None:
        """Note the verdict on what this station's player said at `at_ms`, and what was made of it.

        It leaves a doubt where all of it is asked again, or which of two announcements it was (`either`); words that
        were not for the server, or that ask to hear the question again, settle none.
        """
        if judgement == "reject" or (judgement == "accept" and verdict.heard.command == "repeat"):
            return
        self._doubts.pop(station.id, None)
        (self._hard.add if len(verdict.found) > 1 else self._hard.discard)(station.id)
        asked = judgement == "repeat" and verdict.heard.unclear is None and bool(verdict.found or either)
        if asked and station.seat is not None and may_ask(state, station.seat, at_ms):
            self._doubts[station.id] = Doubt(verdict, _moves_made(state, station.seat, either), at_ms, scheme, either)

    def likely(self, station: Station) -> bool:
        """Say whether the next words of this station may well be doubtful, as the last ones were."""
        return station.id in self._hard or station.id in self._doubts

    def settles(self, station: Station, state: GameState, at_ms: int, scheme: Scheme) -> Doubt | None:
        """Return the doubt that the words that began at `at_ms` answer."""
        doubt = self._doubts.get(station.id)
        if doubt is None or station.seat is None or doubt.scheme != scheme:
            return None
        if doubt.made != _moves_made(state, station.seat, doubt.either):
            return None
        return doubt if 0 <= at_ms - doubt.at_ms <= WITHIN_MS else None


def _moves_made(state: GameState, seat: Seat, either: tuple[Chain, ...]) -> int:
    """Return how many moves are made; of the opponent alone where the player is to name one of two.

    A move of the opponent that was only announced counts too: its press ends no question about its echo.
    """
    white, black = state.moves.made_by_each
    own, opponents = (white, black) if seat is Seat.WHITE else (black, white)
    coming = state.ply(state.ply_to_make)
    if coming is not None and coming.seat is not seat:
        opponents += coming.announcement is not None or coming.utterance is not None
    return opponents if either else own + opponents


class OpenPart(msgspec.Struct, frozen=True):
    """Part of an announcement that a player was asked for, and when.

    `words`: the chain that left it open; () where it may not be kept, as of a move for the envelope. `pressed`: the
    player's own press came since; a square may then be an echo.
    """

    words: Chain
    unclear: str
    at_ms: int
    pressed: bool = False


class OpenParts:
    """Open questions about one part of an announcement at one table, one for each seat."""

    def __init__(self) -> None:
        self._parts: dict[Seat, OpenPart] = {}

    def note(self, event: ev.AnyEvent, state: GameState) -> None:
        """Learn what a player is asked, and what ends the question: an announcement, an echo or both players' presses.

        Other sounds in between that gave no announcement, or only half an answer, leave it open; so does the press of
        the opponent whose move the player repeats.
        """
        match event:
            case ev.NotUnderstood():
                self._note_question(event, state)
            case ev.Announced():
                self._parts.clear()
            case ev.AnnouncementRepeated() | ev.Echoed() | ev.Contested():
                self._parts.pop(event.seat, None)
            case ev.Completed():
                other = self._parts.get(event.seat.other)
                if other is not None and other.pressed:
                    del self._parts[event.seat.other]
                if event.seat in self._parts:
                    self._parts[event.seat] = replace(self._parts[event.seat], pressed=True)
            case _:
                pass

    def _note_question(self, event: ev.NotUnderstood, state: GameState) -> None:
        seat, unclear, before = event.seat, event.speech.unclear, self._parts.pop(event.seat, None)
        if event.speech.either or not event.ask or not may_ask(state, seat, event.at):
            return
        if before is not None and (unclear is None or (unclear == before.unclear and _is_half(event.words, before))):
            self._parts[seat] = replace(before, at_ms=event.at)
        elif unclear is not None and gap_of(event.words, unclear) is not None:
            self._parts[seat] = OpenPart(event.words, unclear, event.at)

    def note_sealing(self, seat: Seat, heard: Heard, at_ms: int) -> None:
        """Note what a player who seals is asked; the words are kept nowhere."""
        self._parts.pop(seat, None)
        if heard.unclear is not None and gap_of(heard.words, heard.unclear) is not None:
            self._parts[seat] = OpenPart((), heard.unclear, at_ms)

    def complete(self, seat: Seat, at_ms: int, verdict: Verdict, *, held: bool) -> tuple[Verdict, bool]:
        """Return the verdict on an announcement whose open part is said now, at `at_ms`; else the verdict as it is.

        What comes of two sounds is read back at least. True: the announcement is to be said whole, as after a part
        that may not be put there, or a sound in which nothing was heard. `held`: a key was pressed for it; not every
        recogniser hears a piece by itself, and who answered is not left without a word.
        """
        part, heard = self._parts.get(seat), verdict.heard
        if part is None or abs(at_ms - part.at_ms) > WITHIN_MS or heard.kind == "command":
            return verdict, False
        if verdict.verdict == "reject":
            return (replace(verdict, verdict="repeat", found=()), True) if held else (verdict, False)
        if not answers_part(heard.words, part.unclear):
            half = heard.unclear is not None and _is_half(heard.words, part)
            return _same_question(verdict, part) if half else verdict, False
        if part.pressed or not part.words:
            del self._parts[seat]
            whole = Heard("none", words=heard.words)
            return replace(verdict, heard=whole, verdict="repeat", found=(), two_squares=()), True
        chain = complete_chain(part.words, part.unclear, heard.words)
        if chain is None:  # as a king at a promotion
            return _same_question(verdict, part) if heard.kind == "none" else verdict, False
        return _complete_verdict(verdict, part, understand(chain)), False


def _is_half(words: Chain, part: OpenPart) -> bool:
    """Return whether these words are at most an answer to the question about this part."""
    return answers_part(words, part.unclear, whole=False)


def _same_question(verdict: Verdict, part: OpenPart) -> Verdict:
    return replace(verdict, heard=replace(verdict.heard, unclear=part.unclear))


def _complete_verdict(verdict: Verdict, part: OpenPart, meant: Heard) -> Verdict:
    """Return the verdict on an announcement, of one on the part of it that was said now (`meant`: what comes of both).

    A part that is no announcement by itself is as sure as all ears that heard words heard the same.
    """
    alone = verdict.heard.kind == "none"
    if alone and any(one.ranked[0].ids != verdict.heard.words for one in verdict.found if one.ranked):
        return _same_question(verdict, part)
    asked_again = meant.kind == "none" or (verdict.verdict == "repeat" and not alone)
    chains = (complete_chain(part.words, part.unclear, one) for one in verdict.two_squares)
    return replace(
        verdict,
        words=meant.words,
        heard=meant,
        confidence=LONE_PART if alone else verdict.confidence,
        verdict="repeat" if asked_again else "confirm",
        hypotheses=tuple(_complete_hypothesis(one, part) for one in verdict.hypotheses),
        sure=not alone and not asked_again and (verdict.sure or verdict.verdict == "accept"),
        two_squares=tuple(one for one in chains if one is not None),
    )


def _complete_hypothesis(one: Hypothesis, part: OpenPart) -> Hypothesis:
    gap = gap_of(part.words, part.unclear)
    if gap is None or complete_chain(part.words, part.unclear, one.ids) is None:
        return one
    before, after = _as_heard(part.words[: gap[0]]), _as_heard(part.words[gap[1] :])
    return replace(one, words=(*before, *one.words, *after))


def _as_heard(words: Sequence[str]) -> tuple[WordHeard, ...]:
    return tuple(WordHeard(word, 1.0) for word in words)
