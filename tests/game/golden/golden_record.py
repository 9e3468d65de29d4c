"""Golden records: a whole game as the program of one milestone wrote it, kept for ever.

A record is two files: `NAME.jsonl`, one envelope of the journal a line with its event in `body`; and `NAME.state.json`,
what the game amounted to, in facts that do not depend on how the state is laid out.

To add one for a milestone: let `full_game.py` provoke the new kinds of events too, then from the repo's root

    PYTHONPATH=.:tests/game/golden .venv/bin/python tests/game/golden/golden_record.py NAME

Never write an old one again: what today's program makes of an old record is the question that they ask. Where an old
record no longer replays to its facts, the program is to be mended, not the record.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from server.game.acts import AnyEvent, event_in
from server.game.game import Game
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.journal.entry import Entry
from server.journal.sqlite.reader import JournalReader
from tests.game.golden.full_game import TABLE, play_full_game

FOLDER = Path(__file__).resolve().parent


class GoldenLine(msgspec.Struct, frozen=True):
    """One line of a golden record: the envelope, with its event as JSON."""

    table: str
    seq: int
    run: str
    command: str
    station: str
    seat: str
    origin: str
    mono_ms: int
    wall_ms: int
    version: int
    kind: str
    body: msgspec.Raw


def names() -> list[str]:
    """The golden records there are, the oldest milestone first by its name's order."""
    return sorted(file.stem for file in FOLDER.glob("*.jsonl"))


def read_golden(name: str) -> list[GoldenLine]:
    lines = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=GoldenLine) for line in lines]


def events_of(name: str) -> list[AnyEvent]:
    return [event_in(bytes(line.body)) for line in read_golden(name)]


def facts(state: GameState) -> dict[str, Any]:
    """What a game amounts to: boards, scores, believed line, moments and clocks, each by its name of today."""
    return {
        "white_board": state.moves.white_board.position.placement,
        "black_board": state.moves.black_board.position.placement,
        "line": list(state.moves.line),
        "positions": [position.fen for position in state.moves.positions],
        "scores": {
            seat.value: [[cell.text, cell.source, cell.utterance] if cell else None for cell in state.scores.of(seat)]
            for seat in Seat
        },
        "plies": [
            {
                "text": record.text,
                "words": list(record.words),
                "announced_ms": record.announced_ms,
                "made_ms": record.made_ms,
                "completed_ms": record.completed_ms,
                "echo_text": record.echo_text,
                "echo_agrees": record.echo_agrees,
                "echoed_ms": record.echoed_ms,
                "executed_ms": record.executed_ms,
                "white_ms": record.white_ms,
                "black_ms": record.black_ms,
                "contested": record.contested,
                "mended": record.mended,
            }
            for record in state.moves.plies
        ],
        "clock": {
            "turn": state.time.clock.turn,
            "running": state.time.clock.running,
            "first_flag": state.time.clock.first_flag,
            **{
                seat.value: [state.time.clock.side(seat).remaining_ms, state.time.clock.side(seat).flagged]
                for seat in Seat
            },
        },
        "stations": [[one.id, one.role, one.seat, list(one.duties)] for one in state.stations.admitted],
        "adaptations": [[one.name, one.value] for one in state.table.adaptations],
        "mode": state.table.mode,
        "clock_master": state.time.clock_master,
        "out_of_step": state.moves.out_of_step,
        "offer_by": state.draws.offer_by,
        "result": state.ending.result,
        "reason": state.ending.reason,
    }


def written_facts(state: GameState) -> bytes:
    return msgspec.json.format(msgspec.json.encode(facts(state)), indent=1) + b"\n"


def record(name: str, envelopes: list[Entry]) -> None:
    """Write a new golden record; FileExistsError for an old one."""
    lines = [
        msgspec.json.encode(GoldenLine(**{**msgspec.structs.asdict(envelope), "body": msgspec.Raw(envelope.body)}))
        for envelope in envelopes
    ]
    with (FOLDER / f"{name}.jsonl").open("xb") as file:
        file.write(b"\n".join(lines) + b"\n")
    with (FOLDER / f"{name}.state.json").open("xb") as file:
        file.write(written_facts(Game.replay(msgspec.json.decode(one.body, type=AnyEvent) for one in envelopes)))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="anna-eins-golden-") as folder:
        asyncio.run(play_full_game(Path(folder)))
        with JournalReader.open(Path(folder) / "journal.sqlite") as journal:
            record(sys.argv[1], journal.read(TABLE))


if __name__ == "__main__":
    main()
