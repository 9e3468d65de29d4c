"""Codes of three squares and one-time links let a device ask for a place.

A code only introduces a device; it admits nobody.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import logging
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable

import msgspec
from aiohttp import web

from server.game.values.words import Duty, Role, Seat, SeatKind
from server.machine.clock import Clock
from server.machine.identity import new_squares
from server.wording.words import scheme_of
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint, Phrase
from speech.words.config_file import language_tags
from speech.words.grammar import FILE_NAMES

_log = logging.getLogger(__name__)
CODE_LIFE_MS = 10 * 60_000
WRONG_TRIES = 5
UNREADABLE_TRIES = 20
"""Texts that are no code at all which may come from one address: they are slips, and guess nothing."""
TRIES_IN_ALL = 200
"""Wrong tries of all addresses together, after which no more codes are read for a while; links go on working."""
LOCKED_MS = 10 * 60_000
LONGEST_CODE = 64
MOST_WORDS = 12
"""The longest code, in any language, has 46 characters and 6 words; what is longer is not even looked at."""
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


class AccessDenied(Complaint):
    """Complaint that turns a request away.

    `code` names the sentence in the pages' catalogue, `status` is the HTTP status.
    """

    def __init__(self, code: str, status: int, told: str | Phrase) -> None:
        super().__init__(told)
        self.code = code
        self.status = status


class Access:
    """Open invitations.

    All times are ms of this run, from the clock that was given.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_code: OrderedDict[tuple[str, str, str], Invitation] = OrderedDict()
        self._by_secret: OrderedDict[bytes, Invitation] = OrderedDict()
        self._wrong: OrderedDict[str, deque[int]] = OrderedDict()
        self.printed: frozenset[tuple[str, str, str]] = frozenset()
        """Codes that stand on printed cards: no other place gets one of them, also while they do not hold."""
        self._unreadable: OrderedDict[str, deque[int]] = OrderedDict()
        self._all_tries: deque[int] = deque()
        self._reading = asyncio.Lock()
        self.on_siege: Callable[[], None] = lambda: None
        """Called when so many wrong codes came that none is read for a while."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when codes are locked, and when an arbiter opens them again."""

    def invite(self, place: Place, *, admits: bool = False, lasting: bool = False) -> Invitation:
        """Make a new code and secret for a place, both single use; using one uses up the other.

        `admits`: the link admits at once and has no code. `lasting`: it does not expire. Raises AccessDenied when too
        many codes are open.
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
        """Raise AccessDenied where so many more codes would be too many at once: each makes a guess likelier."""
        self._forget_old()
        if len(self._by_code) + more > MOST_INVITATIONS:
            raise AccessDenied("too_many_codes", 429, Phrase("many_codes"))

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

    def give_back(self, invitation: Invitation) -> None:
        """Let an invitation hold as before that was taken, and by which nobody came in after all."""
        key = _hash(invitation.secret)
        if key in self._by_secret or invitation.squares in self._by_code:
            return  # it was let hold anew meanwhile, or its code is another place's by now
        self._by_secret[key] = invitation
        if not invitation.admits:
            self._by_code[invitation.squares] = invitation

    def until_ms(self, secret: str) -> int | None:
        """Return until when a secret holds, in ms of this run; None where it does not hold."""
        self._forget_old()
        found = self._by_secret.get(_hash(secret))
        return None if found is None else found.until_ms

    async def take_code(self, text: str, address: str) -> Invitation:
        """Return the invitation of a code in words or squares, and use it up.

        One code is read at a time, in a thread: reading one may cost milliseconds, and no clock waits for it. Raises
        AccessDenied: not three squares; unknown, used or expired; or too many wrong tries from this address, or in all.
        """
        self._check_tries(address)  # those that are turned away do not stand in the queue
        async with self._reading:
            self._check_tries(address)  # those before in the queue may have used up the tries
            try:
                squares = await asyncio.to_thread(squares_of, text)
            except AccessDenied:
                self._count(self._unreadable, address)
                raise
            self._forget_old()
            return self._use(self._by_code.get(squares), address)

    def take_secret(self, secret: str, address: str) -> Invitation:
        """Return the invitation of a link's secret, and use it up. Raises AccessDenied as `take_code` does.

        A secret that is right is taken whatever came before it: nobody guesses 128 bits, and wrong tries, also by
        others behind the same address, must not keep out the arbiter with the arbiter's own link. One that is wrong
        says so, and no more of them are counted once the codes of its address are locked.
        """
        self._forget_old()
        found = self._by_secret.get(_hash(secret))
        if found is None and (self.besieged or self._is_locked(network_of(address))):
            raise AccessDenied("wrong_code", 403, Phrase("wrong_code"))
        return self._use(found, address)

    @property
    def locked(self) -> tuple[str, ...]:
        """Return the addresses from which no code is read for now, in order."""
        return tuple(sorted(one for one in {*self._wrong, *self._unreadable} if self._is_locked(one)))

    def open_again(self) -> None:
        """Read codes from every address again at once, for an arbiter; what was counted is forgotten."""
        for tries in (self._wrong, self._unreadable, self._all_tries):
            tries.clear()
        self.on_change()

    @property
    def besieged(self) -> bool:
        """Say whether so many wrong codes came that no code is read for now."""
        self._forget_tries()
        return len(self._all_tries) >= TRIES_IN_ALL

    def _use(self, found: Invitation | None, address: str) -> Invitation:
        if found is None:
            self._count(self._wrong, address)
            raise AccessDenied("wrong_code", 403, Phrase("wrong_code"))
        self._by_code.pop(found.squares, None)
        self._by_secret.pop(_hash(found.secret), None)
        return found

    def _count(self, tries: OrderedDict[str, deque[int]], address: str) -> None:
        now = self._clock.mono_ms()
        # Not what was tried, which may be a slip in a right code. The tries are counted, so the log cannot be flooded.
        _log.warning("A wrong code or link came from %s", network_of(address))
        own = tries.setdefault(network_of(address), deque())
        own.append(now)
        while len(tries) > MOST_ADDRESSES:
            tries.popitem(last=False)
        self._all_tries.append(now)
        if len(self._all_tries) == TRIES_IN_ALL:
            self.on_siege()
        if len(own) in (WRONG_TRIES, UNREADABLE_TRIES) or len(self._all_tries) == TRIES_IN_ALL:
            self.on_change()

    def _check_tries(self, address: str) -> None:
        if self._is_locked(network_of(address)):
            raise AccessDenied("too_many_tries", 429, Phrase("wrong_tries"))
        if self.besieged:
            raise AccessDenied("codes_closed", 429, Phrase("codes_closed"))

    def _is_locked(self, network: str) -> bool:
        """Say whether so many wrong tries came from an address that no code from it is read for now."""
        before = self._clock.mono_ms() - LOCKED_MS
        for tries, most in ((self._wrong, WRONG_TRIES), (self._unreadable, UNREADABLE_TRIES)):
            own = tries.get(network, deque())
            while own and own[0] <= before:
                own.popleft()
            if len(own) >= most:
                return True
        return False

    def _forget_tries(self) -> None:
        before = self._clock.mono_ms() - LOCKED_MS
        while self._all_tries and self._all_tries[0] <= before:
            self._all_tries.popleft()

    def _forget_old(self) -> None:
        now = self._clock.mono_ms()
        for one in [one for one in self._by_secret.values() if one.until_ms is not None and one.until_ms <= now]:
            self._by_code.pop(one.squares, None)
            self._by_secret.pop(_hash(one.secret), None)


ACCESS = web.AppKey("ACCESS", Access)


def squares_of(text: str) -> tuple[str, str, str]:
    """Return the three squares of a code in words of any language or as "a4 h8 c3". Raises AccessDenied.

    >>> squares_of("Anna vier, Hector acht, Cesar drei")
    ('a4', 'h8', 'c3')
    """
    if len(text) > LONGEST_CODE or len(text.split()) > MOST_WORDS:
        raise AccessDenied("not_a_code", 400, Phrase("not_a_code"))
    for language in language_tags():
        try:
            words = words_of_text(text, scheme_of("d21", language), scheme_of("national", language))
        except Complaint:
            continue
        kinds = [word.split(".") for word in words]
        if [kind for kind, _ in kinds[1::2]] == ["rank"] * 3 and len(kinds) == 6:
            files = [name for kind, name in kinds[::2] if kind in FILE_NAMES]
            if len(files) == 3:
                first, second, third = (file + rank for file, (_, rank) in zip(files, kinds[1::2], strict=True))
                return first, second, third
    raise AccessDenied("not_a_code", 400, Phrase("not_a_code"))


def spoken_code(squares: tuple[str, ...], language: str) -> str:
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
    """Return the network that counts as one device for wrong tries.

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
