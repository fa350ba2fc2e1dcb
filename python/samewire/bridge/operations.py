"""The gateway's own operations (spec/bridge.md, section 5.3), and the methods of interfaces that containers call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samewire._native import Method, StaticMethod

if TYPE_CHECKING:
    from collections.abc import Callable

    from samewire._native import Session

OWNER = "io.samewire.bridge.Operations"

#: By their names in Python: Java's name, the requested kind of result, and whether a batch may record the call.
_OPERATIONS: dict[str, tuple[str, str, bool]] = {
    "value": ("value", "value", True),
    "reference": ("value", "object", True),
    "cast": ("cast", "object", False),
    "python_time": ("pythonTime", "value", True),
    "slice": ("slice", "object", True),
    "set_slice": ("setSlice", "", True),
    "set_step": ("setStep", "", True),
    "delete_slice": ("deleteSlice", "", True),
    "chunk": ("chunk", "list", False),
    "entries": ("entries", "list", False),
    "get": ("get", "", True),
    "set": ("set", "", True),
    "remove": ("remove", "", True),
    "concat": ("concat", "object", True),
    "repeat": ("repeat", "object", True),
    "sort": ("sort", "", True),
    "index_of": ("indexOf", "", False),
    "set_add": ("setAdd", "", True),
    "set_add_all": ("setAddAll", "", True),
    "collection_remove": ("collectionRemove", "", False),
    "map_has": ("mapHas", "", False),
    "map_get": ("mapGet", "", True),
    "map_put": ("mapPut", "", True),
    "map_put_all": ("mapPutAll", "", True),
    "map_remove": ("mapRemove", "", True),
    "array_get": ("arrayGet", "", True),
    "array_set": ("arraySet", "", True),
    "array_slice": ("arraySlice", "object", True),
    "array_list": ("arrayList", "list", False),
    "array_set_slice": ("arraySetSlice", "", True),
    "array_length": ("arrayLength", "", False),
    "array_bytes": ("arrayBytes", "", False),
    "new_array": ("newArray", "object", True),
    "names": ("names", "value", False),
    "class_of": ("classOf", "object", False),
    "implement": ("implement", "object", True),
    "program_trace": ("programTrace", "", False),
    "stack_trace": ("stackTrace", "", False),
    "exception": ("exception", "object", False),
    "give_cause": ("giveCause", "", False),
    "text": ("text", "", False),
    "brief": ("brief", "", False),
    "equal": ("equal", "", False),
    "hash": ("hash", "", False),
    "compare": ("compare", "", False),
    "contains": ("contains", "", False),
    "statistics": ("statistics", "value", False),
    "entry_point": ("entryPoint", "", False),
}

#: Methods of interfaces: class, name, kind of result, and whether a batch may record the call.
_METHODS: dict[str, tuple[str, str, str, bool]] = {
    "size": ("java.util.Collection", "size", "", False),
    "map_size": ("java.util.Map", "size", "", False),
    "add": ("java.util.Collection", "add", "", True),
    "add_all": ("java.util.Collection", "addAll", "", True),
    "close": ("java.lang.AutoCloseable", "close", "", True),
    "cause": ("java.lang.Throwable", "getCause", "", False),
    "suppressed": ("java.lang.Throwable", "getSuppressed", "value", False),
    "message": ("java.lang.Throwable", "getMessage", "", False),
}


class Operations:
    """The operations of one session as callables, each made on first access."""

    def __init__(self, session: Session) -> None:
        self._session = session

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            made: Method | StaticMethod
            if name in _OPERATIONS:
                java, result, recorded = _OPERATIONS[name]
                made = StaticMethod(self._session, OWNER, java)
            elif name in _METHODS:
                owner, java, result, recorded = _METHODS[name]
                made = Method(self._session, owner, java)
            else:
                raise AttributeError(name)
            if result:
                made = made.returning(result)
            if not recorded:
                made = made.immediately()
            setattr(self, name, made)
            return made

    else:

        def __getattr__(self, name: str) -> Callable[..., Any]:
            """A callable of the table."""
            raise NotImplementedError
