"""Clients of a service that sentinels watch: they ask the sentinels where its master and replicas are. Blocking and asyncio share it."""

from __future__ import annotations

import functools
import random
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..exceptions import ConnectionError, ResponseError, TimeoutError
from ..session.backoff import NoBackoff
from ..steps import Operations, Steps, operation
from .master_locator import (
    Address,
    MasterAddress,
    Turns,
    address_of,
    alive,
    demoted,
    listened_to,
    no_master,
    not_master,
    shown,
    sought,
    usable,
)


class ServiceConnectionSteps(Operations):
    """A connection to the master of a service, or to a replica, found when it connects."""

    host: str
    port: int

    def __init__(self, **options: Any) -> None:
        self.connection_pool = options.pop("connection_pool")
        super().__init__(**options)

    #: The server's address; None before the sentinels have told one.
    _at: Address | None = None
    #: A step of each kind's own: what the server replies to ROLE; not a list if it may not tell.
    _role: Callable[[], Any]

    def __repr__(self) -> str:
        return shown(self, self.connection_pool, (self.host, self.port))

    def _host_error(self) -> str:
        known: str = super()._host_error() if self._at is not None else sought(self.connection_pool)  # type: ignore[misc]
        return known

    @operation
    def on_connect(self) -> Steps[None]:
        """Greets the server, and makes sure that it is the master: sentinels may not know yet that it has changed."""
        yield super().on_connect()  # type: ignore[misc]
        if not self.connection_pool.is_master:
            return
        if self.connection_pool.master_address not in (None, (self.host, self.port)):
            raise ConnectionError(f"{self.host}:{self.port} is the master no more: it has changed while the connection was made")
        why = not_master((yield self._role()))
        if why:
            raise ConnectionError(f"{why} ({self.host}:{self.port})")

    def reply_error(self, text: str) -> Exception:
        """The exception of an error reply."""
        error = demoted(text, self.connection_pool.is_master)
        if isinstance(error, ConnectionError):
            connection: Any = self
            connection.mark_for_reconnect()
        return error


class ServicePoolSteps(Operations):
    """Connections to the master of a service, or to its replicas in turn.

    When the master changes, idle connections to the old one are closed, and those in use when they are given back.

    retry: attempts after a failure: while a new master is elected there is none for seconds.
    check_connection: has no effect; each connection is greeted, and the master asked for its role.
    """

    # What it is made of.
    _managed_class: Any
    _managed_tls_class: Any
    _listener_class: Any
    _default_retry: Callable[[], Any]

    # What each kind has of its own.

    #: Has the idle connections made anew, and those in use after their use if the argument says so.
    _leave: Callable[[bool], None]
    #: Listens to what the sentinels publish, unless it does.
    _listen: Callable[[], None]

    connection_kwargs: dict[str, Any]

    def __init__(self, service_name: str, sentinel_manager: Any, **kwargs: Any) -> None:
        kwargs.setdefault("connection_class", self._managed_tls_class if kwargs.pop("ssl", False) else self._managed_class)
        kwargs.setdefault("retry", self._default_retry())
        self.is_master = kwargs.pop("is_master", True)
        self.check_connection = kwargs.pop("check_connection", False)
        self.service_name = service_name
        self.sentinel_manager = sentinel_manager
        super().__init__(**kwargs)
        # The pool keeps its connections alive, not they the pool.
        self.connection_kwargs["connection_pool"] = weakref.proxy(self)

    def __repr__(self) -> str:
        return shown(self, self)

    def reset(self) -> None:
        """Forgets all connections, and what the sentinels have returned."""
        super().reset()  # type: ignore[misc]
        self._master = MasterAddress()
        self._turns = Turns()
        self._discovered_at = 0.0

    @property
    def master_address(self) -> Address | None:
        """Where the master is; None before it was asked for."""
        return self._master.current

    def owns_connection(self, connection: Any) -> bool:
        """Whether a connection is this pool's, and to the master of now."""
        return not self.is_master or self.master_address == (connection.host, connection.port)

    def _started_listeners(self) -> list[Any]:
        """A listener to each sentinel, at work."""
        listeners = [self._listener_class(self, sentinel) for sentinel in listened_to(self)]
        for listener in listeners:
            listener.start()
        return listeners

    def _discover(self) -> Steps[Address]:
        """Asks the sentinels where the master is, and leaves another one."""
        found = yield self.sentinel_manager.discover_master(self.service_name)
        self._discovered_at = self._now()
        address = self._master.found(found, self._discovered_at)
        if address != self.master_address:
            self._master.current = address
            if self.is_master:
                self._leave(False)
        if self.is_master:
            self._listen()
        return address

    def switched(self, old: Address, new: Address) -> None:
        """A sentinel has published that the master is another server: leaves the old one, calls on their way excepted."""
        forced = getattr(self.sentinel_manager, "_force_master_ip", None)
        if self._master.switched((forced or old[0], old[1]), (forced or new[0], new[1]), self._now()):
            self._leave(True)


class SentinelSteps(Operations):
    """The sentinels that watch services.

    sentinels: their addresses as (host, port).
    min_other_sentinels: a sentinel that knows fewer others is not believed.
    sentinel_kwargs: keywords of the connections to the sentinels; None takes those of `connection_kwargs` for sockets.
    force_master_ip: the host of all masters, in place of what the sentinels return.
    connection_kwargs: keywords of the connections to masters and replicas.
    """

    # What it is made of.
    _client_class: Any
    _pool_class: Any
    _retry_class: Any

    #: Makes the client of a sentinel, of the class that the module's name says then: tests put others in its place.
    _client_of: Callable[..., Any]

    def __init__(
        self,
        sentinels: Iterable[Address],
        min_other_sentinels: int = 0,
        sentinel_kwargs: Mapping[str, Any] | None = None,
        force_master_ip: str | None = None,
        **connection_kwargs: Any,
    ) -> None:
        if sentinel_kwargs is None:
            sentinel_kwargs = {name: value for name, value in connection_kwargs.items() if name.startswith("socket_")}
        self.sentinel_kwargs = dict(sentinel_kwargs)
        # The attempt after a failed one is at the next sentinel.
        options = {"retry": self._retry_class(NoBackoff(), 0), **self.sentinel_kwargs}
        self.sentinels = [self._client_of(host=host, port=port, **options) for host, port in sentinels]
        self.min_other_sentinels = min_other_sentinels
        self.connection_kwargs = connection_kwargs
        self._force_master_ip = force_master_ip

    def __repr__(self) -> str:
        options = (sentinel.connection_pool.connection_kwargs for sentinel in self.sentinels)
        addresses = ",".join(f"{one['host']}:{one['port']}" for one in options)
        return f"<{type(self).__module__}.{type(self).__name__}(sentinels=[{addresses}])>"

    def _close(self, closes: Iterable[Callable[[], Any]]) -> Steps[None]:
        """Closes the connections to all sentinels. Raises the first error."""
        failed: Exception | None = None
        for close in closes:
            try:
                yield close()
            except Exception as error:
                failed = failed or error
        if failed is not None:
            try:
                raise failed
            finally:
                # The error's traceback leads to this frame.
                del failed

    @operation
    def execute_command(self, *args: Any, **kwargs: Any) -> Steps[Any]:
        """Sends a command to all sentinels, or with `once` to a random one; returns whether all replies are true, or with
        `return_responses` the replies."""
        once = kwargs.pop("once", False)
        return_responses = kwargs.pop("return_responses", False)
        asked = [random.choice(self.sentinels)] if once else list(self.sentinels)
        replies = yield self._together([functools.partial(each.execute_command, *args, **kwargs) for each in asked])
        return replies if return_responses else all(replies)

    def check_master_state(self, state: Mapping[str, Any], service_name: str) -> bool:
        """Whether a sentinel says that a master is up, and is to be believed."""
        return usable(state, self.min_other_sentinels)

    @operation
    def discover_master(self, service_name: str) -> Steps[Address]:
        """The address of a service's master. The sentinel that knows it is asked first the next time.

        Raises MasterNotFoundError.
        """
        errors = []
        for index, sentinel in enumerate(list(self.sentinels)):
            try:
                masters = yield sentinel.sentinel_masters()
            except (ConnectionError, TimeoutError) as error:
                errors.append(f"{address_of(sentinel)}: {error}")
                continue
            state = masters.get(service_name)
            if state and self.check_master_state(state, service_name):
                # Other callers may have put another one first meanwhile.
                self.sentinels[0], self.sentinels[index] = self.sentinels[index], self.sentinels[0]
                return self._force_master_ip or state["ip"], state["port"]
            errors.append(f"{address_of(sentinel)} replied that there is none")
        raise no_master(service_name, errors)

    def filter_slaves(self, slaves: Sequence[Mapping[str, Any]]) -> list[Address]:
        """The addresses of the replicas that are not thought to be down."""
        return alive(slaves)

    filter_replicas = filter_slaves

    @operation
    def discover_slaves(self, service_name: str) -> Steps[list[Address]]:
        """The addresses of a service's replicas that are up; none if no sentinel knows any."""
        for sentinel in self.sentinels:
            try:
                found = self.filter_slaves((yield sentinel.sentinel_slaves(service_name)))
            except (ConnectionError, ResponseError, TimeoutError):
                continue
            if found:
                return found
        return []

    discover_replicas = discover_slaves

    def master_for(self, service_name: str, redis_class: Any = None, connection_pool_class: Any = None, **kwargs: Any) -> Any:
        """A client of a service's master. It finds the new master when that changes.

        redis_class, connection_pool_class: other classes than `Client` and `SentinelConnectionPool`.
        kwargs: keywords of its connections, over those of this object.
        """
        return self._for(service_name, redis_class, connection_pool_class, {**kwargs, "is_master": True})

    def slave_for(self, service_name: str, redis_class: Any = None, connection_pool_class: Any = None, **kwargs: Any) -> Any:
        """A client of a service's replicas in turn; of its master if no replica is up. The arguments are those of `master_for`."""
        return self._for(service_name, redis_class, connection_pool_class, {**kwargs, "is_master": False})

    replica_for = slave_for

    def _for(self, service_name: str, redis_class: Any, connection_pool_class: Any, kwargs: dict[str, Any]) -> Any:
        pool = (connection_pool_class or self._pool_class)(service_name, self, **{**self.connection_kwargs, **kwargs})
        return (redis_class or self._client_class).from_pool(pool)
