"""Two servers of one hall, each on a port of its own, with the demonstration table at the first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

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
async def two_servers(folder: Path, cluster: Cluster) -> AsyncIterator[TwoServers]:
    """Both lead tables of one hall; both know the other's address."""
    address = cluster.address(cluster.fresh())
    (folder / "second").mkdir()
    async with AsyncExitStack() as stack:
        record = await open_record(DataFolder(Path()), address, shares=True)
        first = await stack.enter_async_context(open_house(folder / "first", record=record))
        data = stack.enter_context(DataFolder.open(folder / "second", lock=True))
        second = await Hall.open(data, SystemClock(), record=await open_record(data, address, shares=True))
        stack.push_async_callback(second.close)
        open_to_all = await stack.enter_async_context(listening(second, Settings(port=0), data))
        await turn(lambda: len(sharing_of(first.hall).known_addresses) == 2)
        yield TwoServers(first, second, open_to_all.local)
