"""The private folder of a launched gateway."""

from __future__ import annotations

import errno
import os
import stat
import time

from samewire.errors import SamewireError

#: Longest path of a unix socket, its end included.
_MOST_PATH = 100

#: Prefix of the folders' names, before the id of the process that made it and 16 hexadecimal digits.
_NAME = "samewire"

#: Age in seconds from which a folder without a socket is removed: in a younger one the socket may be about to be made.
_YOUNG = 60.0

#: The folders that this process has made.
_made: set[str] = set()


def remove_folder(folder: str) -> None:
    """Removes a folder and its files, of which the JVM may have removed some."""
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return  # gone already, or another program put a folder there: leave it


def folder_path() -> str:
    """The path for a new folder: with an unpredictable name, and short enough for a socket's path in it."""
    for parent in (os.environ.get("TMPDIR") or "/tmp", "/tmp"):
        folder = os.path.join(parent, f"{_NAME}-{os.getpid()}-{os.urandom(8).hex()}")
        if len(os.fsencode(folder)) + len("/gateway.sock") <= _MOST_PATH:
            return folder
    raise SamewireError("misuse", text="no folder with a short path: set TMPDIR to one")


def make_folder(folder: str) -> None:
    """Makes a folder that only this user may enter, and removes those of dead processes. Raises OSError."""
    remove_stale(os.path.dirname(folder))
    _made.add(folder)
    os.mkdir(folder, 0o700)


def remove_stale(parent: str) -> None:
    """Removes the folders that this user's processes have left in a directory, ended by a signal or `System.exit`."""
    try:
        names = [name for name in os.listdir(parent) if name.startswith(f"{_NAME}-")]
    except OSError:
        return  # not readable: making a folder in it will raise the reason
    for name in names:
        folder = os.path.join(parent, name)
        if folder not in _made and _is_stale(folder, name):
            remove_folder(folder)


def _is_stale(folder: str, name: str) -> bool:
    parts = name.split("-")
    if len(parts) != 3 or not parts[1].isdecimal() or len(parts[2]) != 16:
        return False
    pid = int(parts[1])
    try:
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        if pid != os.getpid():
            os.kill(pid, 0)
            return False
    except ProcessLookupError:
        pass  # it is gone
    except (OSError, OverflowError):
        return False  # removed meanwhile, or the process is another user's
    # The process may run in another container that shares this folder: if its socket accepts connections, it is alive.
    place = os.path.join(folder, "gateway.sock")
    return not _listens(place) if os.path.exists(place) else time.time() - found.st_mtime > _YOUNG


def _listens(place: str) -> bool:
    import _socket

    probe = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        probe.setblocking(False)
        return probe.connect_ex(place) != errno.ECONNREFUSED
    finally:
        probe.close()
