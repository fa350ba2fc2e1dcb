"""`python -m samewire.schema.emit --schemas FILE --language rust|java --out DIR`"""

from __future__ import annotations

import argparse
from pathlib import Path

from .peers import java_files, read_schemas, rust_files, write_files


def main() -> None:
    """Writes the definitions for every schema of a list. Unchanged files are not written."""
    parser = argparse.ArgumentParser(prog="python -m samewire.schema.emit", description=main.__doc__)
    parser.add_argument("--schemas", type=Path, required=True, help='JSON: [{"id": "s0", "schema": "..."}, ...]')
    parser.add_argument("--language", choices=("rust", "java"), required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    schemas = read_schemas(options.schemas)
    files = rust_files(schemas) if options.language == "rust" else java_files(schemas)
    changed = write_files(files, options.out)
    print(f"{len(schemas)} schemas, {changed} files changed in {options.out}")


if __name__ == "__main__":
    main()
