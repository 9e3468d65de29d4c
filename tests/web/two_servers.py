"""Two servers of one hall, each on a port of its own, with the demonstration table at the first."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from server.app import listening
from server.hall.hall import Hall
from server.hall.record import open_record
from server.hall.servers.sharing import Sharing
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings
from tests.postgresql import Cluster
from tests.table.open_hall import turn
from tests.web.open_house import House, open_house


class TwoServers:
    """The house of the first server, and the second one's hall and address."""

    def __init__(self, first: House, second: Hall, base: str) -> None:
        self.first = first
        self.second = second
        self.base = base

    async def moved(self, table: str = "demo", *, back: bool = False) -> None:
        """The table is handed over to the second server, or back to the first."""
        to, other = (self.first.hall, self.second) if back else (self.second, self.first.hall)
        assert sharing_of(other)._leases.want([table], sharing_of(to).own) == 1
        await turn(lambda: table in to.tables and table not in other.tables)


def sharing_of(hall: Hall) -> Sharing:
    assert hall.sharing is not None
    return hall.sharing


@asynccontextmanager
async def two_servers(
    folder: Path, cluster: Cluster, *, lan: bool = False, **engines: Any
) -> AsyncIterator[TwoServers]:
    """Both lead tables of one hall; both know the other's address. `lan`: over https, with one certificate."""
    address = cluster.address(cluster.fresh())
    (folder / "second").mkdir()
    settings = Settings(port=0, lan=lan, https_port=0)
    async with AsyncExitStack() as stack:
        record = await open_record(DataFolder(Path()), address, shares=True)
        first = await stack.enter_async_context(
            open_house(folder / "first", settings=settings, record=record, **engines)
        )
        if lan:
            shutil.copytree(folder / "first" / "tls", folder / "second" / "tls")
        data = stack.enter_context(DataFolder.open(folder / "second", lock=True))
        record = await open_record(data, address, shares=True)
        second = await Hall.open(data, SystemClock(), record=record, **engines)
        stack.push_async_callback(second.close)
        open_to_all = await stack.enter_async_context(listening(second, settings, data))
        every = {*(open_to_all.hall or (open_to_all.local,)), *(first.hall_addresses or (first.base,))}
        await turn(lambda: set(sharing_of(first.hall).known_addresses) == every)
        yield TwoServers(first, second, open_to_all.local)
