"""The room and the arbiter are listeners with queues of their own, silent until the arbiter asks.

The room hears what a display is shown (`views.view`), and nothing else: never anything private. It sounds at the
display that came last and has its sound switched on. The arbiter hears at the station where the arbiter asked for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from server.desk.settling import article_of, load_settling, offers_of
from server.game import acts as ev
from server.game.state.line import last_completed
from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.alerts import AlertCard, alert_cards
from server.game.views.displays import delay_of
from server.game.views.messages import AnswerGiven, AnyMessage, Recorded, Shown
from server.game.views.view import view
from server.machine.clock import Clock
from server.protocol import AtEar, ReadOut, SealedWords
from server.table.table import Table
from server.voice.channel import Played, PrivateChannel
from server.voice.playback import OfferedSounds
from server.voice.queue import PieceDue, Said, Tongue
from server.wording.pages import page_words
from server.wording.pieces import pieces_of
from server.wording.room import into_room, to_arbiter
from server.wording.words import changes_of, scheme_of
from speech.audio.sound import Sound
from speech.channels import ear
from speech.channels.ear import Kind
from speech.voices.voice import Segment
from speech.words.config_file import language_tags

ROOM = "room"
_DISPLAY = Station(ROOM, Role.DISPLAY)
_PUBLIC = (ev.Completed, ev.SessionStarted, ev.GameEnded)
ROOM_GOOD_MS = 15_000
"""A move is not announced to the hall later than this: by then other moves have been made. A result stays true."""


def _last_completed(state: GameState) -> int:
    last = last_completed(state.moves.plies)
    return 0 if last is None else last.index


class Aloud:
    """Voice of one table to its hall and to its arbiter."""

    def __init__(
        self,
        table: Table,
        tongue: Callable[[str, str], Tongue],
        clock: Clock,
        render: Callable[[Sequence[Segment]], Awaitable[Sound]],
    ) -> None:
        """Set up the voice.

        `tongue`: the tongue of a listener, made at this station where there is none; `clock`: by which sounds play.
        """
        self._table = table
        self._clock = clock
        self._tongue = tongue
        self._render = render
        self._audible: dict[str, None] = {}  # stations whose sound is switched on, the newest last

    def listener_of(self, station: Station) -> str | None:
        """Return the listener at this station; None for a player's, which has a private ear instead."""
        if station.role is Role.DISPLAY:
            return ROOM
        return f"arbiter:{station.id}" if station.role is Role.ARBITER else None

    # what is said

    def note(self, event: ev.AnyEvent) -> None:
        """Announce what is public about an event, where the arbiter allows it."""
        state = self._table.state
        match event:
            case ev.RoomAllowed(allowed=False):
                self._hush(ROOM)
            case ev.DisplayDelayed():
                self._find_station(ROOM, self._tongue(ROOM, "").channel)
            case ev.AlertsChosen(spoken=False):
                self._hush(f"arbiter:{event.station}")
            case ev.Completed() if event.ply != _last_completed(state):
                pass  # completed late, when the player moved again: the moves after it have been announced
            case _ if state.sound.room and isinstance(event, _PUBLIC):
                message = view(event, state, _DISPLAY)
                if message is not None:
                    self._put(ROOM, _DISPLAY, 0, message)

    def take(self, station: Station, number: int, message: AnyMessage | SealedWords) -> None:
        """Take a message that went to a station of the arbiter's."""
        if self._language(station) and not isinstance(message, SealedWords):
            self._put(f"arbiter:{station.id}", station, number, message)

    def read_out(self, station: Station, said: ReadOut) -> None:
        """Take what an arbiter's own page has to say; it is said where that arbiter asked for alerts."""
        if station.role is Role.ARBITER and self._language(station) and said.language in language_tags():
            self._put(f"arbiter:{station.id}", station, 0, said)

    def _put(self, listener: str, station: Station, number: int, message: AnyMessage | ReadOut) -> None:
        tongue = self._tongue(listener, station.id)
        self._find_station(listener, tongue.channel)
        if not tongue.channel.off:
            tongue.put((station, number, message))

    def _language(self, station: Station) -> str:
        """Return the language in which this listener is spoken to now; "" for silence."""
        state = self._table.state
        if station.role is Role.DISPLAY:
            return state.sound.room
        return next((one.language for one in state.sound.arbiter_ears if one.station == station.id), "")

    async def render(self, channel: PrivateChannel, said: Said) -> None:
        """Put a message into sound, if it is still allowed. Raises Complaint, ChildFailed."""
        station, number, message = said
        language = self._language(station)
        if not language or isinstance(message, SealedWords | PieceDue):
            return
        if isinstance(message, ReadOut):  # the arbiter asked for it by a key of their page: the clocks, the next alert
            sound = await self._render((Segment(message.text, message.language),))
            channel.say(Kind.ANSWER, Played(number, message.text, sound), about="page", asked=True)
            return
        room = channel.listener == ROOM
        scheme = scheme_of("d21", language, changes_of(self._table.state))
        if isinstance(message, AnswerGiven) and not room:
            channel.tell(ear.Asked(cuts_all=False))  # an answer before this one is read no further
            name = f"{station.id}-{number}"
            for piece, (text, segments) in enumerate(pieces_of(message, scheme)):
                told = Played(number, text, await self._render(segments))
                channel.say(Kind.ANSWER, told, asked=True, piece=piece, message=name)
            return
        card = None if room else self._card(message)
        offers = tuple((one.name, one.who) for one in offers_of(card, self._table.state)) if card is not None else ()
        article = article_of(card.kind) if card is not None else ""
        found = into_room(message, scheme) if room else to_arbiter(message, scheme, article, offers)
        if found is None:
            return
        text, segments = found
        told = Played(number, text, await self._render(segments))
        kind = Kind.ANNOUNCEMENT if room or (card is not None and card.at_once) else Kind.ANSWER
        if self._language(station):  # the arbiter may have switched it off meanwhile
            good_until = self._clock.mono_ms() + ROOM_GOOD_MS if isinstance(message, Shown) else None
            channel.say(kind, told, good_until=good_until, message="" if room else "alerts")  # they stay on the page

    async def warn(self, words: str, sounds: OfferedSounds) -> None:
        """Say something of the arbiter's page in each ear of the arbiter. Raises Complaint, ChildFailed."""
        for one in self._table.state.sound.arbiter_ears:
            if one.station in self._audible and one.language:
                text = page_words(one.language)[words]
                sounds.give(one.station, text, await self._render((Segment(text, one.language),)))

    def _card(self, message: AnyMessage) -> AlertCard | None:
        """Return the card of an alert that the arbiter is told of; None where it is settled, and for all else."""
        if not isinstance(message, Recorded) or not isinstance(message.event, ev.Alerted):
            return None
        state = self._table.state
        number = next((one.number for one in state.rulings.unsettled if one.alert == message.event), None)
        cards = alert_cards(state, load_settling().kinds)
        return next((card for card in cards if number in card.numbers), None)

    def _hush(self, listener: str) -> None:
        self._tongue(listener, "").channel.tell(ear.KeyPressed("off"))

    # where it sounds

    def at_ear(self, station: Station, said: AtEar, *, speaks: bool) -> None:
        """Take what a display or the arbiter's page tells about its sound; `speaks`: there is a voice to answer."""
        listener = self.listener_of(station)
        if listener is None:
            return
        channel = self._tongue(listener, station.id).channel
        if said.did in ("on", "off"):
            self._audible.pop(station.id, None)
            self.note_sound(station, plays=said.did == "on")
            self._find_station(listener, channel)
        elif channel.station != station.id:
            return
        elif said.did == "began":
            channel.tell(ear.Began(said.id))
        elif said.did == "ended":
            channel.tell(ear.PhraseEnded(said.id))
        elif listener != ROOM:  # at a display nobody controls what the hall hears
            if said.did != "repeat":
                channel.tell(ear.KeyPressed(said.did))
            elif not channel.repeat() and speaks and self._language(station):
                self._put(listener, station, 0, self._newest_alert(station))

    def _newest_alert(self, station: Station) -> Recorded | ReadOut:
        """Return the newest alert that is not settled; if all are, the words of the page for "no alerts"."""
        language = self._language(station)
        left = [one.alert for one in self._table.state.rulings.unsettled if one.how != "filed"]
        if left:
            return Recorded(event=left[-1])
        words = page_words(language)
        return ReadOut(f"{words['alerts']}: {words['no_alerts']}", language)

    def note_sound(self, station: Station, *, plays: bool) -> None:
        """Note whether a station plays; one that plays already keeps its place."""
        if not plays:
            self._audible.pop(station.id, None)
        elif self.listener_of(station) is not None:
            self._audible.setdefault(station.id)

    def line_changed(self, station: Station) -> None:
        """Note that a connection came or went."""
        listener = self.listener_of(station)
        if listener is not None:
            self._find_station(listener, self._tongue(listener, station.id).channel)

    def _find_station(self, listener: str, channel: PrivateChannel) -> None:
        state = self._table.state  # a display that shows the game later gets no live sound
        stations = {
            one.id for one in state.stations.admitted if self.listener_of(one) == listener and not delay_of(state, one)
        }
        audible = [id for id in self._audible if id in stations]
        here = [id for id in audible if self._table.connections.of(id)]
        wanted = channel.station if channel.station in here else here[-1] if here else None
        if wanted is not None and wanted != channel.station:
            channel.tell(ear.There(False))
            channel.station = wanted
        # A display whose line broke is soon back: what is said to the hall waits for it, as long as it is good.
        channel.off = not audible if listener == ROOM else wanted is None
        channel.tell(ear.There(wanted is not None))
