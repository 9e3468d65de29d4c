"""A player's own braille display is a station, over the same line as a browser's (docs/protocol.md).

It shows what the server sends this station and nothing else; `views` decides that. Words are typed on the display's
keyboard, commands are chosen by a routing key; the clock is pressed by a key of the computer, never by a word (L049).
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiohttp
import msgspec

from braille.loading import computer_profile, load_profile
from braille.panel import LONGEST, Panel, bottom, choice_at, erase, pan, say, top, write
from braille.profile import Profile
from braille.typed import texts_of_cells
from server.game.views.held_times import HeldTimes
from server.game.views.messages import (
    AnswerGiven,
    AnyMessage,
    DrawOffer,
    Ended,
    Greeting,
    NextGameShown,
    ScoreLine,
    SquareToSetNow,
    TimeCue,
)
from server.protocol import UNREADABLE, Beat, Greeted, Numbered, Outcome, Outgoing, SealedWords, Wrong
from server.stations.braille_display import Dots, Key, Pressed, Routed, Typed
from server.stations.terminal import Display, TerminalDisplay
from server.wording.aloud.scores import move_read
from server.wording.braille import Reader, first_choices, score_lines, score_move, shown_lines
from server.wording.pages import part_words
from server.wording.typed import codes_of
from speech.complaint import Complaint, Phrase
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from speech.words.spelling import typed_form

CHOICES = (
    *("time", "last", "score", "moves", "opponent_time", "yes", "no"),
    *("draw_offer", "draw_accept", "draw_decline", "claim_draw", "claim_time", "arbiter", "adjust", "resign", "set_up"),
)
"""The commands that a routing key chooses; they are shown in the words of the player's scheme."""
TWICE = ("draw_offer",)
"""Acts that need a yes, because a finger may slip; for acceptance, claim and resignation the server asks for it."""
ACTS = {"put_back": "put_back", "approve": "due.approve"}
"""Choices in the words of the pages, which are no words of the game; that of the result, once there is one."""
ANSWERS = ("draw_accept", "draw_decline", "yes", "no")
"""Words of which a player who types them has read the offer that they answer."""
READ_S = 3.0
"""After so long a player who types has read what stood there; before it, the typing may have been under way."""
LOOK_S = 0.02
AGAIN_S = 0.4
SILENT_S = 1.5  # three beats of the server: then the line is lost, even if it was not closed
CLOSING = aiohttp.ClientWSTimeout(ws_close=0.2)
_FINAL = (4401,)  # not admitted: trying again is of no use

_decoder = msgspec.json.Decoder(Outgoing)


def digits(ms: int) -> str:
    """Return a time as a clock shows it.

    >>> digits(3_930_500)
    '1:05:30'
    """
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def origin_of(address: str) -> str:
    """Return the server's scheme and host from an address.

    Raises Complaint for what is not an http address.
    """
    parts = urlsplit(address if "//" in address else f"http://{address}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Complaint(Phrase("station.no_address", address=address[:80], example="http://192.0.2.7:8080"))
    return f"{parts.scheme}://{parts.netloc}"


async def _ask_server(session: aiohttp.ClientSession, origin: str, path: str, body: Any = None) -> dict[str, Any]:
    try:
        method = "GET" if body is None else "POST"
        async with session.request(method, origin + path, json=body, headers={"Origin": origin}) as answer:
            said = await answer.json()
    except aiohttp.ServerFingerprintMismatch as wrong:
        raise Complaint(Phrase("station.other_certificate")) from wrong
    except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as wrong:
        raise Complaint(Phrase("station.no_answer", address=origin)) from wrong
    if not isinstance(said, dict) or "state" not in said:
        text = said.get("text", "") if isinstance(said, dict) else ""
        raise Complaint(str(text) or Phrase("station.no_answer", address=origin))
    return said


async def join(session: aiohttp.ClientSession, origin: str, code: str, told: Callable[[str], None]) -> str:
    """Introduce this device with a code and wait for the arbiter; return the query of its line, its page first.

    `told` gets the mark that the arbiter sees. Raises Complaint where the device is refused.
    """
    said = await _ask_server(session, origin, "/api/join", {"code": code, "label": "Braille display"})
    id = str(said.get("id", ""))
    if said["state"] == "waiting":
        told(str(said.get("mark", "")))
    while said["state"] == "waiting":
        said = await _ask_server(session, origin, f"/api/join/{id}")
    if said["state"] != "admitted":
        raise Complaint(Phrase("station.not_admitted"))
    page = urlsplit(str(said["page"]))
    return urlencode({"page": page.path.strip("/"), **dict(parse_qsl(page.query))})


async def _is_closed(line: aiohttp.ClientWebSocketResponse) -> bool:
    return await line.close()


class BrailleStation:
    """One seat's braille display as a station.

    `run` ends only with a Complaint: the display is gone, or the station is not admitted.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        origin: str,
        query: str,
        display: Display,
        profile: Profile | None = None,
        *,
        capitals: bool = False,
    ) -> None:
        """Set up the station.

        `profile`: in whose cells moves, times and the board are shown; computer braille where none is chosen.
        `capitals`: what the player types tells pieces from files by capitals (dot 7).
        """
        self._session, self._origin, self._query, self._display = session, origin, query, display
        self._panel = Panel(display.width, rows=display.rows)
        self._profile = profile
        self._typing = {"capitals": True} if capitals else {}
        self._hello: dict[str, str] = {}
        self._line: aiohttp.ClientWebSocketResponse | None = None
        self._reader: Reader | None = None
        self._commands: dict[str, str] = {}
        self._score: list[str] = []
        self._after = 0
        self._lost = False
        self._held: HeldTimes | None = None
        self._press: dict[str, Any] | None = None  # a press that names its ply and is not answered yet
        self._unnamed = ""  # the id of the last press that named none
        self._answering: asyncio.Task[bool] | None = None  # kept, because a task without a reference may vanish
        self._to_acknowledge: float | None = None  # when the offer was shown that the player may not have read yet
        self._acknowledging = ""  # the id by which it was told that they have
        self._to_confirm: str | None = None
        self._shown: str | None = None
        self._page_acts: dict[str, str] = {}
        self._page_words: Mapping[str, str] = {}
        self._result = ""  # as it is on record
        self._answers: dict[str, str] = {}  # what is said once a command of this id was carried out
        self._instant: tuple[str, ...] = ()  # the lines that came in the last instant
        self._said_last: tuple[str, ...] = ()  # the lines of the newest message, without cues that came since
        self._said_at = 0.0  # and when they were shown

    async def run(self) -> None:
        """Keep the line, show what comes and send what the player presses, until cancelled."""
        keys = asyncio.create_task(self._keys())
        try:
            lines = asyncio.create_task(self._lines())
            try:
                done, _ = await asyncio.wait({keys, lines}, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                lines.cancel()
                await asyncio.gather(lines, return_exceptions=True)
        finally:
            keys.cancel()
            await asyncio.gather(keys, return_exceptions=True)

    async def press(self) -> None:
        """Press the clock.

        A press names the ply it means, as the last beat told it: if it is held up on the way while the game goes on
        elsewhere, it presses nothing. So a press that was lost with the line can be sent again.
        """
        about = self._held.press if self._held is not None else None
        press: dict[str, Any] = {"kind": "do", "id": secrets.token_hex(16), "body": {"do": "press"}}
        if about is not None:
            kept = self._press
            self._press = press = kept if kept and kept["about_ply"] == about else {**press, "about_ply": about}
        else:
            self._unnamed = press["id"]
        await self._send(press)

    async def ask_time(self) -> None:
        """Ask for the time."""
        await self._do({"do": "ask", "what": "time"})

    async def letter(self, letter: str) -> None:
        """Take a letter of the computer's keyboard: Enter presses the clock, the space bar asks for the time.

        A deaf-blind player needs only these two. Backspace puts the last move on the own board back, "a" approves the
        result. Other keys do nothing.
        """
        if letter in ("\r", "\n"):
            await self.press()
        elif letter == " ":
            await self.ask_time()
        elif letter in ("\b", "\x7f"):
            await self.put_back()
        elif letter in ("a", "A"):
            await self.approve()

    async def line(self, text: str) -> None:
        """Take a line of a terminal: an empty one presses the clock, or goes on; a blank asks for the time.

        A word of the page does its act; "a" approves the result, as the keys of `letter` do.
        """
        if isinstance(self._display, TerminalDisplay):
            self._display.typed = True
        await self._read_before(text)
        if not text:
            await self.press()
        elif not text.strip():
            await self.ask_time()
        elif text.strip() in ("a", "A") and self._result:
            await self.approve()
        elif (
            choice := next((word for word in self._page_acts if typed_form(word) == typed_form(text)), None)
        ) is not None:
            await self._choose(choice)
        else:
            await self.type(text[:LONGEST])
        self._show()

    async def put_back(self) -> None:
        """Put the move back that was made last on the player's own board, before the press (4.7)."""
        await self._do({"do": "put_back"}, self._page_words.get("put_back.done", ""))

    async def approve(self) -> None:
        """Approve the result that is on record (8.7); nothing, while there is none."""
        if self._result:
            await self._do({"do": "approve_result", "result": self._result})

    async def type(self, text: str) -> bool:
        """Send words of the one field, cells or letters; say whether they were taken.

        They are an announcement, an echo or a command word; a number opens the player's score at that move. False
        where the line is lost.
        """
        await self._read_before(text)
        cells = all("\u2800" <= letter <= "\u28ff" for letter in text)
        number = self._number_of(text, cells=cells)
        if number is not None:
            self._read_score(number)
            return True
        if cells:
            return await self._send({"kind": "cells", "id": secrets.token_hex(16), "cells": text[:60], **self._typing})
        plain = text.replace("\u2800", " ")
        return await self._send({"kind": "typed", "id": secrets.token_hex(16), "text": plain, **self._typing})

    def _number_of(self, text: str, *, cells: bool) -> int | None:
        if self._reader is None:
            return None
        texts = texts_of_cells(text, codes_of(self._reader.scheme.language)) if cells else (text.strip(),)
        return next((int(one) for one in texts if one.isdecimal() and len(one) < 4), None)

    def _read_score(self, number: int) -> None:
        """Show the player's own score, open at this move; the player pans on and back in it."""
        assert self._reader is not None
        before = score_lines(self._score[: 2 * number - 2], self._reader)
        here = score_move(self._score, number, self._reader)
        if not here:
            self._say((self._reader.scheme.phrase("no_such_move", number=number),))
            return
        if self._in_print:
            cells = AnswerGiven(what="score", score=tuple(self._score[2 * number - 2 : 2 * number]))
            self._say((move_read(number, cells, self._reader.scheme)[0],))
            return
        self._panel = say(self._panel, score_lines(self._score, self._reader), at=len(before))
        self._show()

    async def _read_before(self, text: str) -> None:
        """Take what is typed as a sign that an offer was read: it answers it, or comes a while after it.

        A terminal has no keys to read on with, and a display shows an offer whole.
        """
        if self._to_acknowledge is None or self._reader is None:
            return
        answers = {typed_form(self._reader.scheme.text(f"cmd.{word}")) for word in ANSWERS}
        if time.monotonic() - self._to_acknowledge >= READ_S or typed_form(text) in answers:
            await self._acknowledge()

    async def _acknowledge(self) -> None:
        """Say that the player has read the offer (D.2.11)."""
        shown, self._to_acknowledge, self._acknowledging = self._to_acknowledge, None, secrets.token_hex(16)
        if not await self._send({"kind": "do", "id": self._acknowledging, "body": {"do": "acknowledge"}}):
            self._to_acknowledge = shown

    # the line

    async def _lines(self) -> None:
        while True:
            try:
                url = f"{self._origin}/ws?{self._query}"
                async with self._session.ws_connect(url, headers={"Origin": self._origin}, timeout=CLOSING) as line:
                    await line.send_json({"kind": "hello", "after": self._after, "beats": True, **self._hello})
                    await line.send_json({"kind": "ear", "did": "off"})
                    self._line = line
                    while (message := await line.receive(SILENT_S)).type is aiohttp.WSMsgType.TEXT:
                        self._take(message.data)
                    if line.close_code in _FINAL:
                        raise Complaint(Phrase("station.no_more"))
            except (aiohttp.ClientError, TimeoutError, OSError):
                pass  # the server is away: try again; what it says meanwhile is sent later
            finally:
                self._line = None
            if self._reader is not None and not self._lost:
                self._lost = True  # said once, so that what the player reads is not replaced at every try
                self._say(self._left_alone(self._reader.scheme))
            await asyncio.sleep(AGAIN_S)

    def _take(self, text: str) -> None:
        try:
            said = _decoder.decode(text)
        except UNREADABLE as wrong:
            raise Complaint(Phrase("station.other_version")) from wrong
        if isinstance(said, Beat):
            self._held = said.held
            if said.ask:
                self._answering = asyncio.create_task(self._send({"kind": "beat", "n": said.n}))
        elif isinstance(said, Greeted):
            self._lost = False
            if said.greeting.next_game is not None:
                self._follow(said.greeting.next_game)
                return
            self._take_greeting(said.greeting)
            if self._press is not None:
                self._answering = asyncio.create_task(self._send(self._press))
        elif isinstance(said, Numbered) and isinstance(said.message, NextGameShown):
            if self._reader is not None:
                self._say(shown_lines(said.message, said.lines, self._reader))
            self._follow(said.message)
        elif isinstance(said, Numbered):
            self._after = said.n
            self._show_message(said)
        elif isinstance(said, SealedWords) and self._reader is not None:
            self._say(shown_lines(said, said.lines, self._reader))
        elif isinstance(said, (Outcome, Wrong)):
            self._answer(said)

    def _answer(self, said: Outcome | Wrong) -> None:
        """Show what came of a command or of words, where the server tells nothing of it otherwise."""
        text = said.text
        if isinstance(said, Outcome) and said.outcome.id == self._acknowledging:
            return  # the offer may be gone by now: that is told as it happens
        if isinstance(said, Outcome):
            self._take_outcome(said)
            then = self._answers.pop(said.outcome.id, "")
            text = then if said.outcome.ok else text
        if text:
            self._say((text,))

    def _show_message(self, said: Numbered) -> None:
        """Show a message of the table."""
        if not said.together or isinstance(
            said.message, SquareToSetNow
        ):  # the first of all squares, which stands alone
            self._instant = ()
        if isinstance(said.message, DrawOffer) and said.message.acknowledge:
            self._to_acknowledge = time.monotonic()
        if isinstance(said.message, ScoreLine):
            self._write_cell(said.message.index, said.message.text)
        elif self._reader is not None:
            first = tuple(self._reader.scheme.text(one) for one in first_choices(said.message))
            if isinstance(said.message, Ended):
                self._offer_result(said.message.result)
                first = tuple(word for word, act in self._page_acts.items() if act == "approve" and self._result)
            lines = self._lines_of(said.message, said.lines)
            if isinstance(said.message, TimeCue):
                self._say_cue(lines)
                return
            if lines and self._instant:  # the line before it came in the same instant: both are read
                lines, first = (*self._instant, *lines), first or self._panel.first
            self._say(lines, first)
            self._instant = lines or self._instant

    @property
    def _in_print(self) -> bool:
        """Return whether moves and times are read as print, not in cells."""
        return isinstance(self._display, TerminalDisplay)

    def _lines_of(self, message: AnyMessage, lines: tuple[str, ...]) -> tuple[str, ...]:
        """Return what is shown of a message; at a terminal its words alone, where it has any."""
        assert self._reader is not None
        return lines if self._in_print and lines else shown_lines(message, lines, self._reader)

    def _follow(self, next_game: NextGameShown) -> None:
        """Go on at the new game's table after the game is cancelled; the station is admitted there already."""
        place = dict(parse_qsl(self._query)) | {"table": next_game.table}
        if next_game.seat is not None:
            place["seat"] = next_game.seat.value
        self._query, self._after, self._press, self._held = urlencode(place), 0, None, None
        if self._line is not None:
            self._answering = asyncio.create_task(_is_closed(self._line))

    def _take_outcome(self, said: Outcome) -> None:
        """Forget the ply of a press that counted; the next beat tells which ply comes.

        A press that counted must not be taken for a press of the next ply. The last beat may name the ply that counted
        even where the press named none: it came while the press was on its way.
        """
        if self._press is not None and said.outcome.id == self._press["id"]:
            self._press = None
        elif said.outcome.id != self._unnamed:
            return
        if said.outcome.ok and self._held is not None:
            self._held = msgspec.structs.replace(self._held, press=None)

    def _take_greeting(self, greeting: Greeting) -> None:
        scheme = load_scheme(greeting.scheme, greeting.language)
        profile = self._profile or load_profile(computer_profile(greeting.language))
        self._reader = Reader(scheme, profile, self._panel.width, greeting.seat)
        self._commands = {scheme.text(f"cmd.{command}"): command for command in CHOICES}
        self._page_words = part_words("player", greeting.language)
        self._page_acts = {self._page_words[key]: act for act, key in ACTS.items()}
        self._offer_result(greeting.result)
        self._score = list(greeting.own_score)
        self._show()

    def _offer_result(self, result: str | None) -> None:
        """Offer the result to approve, once there is one."""
        self._result = "" if result in (None, "*") else result or ""
        acts = (word for word, act in self._page_acts.items() if act != "approve" or self._result)
        # At a terminal they are typed, and are not printed after each message.
        choices = () if self._in_print else (*self._commands, *acts)
        self._panel = msgspec.structs.replace(self._panel, choices=choices)

    def _write_cell(self, index: int, text: str) -> None:
        self._score += [""] * (index - len(self._score))
        self._score[index - 1] = text

    def _left_alone(self, scheme: Scheme) -> tuple[str, ...]:
        """Return the lines of the display when the server is gone.

        That it is gone, and the times to set any clock to.
        """
        lines = [scheme.phrase("connection_lost")]
        if self._held is not None:
            white, black = (digits(ms) for ms in (self._held.white_ms, self._held.black_ms))
            lines.append(scheme.phrase("set_any_clock", white=white, black=black))
        return tuple(lines)

    async def _do(self, body: dict[str, Any], then: str = "") -> bool:
        """Send a command; `then`: what is shown once it was carried out, where the server tells nothing of it."""
        id = secrets.token_hex(16)
        if then:
            self._answers[id] = then
        return await self._send({"kind": "do", "id": id, "body": body})

    async def _send(self, message: dict[str, Any]) -> bool:
        if self._line is None or self._line.closed:
            return False  # "connection lost" stands on the display, and the typing is kept
        try:
            await self._line.send_json(message)
        except (aiohttp.ClientError, OSError):
            return False
        return True

    # the display

    def _say(self, lines: tuple[str, ...], first: tuple[str, ...] = ()) -> None:
        if lines:
            self._to_confirm = None
            self._panel = say(self._panel, lines, first=first)
            self._said_last, self._said_at = lines, time.monotonic()
            self._show()

    def _say_cue(self, lines: tuple[str, ...]) -> None:
        """Show a cue of the clock: behind what is asked, and behind other news until there was time to read it."""
        asked = bool(self._panel.first)
        if self._in_print or not (asked or time.monotonic() - self._said_at < READ_S):
            self._say(lines)
            self._said_at = 0.0  # the next cue takes its place
            return
        before = len(self._panel.told)
        behind = msgspec.structs.replace(self._panel, said=(*self._said_last, *lines))
        if behind.at >= before:  # the choices are read
            behind = msgspec.structs.replace(behind, at=behind.at + len(behind.told) - before)
        self._panel = behind
        self._show()

    def _show(self) -> None:
        if isinstance(self._display, TerminalDisplay):
            self._display.show_panel(self._panel)
        elif self._panel.shown != self._shown:
            self._shown = self._panel.shown
            self._display.show(self._shown)

    async def _keys(self) -> None:
        while True:
            key = self._display.key()
            if key is None:
                await asyncio.sleep(LOOK_S)
                continue
            await self._take_key(key)
            self._show()

    async def _take_key(self, key: Pressed) -> None:
        if self._to_acknowledge is not None and key in (Key.RIGHT, Key.DOWN):
            await self._acknowledge()  # the player has read on
        match key:
            case Typed(letter) | Dots(letter):
                self._panel = write(self._panel, letter)
            case Routed(cell):
                choice = choice_at(self._panel, cell)
                if choice is not None:
                    await self._choose(choice)
            case Key.ENTER if self._panel.typed and self._panel.reading:
                self._panel = write(self._panel, "")  # the player first sees what will be sent
            case Key.ENTER if self._panel.typed and self._line is not None:
                typed, self._panel = self._panel.typed, erase(self._panel, all=True)
                if not await self.type(typed):
                    self._panel = write(self._panel, typed)
            case Key.BACKSPACE:
                self._panel = erase(self._panel)
            case Key.ESCAPE:
                self._panel = erase(self._panel, all=True)
            case Key.RIGHT | Key.DOWN:
                self._panel = pan(self._panel, 1)
            case Key.LEFT | Key.UP:
                self._panel = pan(self._panel, -1)
            case Key.TOP:
                self._panel = top(self._panel)
            case Key.BOTTOM:
                self._panel = bottom(self._panel)
            case _:
                pass

    async def _choose(self, choice: str) -> None:
        """Take the word that a routing key chose; what cannot be taken back needs a yes first."""
        assert self._reader is not None
        if choice in self._page_acts:
            await (self.approve() if self._page_acts[choice] == "approve" else self.put_back())
            return
        if choice not in self._commands:
            await self.type(choice)  # the answer to a question: which piece it becomes
            return
        command, asked, scheme = self._commands[choice], self._to_confirm, self._reader.scheme
        self._to_confirm = None
        if asked is not None and command in ("yes", "no"):
            self._panel = say(self._panel, ())
            if command == "yes":
                await self.type(asked)
        elif command in TWICE:
            self._say((scheme.phrase("shown_sure", what=choice),), (scheme.text("cmd.yes"), scheme.text("cmd.no")))
            self._to_confirm = choice
        else:
            await self.type(choice)
