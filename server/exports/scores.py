"""The scores of a table go to the organiser, to whom they belong (8.3).

They come with the hashes of their sounds. Both can be written as JSON, as text, in braille cells, or as pages to
emboss (8.3, D.2.7, C.13). Each stands apart and as its player wrote it: neither is filled from the other or from the
game, and what is not a move stands as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from braille import brf
from braille.cells import write_number
from braille.loading import load_profile, national_profile
from braille.profile import BLANK, Profile
from braille.score import wrap
from server.game.acts import AnyEvent, SoundKept
from server.game.game import Game
from server.game.laws.scoresheet import CERTIFIED
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat
from server.scoresheets.score_text import score_text
from server.wording.braille import Reader, cell_in_cells, prose_in_cells
from server.wording.words import scheme_for
from speech.complaint import Complaint, Phrase


class CellHandedOver(msgspec.Struct, frozen=True):
    """One cell of a score as it is handed over.

    Its half-move, text, where it came from, and the sound it rests on with the SHA-256 of the sound's file.
    """

    ply: int
    text: str
    source: str
    utterance: str | None
    sha256: str | None
    length_ms: int | None


class ScoreHandedOver(msgspec.Struct, frozen=True):
    """One player's score.

    `text`: as `anna-eins reconcile` reads it. `sheet`: on what the player kept it.
    """

    seat: Seat
    player: str
    sheet: str
    text: str
    cells: tuple[CellHandedOver, ...]


class ScoresHandedOver(msgspec.Struct, frozen=True):
    """Both scores of a table.

    `certified_electronic_scoresheet`: whether this program is one in the sense of 8.1.1.2.
    """

    table: str
    event: str
    rule_set: str
    result: str | None
    certified_electronic_scoresheet: bool
    scores: tuple[ScoreHandedOver, ...]


def scores_of(table: str, events: Iterable[AnyEvent]) -> ScoresHandedOver:
    """Return both players' scores from the record, separately; neither is filled from the other."""
    recorded = tuple(events)
    state = Game.replay(recorded)
    sounds = {event.utterance: event for event in recorded if isinstance(event, SoundKept)}
    return ScoresHandedOver(
        table=table,
        event=state.table.event_name,
        rule_set=state.table.rule_set,
        result=state.ending.result,
        certified_electronic_scoresheet=CERTIFIED,
        scores=tuple(_score(state, seat, sounds) for seat in Seat),
    )


def copy_for(scores: ScoresHandedOver, seat: Seat, *, allowed: bool) -> str:
    """Return a player's copy of their own score as text.

    Raises Complaint where the organiser has not allowed copies (8.3).
    """
    if not allowed:
        raise Complaint(Phrase("export.no_copy"))
    return next(score.text for score in scores.scores if score.seat is seat)


def _score(state: GameState, seat: Seat, sounds: dict[str, SoundKept]) -> ScoreHandedOver:
    cells = []
    for ply, cell in enumerate(state.scores.of(seat), 1):
        if cell is None:
            continue
        sound = sounds.get(cell.utterance) if cell.utterance else None
        cells.append(
            CellHandedOver(
                ply=ply,
                text=cell.text,
                source=cell.source,
                utterance=cell.utterance,
                sha256=sound.sha256 if sound is not None else None,
                length_ms=sound.length_ms if sound is not None else None,
            )
        )
    return ScoreHandedOver(
        seat=seat,
        player=state.plan(seat).name,
        sheet=state.scores.sheet(seat).value,
        text=score_text(state, seat),
        cells=tuple(cells),
    )


def scores_in_text(scores: ScoresHandedOver) -> str:
    """Return both scores, a move a line."""
    return "\n".join(f"{_title(scores, one)}\n\n{one.text.rstrip()}\n" for one in scores.scores)


def scores_in_cells(state: GameState, scores: ScoresHandedOver, profile: str | None) -> str:
    """Return both scores in Unicode braille, in lines of at most 40 cells."""
    made = []
    for one in scores.scores:
        head, lines = _lines(state, scores, one, profile)
        made.append("\n".join([*wrap(head.split(BLANK)), "", *lines]) + "\n")
    return "\n".join(made)


def to_emboss(state: GameState, scores: ScoresHandedOver, profile: str | None) -> str:
    """Return both scores as a BRF file: 40 cells by 25 lines, running head, page number, form feed.

    Raises Complaint for a code of eight dots, which no embossed page has.
    """
    pages: list[tuple[str, ...]] = []
    for one in scores.scores:
        head, lines = _lines(state, scores, one, profile)
        code = _profile(state, one.seat, profile)
        for portion in brf.split(lines):
            number = prose_in_cells(str(len(pages) + 1), code)
            pages.append(brf.brf_page(portion, head, number))
    return brf.document(pages)


def _profile(state: GameState, seat: Seat, name: str | None) -> Profile:
    return load_profile(name or national_profile(state.language_of(seat)))


def _title(scores: ScoresHandedOver, one: ScoreHandedOver) -> str:
    parts = (one.player or one.seat.value, one.seat.value, scores.table, scores.event, scores.result or "")
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _lines(
    state: GameState, scores: ScoresHandedOver, one: ScoreHandedOver, profile: str | None
) -> tuple[str, tuple[str, ...]]:
    """Return the running head in cells, and the lines of the score."""
    code = _profile(state, one.seat, profile)
    reader = Reader(scheme_for(state, one.seat), code, brf.WIDTH, one.seat)
    texts = [cell.text if cell is not None else "" for cell in state.scores.of(one.seat)]
    return prose_in_cells(_title(scores, one), code), wrap(_groups(texts, reader, state.moves.positions[0]))


def _groups(texts: list[str], reader: Reader, start: Position) -> Iterator[str]:
    """Yield what must not be broken at a line's end: a number and what follows it, then word by word."""
    code, number, white = reader.profile, start.move_number, start.turn is Seat.WHITE
    for ply, text in enumerate(texts):
        words = cell_in_cells(text, reader, print_too=False).split(BLANK)
        if white or ply == 0:
            first = "" if white else code.signs.black_first.cells
            words[0] = write_number(number, code) + code.number_after + BLANK + first + words[0]
        yield from words
        number, white = number + (not white), not white
