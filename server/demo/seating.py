"""Everybody joins as people would: the arbiter by a link, the others by codes of three squares.

The arbiter admits each of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from server.demo.station_client import StationClient
from server.game.values.words import Duty, Seat


class Stations(msgspec.Struct, frozen=True):
    """Devices at the table.

    The visually disabled player's assistant helps both players (D.2.10.1, D.2.10.2).
    """

    arbiter: StationClient
    tactile: StationClient
    sighted: StationClient
    assistant: StationClient


@asynccontextmanager
async def stations_of_table(base: str, arbiter_secret: str, tactile: Seat) -> AsyncIterator[Stations]:
    """Connect all stations of a table while the block runs."""
    arbiter = StationClient(base)
    clients = [arbiter]
    try:
        await arbiter.post("/api/join", {"secret": arbiter_secret})
        await arbiter.connect()

        async def join(role: str, seat: Seat, duties: tuple[Duty, ...] = ()) -> StationClient:
            asked = {"role": role, "seat": seat.value, "duties": [duty.value for duty in duties]}
            invitation = await arbiter.post("/api/invitations", asked)
            client = StationClient(base)
            clients.append(client)
            knock = await client.post("/api/join", {"code": invitation["words"], "label": f"demo {role}"})
            await arbiter.post(f"/api/introductions/{knock['id']}", {"admit": True})
            answer = {"state": "waiting"}
            while answer["state"] == "waiting":
                answer = await client.get(f"/api/join/{knock['id']}")
            await client.connect()
            return client

        helping = (Duty.EXECUTE, Duty.ANNOUNCE)
        yield Stations(
            arbiter=arbiter,
            tactile=await join("player", tactile),
            sighted=await join("player", tactile.other),
            assistant=await join("assistant", tactile, helping),
        )
    finally:
        await asyncio.gather(*(client.close() for client in clients))
