"""The command `samewire`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

import samewire


def _parser() -> argparse.ArgumentParser:
    # Imported here, so that `main` handles an interrupt during the import.
    from .bridge import command as bridge
    from .schema import command as schema
    from .schema import packing
    from .schema.emit import command as emit
    from .schema.infer import command as infer

    parser = argparse.ArgumentParser(
        prog="samewire",
        description="Typed values between Python, the JVM, JavaScript and Rust: the same bytes in every language.",
    )
    parser.add_argument("--version", action="version", version=f"samewire {samewire.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    infer.add(commands)
    packing.add(commands)
    emit.add(commands)
    schema.add(commands)
    bridge.add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0, 1 if it failed, 2 for a wrong command line, 130 if it was interrupted."""
    try:
        parsed = _parser().parse_args(arguments)
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader has closed our output
        _drop_output()
        return 1
    except OSError as error:  # an error of standard output: commands report those of files themselves
        _drop_output()
        print(f"samewire: standard output: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # the shell's exit code for SIGINT
        return 128 + signal.SIGINT


def _drop_output() -> None:
    """Discards the buffered standard output: Python would write it at exit, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
