"""A connection of the pool with a mux over it, for one caller: blocking commands and watched transactions."""

from __future__ import annotations

from typing import Any, Self

from samewire._native import Mux

from ..rules.blocking import reply_within
from .carrier import Carrier
from .pool import ConnectionPool
from .transport import AbstractConnection


class Lease:
    """A lent connection.

    timeout: seconds in which the server must send something while replies are due; None for no limit.
    """

    def __init__(self, pool: ConnectionPool[Any], connection: AbstractConnection, timeout: float | None) -> None:
        self.pool = pool
        self.connection = connection
        self._carrier = Carrier(self, connection, timeout)

    @classmethod
    async def take(cls, pool: ConnectionPool[Any], waits: float | None = 0.0) -> Self:
        """Takes a connection of the pool.

        waits: seconds, besides `socket_timeout`, that the server may keep a command waiting; None for no limit, which a
            `socket_timeout` that was asked for bounds.
        """
        connection = await pool.get_connection()
        try:
            return cls(pool, connection, reply_within(waits, connection.socket_timeout))
        except BaseException:
            await pool.release(connection)
            raise

    @property
    def mux(self) -> Mux:
        """Takes commands, as long as the lease is `open`."""
        return self._carrier.mux

    @property
    def open(self) -> bool:
        """Whether the connection is as it was lent: what the server keeps for it is there."""
        return self._carrier.open

    async def try_multi(self) -> None:
        """Raises what the server refuses MULTI with."""
        await self._carrier.try_multi()

    async def release(self) -> None:
        """Gives the connection back; one on which replies are due is closed before."""
        self._carrier.give_back()
        await self.pool.release(self.connection)

    def pushed(self, message: list[Any]) -> None:
        """Drops a push: nothing was subscribed to."""

    def heard(self) -> None:
        """Is not interested."""

    def lost(self, carrier: Carrier) -> None:
        """Keeps the carrier: calls find out by their errors."""
