"""Executes a script statement by statement and prints what each expression comes to: run on two clients, the lines must agree.

usage: side_by_side.py SCRIPT

A statement that raises prints the exception and the script goes on. `await` may stand at the top level.
"""

from __future__ import annotations

import ast
import asyncio
import re
import sys
from pathlib import Path
from typing import Any

#: What differs between two runs, or between two names of the same class.
_VOLATILE = (
    (re.compile(r"0x[0-9a-f]+"), "0x"),
    (re.compile(r"\b(?:samewire\.)?redis(?:\.\w+)*\.(?=[A-Z])"), ""),
    (re.compile(r"^<(\w+)(?:\(| object).*>$"), r"<\1>"),
)


def shown(value: Any) -> str:
    """The `repr` of a value, sets in order, without addresses and names of modules."""
    text = repr(_ordered(value))
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text


def _ordered(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return [type(value).__name__, *sorted(map(_ordered, value), key=repr)]
    if type(value) in (list, tuple):
        return type(value)(map(_ordered, value))
    if type(value) is dict:
        return {key: _ordered(element) for key, element in value.items()}
    return value


def main(script: str) -> None:
    tree = ast.parse(Path(script).read_text())
    names: dict[str, Any] = {"__name__": "__main__"}
    with asyncio.Runner() as loop:
        for node in tree.body:
            source = ast.unparse(node).split("\n")[0][:160]
            shows = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
            if isinstance(node, ast.Expr):
                node = ast.copy_location(ast.Assign([ast.Name("_", ast.Store())], node.value), node)
            module = ast.fix_missing_locations(ast.Module([node], []))
            code = compile(module, script, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            try:
                # The code is a file of this folder.
                result = eval(code, names)
                if asyncio.iscoroutine(result):
                    loop.run(result)
            except Exception as error:
                # What a client says is its own; what the server replied is compared.
                from_server = any(kind.__name__ == "ResponseError" for kind in type(error).__mro__)
                text = f": {error}".split("\n")[0] if from_server else ""
                print(f"{source} !! {type(error).__name__}{text}")
            else:
                if shows:
                    print(f"{source} -> {shown(names['_'])}")


if __name__ == "__main__":
    main(sys.argv[1])
