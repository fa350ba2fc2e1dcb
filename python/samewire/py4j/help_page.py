"""Help pages about Java's objects, classes and methods."""

from __future__ import annotations

from pydoc import pager
from typing import Any

from .compat import hasattr2
from .dialects import dialect_of
from .errors import Py4JError


def gateway_help(gateway_client: Any, var: Any, pattern: str | None = None, short_name: bool = True, display: bool = True) -> Any:
    """Shows a page about a JavaObject, JavaClass or JavaMember, or returns it without `display`.

    pattern: members to show, with `*` for any text; it must match the whole signature: `get*Foo(*`.
    short_name: types have no packages.
    """
    if hasattr2(var, "_get_object_id"):
        page = dialect_of(gateway_client).help_object(var, pattern, short_name)
    elif hasattr2(var, "_fqn"):
        page = dialect_of(gateway_client).help_class(var, pattern, short_name)
    elif hasattr2(var, "container") and hasattr2(var, "name"):
        if pattern is not None:
            raise Py4JError("pattern should be None with var is a JavaMember")
        return gateway_help(gateway_client, var.container, f"{var.name}(*", short_name, display)
    else:
        raise Py4JError("var is none of Java Object, Java Class or Java Member")
    if display:
        pager(page)
        return None
    return page
