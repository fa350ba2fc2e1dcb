"""bridge: call Java from Python, and Python from Java (spec/bridge.md).

>>> from samewire import bridge
>>> with bridge.launch() as gateway:                                                 # doctest: +SKIP
...     numbers = gateway.java.util.ArrayList([3, 1, 2])
...     gateway.java.util.Collections.sort(numbers)
...     print(numbers, numbers[0], numbers[1:].to_py())
[1, 2, 3] 1 [2, 3]

`launch` starts a JVM, `connect` connects to a running one, `embed` loads one into this process. The returned gateway
has everything else: packages, classes, `gateway.batch()`, `gateway.aio`.
"""

from __future__ import annotations

import sys

from samewire.errors import SamewireError

from .archive import archive
from .launch import launch

#: `typing.TYPE_CHECKING`, without the import of `typing`, which takes a tenth of what a JVM takes to start.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .as_py4j import install_as_py4j
    from .casts import JBoolean, JByte, JChar, JDouble, JFloat, JInt, JLong, JShort, cast
    from .connect import connect
    from .embed import embed
    from .errors import NoOverload, NoSuchName
    from .exceptions import JavaError
    from .gateway import Gateway
    from .implement import implements
    from .java_class import JavaClass
    from .java_object import JavaObject
    from .policy import Policy
    from .times import Datetime, Time, Timedelta
    from .typed import typed
else:
    _LATER = {
        "Datetime": "times",
        "Gateway": "gateway",
        "JBoolean": "casts",
        "JByte": "casts",
        "JChar": "casts",
        "JDouble": "casts",
        "JFloat": "casts",
        "JInt": "casts",
        "JLong": "casts",
        "JShort": "casts",
        "JavaClass": "java_class",
        "JavaError": "exceptions",
        "JavaObject": "java_object",
        "NoOverload": "errors",
        "NoSuchName": "errors",
        "Policy": "policy",
        "Time": "times",
        "Timedelta": "times",
        "cast": "casts",
        "connect": "connect",
        "embed": "embed",
        "implements": "implement",
        "install_as_py4j": "as_py4j",
        "typed": "typed",
    }

    class _Package(type(sys)):
        """Keeps the functions that have the name of their module: importing the module would replace the function."""

        def __setattr__(self, name: str, value: object) -> None:
            if _LATER.get(name) != name or not isinstance(value, type(sys)):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Package

    def __getattr__(name: str) -> object:
        """Imports the rest on first access, so that `launch` starts the JVM first."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = getattr(import_module(f".{_LATER[name]}", __name__), name)
        globals()[name] = found
        return found


__all__ = [
    "Datetime",
    "Gateway",
    "JBoolean",
    "JByte",
    "JChar",
    "JDouble",
    "JFloat",
    "JInt",
    "JLong",
    "JShort",
    "JavaClass",
    "JavaError",
    "JavaObject",
    "NoOverload",
    "NoSuchName",
    "Policy",
    "SamewireError",
    "Time",
    "Timedelta",
    "archive",
    "cast",
    "connect",
    "embed",
    "implements",
    "install_as_py4j",
    "launch",
    "typed",
]


def __dir__() -> list[str]:
    """Includes the names that are imported on first access."""
    return sorted({*globals(), *__all__})
