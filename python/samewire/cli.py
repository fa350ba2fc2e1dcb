"""The command `samewire`."""

from __future__ import annotations

import argparse
import io
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
    if sys.stderr is None:  # `2>&-`: the next file to be opened would be its descriptor
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    try:
        parsed = _parser().parse_args(arguments)
        closed = _closed(parsed)
        if closed:
            print(f"samewire: {closed} is closed: redirect it to or from a file, or {os.devnull}", file=sys.stderr)
            return 1
        _write_utf_8(sys.stdout)
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


def _closed(parsed: argparse.Namespace) -> str | None:
    """The name of a standard stream that the command needs and the caller has closed (`>&-`, `<&-`)."""
    if sys.stdout is None:
        return "standard output"
    return "standard input" if sys.stdin is None and "-" in map(str, vars(parsed).values()) else None


def _write_utf_8(output: object) -> None:
    """Data are UTF-8 in every locale. A terminal that lacks a character gets its escape."""
    if isinstance(output, io.TextIOWrapper):
        if output.isatty():
            output.reconfigure(errors="backslashreplace")
        else:
            output.reconfigure(encoding="utf-8")


def _drop_output() -> None:
    """Discards the buffered standard output: Python would write it at exit, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
