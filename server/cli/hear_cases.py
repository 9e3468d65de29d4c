"""A case for `anna-eins hear` is a sound and a position; its answer is what was heard.

The answer also has what the arbiter may see of it.
"""

from __future__ import annotations

import math
from pathlib import Path

import chess
import msgspec

from server.cli.terminal.words import in_own_words
from server.game.decide.moves.speech import training_question
from server.game.state.line import Resolution, resolve
from server.game.views.messages import Question
from server.voice.listener import order_by_legality
from server.wording.aloud.spoken import spoken_message
from server.wording.words import announcement_of, text_in
from speech.announcements.understand import understand
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import Verdict
from speech.words.config_file import plainly
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme

SHOWN_ALTERNATIVES = 8


class Case(msgspec.Struct, frozen=True):
    """One line of the cases file.

    `wav`: a path, from the folder of that file. `fen`: the position before the move.
    """

    wav: str
    id: str | int | None = None
    fen: str | None = None
    language: str = "de"


class Announced(msgspec.Struct, frozen=True, rename={"from_square": "from", "to_square": "to"}):
    """Announcement as it was said, null where it was not said.

    `kind`: move, command or none.
    """

    kind: str
    piece: str | None = None
    from_square: str | None = None
    to_square: str | None = None
    promotion: str | None = None
    castling: str | None = None
    command: str | None = None


class Alternative(msgspec.Struct, frozen=True):
    """Another move that may have been meant, for the arbiter's eyes."""

    uci: str
    words: tuple[str, ...]
    confidence: float


class TrainingAsked(msgspec.Struct, frozen=True):
    """Question that is asked in training.

    `which` of the pieces that stand on `choices`, or that no legal move fits (`illegal`).
    """

    ask: str
    choices: tuple[str, ...]
    text: str


class Answer(msgspec.Struct, frozen=True):
    """One line of the answer.

    `words`: word ids; `text`: the same in the scheme's spelling. `question`: only in training; null in rated mode.
    """

    id: str | int | None
    words: tuple[str, ...]
    text: str
    announced: Announced
    uci: str | None
    san: str | None
    legal: bool | None
    verdict: str
    confidence: float
    alternatives: tuple[Alternative, ...]
    ms: int
    engine: str
    question: TrainingAsked | None = None


class Failure(msgspec.Struct, frozen=True):
    """Line of a case that could not be heard."""

    id: str | int | None
    error: str


LARGEST_FILE = 64 * 2**20


def read_cases(path: Path) -> list[Case | Failure]:
    """Return the cases of a file, one JSON object a line; a line that is not a case becomes a failure.

    Raises Complaint where the file cannot be read or holds no case at all.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
        if len(raw) > LARGEST_FILE:
            raise Complaint(Phrase("cases.too_long", file=path, most=LARGEST_FILE // 2**20))
        lines = raw.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError):
        raise Complaint(Phrase("cases.unread", file=path)) from None
    cases = [_case(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not any(isinstance(case, Case) or case.id is not None for case in cases):
        raise Complaint(Phrase("cases.none", file=path, form='{"id","wav","fen","language"}'))
    return cases


def _case(number: int, line: str) -> Case | Failure:
    try:
        return msgspec.json.decode(line, type=Case)
    except msgspec.ValidationError as wrong:
        try:
            named = msgspec.json.decode(line)  # the shape was wrong; the rest of the line may be no JSON at all
        except (msgspec.DecodeError, RecursionError):
            return _no_json(number)
        name = named.get("id") if isinstance(named, dict) else None
        told = Phrase("cases.no_case", line=number, why=plainly(str(wrong), Case, named))
        return Failure(name if isinstance(name, str | int) else None, in_own_words(told))
    except (msgspec.DecodeError, RecursionError):
        return _no_json(number)


def _no_json(number: int) -> Failure:
    return Failure(None, in_own_words(Phrase("cases.no_json", line=number)))


def answer_of(case: Case, verdict: Verdict, board: chess.Board | None, scheme: Scheme, *, training: bool) -> Answer:
    """Return the line of a case.

    The position decides `uci`, `san`, `legal` and `alternatives`, and nothing else. `training` lifts that: what was
    heard in doubt is narrowed by the position, and an announcement that several legal moves fit, or none, is asked
    about first.
    """
    if training and board is not None:
        verdict = order_by_legality(verdict, board)
    heard = verdict.heard
    resolution = Resolution(None)
    if board is not None and heard.kind == "move" and heard.said is not None:
        resolution = resolve(announcement_of(heard.said), board)
    move = chess.Move.from_uci(resolution.uci) if resolution.uci is not None else None
    legal = _legal(board, resolution) if heard.kind == "move" else None
    judgement = verdict.verdict
    question = _question(verdict, board, scheme) if training else None
    if judgement == "accept" and question is not None:
        judgement = "confirm"
    return Answer(
        id=case.id,
        words=verdict.words,
        text=text_in(verdict.words, scheme),
        announced=_announcement_in(heard),
        uci=resolution.uci,
        san=board.san(move) if board is not None and move is not None and legal else None,
        legal=legal,
        verdict=judgement,
        confidence=verdict.confidence,
        alternatives=_alternatives(verdict, resolution, board),
        ms=verdict.ms,
        engine=verdict.engine,
        question=question,
    )


def _question(verdict: Verdict, board: chess.Board | None, scheme: Scheme) -> TrainingAsked | None:
    said = verdict.heard.said
    if board is None or said is None or verdict.heard.kind != "move" or verdict.verdict not in ("accept", "confirm"):
        return None
    found = training_question(announcement_of(said), board)
    if found is None:
        return None
    told = spoken_message(
        Question(ask=found.ask, utterance=None, piece=found.piece, choices=found.choices), scheme, read_back=False
    )
    return TrainingAsked(found.ask, found.choices, told[0] if told is not None else "")


def _announcement_in(heard: Heard) -> Announced:
    if heard.kind == "command":
        return Announced("command", command=heard.command)
    said = heard.said if heard.kind == "move" and heard.said is not None else Said()
    return Announced(heard.kind, said.piece, said.from_square, said.to_square, said.promotion, said.castling)


def _legal(board: chess.Board | None, resolution: Resolution) -> bool | None:
    """Say whether the move meant is legal.

    None where there is no position or several legal moves may be meant.
    """
    if board is None:
        return None
    legal = [uci for uci in resolution.candidates if board.is_legal(chess.Move.from_uci(uci))]
    if resolution.uci is not None:
        return resolution.uci in legal
    return None if legal else False


def _alternatives(verdict: Verdict, resolution: Resolution, board: chess.Board | None) -> tuple[Alternative, ...]:
    """Return the other moves that may have been meant.

    The moves an ambiguous announcement leaves open, then what else was nearly heard; what has no share of the
    probability was not. Legal moves come first; that order is for the arbiter and reaches no player.
    """
    if board is None or verdict.verdict == "reject" or not verdict.hypotheses:
        return ()
    found: dict[str, Alternative] = {}
    if resolution.uci is None and resolution.candidates:
        share = round(verdict.confidence / len(resolution.candidates), 4)
        for uci in resolution.candidates:
            found[uci] = Alternative(uci, verdict.words, share)
    best = verdict.hypotheses[0].score
    rest = 1.0 - verdict.confidence
    for other in verdict.hypotheses[1:]:
        heard = understand(other.ids)
        if heard.kind != "move" or heard.said is None:
            continue
        nearly = resolve(announcement_of(heard.said), board).uci
        if nearly is not None and nearly != resolution.uci:
            share = round(rest / (1.0 + math.exp(min(50.0, best - other.score))), 4)
            if share > 0.0:
                found.setdefault(nearly, Alternative(nearly, other.ids, share))
    ordered = sorted(
        found.values(), key=lambda one: (not board.is_legal(chess.Move.from_uci(one.uci)), -one.confidence)
    )
    return tuple(ordered[:SHOWN_ALTERNATIVES])
