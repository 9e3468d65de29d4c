"""The arbiter's own braille display or terminal is a station: what is urgent first, then the clocks and the last move.

It shows the cards of the arbiter's page (`/api/alerts`), in their order, then the desk while there is anything to do at
it, then who waits at the door. A routing key over an act gives it, or its word, once it was confirmed. Everything that
the page does can be typed besides, on the display's keys or the computer's: its name, its article or a word of the
page's finder, then what is asked of it, one field after the other.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any, Literal
from urllib.parse import quote

import aiohttp
import msgspec

from braille.loading import computer_profile, load_profile
from braille.panel import bottom, say, top, write
from braille.profile import Profile
from braille.typed import texts_of_cells
from server.game import acts as ev
from server.game.views.messages import Greeting, Picture, Recorded
from server.game.views.table import TableShown
from server.protocol import Numbered, Outcome, Wrong
from server.stations.arbiter.answers import answer_lines
from server.stations.arbiter.asked import FormOfAct, form_of, forms_found, words_at_a_line
from server.stations.arbiter.cards import (
    AMOUNTS,
    CardShown,
    CardsShown,
    StepKey,
    StepOfCard,
    acts_of,
    card_lines,
    is_whole,
    step_line,
    steps_to_change,
    with_changes,
)
from server.stations.arbiter.desk import Cell, decisions, desk_lines, is_shown, next_cell, shown_after_comparing
from server.stations.arbiter.game import clock_lines, move_line, words_of_move
from server.stations.arbiter.table_now import TableNow, named_waiting, table_after
from server.stations.arbiter.typed_acts import (
    Asking,
    acts_of_desk,
    asking,
    bodies,
    choices,
    fill_in,
    is_closed,
    is_of_the_desk,
    meant_by,
    question,
    sources,
    typed_choice,
    why_not,
)
from server.stations.braille import AGAIN_S, BrailleStation
from server.stations.braille_display import Key, Pressed, Typed
from server.stations.terminal import Display
from server.wording.braille import Reader
from server.wording.typed import codes_of
from speech.words.loading import load_scheme

ESCAPED = "\x1b"
ARROWS = {"A": Key.UP, "B": Key.DOWN, "C": Key.RIGHT, "D": Key.LEFT}
"""The last letter of an arrow key of a terminal, and the key of a display that does the same."""
AT_ONCE = ("type_cell", "hear_cell", "show_board", "more_cells", "compare_scores", "tick_checklist", "check_all", "ask")
"""Acts given without a yes: they settle nothing, or are as easily taken back."""
OF_THE_DESK = ("board_read", "cell_typed", "cell_heard", "unread_accepted", "board_confirmed", "square_asked",
               "board_said_set", "boards_to_set", "restored")  # fmt: skip
"""Events after which the desk says something else, besides those whose names begin with "desk_"."""
Place = Literal["card", "desk", "door", "game"]


class ArbiterBrailleStation(BrailleStation):
    """An arbiter's braille display, or terminal, as a station.

    Line up and down lead from alert to alert, the most urgent first, and behind the last to the desk, the door, and
    clocks and last move; left and right pan in one of them.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        origin: str,
        query: str,
        display: Display,
        profile: Profile | None = None,
        *,
        language: str = "en",
    ) -> None:
        """Set up the station; `language`: in which the arbiter reads."""
        super().__init__(session, origin, query, display, profile)
        self._language = language
        self._hello = {"language": language}
        self._reads = {"Accept-Language": language}
        self._words = words_at_a_line(language)
        self._cards: tuple[CardShown, ...] = ()
        self._acts: dict[str, tuple[dict[str, Any], bool]] = {}
        self._steps: dict[str, StepOfCard] = {}  # those of the card that may be changed
        self._changed: dict[StepKey, dict[str, Any]] = {}  # what the arbiter changed of them, until they are done
        self._changing: StepKey | None = None
        self._asked: tuple[str, Asking | dict[str, Any]] | None = None  # the act that waits for a yes
        self._found: dict[str, tuple[FormOfAct, dict[str, Any]]] = {}  # acts to choose, with what is known of them
        self._searched = False  # whether they were found by a word
        self._news: tuple[str, ...] = ()  # what came of the act given last, while nothing else is read
        self._giving: dict[str, str] = {}  # id of a command -> its act, until it is answered
        self._recorded = -1  # the last message when a command was sent: whether anything came of it
        self._ran = False  # whether a clock ran then
        self._desk: dict[str, Any] = {}
        self._compared: dict[str, Any] | None = None  # both whole scores, until the desk changes
        self._cells: tuple[int, ...] = ()  # half-moves to be copied besides those that the desk asks for
        self._opens = False  # whether the desk is being opened from here
        self._copied: Cell | None = None  # the cell that was typed last, after which the next one is asked for
        self._table: TableShown | None = None
        self._waiting: tuple[dict[str, Any], ...] = ()
        self._due: set[Place] = set()  # where something new was not read yet, because something else was in hand
        self._fetching: asyncio.Task[None] | None = None
        self._asking: Asking | None = None  # the act that is being filled in
        self._name = ""  # the word by which it was chosen
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
        """Show both clocks and the last move, whatever is due."""
        self._at = self._places.index("game")
        self._read_here()

    async def run(self) -> None:
        """Keep the line, and watch the door, until cancelled."""
        door = asyncio.create_task(self._watch_the_door())
        try:
            await super().run()
        finally:
            door.cancel()
            await asyncio.gather(door, return_exceptions=True)

    async def letter(self, letter: str) -> None:
        """Take a letter of the computer's keyboard: words are typed there as on the display's keys.

        While nothing is typed Enter goes on to the next alert, and the space bar shows the clocks.
        """
        begun, self._arrow = self._arrow, ""
        if letter == ESCAPED or (begun == ESCAPED and letter == "["):
            self._arrow = begun + letter
        elif begun:
            await self._take_key(ARROWS.get(letter, Key.OTHER))
        elif letter in ("\r", "\n") and self._panel.typed:
            self._panel = write(self._panel, "")
            await self._take_key(Key.ENTER)
        elif letter in ("\b", "\x7f"):
            await self._take_key(Key.BACKSPACE)
        elif letter in ("\r", "\n") or (letter == " " and not self._panel.typed):
            await super().letter(letter)
        elif letter.isprintable():
            await self._take_key(Typed(letter))
        self._show()

    async def type(self, text: str) -> bool:
        """Look for the act that was typed, or fill in the field that is asked for; nothing is given yet."""
        self._news = ()
        cells = all("\u2800" <= letter <= "\u28ff" for letter in text)
        texts = texts_of_cells(text, codes_of(self._language)) if cells else (text.strip(),)
        if self._asking is not None:
            await self._fill_in(texts)
            return True
        wanted = [typed_choice(one) for one in texts]
        named = [one for one in self._panel.choices if typed_choice(one) in wanted]
        if not named and self._found:
            named = self._choice_begun(tuple(self._found), wanted)
        found = () if named else next(filter(None, (forms_found(one, self._language) for one in texts)), ())
        if not named and not found:
            named = self._choice_begun(self._panel.choices, wanted)
        if named:
            await self._choose(named[0])
            return True
        counted = self._words["acts.found"].replace("{count}", str(len(found)))
        if not found:
            self._offer((counted,), self._panel.choices)  # what was read can still be answered
            return True
        self._asked = None
        meant = {self._words[form.words]: (form, meant_by(form, texts, self._words)) for form in found}
        if len(found) == 1:
            await self._begin(*next(iter(meant.values())))
        else:
            self._found, self._searched = meant, True
            self._offer((counted,), tuple(meant))
        return True

    @staticmethod
    def _choice_begun(choices: tuple[str, ...], wanted: list[str]) -> list[str]:
        """Return the one choice of which the beginning was typed; nothing where it is none, or several."""
        found = [one for one in choices if any(part and typed_choice(one).startswith(part) for part in wanted)]
        return found if len(found) == 1 else []

    # what comes

    def _take_greeting(self, greeting: Greeting) -> None:
        scheme = load_scheme(greeting.scheme, self._language)
        profile = self._profile or load_profile(computer_profile(self._language))
        self._reader = Reader(scheme, profile, self._panel.width)
        self._table = greeting.table
        self._take_picture(greeting.picture)
        self._changes = self._told_of = -1  # the line was away, and the record may be an older copy
        self._look()
        self._look_at_desk()

    def _show_message(self, said: Numbered) -> None:
        message = said.message
        if not isinstance(message, Recorded):
            if self._reader is not None:
                self._say(self._lines_of(message, said.lines))
            return
        self._take_picture(message.picture)
        self._table = table_after(self._table, message.event)
        if not self._giving:
            self._news = ()  # something else has happened since
        name = str(type(message.event).__struct_config__.tag)
        if name.startswith("desk_") or name in OF_THE_DESK:
            self._look_at_desk()
        self._told_of = max(self._told_of, message.alerts)
        if self._told_of > self._changes:
            self._look()
        elif self._place == "game" and isinstance(message.event, ev.Completed | ev.ClockPaused | ev.ClockResumed):
            self._news = ()
            self._take_cards(self._cards)

    def _take_picture(self, picture: Picture | None) -> None:
        if picture is not None:
            self._picture, self._came = picture, time.monotonic()

    def _look(self) -> None:
        """Have the cards fetched, unless that is under way."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._fetch())

    async def _fetch(self) -> None:
        """Fetch the cards, again where they changed meanwhile; without an answer, try again while the line is there."""
        while True:
            try:
                found = msgspec.convert(await self._got(f"/api/alerts?language={self._language}"), CardsShown)
            except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
                if self._line is None:
                    return  # the display says that it is away, and asks again when it is back
                await asyncio.sleep(AGAIN_S)
                continue
            self._forget_changes(found.cards)
            cards = tuple(with_changes(card, self._changed) for card in found.cards if not card.how)
            first = self._changes < 0
            self._changes = max(self._changes, found.changes)
            if first or cards != self._cards:  # else who reads on would be taken back to the beginning
                self._take_cards(cards)
            if self._told_of <= self._changes:
                return

    async def _got(self, path: str) -> Any:
        """Return what the server answers at a path. Raises ClientError, TimeoutError, MsgspecError."""
        joined = f"{self._origin}{path}{'&' if '?' in path else '?'}{self._query}"
        async with self._session.get(joined, headers=self._reads) as answer:
            return msgspec.json.decode(await answer.read())

    def _look_at_desk(self) -> None:
        """Have the desk fetched; the last question counts."""
        if self._fetching is not None:
            self._fetching.cancel()
        self._fetching = asyncio.create_task(self._fetch_desk())

    async def _fetch_desk(self) -> None:
        try:
            found = await self._got_desk()
        except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
            return  # it is asked for anew when the line is back
        self._take_desk(found)

    async def _got_desk(self) -> dict[str, Any]:
        """Return the desk as it is now, as it was where the server does not say. Raises as `_got`."""
        found = await self._got(f"/api/desk?plies={','.join(map(str, self._cells))}")
        return dict(found) if "open" in found else self._desk

    def _take_desk(self, desk: dict[str, Any]) -> None:
        """Lead to a desk that was opened, and after a cell was typed there to the next one that is still to be read.

        Who reads a card stays there, but for the arbiter who has opened the desk here.
        """
        self._compared = None
        opened = is_shown(desk) and not is_shown(self._desk) and (self._opens or self._place != "card")
        self._opens = self._opens and not is_shown(desk)
        was_there, copied, busy = self._place == "desk", self._copied, self._busy
        self._desk, self._copied = desk, None
        if not is_shown(desk):
            self._cells = ()
        if opened and busy:
            self._due.add("desk")
        if busy and copied is None:
            return
        following = next_cell(desk, copied) if copied is not None else None
        if following is not None:
            self._copy(following)
        elif opened or was_there or copied is not None:
            self._go_to("desk" if is_shown(desk) else "game")

    async def _watch_the_door(self) -> None:
        """Learn of the devices that wait to be admitted, while there is a line."""
        version = -1
        while True:
            if self._line is None:
                await asyncio.sleep(AGAIN_S)
                continue
            try:
                found = await self._got(f"/api/introductions?version={version}")
                version, waiting = found["version"], tuple(found["waiting"])
            except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError, KeyError):
                await asyncio.sleep(AGAIN_S)
                continue
            here, news = self._place, {one["id"] for one in waiting} - {one["id"] for one in self._waiting}
            self._waiting = waiting
            if news:
                self._due.add("door")
            if not self._busy and (here == "door" or (here == "game" and news)):
                self._go_to("door" if waiting else "game")
            elif here == "game":
                self._at = self._places.index("game")

    def _take_cards(self, cards: tuple[CardShown, ...]) -> None:
        """Keep reading what is read while it is there, unless somebody waits for the arbiter now.

        An arbiter who went on to the clocks stays there; one who has read that there is no alert reads the first.
        """
        here = self._place
        before = self._cards[self._at] if here == "card" else None
        known = {number for card in self._cards for number in card.numbers}
        stays = here in ("desk", "door") or (here == "game" and self._cards)
        at = 0
        if before is not None:
            at = next((place for place, card in enumerate(cards) if card.kind == before.kind
                       and set(before.numbers) & set(card.numbers)), 0)  # fmt: skip
        urgent = (place for place, card in enumerate(cards) if card.at_once and not known >= set(card.numbers))
        fresh = next(urgent, None)
        self._cards = cards
        self._at = self._places.index(here) if stays else at
        if fresh is not None:
            self._at, self._news = fresh, ()
        if fresh is not None or not (self._busy or (here in ("desk", "door") and here not in self._due)):
            self._read()

    @property
    def _busy(self) -> bool:
        """Return whether something is being asked that what comes must not take away."""
        return self._asked is not None or self._asking is not None or self._searched

    @property
    def _places(self) -> list[Place]:
        """Return what there is to read, in its order."""
        cards: list[Place] = ["card"] * len(self._cards)
        desk: list[Place] = ["desk"] if is_shown(self._desk) else []
        door: list[Place] = ["door"] if self._waiting else []
        return [*cards, *desk, *door, "game"]

    @property
    def _place(self) -> Place:
        places = self._places
        return places[min(self._at, len(places) - 1)]

    def _go_to(self, place: Place) -> None:
        self._at = self._places.index(place)
        self._read()

    # what is read

    def _read(self) -> None:
        """Read on where the arbiter is, or at what is due before it: the desk, then the door."""
        self._due.intersection_update(self._places)
        self._at = min([self._at, *map(self._places.index, self._due)])
        self._read_here()

    def _read_here(self) -> None:
        """Show the card that is read, or what stands behind the last one: desk, door, clocks and last move."""
        self._asked, self._asking, self._changing, self._searched = None, None, None, False
        self._found, self._acts, self._steps = {}, {}, {}
        if self._reader is None:
            return
        self._due.discard(self._place)
        match self._place:
            case "card":
                card = self._cards[self._at]
                lines = tuple(filter(None, card_lines(card, self._at + 1, len(self._cards), self._words)))
                self._acts, self._steps = acts_of(card, self._words), steps_to_change(card, self._words)
            case "desk":
                lines, self._found = desk_lines(self._desk, self._words), acts_of_desk(self._now, self._words)
            case "door":
                lines = tuple(
                    self._words["device_waits"].replace("{mark}: {who}", name)
                    for name in named_waiting(self._now, self._words)
                )
                self._found = {
                    self._words[form.words]: (form, {}) for form in map(form_of, ("admit", "refuse")) if form
                }
            case _:
                none = () if self._cards else (f"{self._words['alerts']}: {self._words['no_alerts']}",)
                lines = (*self._game(), *none)
        self._offer((*self._news, *lines), (*self._acts, *self._steps, *self._found))

    def _game(self) -> tuple[str, ...]:
        if self._picture is None or self._reader is None:
            return ()
        shown = self._picture
        clocks = clock_lines(shown, int((time.monotonic() - self._came) * 1000), self._words)
        moved = words_of_move(shown, self._words) if self._in_print else move_line(shown, self._reader.profile)
        return (*clocks, *filter(None, (moved,)))

    def _offer(self, lines: tuple[str, ...], choices: tuple[str, ...]) -> None:
        self._panel = say(msgspec.structs.replace(self._panel, choices=choices), lines)
        self._show()

    def _go(self, on: int) -> None:
        self._news = ()
        self._at = (min(self._at, len(self._places) - 1) + on) % len(self._places)
        self._read_here()

    # an act that is typed

    @property
    def _now(self) -> TableNow:
        plies = len(self._picture.line) if self._picture is not None else 0
        return TableNow(plies, self._language, self._table, self._desk, waiting=self._waiting)

    async def _begin(self, form: FormOfAct, known: dict[str, Any] | None = None, name: str = "") -> None:
        """Ask for the first field of an act, once it is known what there is to choose; `name`: the word it goes by."""
        self._name = name or self._words[form.words]
        self._found, self._searched, self._changing = {}, False, None
        if is_of_the_desk(form):
            try:
                self._desk = await self._got_desk()
            except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
                self._refuse(self._words["no_answer"])
                return
            if self._compared is not None:  # what was shown last is what is decided on
                self._desk = dict(shown_after_comparing(self._desk, self._compared))
            kind = (known or {}).get("kind")
            if form.do == "decide_desk" and kind is not None and kind not in decisions(self._desk):
                self._refuse(self._words["desk.undecided"])
                return
        now = self._now
        for path, part in sources(form).items():
            try:
                found = await self._got(path)
            except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
                self._refuse(self._words["no_answer"])
                return
            if found.get("text"):
                self._refuse(found["text"])
                return
            now = msgspec.structs.replace(now, **{part: found if part == "devices" else tuple(found[part])})
        wrong = why_not(form, now, self._words)
        if wrong:
            self._refuse(wrong)
            return
        if form.do == "type_cell" and not known:
            first = next_cell(self._desk)
            if first is not None:
                self._copy(first)
                return
        await self._ask_next(asking(form, now, known))

    def _copy(self, cell: Cell) -> None:
        """Ask for what is written in a cell."""
        form = form_of("type_cell")
        assert form is not None
        asked = asking(form, self._now, {"seat": cell[1], "ply": cell[0]})
        self._asked, self._asking, self._found = None, asked, {}
        self._offer(question(asked, self._words), tuple(choices(asked, self._words)))

    def _refuse(self, sentence: str) -> None:
        """Say why something cannot be done, and go on with what is read."""
        self._news = (sentence,)
        self._read()

    async def _fill_in(self, said: tuple[str, ...]) -> None:
        """Take the answer to a field in the first way of reading it that is one, or say what is wrong with it."""
        assert self._asking is not None
        told = [fill_in(self._asking, one, self._words) for one in said]
        filled = next((one for one in told if isinstance(one, Asking)), None)
        if filled is not None:
            await self._ask_next(filled)
            return
        other = next(filter(None, (forms_found(one, self._language) for one in said)), ())
        if is_closed(self._asking) and len(other) == 1:
            await self._begin(other[0])  # another act was named instead
            return
        wrong = next((one for one in told if isinstance(one, str)), "")
        lines = filter(None, (wrong, *question(self._asking, self._words)))
        self._offer(tuple(lines), tuple(choices(self._asking, self._words)))

    async def _ask_next(self, asked: Asking) -> None:
        """Ask for the next field; after the last, whether the act is to be given."""
        if asked.field is not None:
            self._asking = asked
            self._offer(question(asked, self._words), tuple(choices(asked, self._words)))
            return
        self._asking = None
        if self._changing is not None:
            self._change(self._changing, asked)
        elif asked.form.do in AT_ONCE:
            await self._give(asked)
        else:
            self._confirm(self._name, asked, ", ".join(asked.named))

    def _confirm(self, what: str, act: Asking | dict[str, Any], named: str = "") -> None:
        """Ask for a yes before an act is given."""
        assert self._reader is not None
        scheme = self._reader.scheme
        self._asked = (what, act)
        lines = (scheme.phrase("shown_sure", what=what), *filter(None, (named,)))
        self._offer(lines, (scheme.text("cmd.yes"), scheme.text("cmd.no")))

    # what is pressed

    async def _take_key(self, key: Pressed) -> None:
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
                await super()._take_key(key)

    async def _choose(self, choice: str) -> None:
        """Give the act whose word a routing key chose; what answers an alert needs a yes, as a finger may slip."""
        assert self._reader is not None
        self._news = ()
        if self._asked is not None:
            (_, act), self._asked = self._asked, None
            if choice == self._reader.scheme.text("cmd.yes"):
                await self._give(act)
            else:
                self._read()
            return
        if self._asking is not None:
            await self._fill_in((choice,))
            return
        if choice in self._found:
            await self._begin(*self._found[choice], choice)
            return
        if choice in self._steps:
            await self._ask_to_change(self._steps[choice], choice)
            return
        if choice not in self._acts:
            self._read()  # what was offered is no longer there
            return
        body, sure = self._acts[choice]
        form = None if is_whole(body) else form_of(body["do"])
        if form is not None:
            await self._begin(form, body, choice)
        elif sure:
            self._confirm(choice, body, self._steps_left() if body["do"] == "settle_incident" else "")
        else:
            await self._give(body)

    def _steps_left(self) -> str:
        """Return the steps of the card that is read, all of which are given at once: one of them may end the game."""
        steps = self._cards[self._at].steps if self._place == "card" else ()
        return "; ".join(step_line(step, self._words) for step in steps if not step.done)

    async def _ask_to_change(self, step: StepOfCard, name: str) -> None:
        """Ask for another amount of a step; as on the page, the clocks stop when a card is looked at so closely."""
        card, form = self._cards[self._at], form_of(step.body["do"])
        assert form is not None
        if any(one.body["do"] == "pause" and not one.done for one in card.steps):
            await self._do({"do": "pause", "reason": "incident"})
        await self._begin(form, {key: said for key, said in step.body.items() if key not in AMOUNTS}, name)
        self._changing = (card.numbers, step.name)

    def _change(self, step: StepKey, asked: Asking) -> None:
        """Keep what was said of a step: it counts when the steps are carried out."""
        (self._changed[step],) = bodies(asked)
        self._cards = tuple(with_changes(card, self._changed) for card in self._cards)
        self._read()

    def _forget_changes(self, cards: tuple[CardShown, ...]) -> None:
        """Forget what was changed of a step that is done, or whose card is settled."""
        left = {(card.numbers, step.name) for card in cards for step in card.steps if not step.done}
        self._changed = {step: body for step, body in self._changed.items() if step in left}

    async def _give(self, act: Asking | dict[str, Any]) -> None:
        """Give an act: a command of the game, several, or something that is asked of the server."""
        if isinstance(act, Asking) and act.form.do == "more_cells":
            number = int(act.body["number"])
            self._cells = (*self._cells, 2 * number - 1, 2 * number)
            self._look_at_desk()
            self._go_to("desk")
            return
        if isinstance(act, Asking) and act.form.path:
            await self._post(act)
            return
        self._recorded, self._ran = self._after, self._picture is not None and self._picture.running is not None
        name = act.form.words if isinstance(act, Asking) else ""
        for body in bodies(act) if isinstance(act, Asking) else (act,):
            self._opens = body["do"] == "open_desk"
            if body["do"] == "type_cell":
                self._copied = (body["ply"], body["seat"])
            if not await self._do(body, name):
                self._read()
                return

    async def _post(self, act: Asking) -> None:
        """Ask the server for something that is no command of the game, and show what it answers."""
        (body,) = bodies(act)
        path = act.form.path.format(**{name: quote(str(said), safe="") for name, said in act.body.items()})
        try:
            async with self._session.post(
                f"{self._origin}{path}?{self._query}", json=body, headers={"Origin": self._origin, **self._reads}
            ) as came:
                ok, said = came.ok, msgspec.json.decode(await came.read())
        except (aiohttp.ClientError, TimeoutError, msgspec.MsgspecError):
            self._refuse(self._words["no_answer"])
            return
        if not ok:
            self._refuse(str(said.get("text") or self._words["refused_act"]))
            return
        if act.form.do == "compare_scores":
            self._compared = said
            self._desk = dict(shown_after_comparing(self._desk, said))
        self._news = answer_lines(act.form, said, self._words)
        self._read()

    async def _do(self, body: dict[str, Any], then: str = "") -> bool:
        """Send a command; `then`: the key of the words of its act, which are said once it was carried out."""
        id = secrets.token_hex(16)
        self._giving[id] = then
        return await self._send({"kind": "do", "id": id, "body": body})

    def _answer(self, said: Outcome | Wrong) -> None:
        """Go on to what is to be read now, after a sentence that says what came of the act."""
        words = self._giving.pop(said.outcome.id, None) if isinstance(said, Outcome) else None
        if words is None or not isinstance(said, Outcome):
            super()._answer(said)
            return
        if self._giving and said.outcome.ok:
            return  # one of several acts, of which the last tells
        if not said.outcome.ok:
            self._copied = None
            self._refuse(said.text or self._words["refused_act"])
            return
        self._look()
        if words and self._copied is None:
            at_desk = self._opens or self._place == "desk"
            runs = self._picture is not None and self._picture.running is not None
            same = self._after == self._recorded or (words in ("act.pause", "act.resume") and runs is self._ran)
            done = self._words["nothing_done" if same else "done"]
            self._news = (f"{self._words[words]}: {done}",)
            if at_desk:
                self._look_at_desk()  # it says something else now
            else:
                self._read()
