"""What goes to and comes from a station on its WebSocket: JSON values, validated at the edge (see docs/protocol.md).

One piece of the copy of a record (see `held_copy`), as it goes over the wire and stands in a file.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.commands import StationBody
from server.game.values.words import Seat
from server.game.views.held_times import HeldTimes
from server.game.views.messages import AnyMessage, Greeting, OutcomeShown
from speech.audio.level import Finding
from speech.audio.mic_check import HeadsetFound
from speech.channels.ear import Kind


class Piece(msgspec.Struct, frozen=True):
    """The events `first` to `last` of the table, sealed (base64)."""

    first: int
    last: int
    sealed: str


UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What decoding JSON from outside may raise; the last one where it is nested thousands deep."""


class Hello(msgspec.Struct, frozen=True, tag_field="kind", tag="hello"):
    """First thing a station says: the last message number it holds (resume means after that).

    `language`: in which its person reads refusals, "de"; without it the seat's, else English. `beats`: whether it wants
    the server's heartbeat.
    """

    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    language: Annotated[str, msgspec.Meta(max_length=35)] | None = None
    beats: bool = False


class Do(msgspec.Struct, frozen=True, tag_field="kind", tag="do"):
    """A command: a 128-bit id made by the client, the ply it is about, and the body."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    body: StationBody
    about_ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None


class Typed(msgspec.Struct, frozen=True, tag_field="kind", tag="typed"):
    """Words typed in the station's one field: an announcement, an echo or a command word of the player's language.

    `capitals`: his capitals tell a piece from a file, so that bxc4 is the pawn's; else he is asked which he means.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    text: Annotated[str, msgspec.Meta(max_length=200)]
    act: str = "auto"
    capitals: bool = False


class CellsTyped(msgspec.Struct, frozen=True, tag_field="kind", tag="cells"):
    """The same in braille: Unicode cells as the fingers made them (chords, a display's keys), U+2800 the space."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    cells: Annotated[str, msgspec.Meta(pattern=r"^[\u2800-\u28ff]{1,60}\Z")]
    act: str = "auto"
    capitals: bool = False


class AtEar(msgspec.Struct, frozen=True, tag_field="kind", tag="ear"):
    """What happens at a private ear; no part of the game, answered by nothing, told as it happens.

    `did`: a sound (`id`) of ours `began` or `ended` there; a key of the listener's: `talk`, `stop`, the `press` of the
    clock, or another whose own words come now (`page`), which cut what sounds; `repeat`: the last phrase again; `off`,
    `on`: whether this device plays at all.
    """

    did: Literal["began", "ended", "talk", "stop", "press", "page", "repeat", "off", "on"]
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


class ReadOut(msgspec.Struct, frozen=True, tag_field="kind", tag="read_out"):
    """Words of the player's own page (its menus, the echo of his keys) for his own ear, where he chose `read_keys`.

    No part of the game, answered by nothing, on record like all that is said to him. `language`: whose voice says it.
    """

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2,3}\Z")]


class Beaten(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """The answer to a beat that asked for one: its number."""

    n: Annotated[int, msgspec.Meta(ge=0)]


class Hold(msgspec.Struct, frozen=True, tag_field="kind", tag="hold"):
    """The arbiter's device holds a copy of the record: of this `id`, up to event `after`; "" and 0: none yet."""

    id: Annotated[str, msgspec.Meta(max_length=64)] = ""
    after: Annotated[int, msgspec.Meta(ge=0)] = 0


Incoming = Hello | Do | Typed | CellsTyped | AtEar | ReadOut | Beaten | Hold


class Greeted(msgspec.Struct, frozen=True, tag_field="kind", tag="greeting"):
    """The station's place and what it may always see; `n` is the number of its last message so far."""

    n: int
    greeting: Greeting


class Numbered(msgspec.Struct, frozen=True, tag_field="kind", tag="message"):
    """A message with the station's own gapless number.

    `lines`: to a player or his assistant, what is said of it, as lines of at most forty cells, the move first.
    """

    n: int
    message: AnyMessage
    lines: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True, tag_field="kind", tag="outcome"):
    """The answer to a command; `text`: one plain sentence in the station's language where it was refused."""

    outcome: OutcomeShown
    text: str = ""


class SoundReady(msgspec.Struct, frozen=True, tag_field="kind", tag="sound"):
    """Speech for this station's ear lies ready under /sound/ID (WAV), to be played now: one at a time.

    `n`: the message it speaks. `what`: how urgent it is; the press of the clock cuts neither `link` nor `announcement`.
    """

    n: int
    id: str
    text: str
    length_ms: int
    what: Kind = Kind.ANSWER


class Hush(msgspec.Struct, frozen=True, tag_field="kind", tag="hush"):
    """This sound stops at once: `why` is voice (somebody speaks), urgent, or a key of the listener's own."""

    id: str
    why: str


class Taken(msgspec.Struct, frozen=True, tag_field="kind", tag="taken"):
    """On /audio: the utterance is on disk and has been listened to; whatever it meant has gone out before this."""

    utterance: int


class LevelFound(msgspec.Struct, frozen=True, tag_field="kind", tag="level"):
    """On /audio: how good the microphone is: silent, quiet, clipped, noisy or good; decibels below full scale.

    `headset`, where that was checked: our own voice stays out of it (`proven`), comes back (`echo`), or `unknown`.
    """

    finding: Finding
    speech_dbfs: float
    peak_dbfs: float
    snr_db: float
    headset: HeadsetFound | None = None


class Active(msgspec.Struct, frozen=True, tag_field="kind", tag="active"):
    """On /audio: voice activity has begun to take an utterance, or is through with it (`on` false)."""

    on: bool


class SealedWords(msgspec.Struct, frozen=True, tag_field="kind", tag="sealed_words"):
    """To the sealer alone, and kept nowhere: what lies in his envelope now. `ask`: what his sound left open."""

    words: tuple[str, ...]
    text: str
    understood: bool = True
    ask: str | None = None
    lines: tuple[str, ...] = ()


class SealCode(msgspec.Struct, frozen=True, tag_field="kind", tag="seal_code"):
    """To the arbiter who ordered the seal, once, and kept nowhere: the squares that open the envelope."""

    squares: tuple[str, ...]
    words: str


class Beat(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """The server lives, twice a second; `ask`: the number is to be sent back. Three missed beats: the server is gone.

    `held`: what the station shows then: "set any clock to"; null where there is nothing to set a clock to.
    """

    n: int
    ask: bool
    held: HeldTimes | None


class LineSeen(msgspec.Struct, frozen=True):
    """One station's line as the arbiter sees it; `ms`: how long its last answer took, null while it is away."""

    station: str
    role: str
    seat: Seat | None
    ms: int | None


class LinesSeen(msgspec.Struct, frozen=True, tag_field="kind", tag="lines"):
    """To the arbiter: the stations of his table that were ever on the line in this run of the server."""

    lines: tuple[LineSeen, ...]


class CopyBegins(msgspec.Struct, frozen=True, tag_field="kind", tag="copy_begins"):
    """To the arbiter's device: the copy of this table. With another `id` what it holds is of another record.

    `squares`, `words`: the code without which no copy opens; shown to nobody else.
    """

    table: str
    id: str
    squares: tuple[str, ...]
    words: str


class CopyPiece(msgspec.Struct, frozen=True, tag_field="kind", tag="copy"):
    """The next events of the copy, sealed; `wall_ms`: of the last of them."""

    piece: Piece
    wall_ms: int


class CopyWitness(msgspec.Struct, frozen=True, tag_field="kind", tag="copy_witness"):
    """The last sign of life while a clock runs, sealed: up to then its times are known. The newest is kept."""

    sealed: str
    wall_ms: int


class RehearsalShown(msgspec.Struct, frozen=True, tag_field="kind", tag="rehearsal"):
    """To the players and the arbiter, outside the game and kept nowhere: the rehearsal's step, `text` in his words.

    `yours`: it is this player's to do; `seat`, `what`: whose and which; `bell`: the arbiter was called; `over`.
    """

    step: int
    of: int
    text: str
    yours: bool = False
    over: bool = False
    bell: bool = False
    seat: Seat | None = None
    what: str = ""


class Wrong(msgspec.Struct, frozen=True, tag_field="kind", tag="wrong"):
    """The last thing the client sent could not be read; one plain sentence."""

    text: str


Outgoing = (
    Greeted
    | Numbered
    | Outcome
    | SoundReady
    | Hush
    | Taken
    | LevelFound
    | Active
    | SealedWords
    | SealCode
    | Beat
    | LinesSeen
    | CopyBegins
    | CopyPiece
    | CopyWitness
    | RehearsalShown
    | Wrong
)
