"""Codes of three squares and one-time links let a device ask for a place.

A code only introduces a device; it admits nobody.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections import OrderedDict, deque

import msgspec

from server.game.values.words import Duty, Role, Seat, SeatKind
from server.machine.clock import Clock
from server.machine.identity import new_squares
from server.wording.words import scheme_of
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint, Phrase
from speech.words.grammar import FILE_NAMES
from speech.words.loading import language_tags

CODE_LIFE_MS = 10 * 60_000
WRONG_TRIES = 5
LOCKED_MS = 10 * 60_000
MOST_INVITATIONS = 500
MOST_ADDRESSES = 5_000

PAGE_ROLES: dict[str, Role] = {
    "tactile": Role.PLAYER,
    "sighted": Role.PLAYER,
    "assistant": Role.ASSISTANT,
    "arbiter": Role.ARBITER,
    "display": Role.DISPLAY,
    "observer": Role.OBSERVER,
}


def page_of(kind: SeatKind) -> str:
    """Return the name of the page for a kind of seat."""
    return "tactile" if kind is SeatKind.TACTILE else "sighted"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place is what an invitation leads to.

    `page`: tactile, sighted, assistant, arbiter, display or observer; `seat` is None for the last three. `table` "":
    the hall's arbiter, who has all its tables and opens more.
    """

    table: str
    page: str
    seat: Seat | None = None
    duties: tuple[Duty, ...] = ()

    @property
    def role(self) -> Role:
        """Return the role that the rules of the game know for this page."""
        return PAGE_ROLES[self.page]


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation is a code and a secret for one place.

    `until_ms`: when it expires, in ms of this run; None: never, while the server runs. `admits`: true for the
    arbiter's own link from the terminal, which needs nobody else's consent.
    """

    place: Place
    squares: tuple[str, str, str]
    secret: str
    until_ms: int | None
    admits: bool = False


class Turned(Complaint):
    """This complaint turns a request away.

    `code` names the sentence in the pages' catalogue, `status` is the HTTP status.
    """

    def __init__(self, code: str, status: int, told: str | Phrase) -> None:
        super().__init__(told)
        self.code = code
        self.status = status


class Access:
    """This keeps the open invitations.

    All times are ms of this run, from the clock that was given.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_code: OrderedDict[tuple[str, str, str], Invitation] = OrderedDict()
        self._by_secret: OrderedDict[bytes, Invitation] = OrderedDict()
        self._wrong: OrderedDict[str, deque[int]] = OrderedDict()
        self.printed: frozenset[tuple[str, str, str]] = frozenset()
        """Codes that stand on printed cards: no other place gets one of them, also while they do not hold."""

    def invite(self, place: Place, *, admits: bool = False, lasting: bool = False) -> Invitation:
        """Make a new code and secret for a place, both single use; using one uses up the other.

        `admits`: the link admits at once and has no code. `lasting`: it does not expire. Raises Turned when too many
        codes are open.
        """
        self.check_room(1)
        until = None if lasting else self._clock.mono_ms() + CODE_LIFE_MS
        invitation = Invitation(
            place=place, squares=self.fresh_squares(), secret=new_secret(), until_ms=until, admits=admits
        )
        if not admits:  # the arbiter's own link has 128 random bits and no short code
            self._by_code[invitation.squares] = invitation
        self._by_secret[_hash(invitation.secret)] = invitation
        return invitation

    def check_room(self, more: int) -> None:
        """Raise Turned where so many more codes would be too many at once: each makes a guess likelier."""
        self._forget_old()
        if len(self._by_code) + more > MOST_INVITATIONS:
            raise Turned("too_many_codes", 429, Phrase("many_codes"))

    def fresh_squares(self) -> tuple[str, str, str]:
        """Return three squares that are no open code, nor one on a printed card."""
        squares = _squares()
        while squares in self._by_code or squares in self.printed:
            squares = _squares()
        return squares

    def hold(self, place: Place, squares: tuple[str, str, str], secret: str) -> None:
        """Let the code and the secret of a printed card hold from now on, as long as any code does."""
        self.withdraw(squares, secret)
        until = self._clock.mono_ms() + CODE_LIFE_MS
        invitation = Invitation(place=place, squares=squares, secret=secret, until_ms=until)
        self._by_code[squares] = self._by_secret[_hash(secret)] = invitation

    def withdraw(self, squares: tuple[str, str, str], secret: str) -> None:
        """Let a code and its secret hold no longer."""
        if self._by_secret.pop(_hash(secret), None) is not None:
            self._by_code.pop(squares, None)

    def until_ms(self, secret: str) -> int | None:
        """Return until when a secret holds, in ms of this run; None where it does not hold."""
        self._forget_old()
        found = self._by_secret.get(_hash(secret))
        return None if found is None else found.until_ms

    def take_code(self, text: str, address: str) -> Invitation:
        """Return the invitation of a code in words or squares, and use it up.

        Raises Turned: not three squares; unknown, used or expired; or too many wrong tries from this address.
        """
        self._check_tries(address)
        squares = squares_of(text)
        self._forget_old()
        return self._use(self._by_code.get(squares), address)

    def take_secret(self, secret: str, address: str) -> Invitation:
        """Return the invitation of a link's secret, and use it up. Raises Turned as `take_code` does."""
        self._check_tries(address)
        self._forget_old()
        return self._use(self._by_secret.get(_hash(secret)), address)

    def _use(self, found: Invitation | None, address: str) -> Invitation:
        if found is None:
            self._wrong.setdefault(network_of(address), deque()).append(self._clock.mono_ms())
            while len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)
            raise Turned("wrong_code", 403, Phrase("wrong_code"))
        self._by_code.pop(found.squares, None)
        self._by_secret.pop(_hash(found.secret), None)
        return found

    def _check_tries(self, address: str) -> None:
        tries = self._wrong.get(network_of(address))
        if tries is None:
            return
        while tries and tries[0] <= self._clock.mono_ms() - LOCKED_MS:
            tries.popleft()
        if len(tries) >= WRONG_TRIES:
            raise Turned("too_many_tries", 429, Phrase("wrong_tries"))

    def _forget_old(self) -> None:
        now = self._clock.mono_ms()
        for one in [one for one in self._by_secret.values() if one.until_ms is not None and one.until_ms <= now]:
            self._by_code.pop(one.squares, None)
            self._by_secret.pop(_hash(one.secret), None)


def squares_of(text: str) -> tuple[str, str, str]:
    """Return the three squares of a code in words of any language or as "a4 h8 c3". Raises Turned.

    >>> squares_of("Anna vier, Hector acht, Cesar drei")
    ('a4', 'h8', 'c3')
    """
    for language in language_tags():
        try:
            words = words_of_text(text[:200], scheme_of("d21", language), scheme_of("national", language))
        except Complaint:
            continue
        kinds = [word.split(".") for word in words]
        if [kind for kind, _ in kinds[1::2]] == ["rank"] * 3 and len(kinds) == 6:
            files = [name for kind, name in kinds[::2] if kind in FILE_NAMES]
            if len(files) == 3:
                first, second, third = (file + rank for file, (_, rank) in zip(files, kinds[1::2], strict=True))
                return first, second, third
    raise Turned("not_a_code", 400, Phrase("not_a_code"))


def spoken_code(squares: tuple[str, str, str], language: str) -> str:
    """Return the code in words: "Anna vier, Hector acht, Cesar drei"."""
    scheme = scheme_of("d21", language)
    return ", ".join(" ".join(scheme.text(word) for word in scheme.square(square)) for square in squares)


def new_secret() -> str:
    """Return the secret of a link: 128 random bits."""
    return secrets.token_urlsafe(16)


def _squares() -> tuple[str, str, str]:
    first, second, third = new_squares(3)
    return first, second, third


def _hash(secret: str) -> bytes:
    # Compared by hash, so that the time it takes does not show how much of a guess was right.
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def network_of(address: str) -> str:
    """Return what counts as one device for wrong tries.

    An IPv4 address, or the /64 network of an IPv6 address, because an IPv6 device may take as many addresses in it as
    it likes.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
