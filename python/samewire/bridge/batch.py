"""Batches: calls of one thread in one message."""

from __future__ import annotations

from types import TracebackType

from samewire._native import Batch, Session
from samewire.errors import SamewireError


class Calls:
    """The calls of a `with` block; see `Gateway.batch`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._batch: Batch | None = None

    def __enter__(self) -> Calls:
        if self._batch is not None:
            raise SamewireError("misuse", text="a batch runs once: begin another one with gateway.batch()")
        self._batch = self._session.batch()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._batch is not None
        if kind is None:
            self._batch.run()
        else:
            self._batch.drop()

    def __len__(self) -> int:
        """The number of calls so far."""
        return 0 if self._batch is None else len(self._batch)

    def __bool__(self) -> bool:
        return True
