"""The arbiter's own braille display is a station: what is urgent first, then the clocks and the last move.

It shows the cards of the arbiter's page (`/api/alerts`), in their order. A routing key over an act gives it, once it
was confirmed. Every act of the page can be typed besides, on the display's keys or the computer's: its name, its
article or a word of the page's finder, then what its form asks, one field after the other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
import chess
import msgspec

from braille.cells import Written, cells_of_move
from braille.loading import computer_profile, load_profile
from braille.panel import bottom, say, top, write
from braille.profile import Profile
from braille.typed import texts_of_cells
from server.game import acts as ev
from server.game.acts import Mend, StationAct
from server.game.values.words import Seat
from server.game.views.messages import Greeting, Picture, Recorded
from server.protocol import Numbered, Outcome
from server.stations.braille import AGAIN_S, BrailleStation, digits
from server.stations.braille_display import BrailleDisplay, Key, Pressed, Typed
from server.stations.typed_acts import Asking, FormOfAct, asking, choices, fill_in, forms_found, question
from server.wording.braille import Reader, shown_lines
from server.wording.pages import alert_head, move_number, page_words
from server.wording.typed import codes_of
from speech.words.loading import load_scheme

ESCAPED = "\x1b"
ARROWS = {"A": Key.UP, "B": Key.DOWN, "C": Key.RIGHT, "D": Key.LEFT}
"""The last letter of an arrow key of a terminal, and the key of a display that does the same."""
SETTLES = ("acknowledged", "put_off", "filed")
"""Ways to settle any alert, beside the acts that answer it."""


class OfferShown(msgspec.Struct, frozen=True):
    """Act that settles an alert, as `/api/alerts` gives it. `form`: something is still to be filled in."""

    name: str
    body: dict[str, Any]
    form: bool
    who: Seat | None
    what: str = ""


class StepOfCard(msgspec.Struct, frozen=True):
    """Step of an incident, as `/api/alerts` gives it."""

    name: str
    body: dict[str, Any]
    done: bool
    who: Seat | None = None


class CardShown(msgspec.Struct, frozen=True):
    """Card of the arbiter's page, as `/api/alerts` gives it; `how` is "" where it waits to be settled."""

    numbers: tuple[int, ...]
    kind: str
    ply: int
    grey: bool
    at_once: bool
    how: str
    text: str
    article: str
    offers: tuple[OfferShown, ...]
    steps: tuple[StepOfCard, ...] = ()


class _CardsShown(msgspec.Struct, frozen=True):
    changes: int
    cards: tuple[CardShown, ...]


def card_lines(card: CardShown, place: int, of: int, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of an alert: its place and whether it needs the arbiter at once, its short name, the article.

    These fit forty cells. Then its words. `place`: from 1, of so many.
    """
    times = f"×{len(card.numbers)}" if len(card.numbers) > 1 else ""
    head = [f"{place}/{of}{'!' if card.at_once else ''}", alert_head(card.kind, words), times, card.article]
    about = [
        words["at_ply"].replace("{ply}", move_number(card.ply, words)) if card.ply else "",
        words["as_heard"] if card.grey else "",
    ]
    return (" ".join(filter(None, head)), card.text, ", ".join(filter(None, about)))


def acts_of(card: CardShown, words: Mapping[str, str]) -> dict[str, tuple[dict[str, Any], bool]]:
    """Return word -> the command that a routing key over it gives, and whether it is to be confirmed.

    An act of which the page asks more is given as it is filled in, where that is enough; a result is one of three.
    """
    found: dict[str, tuple[dict[str, Any], bool]] = {}
    for offer in card.offers:
        about = words[offer.who.value] if offer.who is not None else offer.what
        word = words[f"settle.{offer.name}"]
        if offer.body.get("do") == "rule_result" and offer.form:
            for result in RESULTS:
                found[f"{word}: {result}"] = ({"reason": "", **offer.body, "result": result}, True)
        elif not offer.form or _is_whole(offer.body):
            found[f"{word}: {about}" if about else word] = (offer.body, True)
    for step in card.steps:
        if not step.done:
            who = f": {words[step.who.value]}" if step.who is not None else ""
            found.setdefault(words[f"settle.{step.name}"] + who, (step.body, True))
    for how in SETTLES:
        if how != card.how:
            found[words[f"settle.{how}"]] = ({"do": "settle_alert", "numbers": list(card.numbers), "how": how}, False)
    return found


def _is_whole(body: dict[str, Any]) -> bool:
    """Return whether an act needs nothing more; which move was played instead only the page can ask."""
    try:
        return not isinstance(msgspec.convert(body, StationAct), Mend)
    except msgspec.ValidationError:
        return False


RESULTS = ("1-0", "1/2-1/2", "0-1")
"""The results that a display offers for a game that the arbiter ends."""


def clock_line(times: Mapping[Seat, int], running: Seat | None, words: Mapping[str, str]) -> str:
    """Return both clocks in one line, with a sign after the time that runs.

    >>> clock_line({Seat.WHITE: 3_930_500, Seat.BLACK: 60_000}, Seat.WHITE, {"white": "White", "black": "Black"})
    'White 1:05:30* Black 0:01:00'
    """
    return " ".join(f"{words[seat]} {digits(max(0, times[seat]))}{'*' if seat is running else ''}" for seat in Seat)


def move_line(picture: Picture, profile: Profile) -> str:
    """Return the last move with its number, in cells; "" before the first, and where it is not known."""
    uci = picture.line[-1] if picture.line else None
    if uci is None:
        return ""
    number = f"{(len(picture.line) + 1) // 2}{'.' if len(picture.line) % 2 else '...'}"
    move = chess.Move.from_uci(uci)
    man = chess.BaseBoard(picture.game).piece_at(move.to_square) if picture.game is not None else None
    piece = chess.piece_name(man.piece_type) if man is not None and move.promotion is None else "pawn"
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    said = Written(
        piece=piece,
        from_file=start[0],
        from_rank=start[1],
        to_square=end,
        promotion=chess.piece_name(move.promotion) if move.promotion is not None else None,
    )
    return f"{number} {cells_of_move(said, profile)}"


class ArbiterBrailleStation(BrailleStation):
    """Arbiter's braille display as a station.

    Line up and down lead from alert to alert, the most urgent first, and behind the last to clocks and last move; left
    and right pan in one of them.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        origin: str,
        query: str,
        display: BrailleDisplay,
        profile: Profile | None = None,
        *,
        language: str = "en",
    ) -> None:
        """Set up the station; `language`: in which the arbiter reads."""
        super().__init__(session, origin, query, display, profile)
        self._language = language
        self._words = page_words(language)
        self._cards: tuple[CardShown, ...] = ()
        self._acts: dict[str, tuple[dict[str, Any], bool]] = {}
        self._asked: tuple[str, dict[str, Any]] | None = None  # the act that waits for a yes
        self._found: dict[str, FormOfAct] = {}  # the acts that a typed word may mean
        self._asking: Asking | None = None  # the act that is being filled in
        self._arrow = ""  # the beginning of an arrow key, which a terminal gives as three letters
        self._at = 0  # the card that is read; behind the last: clocks and last move
        self._changes = -1  # how often the alerts had changed when the cards were made, and by what came since
        self._told_of = -1
        self._looking: asyncio.Task[None] | None = None
        self._picture: Picture | None = None
        self._came = 0.0  # when the picture came, in seconds of this machine

    async def press(self) -> None:
        """Go on to the next alert: an arbiter presses no clock."""
        self._go(1)

    async def ask_time(self) -> None:
        """Show both clocks and the last move."""
        self._at = len(self._cards)
        self._read()

    async def letter(self, letter: str) -> None:
        """Take a letter of the computer's keyboard: words are typed there as on the display's keys.

        While nothing is typed Enter goes on to the next alert, and the space bar shows the clocks.
        """
        begun, self._arrow = self._arrow, ""
        if letter == ESCAPED or (begun == ESCAPED and letter == "["):
            self._arrow = begun + letter
        elif begun:
            await self._pressed(ARROWS.get(letter, Key.OTHER))
        elif letter in ("\r", "\n") and self._panel.typed:
            self._panel = write(self._panel, "")
            await self._pressed(Key.ENTER)
        elif letter in ("\b", "\x7f"):
            await self._pressed(Key.BACKSPACE)
        elif letter in ("\r", "\n") or (letter == " " and not self._panel.typed):
            await super().letter(letter)
        elif letter.isprintable():
            await self._pressed(Typed(letter))
        self._show()

    async def type(self, text: str) -> bool:
        """Look for the act that was typed, or fill in the field that is asked for; nothing is given yet."""
        cells = all("\u2800" <= letter <= "\u28ff" for letter in text)
        texts = texts_of_cells(text, codes_of(self._language)) if cells else (text.strip(),)
        if self._asking is not None:
            self._fill_in(texts)
            return True
        found = next(filter(None, (forms_found(one, self._language) for one in texts)), ())
        self._asked, self._found = None, {self._words[form.words]: form for form in found}
        if len(found) == 1:
            self._begin(found[0])
        else:
            self._offer((self._words["acts.found"].replace("{count}", str(len(found))),), tuple(self._found))
        return True

    # what comes

    def _greeted(self, greeting: Greeting) -> None:
        scheme = load_scheme(greeting.scheme, self._language)
        profile = self._profile or load_profile(computer_profile(self._language))
        self._reader = Reader(scheme, profile, self._panel.width)
        self._pictured(greeting.picture)
        self._look()

    def _told(self, said: Numbered) -> None:
        message = said.message
        if not isinstance(message, Recorded):
            if self._reader is not None:
                self._say(shown_lines(message, said.lines, self._reader))
            return
        self._pictured(message.picture)
        self._told_of = max(self._told_of, message.alerts)
        if self._told_of > self._changes:
            self._look()
        elif self._at >= len(self._cards) and isinstance(
            message.event, ev.Completed | ev.ClockPaused | ev.ClockResumed
        ):
            self._take_cards(self._cards)

    def _pictured(self, picture: Picture | None) -> None:
        if picture is not None:
            self._picture, self._came = picture, time.monotonic()

    def _look(self) -> None:
        """Have the cards fetched, unless that is under way."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._fetch())

    async def _fetch(self) -> None:
        """Fetch the cards, again where they changed meanwhile; without an answer, try again while the line is there."""
        wanted = f"{self._origin}/api/alerts?{self._query}&language={self._language}"
        while True:
            try:
                async with self._session.get(wanted) as answer:
                    found = msgspec.json.decode(await answer.read(), type=_CardsShown)
            except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
                if self._line is None:
                    return  # the display says that it is away, and asks again when it is back
                await asyncio.sleep(AGAIN_S)
                continue
            self._changes = max(self._changes, found.changes)
            self._take_cards(tuple(card for card in found.cards if not card.how))
            if self._told_of <= self._changes:
                return

    def _take_cards(self, cards: tuple[CardShown, ...]) -> None:
        """Keep reading what is read while it is there, unless somebody waits for the arbiter now.

        An arbiter who went on to the clocks stays there; one who has read that there is no alert reads the first.
        """
        before = self._cards[self._at] if self._at < len(self._cards) else None
        known = {number for card in self._cards for number in card.numbers}
        at = len(cards) if before is None and self._cards else 0
        if before is not None:
            at = next((place for place, card in enumerate(cards) if card.kind == before.kind
                       and set(before.numbers) & set(card.numbers)), 0)  # fmt: skip
        urgent = (place for place, card in enumerate(cards) if card.at_once and not known >= set(card.numbers))
        fresh = next(urgent, None)
        busy = self._asked is not None or self._asking is not None or bool(self._found)
        self._cards, self._at = cards, at if fresh is None else fresh
        if fresh is not None or not busy:
            self._read()

    # what is read

    def _read(self) -> None:
        """Show the card that is read, or clocks and last move behind the last one."""
        self._asked, self._asking, self._found = None, None, {}
        if self._reader is None:
            return
        if self._at < len(self._cards):
            card = self._cards[self._at]
            lines = tuple(filter(None, card_lines(card, self._at + 1, len(self._cards), self._words)))
            self._acts = acts_of(card, self._words)
        else:
            none = () if self._cards else (f"{self._words['alerts']}: {self._words['no_alerts']}",)
            lines, self._acts = (*self._game(), *none), {}
        self._offer(lines, tuple(self._acts))

    def _game(self) -> tuple[str, ...]:
        if self._picture is None or self._reader is None:
            return ()
        shown = self._picture
        times = {Seat.WHITE: shown.white_ms, Seat.BLACK: shown.black_ms}
        if shown.running is not None:
            times[shown.running] -= int((time.monotonic() - self._came) * 1000)
        return (clock_line(times, shown.running, self._words), *filter(None, (move_line(shown, self._reader.profile),)))

    def _offer(self, lines: tuple[str, ...], choices: tuple[str, ...]) -> None:
        self._panel = say(msgspec.structs.replace(self._panel, choices=choices), lines)
        self._show()

    def _go(self, on: int) -> None:
        self._at = (self._at + on) % (len(self._cards) + 1)
        self._read()

    # an act that is typed

    def _begin(self, form: FormOfAct) -> None:
        self._found = {}
        self._ask_next(asking(form, len(self._picture.line) if self._picture is not None else 0))

    def _fill_in(self, said: tuple[str, ...]) -> None:
        """Take the answer to a field in the first way of reading it that is one, or say what is wrong with it."""
        assert self._asking is not None
        told = [fill_in(self._asking, one, self._words) for one in said]
        filled = next((one for one in told if isinstance(one, Asking)), None)
        if filled is not None:
            self._ask_next(filled)
            return
        wrong = next((one for one in told if isinstance(one, str)), "")
        lines = filter(None, (wrong, *question(self._asking, self._words)))
        self._offer(tuple(lines), tuple(choices(self._asking, self._words)))

    def _ask_next(self, now: Asking) -> None:
        """Ask for the next field; after the last, whether the act is to be given."""
        if now.field is not None:
            self._asking = now
            self._offer(question(now, self._words), tuple(choices(now, self._words)))
            return
        self._asking = None
        self._confirm(self._words[now.form.words], now.body, ", ".join(now.named))

    def _confirm(self, what: str, body: dict[str, Any], named: str = "") -> None:
        """Ask for a yes before an act is given."""
        assert self._reader is not None
        scheme = self._reader.scheme
        self._asked = (what, body)
        lines = (scheme.phrase("shown_sure", what=what), *filter(None, (named,)))
        self._offer(lines, (scheme.text("cmd.yes"), scheme.text("cmd.no")))

    # what is pressed

    async def _pressed(self, key: Pressed) -> None:
        match key:
            case Key.DOWN:
                self._go(1)
            case Key.UP:
                self._go(-1)
            case Key.TOP if self._panel.at == 0:
                self._at = 0
                self._read()
            case Key.TOP:
                self._panel = top(self._panel)
            case Key.BOTTOM:
                self._panel = bottom(self._panel)
            case Key.ESCAPE if not self._panel.typed:
                self._read()  # what was being filled in is left
            case _:
                await super()._pressed(key)

    async def _choose(self, choice: str) -> None:
        """Give the act whose word a routing key chose; what answers an alert needs a yes, as a finger may slip."""
        assert self._reader is not None
        if self._asked is not None:
            (_, body), self._asked = self._asked, None
            if choice == self._reader.scheme.text("cmd.yes"):
                await self._give(body)
            else:
                self._read()
            return
        if self._asking is not None:
            self._fill_in((choice,))
            return
        if choice in self._found:
            self._begin(self._found[choice])
            return
        body, sure = self._acts[choice]
        if sure:
            self._confirm(choice, body)
        else:
            await self._give(body)

    async def _give(self, body: dict[str, Any]) -> None:
        if not await self._do(body):
            self._read()

    def _answered(self, said: Outcome) -> None:
        super()._answered(said)
        if said.outcome.ok:
            self._look()
