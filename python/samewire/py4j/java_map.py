"""Maps of Java."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from .java_object import JavaObject


class JavaMap(JavaObject, MutableMapping[Any, Any]):
    """A map of Java with the methods of a dict."""

    def __init__(self, target_id: str, gateway_client: Any) -> None:
        super().__init__(target_id, gateway_client)
        self._get = self._member("get")

    def __getitem__(self, key: Any) -> Any:
        return self._get(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(key, value)

    def __len__(self) -> Any:
        return self.size()

    def __delitem__(self, key: Any) -> None:
        self.remove(key)

    def __iter__(self) -> Any:
        return self.keySet().iterator()

    def __contains__(self, key: object) -> Any:
        return self.containsKey(key)

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        return "{{{}}}".format(", ".join([f"{key!r}: {value!r}" for key, value in self.items()]))
