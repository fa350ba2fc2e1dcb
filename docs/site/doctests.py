"""Python's reference shows the examples of docstrings as code: in Markdown lines after `>>>` would be a quotation."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> ).+\n?)*)+", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts the examples of a docstring between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```\n", obj.docstring.value)
