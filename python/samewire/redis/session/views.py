"""Views: what `decoding` and `repeating` return. Clients, pipelines and clusters share it."""

from __future__ import annotations

import copy
import weakref
from typing import Any, Self


class Viewed:
    """A client of which there are views: other clients on the same connections.

    A view leaves the connections open as long as its client, or another view, is neither closed nor dropped. The last of them
    closes what the client itself would.
    """

    #: Whether it is a view of another client.
    _is_view = False
    #: The client and its views, as far as they are open; None without views.
    _sharers: weakref.WeakSet[Any] | None = None

    def _view(self) -> Self:
        """Another client on the same connections."""
        if self._sharers is None:
            self._sharers = weakref.WeakSet((self,))
        view = copy.copy(self)
        view._is_view = True
        self._sharers.add(view)
        return view

    def _others(self) -> list[Any]:
        """Those that share its connections, and are open."""
        return [] if self._sharers is None else [other for other in self._sharers if other is not self]

    def _leaves(self, dropped: bool = False) -> bool:
        """Notes that it is closed, or dropped without that; returns whether it takes the connections with it."""
        if self._sharers is not None:
            self._sharers.discard(self)
        return not self._others() or not (self._is_view or dropped)


def given_back(client: Any, whole: bool) -> Any:
    """The connection of a client's own that it gives back now, the others that use it as well if `whole`. None if it has none, or
    if others go on using it."""
    connection = getattr(client, "connection", None)
    client.connection = None
    sharers = [other for other in client._others() if other.connection is connection]
    if connection is None or (sharers and not whole):
        return None
    for other in sharers:
        other.connection = None
    return connection
