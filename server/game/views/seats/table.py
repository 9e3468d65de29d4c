"""The table, as its seats are told of it: the pairing, its game's start, mode and clock, the next game."""

from __future__ import annotations

from server.game import acts as ev
from server.game.decide.rulings.next_game import seat_in_next
from server.game.decide.set_up.table import CONSENT, quickplay_holds
from server.game.state.state import GameState
from server.game.values.words import Seat, Station
from server.game.views import messages as msg
from server.game.views.seats.clock import beside_clock
from server.game.views.seats.shown import shown, silent
from server.game.views.seats.sound import sound_shown

silent(
    *(ev.RehearsalNoted, ev.TableOpened, ev.PairingChanged, ev.NextGameOrdered, ev.StationRevoked),
    *(ev.PlayerDescribed, ev.TwoBoardsDemanded, ev.AdaptationRecorded, ev.SetUpRuled),
)


@shown(ev.PairingTold)
def _pairing(event: ev.PairingTold, station: Station) -> msg.PairingShown | None:
    return msg.PairingShown(pairing=event.pairing, changed=event.changed) if event.station == station.id else None


@shown(ev.StationAdmitted)
def _admitted(event: ev.StationAdmitted, state: GameState, station: Station) -> msg.GuidelinesShown | None:
    return guidelines_shown(state) if event.station == station.id and quickplay_holds(state) else None


@shown(ev.GuidelinesSettled)
def _guidelines(state: GameState) -> msg.GuidelinesShown | None:
    return None if state.table.started else guidelines_shown(state)


def guidelines_shown(state: GameState) -> msg.GuidelinesShown:
    """Return whether a quickplay finish is played here, as the players are told before the start.

    See III.2.1, L232.
    """
    return msg.GuidelinesShown(quickplay=quickplay_holds(state), unsupervised=state.table.regulations.unsupervised)


@shown(ev.ChecklistTicked)
def _consent(event: ev.ChecklistTicked, state: GameState, seat: Seat, station: Station) -> msg.SoundShown | None:
    """Return a player's own sound after their consent to its being kept; of the checklist nothing else is told."""
    return sound_shown(state, seat, station) if event.item == CONSENT and event.seat is seat else None


@shown(ev.GameStarted)
def _started(event: ev.GameStarted, state: GameState, station: Station) -> msg.AnyMessage | None:
    return beside_clock(msg.Started(appointed=event.appointed), state, station, event.at)


@shown(ev.Interrupted)
def _interrupted(event: ev.Interrupted, state: GameState, station: Station) -> msg.AnyMessage | None:
    return beside_clock(msg.Paused(), state, station, event.at)


@shown(ev.ClockMasterChanged)
def _clock_master(event: ev.ClockMasterChanged, state: GameState, station: Station) -> msg.AnyMessage | None:
    return beside_clock(msg.ClockMasterShown(clock_master=event.clock_master), state, station, event.at)


@shown(ev.ModeChanged)
def _mode(event: ev.ModeChanged, state: GameState) -> msg.ModeShown:
    return msg.ModeShown(mode=event.mode, in_game=state.table.started)


@shown(ev.NextGameOpened, everywhere=True)
def _next_game(state: GameState, station: Station) -> msg.NextGameShown | None:
    return next_game_shown(state, station)


def next_game_shown(state: GameState, station: Station) -> msg.NextGameShown | None:
    """Return where a station goes when the game is cancelled and the new one's table is open (7.2.1)."""
    if state.table.next_game is None or not state.table.next_game.open:
        return None
    return msg.NextGameShown(table=state.table.next_game.table, seat=seat_in_next(state, station))
