"""A server hears here, at once, that another server of its hall has changed something that it must look at.

The database carries the word (LISTEN and NOTIFY). It says no more than that: any program that may connect to the
database could send it, so what is true is always read from the tables. A word that is lost costs a second, until the
next look.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import psycopg

from server.journal.postgresql.database import Database
from server.journal.postgresql.leases import CHANNEL

AGAIN_S = 0.5
"""Seconds until a connection that broke is tried again, and between two looks whether this shall end."""


class Notices:
    """Listener for notices of the database, in a thread and with a connection of its own, until it is closed."""

    def __init__(self, database: Database, told: Callable[[], None]) -> None:
        """`told` is called in the thread, for each word that came and whenever the connection is new."""
        self._database = database
        self._told = told
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; it is waited for, a second at most."""
        self._ending.set()
        self._thread.join(2 * AGAIN_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                with self._database.connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    self._told()
                    while not self._ending.is_set():
                        for _ in connection.notifies(timeout=AGAIN_S):
                            self._told()
                            if self._ending.is_set():
                                break
            except psycopg.Error:
                self._ending.wait(AGAIN_S)
