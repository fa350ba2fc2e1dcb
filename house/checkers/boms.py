"""Whether bills of materials are what the CycloneDX schema says. Runs in the checkers' environment.

usage: boms.py FILE...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def main(names: list[str]) -> int:
    """Prints what is wrong with each; returns the exit status."""
    wrong = 0
    for name in names:
        text = Path(name).read_text("utf-8")
        version = SchemaVersion.from_version(json.loads(text)["specVersion"])
        if error := JsonStrictValidator(version).validate_str(text):
            print(f"{Path(name).name}: {error}")
            wrong += 1
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
