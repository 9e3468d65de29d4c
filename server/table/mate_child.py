"""The process that looks whether a player can ever mate; `server.table.mate_worker` starts it."""

from __future__ import annotations

import msgspec

from server.game.mating import DEFAULT, can_ever_mate
from server.game.values.position import Position
from server.game.values.words import Seat
from speech.process import give_way, serve_child


def answer_mate(asked: dict[str, object]) -> dict[str, object]:
    """Return the answer to one question, within the budget of positions.

    It is the same on every machine.
    """
    position = msgspec.convert(asked["position"], Position)
    found: dict[str, object] = msgspec.to_builtins(can_ever_mate(position, Seat(str(asked["seat"])), DEFAULT))
    return found


if __name__ == "__main__":
    give_way()  # no answer to a player may wait for this work, which depends on the position
    serve_child(answer_mate)
