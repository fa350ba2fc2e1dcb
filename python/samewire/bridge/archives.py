"""Archives of the classes that a launched JVM loads at its start (class data sharing).

An archive is code to the JVM that maps it, so the file and its folder must belong to the user. It is written to a
temporary file and renamed: JDK 17 crashes if it maps a truncated file. The JVM itself checks whether an archive fits,
by its own version and by the date and size of the gateway's jar; if not, it starts without it.

It is written by command, or by a background process when the first gateway that was launched without one is closed.
That takes a second of CPU time at the lowest priority, once for each Java and each version of this package. With
SAMEWIRE_BRIDGE_ARCHIVE=off in the environment, launches neither write nor use archives.
"""

from __future__ import annotations

import os
import stat
import time

from samewire.errors import SamewireError

from .java_program import JAR, gateway_jar

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


#: Silences the JVM's warnings about an archive that it does not use.
SILENT = "-Xlog:cds*=off"
#: Options of a program that set archives, and others with which a JVM cannot map this archive.
_OWN = (
    "-Xshare",
    "-XX:SharedArchiveFile",
    "-XX:ArchiveClassesAtExit",
    "-XX:+AutoCreateSharedArchive",
    "-XX:AOT",
    "-XX:-UseSharedSpaces",
    "-XX:+UseZGC",
    "-XX:-UseCompressed",
    "-Xbootclasspath",
    "-Djava.system.class.loader",
    "--upgrade-module-path",
    "--patch-module",
    "--limit-modules",
)
#: Those of them with which a JVM writes an archive, or maps one of the program's.
_ITS_OWN_ARCHIVE = ("-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-XX:+AutoCreateSharedArchive", "-XX:AOT")
#: Variables by which a JVM takes more options. A debugger's options would make the background JVM wait for it forever.
_OPTIONS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
#: Seconds that a JVM may take to write an archive.
MOST = 60.0
#: Seconds after which a mark, or the file of a killed process, is stale.
_OLD = 86_400.0
#: Starts the JVM that writes the archive, and moves the archive to its place. It outlives the process that starts it.
_BEHIND = """part=$1; path=$2; shift 2
( nice -n 19 "$@" && chmod 600 "$part" && mv -f "$part" "$path" || rm -f "$part" ) </dev/null >/dev/null 2>&1 &"""


def archive_options(program: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options by which java maps the archive; empty if there is none, or the program's options forbid it."""
    if not archives(options):
        return ()
    path = archive_path(program)
    found = ours(path, stat.S_ISREG)
    # An empty file marks that one is being written.
    if found is None or found.st_size == 0 or ours(os.path.dirname(path), stat.S_ISDIR) is None:
        return ()
    return (SILENT, f"-XX:SharedArchiveFile={path}")


def archives(options: Sequence[str]) -> bool:
    """Whether a JVM with these options can start with an archive of this user's."""
    return (
        os.environ.get("SAMEWIRE_BRIDGE_ARCHIVE") != "off"
        and gateway_jar() == JAR
        and not any(option.startswith(_OWN) for option in options)
    )


def has_its_own(options: Sequence[str]) -> bool:
    """Whether the program's options make the JVM write or map an archive of its own."""
    return any(option.startswith(_ITS_OWN_ARCHIVE) for option in options)


def write_behind(launched: Sequence[str]) -> None:
    """Starts a background process that writes the archive for a JVM that was launched without one.

    Does nothing if there is an archive, or if the JVM's options do not admit one. If writing fails, there is no
    archive, and no error.

    launched: the command line.
    """
    jar = f"-Xbootclasspath/a:{JAR}"
    if jar not in launched or not archives([option for option in launched if option != jar]):
        return
    try:
        path = archive_path(launched[0])
        folder = os.path.dirname(path)
        # Relative if the user has no home.
        if not os.path.isabs(path):
            return
        os.makedirs(folder, 0o700, exist_ok=True)
        if ours(folder, stat.S_ISDIR) is None or not _mark(path):
            return
        sweep(path)
        from .folder import folder_path, make_folder

        rehearsal = folder_path()
        make_folder(rehearsal)
        part = f"{path}.{os.urandom(8).hex()}"
        java = (launched[0], SILENT, f"-XX:ArchiveClassesAtExit={part}", "-cp", JAR, "io.samewire.bridge.GatewayMain")
        told = ("--rehearse", os.path.join(rehearsal, "gateway.sock"), "--pipes", "0,1,0,1")
        arguments = ("/bin/sh", "-c", _BEHIND, "samewire-archive", part, path, *java, *told)
        environment = {name: value for name, value in os.environ.items() if name not in _OPTIONS}
        os.waitpid(os.posix_spawn(arguments[0], arguments, environment, setpgroup=0), 0)
    except (OSError, SamewireError):
        return


def _mark(path: str) -> bool:
    """Creates an empty file in the archive's place, so that no other process writes one. False if there is a file."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        found = os.lstat(path)
        if found.st_size or time.time() - found.st_mtime < _OLD:
            return False
        os.utime(path)
    return True


def sweep(path: str) -> None:
    """Removes archives of earlier versions of this Java, and files of killed processes."""
    folder, name = os.path.split(path)
    for other in os.listdir(folder):
        if other != name and other.startswith(name[: name.rindex("-")]):
            place = os.path.join(folder, other)
            # A new file may belong to another process, which has yet to rename it.
            if time.time() - os.lstat(place).st_mtime > MOST:
                os.unlink(place)


def archive_path(program: str) -> str:
    """The path of the archive for this Java and the gateway's jar."""
    from binascii import crc32

    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    java, jar = os.path.realpath(program), gateway_jar()
    seen = [(file.st_size, file.st_mtime_ns) for file in (os.stat(java), os.stat(jar))]
    # A collision of names is harmless: the JVM checks whether an archive is its own.
    place, state = crc32(os.fsencode(f"{java}\n{jar}")), crc32(repr(seen).encode())
    return os.path.join(cache, "samewire", f"bridge-{place:08x}-{state:08x}.jsa")


def ours(path: str, kind: Callable[[int], bool]) -> os.stat_result | None:
    """The file's status, if it is of that kind, this user's own, and other users may not write to it; else None."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found if kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022 else None
