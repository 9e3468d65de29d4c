"""The JSON values that travel between a station and the server on its WebSocket (docs/protocol.md).

They are validated where they come in.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts import StationAct
from server.game.values.words import Seat
from server.game.views.held_times import HeldTimes
from server.game.views.messages import AnyMessage, Greeting, OutcomeShown
from speech.audio.level import Finding
from speech.audio.mic_check import HeadsetFound
from speech.channels.ear import Kind


class Piece(msgspec.Struct, frozen=True):
    """One piece of the copy of a record (see `hall/backup.py`), on the wire and in a file.

    It holds the events `first` to `last` of the table, sealed (base64).
    """

    first: int
    last: int
    sealed: str


UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""Exceptions that decoding JSON from outside may raise; the last one where it is nested thousands deep."""


class Hello(msgspec.Struct, frozen=True, tag_field="kind", tag="hello"):
    """A hello is the first thing a station says, with the last message number it holds.

    Messages after that number are sent again. `language`: in which its person reads refusals, "de", and an assistant
    all they are told; without it the seat's, else English. `beats`: whether it wants the server's heartbeat.
    """

    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    language: Annotated[str, msgspec.Meta(max_length=35)] | None = None
    beats: bool = False


class Do(msgspec.Struct, frozen=True, tag_field="kind", tag="do"):
    """A command: a 128-bit id made by the client, the ply it is about, and the body."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    body: StationAct
    about_ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None


class Typed(msgspec.Struct, frozen=True, tag_field="kind", tag="typed"):
    """Words typed in the station's one field.

    An announcement, an echo or a command word of the player's language. `capitals`: the player's capitals tell a piece
    from a file, so that bxc4 is the pawn's; without it the player is asked which is meant. `seat`: whose move an
    assistant announces (D.2.10.2).
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    text: Annotated[str, msgspec.Meta(max_length=200)]
    act: str = "auto"
    capitals: bool = False
    seat: Seat | None = None


class CellsTyped(msgspec.Struct, frozen=True, tag_field="kind", tag="cells"):
    """Braille cells typed, in the place of words.

    Unicode cells as the fingers made them (chords, a display's keys), U+2800 the space.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    cells: Annotated[str, msgspec.Meta(pattern=r"^[\u2800-\u28ff]{1,60}\Z")]
    act: str = "auto"
    capitals: bool = False


class AtEar(msgspec.Struct, frozen=True, tag_field="kind", tag="ear"):
    """News from a private ear, as it happens there.

    It is no part of the game and is answered by nothing. `did`: a sound (`id`) of the server `began` or `ended` there;
    or the listener pressed a key: `talk`, `stop`, the `press` of the clock, or another key whose own words come now
    (`page`), all of which cut what sounds; `next`: what waits is heard now, or the next piece of a long answer;
    `previous`: the piece before; `repeat`: the last phrase again; `off`, `on`: whether this device plays at all.
    """

    did: Literal["began", "ended", "talk", "stop", "press", "page", "next", "previous", "repeat", "off", "on"]
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


class ReadOut(msgspec.Struct, frozen=True, tag_field="kind", tag="read_out"):
    """Words of a person's own page (its menus, the echo of keys), to be read to that person's ear.

    Only where the player chose `read_keys`, or the arbiter `choose_alerts`. No part of the game, answered by nothing,
    on record like all that is said into an ear. `language`: whose voice says it.
    """

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    language: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{2,3}\Z")]


class Beaten(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """Answer to a beat that asked for one: `n` is the beat's number."""

    n: Annotated[int, msgspec.Meta(ge=0)]


class Hold(msgspec.Struct, frozen=True, tag_field="kind", tag="hold"):
    """The arbiter's device holds a copy of the record.

    Of this `id`, up to event `after`; "" and 0: none yet. `link`: that of event `after` in the chain of the record, as
    the seal of the copy has it; "": not known.
    """

    id: Annotated[str, msgspec.Meta(max_length=64)] = ""
    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    link: Annotated[str, msgspec.Meta(max_length=64)] = ""


Incoming = Hello | Do | Typed | CellsTyped | AtEar | ReadOut | Beaten | Hold


class Greeted(msgspec.Struct, frozen=True, tag_field="kind", tag="greeting"):
    """The station's place, and everything that it may always see.

    `n` is the number of its last message so far.
    """

    n: int
    greeting: Greeting


class Numbered(msgspec.Struct, frozen=True, tag_field="kind", tag="message"):
    """A message with the station's own gapless number.

    `lines`: for a player or an assistant, what is said of it, as lines of at most forty cells, the move first (D.2.11).
    `together`: it arose at the same instant as the message before it, by one command, and does not take its place.
    """

    n: int
    message: AnyMessage
    lines: tuple[str, ...] = ()
    together: bool = False


class Outcome(msgspec.Struct, frozen=True, tag_field="kind", tag="outcome"):
    """Answer to a command.

    `text`: one plain sentence in the station's language where it was refused.
    """

    outcome: OutcomeShown
    text: str = ""


class SoundReady(msgspec.Struct, frozen=True, tag_field="kind", tag="sound"):
    """Speech for this station's ear is ready under /sound/ID (WAV), to be played now.

    One sound plays at a time. `n`: the message it speaks, 0 where that went to another station of the player. `what`:
    how urgent it is; the press of the clock cuts neither `link` nor `announcement`.
    """

    n: int
    id: str
    text: str
    length_ms: int
    what: Kind = Kind.ANSWER


class Hush(msgspec.Struct, frozen=True, tag_field="kind", tag="hush"):
    """Stop a sound at once.

    `why` is voice (somebody speaks), urgent, link, or a key of the listener's own.
    """

    id: str
    why: str


class Takeover(msgspec.Struct, frozen=True, tag_field="kind", tag="taken"):
    """On /audio, this says that the utterance is on disk and has been listened to.

    Whatever it meant has gone out before this.
    """

    utterance: int


class LevelFound(msgspec.Struct, frozen=True, tag_field="kind", tag="level"):
    """Quality of the microphone: silent, quiet, clipped, noisy or good.

    It comes on /audio, and on /ws for a check at the server's own microphone. Levels are in decibels below full scale.
    `headset`, where that was checked: the server's own voice stays out of it (`proven`), comes back (`echo`), or
    `unknown`. `utterance`: the check, or the reading of a prompt, of which it is the finding.
    """

    finding: Finding
    speech_dbfs: float
    peak_dbfs: float
    snr_db: float
    headset: HeadsetFound | None = None
    utterance: int | None = None


class Active(msgspec.Struct, frozen=True, tag_field="kind", tag="active"):
    """On /audio, this says that voice activity has begun an utterance, or has ended it (`on` false)."""

    on: bool


class SealedWords(msgspec.Struct, frozen=True, tag_field="kind", tag="sealed_words"):
    """Contents of the envelope, for the player who seals alone; they are kept nowhere.

    `ask`: what the player's sound left open. `lines`: as in a message.
    """

    words: tuple[str, ...]
    text: str
    understood: bool = True
    ask: str | None = None
    lines: tuple[str, ...] = ()


class SealCode(msgspec.Struct, frozen=True, tag_field="kind", tag="seal_code"):
    """Squares that open the envelope, for the arbiter who ordered the seal.

    It is sent once and kept nowhere.
    """

    squares: tuple[str, ...]
    words: str


class Beat(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """Sign of life of the server, twice a second.

    Three missed beats mean that the server is gone. `ask`: the number must be sent back. `held`: what the station
    shows then: "set any clock to"; null where there is nothing to set a clock to.
    """

    n: int
    ask: bool
    held: HeldTimes | None


class LineSeen(msgspec.Struct, frozen=True):
    """One station's line as the arbiter sees it.

    `ms`: how long its last answer took, null while it is away.
    """

    station: str
    role: str
    seat: Seat | None
    ms: int | None


class LinesSeen(msgspec.Struct, frozen=True, tag_field="kind", tag="lines"):
    """Every two seconds this shows the arbiter the stations of the table that were ever connected in this run."""

    lines: tuple[LineSeen, ...]


class CopyBegins(msgspec.Struct, frozen=True, tag_field="kind", tag="copy_begins"):
    """The copy of this table begins on the arbiter's device that said `hold`.

    With another `id`, what the device holds belongs to another record, and the copy begins with the first event.
    `squares`, `words`: the code without which no copy opens; shown to nobody else.
    """

    table: str
    id: str
    squares: tuple[str, ...]
    words: str


class CopyPiece(msgspec.Struct, frozen=True, tag_field="kind", tag="copy"):
    """The next events of the copy, sealed; a `copy_seal` follows the last of them."""

    piece: Piece


class CopySeal(msgspec.Struct, frozen=True, tag_field="kind", tag="copy_seal"):
    """Extent of the copy, on the wire and in a file: what is not all there does not open as if it were.

    It belongs to the pieces up to event `last`, whose link in the chain of the record is `link`, and replaces the seal
    before it. `witness`: the last sign of life while a clock runs, sealed; "": none is needed. `wall_ms`: up to then
    the table's times are known. `seal`: a keyed hash over all this, base64.
    """

    last: int
    wall_ms: int
    link: str
    witness: str
    seal: str


class RecordFails(msgspec.Struct, frozen=True, tag_field="kind", tag="record_fails"):
    """The record cannot be written (`now`, again every ten seconds), or is written again; for the arbiter.

    Until then only a pause is carried out, in memory. It is kept nowhere. `held`: the record is on a database that does
    not answer; everybody is told, nothing is carried out, and the clocks will stand at the last moment on record.
    """

    now: bool
    held: bool = False


class RehearsalShown(msgspec.Struct, frozen=True, tag_field="kind", tag="rehearsal"):
    """Step of the rehearsal for the players and the arbiter, `text` in their words.

    It is outside the game and kept nowhere. `yours`: this player must do the step; `seat`, `what`: whose step it is
    and which; `bell`: the arbiter was called; `over`: the rehearsal is over.
    """

    step: int
    of: int
    text: str
    yours: bool = False
    over: bool = False
    bell: bool = False
    seat: Seat | None = None
    what: str = ""


class Servers(msgspec.Struct, frozen=True, tag_field="kind", tag="servers"):
    """Servers of a hall that several lead, after each greeting and where the table went elsewhere.

    `led`: the address at which the table is led now; "": here. `key`: what this station shows at the other addresses in
    place of its cookie, which the browser keeps from them. It opens this table alone and falls when the station is sent
    away.
    """

    addresses: tuple[str, ...]
    key: str
    led: str = ""


class Wrong(msgspec.Struct, frozen=True, tag_field="kind", tag="wrong"):
    """The client's last message could not be read, with one plain sentence that says why."""

    text: str


Outgoing = (
    Greeted
    | Numbered
    | Outcome
    | SoundReady
    | Hush
    | Takeover
    | LevelFound
    | Active
    | SealedWords
    | SealCode
    | Beat
    | LinesSeen
    | CopyBegins
    | CopyPiece
    | CopySeal
    | RecordFails
    | RehearsalShown
    | Servers
    | Wrong
)
