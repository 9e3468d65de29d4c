"""The sealed envelope: its contents are encrypted before they are decided or written (L208, L211).

While a player is to seal, whatever the player says, types or enters of a move becomes a `SealMove` that holds only
ciphertext. The player hears it back over their own line, and it is kept nowhere.
"""

from __future__ import annotations

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from server.game import acts as cmd
from server.game.acts import Command
from server.game.decide.claims.proposals import private_ear
from server.game.decide.roles import seat_spoken_for
from server.game.decide.rulings.resumption import announced_as
from server.game.state.state import GameState
from server.game.values.adjournment import SealedMove
from server.game.values.announcement import Announcement
from server.game.values.words import Origin, Role, Seat
from server.protocol import Outgoing, SealCode, SealedWords
from server.table import sealing
from server.wording.words import canonical, scheme_for, text_in


class Private(msgspec.Struct, frozen=True):
    """Results of a command that stay out of the record.

    `outgoing` goes to some stations' own lines once the command is on disk. `opened` is the private key of an opened
    envelope, `utterance` the name of the sound in it, and `seat` whose it is.
    """

    stations: tuple[str, ...] = ()
    outgoing: Outgoing | None = None
    opened: X25519PrivateKey | None = None
    utterance: str | None = None
    seat: Seat | None = None


def sealing_key(state: GameState, seat: Seat) -> str | None:
    """Return the public key for what this seat says now; None where it need not be secret."""
    adjournment = state.adjournment
    if adjournment is None or adjournment.seat is not seat or adjournment.stage not in ("ordered", "sealed"):
        return None
    if state.over or private_ear(state, seat):  # a claim: what the player says then is for the arbiter to hear
        return None
    return adjournment.key


def place_of_seal(table: str, ply: int) -> str:
    """Return the name of the place that a sealed move is bound to: the table and the ply."""
    return f"{table}/{ply}"


def enclose_command(table: str, state: GameState, command: Command, *, trusted: bool) -> tuple[Command, Private]:
    """Return the command as the core may see it, and what else comes of it.

    `trusted`: the command comes from the program itself.
    """
    body = command.body
    match body:
        case cmd.OrderSeal() if not trusted:
            new = sealing.new_key()
            code = SealCode(new.squares, sealing.code_in_words(new.squares, scheme_for(state, None)))
            return _with(command, msgspec.structs.replace(body, key=new.key, salt=new.salt)), Private(
                (command.station,), code
            )
        case cmd.OpenEnvelope() if not trusted:
            return _open_envelope(table, state, command, body)
        case cmd.Say() | cmd.EnterMove() | cmd.SealMove():
            return _seal_command(table, state, command, body)
    return command, Private()


def _with(command: Command, body: cmd.AnyAct) -> Command:
    return msgspec.structs.replace(command, body=body)


def _seal_command(
    table: str, state: GameState, command: Command, body: cmd.Say | cmd.EnterMove | cmd.SealMove
) -> tuple[Command, Private]:
    """Encrypt the words, sound or squares of the player who seals.

    Those of anyone else are left as they are.
    """
    station = state.stations.find(command.station)
    named = body.seat if isinstance(body, cmd.Say) else None
    seat = seat_spoken_for(state, station, named)
    adjournment = state.adjournment
    ordered = adjournment is not None and adjournment.stage == "ordered" and adjournment.seat is seat
    claims = private_ear(state, seat) and not isinstance(body, cmd.SealMove)
    if adjournment is None or not ordered or claims:
        return (_with(command, cmd.SealMove()) if isinstance(body, cmd.SealMove) else command), Private()
    move, heard = _move_of(state, seat, body)
    if move is None:
        return _with(command, cmd.SealMove()), Private()
    text, sha256 = sealing.sealed_move(move, adjournment.key, place_of_seal(table, adjournment.ply))
    understood = move.announcement is not None or move.uci is not None
    sealed = cmd.SealMove(sealed=text, sha256=sha256, utterance=move.utterance, understood=understood)
    ears = {one.id for one in state.stations.at(Role.PLAYER, seat)}
    if station is not None and station.seat is seat:
        ears.add(station.id)
    told = move.words if understood else ()
    words = SealedWords(told, text_in(told, scheme_for(state, seat)), understood, heard)
    return _with(command, sealed), Private(tuple(sorted(ears)), words)


def _move_of(
    state: GameState, seat: Seat, body: cmd.Say | cmd.EnterMove | cmd.SealMove
) -> tuple[SealedMove | None, str | None]:
    """Return the move for the envelope, as it was said, and what the sound left open.

    None for what does not have the form of a move. Squares are said back as squares: which piece stands there, and
    whether it may go there, is not checked.
    """
    scheme = scheme_for(state, seat)
    uci = None if isinstance(body, cmd.Say) else body.uci
    said: Announcement | None = None if isinstance(body, cmd.EnterMove) else body.announcement
    if uci is not None:
        words, text = canonical(announced_as(uci), scheme)
        return SealedMove(uci=uci, words=words, text=text, origin=Origin.ENTERED), None
    origin = body.origin if isinstance(body, cmd.Say) else Origin.ENTERED
    utterance = body.utterance if isinstance(body, cmd.Say) else None
    if said is not None and said.complete:
        words, text = canonical(said, scheme)
        return SealedMove(announcement=said, words=words, text=text, utterance=utterance, origin=origin), None
    if not isinstance(body, cmd.Say) or utterance is None:
        return None, None
    return SealedMove(words=body.words, utterance=utterance, origin=origin), body.unclear or "repeat"


def _open_envelope(table: str, state: GameState, command: Command, body: cmd.OpenEnvelope) -> tuple[Command, Private]:
    """Open the envelope with the arbiter's code, which goes no further than here."""
    adjournment = state.adjournment
    shut = _with(command, cmd.OpenEnvelope())
    if adjournment is None or adjournment.stage != "sealed":
        return shut, Private()
    private = sealing.private_key_of(body.code, adjournment.key, adjournment.salt)
    if private is None:
        return shut, Private()
    move = sealing.opened_move(adjournment.sealed, private, place_of_seal(table, adjournment.ply))
    if move is None:
        return shut, Private()
    told = Private((command.station,), None, private, move.utterance, adjournment.seat)
    return _with(command, cmd.OpenEnvelope(content=move)), told
