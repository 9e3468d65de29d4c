"""The small words of the core: seats, kinds, origins, modes, roles, duties."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec


def snake_case(name: str) -> str:
    """Return the tag of a class on the wire and in the journal.

    >>> snake_case("BoardMoved")
    'board_moved'
    """
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Seat(StrEnum):
    """One of the two players' places; White moves first (1.1, L004)."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Seat:
        """Return the opponent's seat."""
        return Seat.BLACK if self is Seat.WHITE else Seat.WHITE


class SeatKind(StrEnum):
    """How the player at a seat plays: by touch (Appendix D), with low vision, or sighted.

    See D.2.5.
    """

    TACTILE = "tactile"
    LOW_VISION = "low-vision"
    SIGHTED = "sighted"


class Origin(StrEnum):
    """Way in which a fact reached the record."""

    SENSED = "sensed"
    DECLARED = "declared"
    HEARD = "heard"
    ENTERED = "entered"
    INFERRED = "inferred"


class Mode(StrEnum):
    """Part that the program plays at the table.

    Witness, messenger, or clock and recorder only.
    """

    TABLE = "table"
    RELAY = "relay"
    CLOCK = "clock"


class ClockMaster(StrEnum):
    """Clock that counts.

    With `livechess` and `manual` the server only reads and tells the times.
    """

    SERVER = "server"
    LIVECHESS = "livechess"
    MANUAL = "manual"


class Role(StrEnum):
    """Part that a station plays at the table."""

    PLAYER = "player"
    ASSISTANT = "assistant"
    ARBITER = "arbiter"
    DISPLAY = "display"
    OBSERVER = "observer"  # 12.4: an arbiter's helper, of no player


class Talking(StrEnum):
    """Way in which a player's microphone is opened.

    By holding the talk key, by switching on and off, or by voice activity.
    """

    HELD = "held"
    TOGGLED = "toggled"
    VOICE = "voice"


class Duty(StrEnum):
    """The six duties of D.2.10, granted one by one (L199-L205)."""

    EXECUTE = "execute"  # D.2.10.1
    ANNOUNCE = "announce"  # D.2.10.2
    SCORE_AND_CLOCK = "score_and_clock"  # D.2.10.3
    INFORM = "inform"  # D.2.10.4
    CLAIM_AND_REPORT = "claim_and_report"  # D.2.10.5
    ADJOURN = "adjourn"  # D.2.10.6

    @property
    def article(self) -> str:
        """Paragraph of D.2.10 that lets an assistant do this."""
        return f"D.2.10.{list(Duty).index(self) + 1}"


class Boards(StrEnum):
    """Boards that stand at the table (D.1, L176).

    In play each side's board is followed by itself.
    """

    TWO = "two"  # the sighted player's normal board and the special board
    ONE = "one"  # one board for both
    TWO_SPECIAL = "two_special"  # a special board each


class PressKeys(msgspec.Struct, frozen=True):
    """Two buttons that press the clock: the device they are at, and which keys they are.

    `where`: a display, or the server's own machine; in earlier records a player's device, which presses for nobody.
    `learning`: each must still be pressed once.
    """

    where: Literal["white", "black", "display", "server"] | None = None
    white: str = ""
    black: str = ""
    learning: bool = False


class Station(msgspec.Struct, frozen=True):
    """Device at the table, of a player, an assistant, the arbiter, a display or an observer."""

    id: str
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    under: str = ""  # 4.9, 6.2.6 or 8.1.6 for an assistant outside Appendix D
    provided_by: str = ""


class SoundDevices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sound devices of the server itself, by name.

    `headset`: the microphone cannot hear the headphones.
    """

    microphone: str | None = None
    headphones: str | None = None
    headset: bool = False

    @property
    def any(self) -> bool:
        """Return whether there is any device."""
        return self.microphone is not None or self.headphones is not None


class ReadBack(StrEnum):
    """How much a player hears of their own words as they were understood."""

    NONE = "none"
    TICK = "tick"
    SHORT = "short"  # where to, or the castling
    FULL = "full"


class EarChoice(msgspec.Struct, frozen=True):
    """Player's choice of how to be spoken to.

    `read_back` None: in full where the program carries the words or was in doubt, else none. `speed`: per cent.
    `voice`: the engine's name of another speaker. `language`: the seat's own, as its player chose it or the arbiter
    fixed it (`language_fixed`); "": nobody has chosen, and the seat has that of its `SeatPlan`. `gain_db`, `lower`
    (semitones), `balance` (-100 left ear alone, 100 right): for hearing aids. `read_keys`: the page's own words (the
    menu of two keys, the echo of six) are also spoken, for a player without a screen reader.
    """

    read_back: ReadBack | None = None
    speed: int = 100
    voice: str = ""
    language: str = ""
    gain_db: int = 0
    lower: int = 0
    balance: int = 0
    read_keys: bool = False
    language_fixed: bool = False


class HeadsetCheck(msgspec.Struct, frozen=True):
    """Result of a check for our own voice in a station's microphone.

    `stays_out`: the microphone does not hear it. `ours_dbfs`: how loud our voice would be in it; None where that could
    not be measured. `at`: ms of its run.
    """

    station: str
    stays_out: bool
    ours_dbfs: float | None
    at: int


class SeatSound(msgspec.Struct, frozen=True):
    """Choices about the sound of one seat.

    `permitted`: the arbiter has allowed voice activity. `profile`: a known voice. `headsets`: what the last check of
    the headset found, for each station.
    """

    talking: Talking = Talking.HELD
    permitted: bool = False
    devices: SoundDevices = SoundDevices()
    profile: str = ""
    ear: EarChoice = EarChoice()
    headsets: tuple[HeadsetCheck, ...] = ()

    def proven(self, station: str) -> bool:
        """Return whether a check has shown that this station's microphone does not hear our own voice."""
        return any(one.station == station and one.stays_out for one in self.headsets)


def station_of_devices(seat: Seat) -> Station:
    """Return the station that stands for a seat's sound devices at the server; each seat has one.

    >>> station_of_devices(Seat.WHITE).id
    'device-white'
    """
    return Station(f"device-{seat.value}", Role.PLAYER, seat)


class ArbiterEar(msgspec.Struct, frozen=True):
    """Station that speaks alerts and answers into the arbiter's ear, with its language."""

    station: str
    language: str


class SeatPlan(msgspec.Struct, frozen=True):
    """Player at a seat: the kind of seat, the name, the language until another is chosen.

    `hearing_impaired`: announcements and offers reach the player by sight (D.2.11). `needs`: what else the arbiter has
    to provide for (12.2.6), for the arbiter's eyes only. `echo_scores`: a tactile player's echo is also their score
    entry for the opponent's move (D.2.7); without it the player writes that entry.
    """

    kind: SeatKind
    name: str = ""
    language: str = "de"
    scheme: str = "d21"
    hearing_impaired: bool = False
    needs: str = ""
    echo_scores: bool = True

    @property
    def scores_by_echo(self) -> bool:
        """Return whether the player's echo is also the score entry: one utterance for both."""
        return self.kind is SeatKind.TACTILE and self.echo_scores

    @property
    def visually_disabled(self) -> bool:
        """Return whether Appendix D is for this player."""
        return self.kind is not SeatKind.SIGHTED

    @property
    def disabled(self) -> bool:
        """Return whether no time is taken from this player for an assistant (6.2.6, 8.1.6)."""
        return self.visually_disabled or self.hearing_impaired or bool(self.needs)
