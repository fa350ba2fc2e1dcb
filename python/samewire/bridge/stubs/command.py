"""The command `samewire bridge stubs`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samewire.errors import SamewireError

from ..launch import launch

_DESCRIPTION = """\
Writes type stubs (.pyi) of Java's classes, so that checkers and editors know what `from gateway.java.util import ...` gives.
A JVM is started to ask about the classes.
"""

_EXAMPLES = """\
examples:
  samewire bridge stubs java.util --out typings
  samewire bridge stubs com.example java.util.concurrent.Future --classpath app.jar --out typings
then, for mypy: MYPYPATH=typings
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `stubs` to the commands of `samewire bridge`."""
    command = commands.add_parser(
        "stubs",
        help="write type stubs of Java's classes",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("names", metavar="NAME", nargs="+", help="a package, or a class")
    command.add_argument("--out", type=Path, metavar="DIR", required=True, help="where to write them")
    command.add_argument("--classpath", action="append", default=[], metavar="PATH", help="a jar or a folder; may be repeated")
    command.add_argument("--name", default="gateway", help="of the package that is imported from; default: gateway")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command. Returns the exit code: 0, or 1 if it failed."""
    if not arguments.name.isidentifier():
        return _fail(f"--name {arguments.name!r}: an identifier is expected")
    from .files import write

    try:
        with launch(arguments.classpath) as gateway:
            files = write(gateway, arguments.names, arguments.out, arguments.name)
    except SamewireError as error:
        return _fail(error.text or str(error))
    except OSError as error:
        return _fail(f"{error.filename or arguments.out}: {error.strerror}")
    for file in files:
        print(f"wrote {file}", file=sys.stderr)
    return 0


def _fail(text: str) -> int:
    print(f"samewire: {text}", file=sys.stderr)
    return 1
