"""The profile of an event says what holds for every round that is opened: chosen once, and kept as a file.

The file is TOML (`config/event.toml` is the sample, with a remark for each line). The page of all tables keeps the
profile as `event.toml` in the data folder; `anna-eins import --event FILE` takes one for a round.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import tomlkit
from tomlkit.exceptions import ConvertError
from tomlkit.items import Table

from server.exports.chess960 import start_of
from server.game.acts import DelayDisplay, RecordAdaptation
from server.game.laws.event_options import EventOptions
from server.game.values.pairing import DayTime, Way
from server.game.values.words import Boards, SeatKind
from server.game.values.written_control import LONGEST_CONTROL
from server.hall.foreign_files.pairings import MOST_BOARDS, Name
from server.machine.data_folder import DataFolder
from server.settings import (
    LARGEST_FILE,
    RULE_SET,
    Edition,
    Settings,
    check_edition,
    regulations_of,
    settings_source,
)
from server.wording.rules import control_of, load_adaptations
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase
from speech.words.config_file import Source, config_root, language_tags
from speech.words.loading import GERMAN

SAMPLE = "event.toml"
MOST_STARTS = 60
"""Rounds whose beginning a profile may say."""
CONTROL = "5400+30"
"""The time control where neither the event nor the pairing file has one."""


Digits = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,3}\Z")]
"""The number of a round or a board, as the key of a table in the file."""


class KnownPlayer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player as the event knows them, at every table where they sit.

    Fields as in `SeatPlan`. `language` "": that of the event for the `kind` of seat.
    """

    kind: SeatKind = SeatKind.SIGHTED
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    hearing_impaired: bool = False
    needs: Annotated[str, msgspec.Meta(max_length=400)] = ""
    echo_scores: bool = True


def name_key(name: str) -> str:
    """Return a player's name so that it is found again, however it is spaced or capitalised.

    >>> name_key(" ADLER,  Anna ")
    'adler, anna'
    """
    return " ".join(name.split()).casefold()


class EventProfile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an event for its rounds.

    `name`: of the event, where the pairing file has none. `control`: by name or as people write it; "": as in the
    pairing file, else the usual one. `language`: the players' until they choose another; `sighted_language` "": the
    same. `scheme`: the words of announcements. `display_delay_s`: by how much later the displays show the games.
    `edition`: of the Laws. `boards`: which boards stand at each table. `chess960`: the start position of every game, as
    `start_of` reads it ("draw": drawn once for a round); "": usual chess.
    `starts`: the number of a round -> when it begins, "15:00"; `ways`: the number of a board -> the way to its table.
    `players`: name -> what holds for that player at every table. `event`: the regulations, named as in `EventOptions`.
    `adaptations`: name -> value, recorded at each table (D.1).
    """

    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    control: Annotated[str, msgspec.Meta(max_length=LONGEST_CONTROL)] = ""
    rated: bool = True
    language: str = GERMAN
    sighted_language: str = ""
    scheme: Annotated[str, msgspec.Meta(max_length=80)] = "d21"
    display_delay_s: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 0
    edition: Edition = RULE_SET
    boards: Boards = Boards.TWO
    chess960: Annotated[str, msgspec.Meta(max_length=40)] = ""
    starts: Annotated[dict[Digits, DayTime], msgspec.Meta(max_length=MOST_STARTS)] = {}
    ways: Annotated[dict[Digits, Way], msgspec.Meta(max_length=MOST_BOARDS)] = {}
    players: Annotated[dict[Name, KnownPlayer], msgspec.Meta(max_length=2 * MOST_BOARDS)] = {}
    event: dict[str, Any] = {}
    adaptations: dict[str, str] = {}

    @property
    def regulations(self) -> EventOptions:
        """Return the regulations of the event beside its edition of the Laws.

        Raises Complaint for what is no regulation.
        """
        return regulations_of(self.event, Phrase("what.the_event"), self.edition)

    def player(self, name: str) -> KnownPlayer:
        """Return the entry of a player; one without special regulations where there is none."""
        found = (known for other, known in self.players.items() if name_key(other) == name_key(name))
        return next(found, KnownPlayer())

    def knows(self, name: str) -> bool:
        """Return whether the event has an entry of this player."""
        return any(name_key(other) == name_key(name) for other in self.players)

    def with_player(self, name: str, known: KnownPlayer) -> EventProfile:
        """Return the profile that knows this of a player, in place of what it knew before."""
        others = {other: one for other, one in self.players.items() if name_key(other) != name_key(name)}
        return msgspec.structs.replace(self, players={**others, name: known})

    def language_of(self, kind: SeatKind) -> str:
        """Return the language of a kind of seat until its player chooses another."""
        return (self.sighted_language if kind is SeatKind.SIGHTED else "") or self.language

    def commands(self) -> tuple[RecordAdaptation | DelayDisplay, ...]:
        """Return the commands that record the profile at each table after it was opened."""
        delay = (DelayDisplay(delay_s=self.display_delay_s),) if self.display_delay_s else ()
        return (*(RecordAdaptation(name=name, value=value) for name, value in self.adaptations.items()), *delay)


def check_profile(source: Source) -> EventProfile:
    """Return the profile of a parsed file. Raises Complaint that names the file and the key path of what is wrong."""
    profile = source.in_shape(EventProfile)
    check_edition(source, profile.edition)
    regulations_of(profile.event, source.label, profile.edition)
    if profile.chess960:
        try:
            start_of(profile.chess960, lambda of: 0)
        except Complaint as wrong:
            raise source.complain("chess960", wrong) from wrong
    if profile.control:
        try:
            control_of(profile.control)
        except ValueError as wrong:
            raise source.complain("control", wrong) from wrong
    of_players = {f"players.{name}.language": one.language for name, one in profile.players.items()}
    for key, tag in {
        "language": profile.language,
        "sighted_language": profile.sighted_language,
        **of_players,
    }.items():
        if tag not in (*language_tags(), *([] if key == "language" else [""])):
            raise source.complain(key, Phrase("value.choose", names=", ".join(language_tags())))
    try:
        scheme_of(profile.scheme, profile.language)
    except Complaint as wrong:
        raise source.complain("scheme", wrong) from wrong
    known = load_adaptations()
    source.exactly(profile.adaptations, "adaptations", tuple(known), every=False)
    for name, value in profile.adaptations.items():
        if value not in known[name].values:
            raise source.complain(f"adaptations.{name}", Phrase("value.choose", names=", ".join(known[name].values)))
    return profile


def load_profile(path: Path) -> EventProfile:
    """Return the profile in a file. Raises Complaint as `check_profile` does, and where the file cannot be read."""
    return check_profile(settings_source(path, Phrase("what.event")))


def kept_profile(data: DataFolder, settings: Settings | None = None, language: str = GERMAN) -> EventProfile:
    """Return the profile that the data folder keeps; where it keeps none, that of the settings' own `[event]`.

    `language`: the players', where it keeps none.
    Raises Complaint for a file that was spoilt by hand.
    """
    if data.event_profile.exists():
        return load_profile(data.event_profile)
    return of_settings(Settings() if settings is None else settings, language)


def of_settings(settings: Settings, language: str = GERMAN) -> EventProfile:
    """Return the profile of an event that has none of its own: what the settings say of one.

    `language`: the players', that of whoever opens the tables.
    """
    return EventProfile(language=language, edition=settings.edition, event=settings.event)


def as_toml(profile: EventProfile) -> str:
    """Return the profile as a file, with the remarks of the sample.

    Raises Complaint for a value that is none in TOML ("null"), and for a file that would be too long to be read again.
    """
    document = tomlkit.parse(config_root(None).joinpath(SAMPLE).read_text("utf-8"))
    for key, value in msgspec.to_builtins(profile).items():
        place = document[key]
        if not isinstance(place, Table):
            _settle(document, key, value)
            continue
        for name, inner in value.items():
            _settle(place, name, inner)
    written: str = tomlkit.dumps(document)
    if len(written.encode()) > LARGEST_FILE:
        most = LARGEST_FILE // 1024
        raise Complaint(Phrase("file.too_long", what=Phrase("what.event"), path=SAMPLE, most=most))
    return written


def _settle(place: tomlkit.TOMLDocument | Table, key: str, value: Any) -> None:
    """Put a value at its key, where the file has it already with its remark behind it, or at the end."""
    if key in place and place[key] == value:
        return
    try:
        place[key] = value
    except ConvertError as wrong:
        raise Complaint(Phrase("profile_wrong", why=f"key {key}: a file cannot hold this value")) from wrong
