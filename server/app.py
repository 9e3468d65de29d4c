"""The wiring of the server: the hall, the web handlers, the ports and the engines, and stopping them in good order."""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from server.boards.boards import Boards
from server.exports.chess960 import start_of
from server.exports.reports.reviewing import Reviews
from server.game.acts import OpenTable, RecordAdaptation
from server.game.laws.event_options import EventOptions
from server.game.state.table import TableState
from server.game.values.saying import saying
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Seat, SeatKind, SeatPlan
from server.hall.backup import Restored
from server.hall.folder_backup import keep_backups, marks_of_backup
from server.hall.hall import Hall
from server.hall.live_table import forget_copies, forget_voices
from server.hall.record import Record, database_of, open_record
from server.hall.restore import Copied, note, take_up
from server.hall.servers.leading import Leading
from server.journal.witnessed import Witnesses
from server.machine.certificate import Certificate, ensure_certificate, local_addresses, server_context
from server.machine.clock import Clock, SystemClock
from server.machine.data_folder import DataFolder
from server.machine.strongbox import OPEN, Strongbox
from server.machine.tasks import Faults, lasting, passing, set_when_asked_to_end
from server.machine.version import program_version
from server.settings import Settings
from server.stations.enrolment import Enrolling
from server.stations.press_buttons import PressButtons
from server.stations.server_devices import ServerDevices
from server.table.departure import ANSWER_AFTER_MS
from server.table.evidence.store import SoundStore
from server.table.memory import brief_searches
from server.web.api import (
    overview,
    record,
    review,
    spectators,
    stations,
)
from server.web.broadcast_push import BroadcastPush, bearer_token
from server.web.door import passages
from server.web.door.access import ACCESS, Access, Invitation, Place, page_of
from server.web.door.cookies import in_order, token_of, with_its_tables
from server.web.door.entrance import Entrance, Limits, raise_descriptors, turns_middleware
from server.web.door.guards import LARGEST_BODY, add_headers, allowed_hosts, guard, host_name
from server.web.door.introductions import INTRODUCTIONS, Introductions
from server.web.door.seat_cards import CARDS, SeatCards
from server.web.door.servers import OTHER_SERVERS, OtherServers
from server.web.door.uploads import UPLOADS, Uploads
from server.web.installable import install_routes, version_of, with_version
from server.web.keys import ADDRESSES, BOARDS, ENROLLING, HALL, SETTINGS, Addresses
from server.web.pace import PACES, Paces
from server.web.pages import load_files, routes
from server.web.routes import ROUTES
from server.web.sockets import station
from server.web.sockets.backup import COPYING, Copying
from server.web.sockets.heartbeat import HEARTBEAT, Heartbeat
from server.web.sockets.line import LINES, Lines
from server.web.visitors import operations, training
from server.web.visitors.ears import VISITORS_EARS, VisitorsEars
from speech.complaint import Complaint, Phrase
from speech.process import watching

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EVERY_IPV4 = "0.0.0.0"  # noqa: S104  asked for by --lan or --host
STOP_S = 3.0
SERVES_WITHIN_MS = 700
"""Tables that are not taken up so soon after a start are taken up while the server serves."""
_log = logging.getLogger(__name__)


def build_app(hall: Hall, settings: Settings, names: Sequence[str] = ()) -> web.Application:
    """Return the web application over an open hall.

    `names`: further host names and addresses it may be called by.
    """
    hosts = allowed_hosts((settings.host, *settings.hosts, *names))
    app = web.Application(
        middlewares=[turns_middleware(token_of), guard(hosts), with_its_tables], client_max_size=LARGEST_BODY
    )
    app[HALL] = hall
    app[SETTINGS] = settings
    app[ADDRESSES] = Addresses()
    _open_door(app, hall, settings)
    _offer_services(app, hall, settings)
    files = load_files()
    version = version_of(files)
    app.add_routes(routes(with_version(files, version)))
    app.add_routes(install_routes(files, version))
    app.add_routes(ROUTES)
    app.on_response_prepare.append(add_headers)
    app.on_startup.append(_follow_boards)
    app.cleanup_ctx.append(_beat)
    app.on_shutdown.append(_let_go)
    return app


def _open_door(app: web.Application, hall: Hall, settings: Settings) -> None:
    """Keep who may come in: codes, introductions, seat cards, ways to other servers."""
    app[UPLOADS] = Uploads()
    app[OTHER_SERVERS] = OtherServers(hall, settings.servers)
    app[passages.PASSAGES] = passages.Passages(hall)
    app[ACCESS] = Access(hall.clock)
    app[CARDS] = SeatCards(hall.data.seat_cards, app[ACCESS])
    if app[CARDS].damaged:
        hall.note_fault(saying("cards_damaged", name=app[CARDS].damaged))
    app[ACCESS].on_siege = lambda: hall.note_fault(saying("codes_besieged"))
    app[INTRODUCTIONS] = Introductions(hall)
    app[ACCESS].on_change = app[INTRODUCTIONS].tell


def _offer_services(app: web.Application, hall: Hall, settings: Settings) -> None:
    """Keep what serves those who came in: lines, boards, exports, reviews, spectators, training.

    Raises Complaint where the token of the figures cannot be read.
    """
    app[LINES] = Lines()
    operations.metrics_token(settings)  # check now, not when the figures are asked for
    app[operations.WATCHED] = operations.Watched(hall)
    app[PACES] = Paces()
    app[HEARTBEAT] = Heartbeat(hall)
    app[COPYING] = Copying(hall)
    app[overview.GLANCE] = overview.Glance(hall)
    app[INTRODUCTIONS].on_change.append(app[overview.GLANCE].tell)
    hall.on_sent_away.append(partial(stations.close_lines, app))
    hall.on_left.append(partial(station.send_elsewhere, app))
    app[spectators.BROADCASTING] = spectators.Broadcasting(hall, settings.spectators_delay_s)
    app[VISITORS_EARS] = VisitorsEars(hall)
    app[training.PRACTICE] = training.Practice(hall)
    app[record.EXPORTS] = asyncio.Lock()
    app[review.REVIEWS] = Reviews(hall.journal.read)
    app[review.SPOKEN] = review.spoken_turnstile(hall)
    app[BOARDS] = Boards(hall.data.boards, hall.clock)
    app[ENROLLING] = Enrolling(hall)
    hall.keep_reading = app[ENROLLING].keep


async def _follow_boards(app: web.Application) -> None:
    """Watch the sensing boards of the configuration. Raises Complaint for one whose table is not there."""
    await app[HALL].wait_for(*(one.table for one in app[SETTINGS].boards))
    for one in app[SETTINGS].boards:
        app[BOARDS].watch(one, app[HALL].table(one.table))


async def _beat(app: web.Application) -> AsyncIterator[None]:
    """Send heartbeats and copies of the record while the application serves."""
    told = app[HALL].note_fault
    tasks = [lasting("The heartbeat", app[HEARTBEAT].run, told), lasting("The copies", app[COPYING].run, told)]
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _let_go(app: web.Application) -> None:
    await app[BOARDS].close()
    await app[passages.PASSAGES].close()
    await app[UPLOADS].close()
    await app[review.REVIEWS].close()
    app[INTRODUCTIONS].close()
    app[overview.GLANCE].tell()
    await app[LINES].close()


class Listening(msgspec.Struct, frozen=True):
    """Server that takes connections.

    `local`: the address for this computer; `hall`: the addresses for other devices, https with `--lan`.
    """

    app: web.Application
    local: str
    hall: tuple[str, ...]
    certificate: Certificate | None
    entrance: Entrance

    @property
    def shown(self) -> str:
        """Return the address in links that may be opened elsewhere: one of the hall, where there is one."""
        return self.hall[0] if self.hall else self.local


@asynccontextmanager
async def listening(hall: Hall, settings: Settings, data: DataFolder) -> AsyncIterator[Listening]:
    """Take connections while the block runs.

    Raises Complaint where a port is taken or an address is not this computer's.
    """
    addresses = local_addresses() if settings.lan else ()
    certificate = None
    if settings.lan:
        named, hall_of = (*settings.hosts, *addresses), [host_name(urlsplit(one).netloc) for one in settings.servers]
        certificate = await asyncio.to_thread(ensure_certificate, data.tls, named, datetime.now(UTC), hall_of)
    open_to_all = settings.host in (EVERY_IPV4, "::")
    others = local_addresses() if open_to_all else ()
    if certificate is not None:
        others = _once(*certificate.names, *addresses)
    app = build_app(hall, settings, others)
    async with AsyncExitStack() as stack:
        stack.enter_context(brief_searches(asyncio.get_running_loop().call_soon_threadsafe))
        _note_faults_of_the_loop(stack, hall)
        runner = web.AppRunner(app, shutdown_timeout=STOP_S, handle_signals=False)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        assert runner.server is not None
        entrance = Entrance(runner.server, Limits.of(raise_descriptors()), hall.note_fault)
        stack.push_async_callback(entrance.close)
        port = await _listen(entrance, settings.host, settings.port)
        shown = "localhost" if settings.host in ("127.0.0.1", "localhost") or open_to_all else settings.host
        local = f"http://{_in_url(shown)}:{port}"
        in_hall: tuple[str, ...] = ()
        if certificate is not None:
            secure = await _listen(entrance, EVERY_IPV4, settings.https_port, certificate)
            if any(":" in address for address in addresses):
                await _listen(entrance, "::", secure, certificate)
            app[passages.PASSAGES].fingerprint = bytes.fromhex(certificate.fingerprint.replace(":", ""))
            named = (*settings.hosts, *(one for one in addresses if one in certificate.names))
            in_hall = tuple(f"https://{_in_url(one)}:{secure}" for one in _once(*named))
        elif open_to_all:
            in_hall = tuple(f"http://{_in_url(one)}:{port}" for one in _once(*settings.hosts, *others))
        app[ADDRESSES].local = local
        app[ADDRESSES].hall = in_hall
        if hall.sharing is not None:
            await hall.sharing.serve_at(in_hall or (local,))
        yield Listening(app, local, in_hall, certificate, entrance)


def _once(*names: str) -> tuple[str, ...]:
    """Return the names by which the hall calls this server, the organiser's own first."""
    return tuple(dict.fromkeys(names))


def _note_faults_of_the_loop(stack: AsyncExitStack, hall: Hall) -> None:
    """Have what asyncio meets outside of all tasks logged once a minute at most, and told where it is ours.

    A connection that ends in the middle of something is nobody's fault; a crowd of them must not fill the log.
    """
    loop = asyncio.get_running_loop()
    ours, theirs = Faults("The server", hall.note_fault), Faults("A connection")

    def note_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        fault = context.get("exception") or RuntimeError(str(context.get("message")))
        (theirs if "transport" in context else ours).note(fault)

    stack.callback(loop.set_exception_handler, loop.get_exception_handler())
    loop.set_exception_handler(note_fault)


async def _listen(entrance: Entrance, host: str, port: int, certificate: Certificate | None = None) -> int:
    context = server_context(certificate) if certificate is not None else None
    try:
        return await entrance.open(host, port, context)
    except OSError as wrong:
        option = "--https-port" if certificate is not None else "--port"
        if wrong.errno == errno.EADDRINUSE:
            raise Complaint(Phrase("server.port_taken", port=port, option=option)) from wrong
        if wrong.errno == errno.EACCES:
            raise Complaint(Phrase("server.port_root", port=port, option=option)) from wrong
        raise Complaint(Phrase("server.no_listen", host=host, why=wrong.strerror)) from wrong


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


MOST_CODES_PRINTED = 8
"""A terminal prints the codes of so many tables; for further ones the arbiter makes codes on the pages."""


def invite_arbiter(app: web.Application, base: str) -> str:
    """Return the one-time link of the hall's arbiter, good until it is used.

    It gives all tables that are open then, and those that this arbiter opens.
    """
    return f"{base}/#join={app[ACCESS].invite(Place(table='', page='arbiter'), admits=True, lasting=True).secret}"


class Invited(msgspec.Struct, frozen=True):
    """Invitations to one table, for the terminal: the arbiter's own link, and a code for each seat."""

    table: str
    arbiter: str
    seats: tuple[tuple[Seat, str, Invitation], ...]
    """The seat, its page, and the code."""


def invite_to(app: web.Application, base: str) -> list[Invited]:
    """Make the arbiter's one-time links and the codes for the seats of the first tables, in the order of the boards.

    The links are good until they are used.
    """
    access = app[ACCESS]
    found = []
    tables = sorted(app[HALL].tables.items(), key=lambda one: _place_in_hall(one[1].state.table, one[0]))
    for id, table in tables[:MOST_CODES_PRINTED]:
        own = access.invite(Place(table=id, page="arbiter"), admits=True, lasting=True)
        seats = []
        for seat in Seat:
            page = page_of(table.state.plan(seat).kind)
            seats.append((seat, page, access.invite(Place(table=id, page=page, seat=seat))))
        found.append(Invited(id, f"{base}/#join={own.secret}", tuple(seats)))
    return found


_Order = tuple[tuple[int, str], ...]


def _place_in_hall(table: TableState, id: str) -> tuple[_Order, int, _Order]:
    """Return where a table is listed: by its round, its board, its name; 10 after 9."""
    return in_order(table.round), table.board_number, in_order(id)


async def open_demonstration(hall: Hall, chess960: str = "", *, training: bool = False) -> None:
    """Open a table to try things on, where no table is there yet, here or at another server, nor one that is shut.

    White plays by touch, Black is sighted, ninety minutes and thirty seconds a move. `chess960`: a start as `start_of`
    reads it, "" for usual chess. Raises Complaint where it is not one.
    """
    elsewhere = hall.sharing is not None and hall.sharing.elsewhere
    if hall.tables or hall.shut or hall.waiting or elsewhere:
        return
    start = start_of(chess960, secrets.randbelow) if chess960 else None
    table = await hall.open_table(
        OpenTable(
            white=SeatPlan(kind=SeatKind.TACTILE, name="Anna", language="de"),
            black=SeatPlan(kind=SeatKind.SIGHTED, name="Hector", language="en"),
            control=TimeControl.parse("5400+30"),
            start_fen=START_FEN if start is None else start.fen,
            chess960=start is not None,
            regulations=None if start is None else EventOptions(guidelines=("II",)),
            rated=False,
            training=training,
            mode=Mode.TABLE,
            event_name="Demonstration",
        ),
        "demo",
    )
    # The one question that an arbiter must answer; at a table to try things on it is answered already.
    answer = RecordAdaptation(name="sighted_press_without_announcement", value="note")
    await table.own(table.program_command(answer))


async def serve(
    root: Path,
    settings: Settings,
    told: Callable[[Listening], None],
    clock: Clock | None = None,
    *,
    restored: Sequence[Restored] = (),
    say: Callable[[str | Phrase], None] = lambda told: None,
    box: Strongbox = OPEN,
    address: str = "",
    standby: bool = False,
    shares: bool = False,
    witness: Sequence[Path] = (),
) -> None:
    """Serve until SIGTERM or SIGINT.

    `told` is called once connections are taken, before any engine is loaded. `restored`: tables taken up from copies;
    what is missing of them is said and stands in their log. `box`: what encrypts sounds and voices on the disk.
    `address`: of the record on PostgreSQL, "" for the files of the folder; `standby`: wait until the server that leads
    its hall ends or falls silent; `shares`: lead some tables of it, beside other servers. `witness`: folders outside
    the data folder in which it is witnessed how far each table has come. Raises Complaint: the data
    folder is in use or damaged, a port is taken, the record cannot be used, or another server has taken the hall over.
    """
    token = await asyncio.to_thread(bearer_token, settings.broadcast)
    sounds = _common_store(settings)
    stop = asyncio.Event()
    set_when_asked_to_end(stop)
    with DataFolder.open(root, lock=True) as data:
        copied = [await take_up(data, one, address) for one in restored]
        opening = open_record(data, address, standby=standby, shares=shares, told=say) if address else None
        record = await _unless_asked_to_end(stop, opening) if opening else None
        if opening and record is None:
            return
        place = database_of(address).witnessed_as if address else data.witnessed_as
        witnesses = await asyncio.to_thread(_witnesses_of, place, witness, settings, data)
        hall = await _open_hall(data, clock, box, record, sounds, witnesses)
        start_work = partial(_lasting_work, hall, settings, address, token)
        try:
            async with AsyncExitStack() as stack:
                if hall.leading is not None:
                    stack.callback(asyncio.create_task(_end_when_lost(hall.leading, stop)).cancel)
                await _set_up_tables(hall, settings, copied, say)
                await _open_devices(stack, hall, settings)
                await _serve_hall(hall, settings, data, told, stop, start_work)
        finally:
            await hall.close()
            _log.info("Anna Eins has stopped")
        if hall.leading is not None and hall.leading.lost.is_set():
            raise Complaint(Phrase("server.overtaken", place=hall.journal.where))


async def _serve_hall(
    hall: Hall,
    settings: Settings,
    data: DataFolder,
    told: Callable[[Listening], None],
    stop: asyncio.Event,
    start_work: Callable[[], list[asyncio.Task[None]]],
) -> None:
    """Take connections, load the engines and work beside the games until the server is asked to end."""
    async with listening(hall, settings, data) as open_house:
        count = len(hall.tables) + len(hall.waiting)
        _log.info("Anna Eins %s serves %d tables of %s", program_version(), count, data.root)
        told(open_house)
        tasks = load_engines(hall, data, settings, stop) + start_work()
        await stop.wait()
        for task in tasks:
            task.cancel()  # do not wait for what still loads; an open engine is closed here
        await asyncio.gather(*tasks, return_exceptions=True)


async def _open_hall(
    data: DataFolder,
    clock: Clock | None,
    box: Strongbox,
    record: Record | None,
    sounds: SoundStore | None,
    witnesses: Witnesses,
) -> Hall:
    """Open the hall as a server does: it answers a moment later, unless a `clock` is given, and soon takes connections.

    Raises Complaint.
    """
    return await Hall.open(
        data,
        clock or SystemClock(),
        answer_after_ms=0 if clock else ANSWER_AFTER_MS,
        box=box,
        record=record,
        sounds=sounds,
        serves_within_ms=SERVES_WITHIN_MS,
        witnesses=witnesses,
    )


async def _set_up_tables(
    hall: Hall, settings: Settings, copied: Sequence[Copied], say: Callable[[str | Phrase], None]
) -> None:
    """Say which tables are shorter than they were, note what copies lack, and open the demonstration where wanted."""
    for found in hall.rolled_back.values():
        say(Phrase("record.shorter", table=found.table, there=found.there, of=found.of, where=found.where))
    for one in copied:
        say(await note(hall, one))
    if settings.demo_table:
        await open_demonstration(hall, settings.chess960, training=settings.training)


async def _open_devices(stack: AsyncExitStack, hall: Hall, settings: Settings) -> None:
    """Open the headsets and buttons at the server itself; the stack closes them."""
    devices = ServerDevices(hall)
    hall.device_keys = devices.key
    devices.start()
    stack.push_async_callback(devices.close)
    await devices.configure(settings.devices)
    buttons = PressButtons(hall)
    stack.push_async_callback(buttons.close)
    await hall.wait_for(*settings.buttons)
    buttons.start(settings.buttons)


def _lasting_work(hall: Hall, settings: Settings, address: str, token: str) -> list[asyncio.Task[None]]:
    """Start what goes on beside the games: backups, deletions, the common store, the broadcast.

    `address`: of the record on PostgreSQL, or ""; `token`: of the broadcast, or "".
    """
    forget = partial(forget_voices, hall.tables, hall.journal, hall.clock)
    work = [lasting("The voices that are deleted", forget, hall.note_fault)]
    if settings.backup.folder:
        keep = partial(keep_backups, hall, settings.backup, address)
        work.append(lasting("The backups", keep, hall.note_fault))
    if hall.sharing is not None:
        copies = partial(forget_copies, hall.tables, hall.journal, hall.evidence)
        work.append(lasting("The copies of voices that are deleted", copies, hall.note_fault))
    if hall.evidence.sending is not None:
        send = partial(hall.evidence.sending.run, hall.note_fault)
        work.append(lasting("The common store of sounds", send, hall.note_fault))
    if settings.broadcast.rounds:
        push = BroadcastPush(settings.broadcast, token, hall.note_fault, lambda: hall.clock.mono_ms() / 1000)
        hall.on_round(push.put)
        work.append(lasting("The broadcast", push.run, hall.note_fault))
        caught_up = partial(push.catch_up, hall.round_before)
        work.append(passing("What the broadcast was not sent yet", caught_up, hall.note_fault))
    return work


def _common_store(settings: Settings) -> SoundStore | None:
    """Return the store that all servers of a hall keep their sounds in, None where none is named."""
    if not settings.sounds:
        return None
    from server.table.evidence.bucket import bucket_of

    return bucket_of(settings.sounds, settings.sounds_endpoint)


def _witnesses_of(place: str, folders: Sequence[Path], settings: Settings, data: DataFolder) -> Witnesses:
    """Return the witnesses of the record: those in some folders, and the newest backup."""
    if not folders:
        return Witnesses(place, tombstones=data.tombstones)
    named = (Path(one).expanduser() for one in settings.witness)
    return Witnesses(place, (*folders, *named), marks_of_backup(data, settings.backup.folder), data.tombstones)


async def _unless_asked_to_end(stop: asyncio.Event, opening: Coroutine[Any, Any, Record]) -> Record | None:
    """Return the record once it is open; None where the server is asked to end before."""
    asked, opened = asyncio.create_task(stop.wait()), asyncio.create_task(opening)
    await asyncio.wait({asked, opened}, return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if opened.done():
        return opened.result()
    opened.cancel()
    await asyncio.gather(opened, return_exceptions=True)
    return None


async def _end_when_lost(leading: Leading, stop: asyncio.Event) -> None:
    await leading.lost.wait()
    stop.set()


def load_engines(hall: Hall, data: DataFolder, settings: Settings, stop: asyncio.Event) -> list[asyncio.Task[None]]:
    """Load voice and ears side by side while the server already serves; both are closed when it stops.

    Without one of them the games go on, and their arbiters are told that it is missing.
    """
    from server.hall.engines import open_ears, open_voice, shared_key_of

    async def speak() -> None:
        spoken = open_voice(
            data, settings.voice_servers, settings.system_voices, encrypted=hall.box.locked, key=shared_key_of(settings)
        )
        async with spoken as voice:
            hall.use(voice=voice)
            await stop.wait()

    async def listen() -> None:
        with watching(hall.note_fault):
            async with open_ears(data, settings) as ears:
                hall.use(ears=ears)
                await stop.wait()

    told = hall.note_fault
    return [passing("The voice of the server", speak, told), passing("The ears of the server", listen, told)]
