"""The small words of the core: seats, kinds, origins, modes, roles, duties."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec


def snake_case(name: str) -> str:
    """The tag of a class on the wire and in the journal.

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
        """The opponent's seat."""
        return Seat.BLACK if self is Seat.WHITE else Seat.WHITE


class SeatKind(StrEnum):
    """How the player at a seat plays: by touch (Appendix D), with low vision, or sighted (D.2.5)."""

    TACTILE = "tactile"
    LOW_VISION = "low-vision"
    SIGHTED = "sighted"


class Origin(StrEnum):
    """How a fact reached the record."""

    SENSED = "sensed"
    DECLARED = "declared"
    HEARD = "heard"
    ENTERED = "entered"
    INFERRED = "inferred"


class Mode(StrEnum):
    """How the program is at the table: witness, messenger, or clock and recorder only."""

    TABLE = "table"
    RELAY = "relay"
    CLOCK = "clock"


class ClockMaster(StrEnum):
    """Whose clock counts. With `livechess` and `manual` the server only reads and speaks."""

    SERVER = "server"
    LIVECHESS = "livechess"
    MANUAL = "manual"


class Role(StrEnum):
    """What a station is at the table."""

    PLAYER = "player"
    ASSISTANT = "assistant"
    ARBITER = "arbiter"
    DISPLAY = "display"
    OBSERVER = "observer"  # 12.4: an arbiter's helper, of no player


class Talking(StrEnum):
    """How a player's microphone is opened: the talk key held, switched on and off, or by voice activity."""

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


class Boards(StrEnum):
    """Which boards stand at the table (D.1, L176): in play each side's board is followed for itself."""

    TWO = "two"  # the sighted player's normal board and the special board
    ONE = "one"  # one board for both
    TWO_SPECIAL = "two_special"  # a special board each


class PressKeys(msgspec.Struct, frozen=True):
    """Two buttons that press the clock: at which device, and which keys they are.

    `where`: a player's stations, a display, the server's own machine. `learning`: each is still to be pressed once.
    """

    where: Literal["white", "black", "display", "server"] | None = None
    white: str = ""
    black: str = ""
    learning: bool = False


class Station(msgspec.Struct, frozen=True):
    """A device at the table: of a seat, of the assistant of a seat, the arbiter's, a display's or an observer's."""

    id: str
    role: Role
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()
    under: str = ""  # 4.9, 6.2.6 or 8.1.6 for an assistant who is none of Appendix D
    provided_by: str = ""


class SoundDevices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sound devices of the server itself, by name; `headset`: that microphone cannot hear those headphones."""

    microphone: str | None = None
    headphones: str | None = None
    headset: bool = False

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return self.microphone is not None or self.headphones is not None


class ReadBack(StrEnum):
    """What a player hears of his own words as they were understood."""

    NONE = "none"
    TICK = "tick"
    SHORT = "short"  # where to, or the castling
    FULL = "full"


class EarChoice(msgspec.Struct, frozen=True):
    """How a player wants to be spoken to.

    `read_back` None: full where the program carries the words, else none. `speed`: per cent. `voice`: the engine's name
    of another speaker, `language`: another language for answers and prompts; "" as it was. `gain_db`, `lower`
    (semitones), `balance` (-100 left ear alone, 100 right): for hearing aids. `read_keys`: his page's own words
    (the menu of two keys, the echo of six) are said into his ear too: for who has no screen reader.
    """

    read_back: ReadBack | None = None
    speed: int = 100
    voice: str = ""
    language: str = ""
    gain_db: int = 0
    lower: int = 0
    balance: int = 0
    read_keys: bool = False


class HeadsetCheck(msgspec.Struct, frozen=True):
    """What a level check found about our own voice in the microphone of a station: whether it `stays_out` of it.

    `ours_dbfs`: how loud ours would be in it, None where that could not be measured. `at`: ms of its run.
    """

    station: str
    stays_out: bool
    ours_dbfs: float | None
    at: int


class SeatSound(msgspec.Struct, frozen=True):
    """What is chosen about one seat's sound. `permitted`: voice activity, by the arbiter. `profile`: a known voice.
    `headsets`: for each station what the last check of its headset found.
    """

    talking: Talking = Talking.HELD
    permitted: bool = False
    devices: SoundDevices = SoundDevices()
    profile: str = ""
    ear: EarChoice = EarChoice()
    headsets: tuple[HeadsetCheck, ...] = ()

    def proven(self, station: str) -> bool:
        """Whether a check has shown that this station's microphone does not hear our own voice."""
        return any(one.station == station and one.stays_out for one in self.headsets)


def station_of_devices(seat: Seat) -> Station:
    """The station of a seat's sound devices at the server itself; there is one a seat.

    >>> station_of_devices(Seat.WHITE).id
    'device-white'
    """
    return Station(f"device-{seat.value}", Role.PLAYER, seat)


class ArbiterEar(msgspec.Struct, frozen=True):
    """A station of the arbiter's into whose ear alerts and his answers are spoken, and in which language."""

    station: str
    language: str


class SeatPlan(msgspec.Struct, frozen=True):
    """Who sits where: the kind of seat, the player's name, the language he listens in.

    `hearing_impaired`: announcements and offers reach him by sight (D.2.11). `needs`: what the arbiter has to provide
    for otherwise (12.2.6), for his eyes alone. `echo_scores`: a tactile player's echo is also his score entry for the
    opponent's move (D.2.7); without it he writes that entry himself.
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
        """Whether his echo is his score entry too: one utterance for both."""
        return self.kind is SeatKind.TACTILE and self.echo_scores

    @property
    def visually_disabled(self) -> bool:
        """Whether Appendix D is for this player."""
        return self.kind is not SeatKind.SIGHTED

    @property
    def disabled(self) -> bool:
        """Whether no time is taken from him for an assistant (6.2.6, 8.1.6)."""
        return self.visually_disabled or self.hearing_impaired or bool(self.needs)
