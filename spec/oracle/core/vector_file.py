"""One file of vectors (spec/vectors/README.md), whichever part it belongs to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Case = dict[str, Any]


@dataclass
class VectorFile:
    """A topic and its cases. `spec` names the section of the document that the cases prove."""

    name: str
    spec: str
    cases: list[Case] = field(default_factory=list)

    def text(self, part: str) -> str:
        """Returns the JSON, one case a line for readable diffs. Raises `ValueError` if a name is used twice."""
        names = [case["name"] for case in self.cases]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{part}/{self.name}: names used twice: {twice}")
        head = f'{{"format": {json.dumps(part)}, "topic": {json.dumps(self.name)}, "spec": {json.dumps(self.spec)}, "cases": [\n'
        return head + ",\n".join(json.dumps(case, ensure_ascii=True) for case in self.cases) + "\n]}\n"


def write(path: Path, text: str) -> None:
    """Writes the file unless it has this text already: builds depend on its time."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
