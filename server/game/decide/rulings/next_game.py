"""Cancelling a game, and opening the new one that is played instead (7.2.1, 7.3; L075, L077).

Pure.

The old game stays on record as it was played. The new one has its own table with the same players, settings and
stations, the same initial position, and the clocks as at the start; nobody has to be admitted again.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.set_up.stations import PLACES
from server.game.state.state import GameState
from server.game.values.words import Mode, Seat, SeatSound, SoundDevices, Station, station_of_devices

LOOKED_AT_ANEW = ("2", "D.1")
"""The articles of checks of what stands on the boards: these are made once more before the new game."""


@decides(cmd.CancelGame)
def cancel_game(draft: Draft, body: cmd.CancelGame) -> Refusal | None:
    """Cancel the game and order a new one, with the same colours or exchanged ones (7.3)."""
    if not draft.state.table.started:
        return Refusal("not_started", "6.6")
    draft.emit(ev.GameEnded(at=draft.now, result="*", reason="cancelled", article=body.article))
    draft.emit(ev.NextGameOrdered(at=draft.now, table=body.table, exchanged=body.exchanged, reason=body.reason))
    return None


@decides(cmd.NoteNextGame)
def note_next_game(draft: Draft, body: cmd.NoteNextGame) -> Refusal | None:
    """Record that the table of the new game is open.

    All stations go there, and the server's sound devices are free for it. Its name differs from the ordered one where a
    table of that name was there already.
    """
    ordered = draft.state.table.next_game
    if ordered is None or ordered.open:
        return Refusal("no_such_ply", "7.2.1")
    draft.emit(ev.NextGameOpened(at=draft.now, table=body.table or ordered.table, exchanged=ordered.exchanged))
    return None


def beginning(old: str, state: GameState, now: int) -> tuple[ev.AnyEvent, ...]:
    """Return the first events of the new game's table, taken from the old table `old`.

    An increment given in the cancelled game (III.4) and a wrong set-up that stood there (A.5.1.2) are not taken over.
    """
    assert state.table.next_game is not None
    exchanged = state.table.next_game.exchanged

    def seat_of(seat: Seat) -> Seat:
        return seat.other if exchanged else seat

    def seat_after(seat: Seat | None) -> Seat | None:
        return None if seat is None else seat_of(seat)

    events: list[ev.AnyEvent] = [_table_opened(old, state, seat_of(Seat.WHITE), now)]
    devices = {station_of_devices(seat).id for seat in Seat}  # they come with the devices, below
    events += [
        ev.StationAdmitted(
            at=now, station=one.id, role=one.role, seat=seat_after(one.seat), duties=one.duties, under=one.under,
            provided_by=one.provided_by,
        )
        for one in state.stations.admitted
        if one.id not in devices
    ]  # fmt: skip
    events += [replace(one, at=now) for one in state.table.adaptations]
    events += [ev.DeviceRegistered(at=now, device=name, seat=None, approved=approved, note="", after_start=False)
               for name, approved in state.stations.devices]  # fmt: skip
    if state.table.mode is not Mode.TABLE:
        events.append(ev.ModeChanged(at=now, mode=state.table.mode))
    articles = {item.name: item.article for item in state.table.checklist}
    events += [
        replace(tick, at=now, seat=seat_after(tick.seat))
        for tick in state.table.ticks
        if not articles.get(tick.item, "").startswith(LOOKED_AT_ANEW)
    ]
    for seat in Seat:
        events += _of_seat(state, seat, seat_of(seat), now, devices)
    events += [replace(one, at=now, seat=seat_of(one.seat)) for one in state.time.cues]
    events += _of_table(state, now, exchanged=exchanged)
    return tuple(events)


def _table_opened(old: str, state: GameState, white: Seat, now: int) -> ev.TableOpened:
    """Return the opening of the new table; `white`: the seat at the old one whose player has White now."""
    assert state.table.begun is not None
    start, control = state.table.begun
    return ev.TableOpened(
        at=now,
        white=state.plan(white),
        black=state.plan(white.other),
        start_fen=start.fen,
        control=control,
        rated=state.table.rated,
        clock_master=state.time.clock_master,
        rule_set=state.table.rule_set,
        chess960=start.chess960,
        event_name=state.table.event_name,
        round=state.table.round,
        board=state.table.board_number,
        regulations=state.table.regulations,
        rules=state.table.rules,
        adaptations=state.table.known_adaptations,
        boards=state.table.boards,
        checklist=state.table.checklist,
        training=state.table.training,
        follows=old,
        starts=state.table.starts,
        way=state.table.way,
    )


def _of_seat(state: GameState, seat: Seat, there: Seat, now: int, devices: set[str]) -> list[ev.AnyEvent]:
    """Return the choices about a player's microphone and ear."""
    sound, usual = state.sound.of(seat), SeatSound()
    found: list[ev.AnyEvent] = []
    if sound.permitted:
        found.append(ev.VoiceActivityPermitted(at=now, seat=there, granted=True))
    if sound.talking is not usual.talking:
        found.append(ev.TalkingChosen(at=now, seat=there, talking=sound.talking))
    if sound.ear != usual.ear:
        found.append(ev.EarChosen(at=now, seat=there, ear=sound.ear))
    if sound.devices != SoundDevices():
        found.append(ev.DevicesChosen(at=now, seat=there, devices=sound.devices))
    if sound.profile:
        found.append(ev.VoiceBound(at=now, seat=there, profile=sound.profile))
    found += [ev.HeadsetChecked(at=now, seat=there, found=one) for one in sound.headsets if one.station not in devices]
    return found


def _of_table(state: GameState, now: int, *, exchanged: bool) -> list[ev.AnyEvent]:
    """Return the choices about displays, speech into the room and to the arbiter, and the two buttons."""
    found: list[ev.AnyEvent] = [
        ev.DisplayDelayed(at=now, station=station, delay_s=delay_s)
        for station, delay_s in state.stations.display_delays
    ]
    if (seen := state.stations.spectators) is not None:
        found.append(ev.ShownToSpectators(at=now, show=seen.show, delay_s=seen.delay_s))
    if state.sound.room:
        found.append(ev.RoomAllowed(at=now, allowed=True, language=state.sound.room))
    found += [ev.AlertsChosen(at=now, station=one.station, spoken=True, language=one.language)
              for one in state.sound.arbiter_ears]  # fmt: skip
    keys = state.stations.press_keys
    if keys.where in PLACES and not exchanged:  # the players change sides, the buttons do not
        found.append(ev.PressKeysAsked(at=now, where=keys.where))
        if not keys.learning:
            found.append(ev.PressKeysTold(at=now, where=keys.where, white=keys.white, black=keys.black))
    return found


def seat_in_next(state: GameState, station: Station) -> Seat | None:
    """Return on which side a station is at the new table."""
    exchanged = state.table.next_game is not None and state.table.next_game.exchanged
    return station.seat.other if exchanged and station.seat is not None else station.seat
