"""Archives of the classes that a launched JVM loads as it starts (class data sharing).

An archive is code to the JVM that maps it, so it has to be the user's own, in a folder of the user's own. It is made by command
only, and whole or not at all: a JVM of version 17 that maps a file which was cut off crashes. Whether it fits is the JVM's to
judge, by its own version and by the date and size of the gateway's jar; if not, the JVM starts without it.
"""

from __future__ import annotations

import os
import stat

from samewire.errors import SamewireError

from .java_program import gateway_jar, java_program

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .java_program import Path

#: What a JVM says of an archive that it does not use is of no interest to users.
_SILENT = "-Xlog:cds*=off"
#: Options of a program's own that are about archives.
_OWN = (
    "-Xshare",
    "-XX:SharedArchiveFile",
    "-XX:ArchiveClassesAtExit",
    "-XX:+AutoCreateSharedArchive",
    "-XX:AOT",
    "-XX:-UseSharedSpaces",
)
#: Seconds that a JVM may take to write an archive.
_MOST = 60.0


def archive(java: Path | None = None) -> str:
    """Writes an archive of the classes that a JVM loads to reach its first call, and returns its path.

    `launch` uses it from then on for the same Java, with the installed package as it is; a newer one needs it written again. It is
    in the folder `samewire` of XDG_CACHE_HOME, else of `~/.cache`.

    java: as for `launch`.

    Raises SamewireError: `misuse` if there is no Java, or others may write to the folder; `unsupported` if this Java writes no
    archives; `closed`, `timeout`. Raises OSError if the folder cannot be written.
    """
    from threading import Thread

    from .launch import launch

    program = java_program(java)
    path = _path(program)
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    if not _ours(folder, stat.S_ISDIR):
        raise SamewireError(
            "misuse", text=f"{folder} belongs to others, or they may write to it: chmod 700, or set XDG_CACHE_HOME"
        )
    part = f"{path}.{os.urandom(8).hex()}"
    try:
        gateway = launch(java=program, options=(_SILENT, f"-XX:ArchiveClassesAtExit={part}"))
        with gateway:
            # On a thread of its own: its channel is opened when the gateway listens, and this one's then goes on in shared memory.
            thread = Thread(target=gateway.java.lang.Math.abs, args=(-1,))
            thread.start()
            thread.join()
            numbers = gateway.java.util.ArrayList([3, 1, 2])
            gateway.java.util.Collections.sort(numbers)
            gateway.session.close()
            process = gateway.process
            assert process is not None
            process.end_input()
            code = process.wait(_MOST)
        if code or not os.path.exists(part):
            text = f"{program} ended with exit code {code} and wrote no archive; has it one of its own ({program} -Xshare:dump)?"
            raise SamewireError("unsupported", text=text)
        os.chmod(part, 0o600)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)
    return path


def archive_options(program: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options of java by which it maps the archive, if this user has one for it, and the program has no options about archives."""
    if any(option.startswith(_OWN) for option in options):
        return ()
    path = _path(program)
    if not (_ours(path, stat.S_ISREG) and _ours(os.path.dirname(path), stat.S_ISDIR)):
        return ()
    return (_SILENT, f"-XX:SharedArchiveFile={path}")


def _path(program: str) -> str:
    """Where the archive for this Java and the gateway's jar is, if there is one."""
    from binascii import crc32

    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    # One name for two is no danger: the JVM looks whether an archive is its own.
    name = crc32(os.fsencode(f"{os.path.realpath(program)}\n{gateway_jar()}"))
    return os.path.join(cache, "samewire", f"bridge-{name:08x}.jsa")


def _ours(path: str, kind: Callable[[int], bool]) -> bool:
    """Whether it is of that kind, this user's own, and nobody else may write to it."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022
