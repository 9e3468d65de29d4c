"""Commands and events of an adjournment.

They concern the order, the sealing and the resumption (Guidelines I). The journal holds a sealed move only in
encrypted form until its envelope is opened.
"""

from __future__ import annotations

from server.game.acts.base import Act, Event, Ms, Text, Uci
from server.game.values.adjournment import EnvelopeLabel, SealedMove, SetUpList
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Role, Seat


class OrderSeal(
    Act,
    by=Role.ARBITER,
    of_play=True,
    group="adjourn",
    article="I.1.1",
    form={"key": {"hidden": True}, "salt": {"hidden": True}},
):
    """The arbiter requires the player on move to seal (I.1.1).

    A second order before the sealing gives a new key. `session_left_ms`: the time to the nominal end of the session,
    where the player adjourns early (I.1.2). `reply`: the player on move seals a reply, since the sealer is away
    (I.9.3). `key` and `salt` are filled in by the server.
    """

    session_left_ms: Ms | None = None
    reply: bool = False
    key: str = ""
    salt: str = ""


class SealMove(Act, by=Role.PLAYER, duty=Duty.ADJOURN):
    """A move is put into the envelope, as words or squares (I.1.1).

    Until the clock is stopped another may replace it. The server encrypts it before anything else sees it: the core
    takes `sealed` (base64), never the words.
    """

    announcement: Announcement | None = None
    uci: Uci | None = None
    sealed: str = ""
    sha256: str = ""
    utterance: str | None = None
    understood: bool = True


class StopSealed(Act, by=Role.PLAYER, duty=Duty.ADJOURN):
    """The player closes the envelope and stops the clock (I.1.1); pressing the clock does the same."""


class PrepareResumption(Act, by=Role.ARBITER, group="adjourn", article="I.5"):
    """The arbiter asks what must be set up before the resumption (I.5)."""


class MarkPresent(Act, by=Role.ARBITER, group="adjourn", article="I.7"):
    """The arbiter marks who is there for the resumption, and who has gone (I.7, I.9, I.10).

    Until the envelope is opened, `note_present` does the same.
    """

    seat: Seat
    present: bool = True


class StartResumption(Act, by=Role.ARBITER, group="adjourn", article="I.9.2"):
    """The resumption begins without the player who must reply, and that player's clock is started.

    See I.9.2, I.11.
    """


class OpenEnvelope(
    Act, by=Role.ARBITER, group="adjourn", article="I.7", form={"code": {"needed": True}, "content": {"hidden": True}}
):
    """The arbiter opens the envelope with their code (I.7).

    `content` is filled in by the server, which does not keep the code.
    """

    code: Text = ""
    content: SealedMove | None = None


class RuleSealed(Act, by=Role.ARBITER, group="adjourn", article="I.8", sure={"lost": (True,)}):
    """The arbiter rules on a sealed move that cannot be played (I.8).

    `lost`: the game is lost by it, unless Article 5 or 9.6 ended it before; where the opponent can never mate it is
    drawn (6.9), and where that is not known the arbiter decides. `uci`: the move that the arbiter hears in the stored
    sound, only where the program understood no words of it.
    """

    lost: bool
    uci: Uci | None = None
    reason: Text = ""


class ReplaceEnvelope(Act, by=Role.ARBITER, group="adjourn", article="I.12.1"):
    """The envelope is missing: the sealer makes the move they say they sealed, with the recorded times.

    See I.12.1.
    """

    uci: Uci


class AnnulGame(Act, by=Role.ARBITER, group="adjourn", article="I.12.2", sure={}):
    """The position cannot be re-established: the game is annulled and a new one is played (I.12.2)."""

    reason: Text


class SealOrdered(Event):
    """The player on move was required to seal (I.1.1).

    `key`, `salt`: the public half of the arbiter's key.
    """

    seat: Seat
    ply: int
    key: str
    salt: str
    session_left_ms: int | None = None
    reply: bool = False


class MoveSealed(Event):
    """A move lies in the open envelope, encrypted.

    `sha256`: of the encrypted move. `understood`: its words were.
    """

    seat: Seat
    ply: int
    sealed: str
    sha256: str
    utterance: str | None = None
    understood: bool = True


class Adjourned(Event):
    """The envelope is closed and the clock stopped (I.1.1). `label`: what is written on it (I.2)."""

    seat: Seat
    ply: int
    sha256: str
    label: EnvelopeLabel
    reply: bool = False


class ResumptionPrepared(Event):
    """The arbiter was told what must be set up on both boards and the clock before the resumption (I.5)."""

    list: SetUpList


class PresenceMarked(Event):
    """A player is there for the resumption, or has gone."""

    seat: Seat
    present: bool


class ResumptionBegun(Event):
    """The time of the resumption has come."""


class EnvelopeOpened(Event):
    """The envelope was opened.

    `found`: played, ambiguous, illegal or undeterminable (I.8). `readings`: the legal moves it may mean.
    """

    seat: Seat
    ply: int
    content: SealedMove
    found: str
    readings: tuple[str, ...] = ()


class SealedRuled(Event):
    """The arbiter ruled on a sealed move that could not be played (I.8)."""

    seat: Seat
    ply: int
    lost: bool
    uci: str | None
    reason: str


class EnvelopeMissing(Event):
    """The envelope is missing; the sealer made the move they said they had sealed (I.12.1)."""

    seat: Seat
    ply: int
    uci: str
