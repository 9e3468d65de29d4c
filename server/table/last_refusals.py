"""Why a player's last command was not carried out, for his question "which article"; forgotten at a restart."""

from __future__ import annotations

import msgspec

from server.game.acts import commands as cmd
from server.game.acts.commands import Command, Refusal
from server.game.values.words import Seat, Station


class LastRefusals:
    """Of one table: seat -> the last refusal that one of its stations was told, however it had asked."""

    def __init__(self) -> None:
        self._last: dict[Seat, Refusal] = {}

    def note(self, station: Station | None, refusal: Refusal) -> None:
        """A command of this station was refused."""
        if station is not None and station.seat is not None:
            self._last[station.seat] = refusal

    def filled(self, station: Station | None, command: Command) -> Command:
        """The command, and where it asks for the article of the last refusal, that refusal: never a client's."""
        body = command.body
        if not isinstance(body, cmd.Ask):
            return command
        last = self._last.get(station.seat) if station is not None and station.seat is not None else None
        wanted = last if body.what == "article" else None
        code, article = (wanted.code, wanted.article) if wanted is not None else ("", "")
        return msgspec.structs.replace(command, body=msgspec.structs.replace(body, refused=code, article=article))
