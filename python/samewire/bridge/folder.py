"""The private folder of a launched gateway."""

from __future__ import annotations

import os

from samewire.errors import SamewireError

#: Longest path of a unix socket, its end included.
_MOST_PATH = 100


def remove_folder(folder: str) -> None:
    """Removes it with the files in it, of which the JVM may have removed some."""
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return  # gone already, or somebody put a folder there: it is theirs


def folder_path() -> str:
    """The path of a folder to be made, short enough for a socket's in it: of a name that nobody can foresee."""
    for parent in (os.environ.get("TMPDIR") or "/tmp", "/tmp"):
        folder = os.path.join(parent, f"samewire-{os.getpid()}-{os.urandom(8).hex()}")
        if len(os.fsencode(folder)) + len("/gateway.sock") <= _MOST_PATH:
            return folder
    raise SamewireError("misuse", text="no folder with a short path: set TMPDIR to one")


def make_folder(folder: str) -> None:
    """Makes a folder that only this user may enter. Raises OSError."""
    os.mkdir(folder, 0o700)
