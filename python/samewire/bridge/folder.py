"""The private folder of a launched gateway."""

from __future__ import annotations

import os


def remove_folder(folder: str) -> None:
    """Removes it with the files in it, of which the JVM may have removed some."""
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return  # gone already, or somebody put a folder there: it is theirs
