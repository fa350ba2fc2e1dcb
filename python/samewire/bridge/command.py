"""The command `samewire bridge`."""

from __future__ import annotations

import argparse
import sys

from samewire.errors import SamewireError

from .stubs import command as stubs

_ARCHIVE = """\
Writes an archive of the classes that a JVM loads to reach its first call, into the folder samewire of XDG_CACHE_HOME, else of
~/.cache. bridge.launch() has the JVM map it from then on. Without this command the first gateway that is launched and closed
after an update of Java or of samewire leaves one behind; SAMEWIRE_BRIDGE_ARCHIVE=off in the environment forbids that.
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds `bridge` and its commands to those of the program."""
    bridge = commands.add_parser("bridge", help="tools for calling Java from Python")
    inner = bridge.add_subparsers(dest="bridge_command", required=True, metavar="COMMAND")
    stubs.add(inner)
    command = inner.add_parser("archive", help="have JVMs that are launched start sooner", description=_ARCHIVE)
    command.add_argument("--java", metavar="PATH", help="a program java, or a home of Java; default: JAVA_HOME, then PATH")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs `samewire bridge archive`. Returns the exit code: 0, or 1 if it failed."""
    from .archive import archive

    try:
        print(f"wrote {archive(arguments.java)}", file=sys.stderr)
    except (SamewireError, OSError) as error:
        print(f"samewire: {getattr(error, 'text', None) or error}", file=sys.stderr)
        return 1
    return 0
