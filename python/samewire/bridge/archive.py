"""Writes an archive of the classes that a launched JVM loads at its start."""

from __future__ import annotations

import os
import stat

from samewire.errors import SamewireError

from .archives import MOST, SILENT, archive_path, ours, sweep
from .java_program import java_program
from .launch import launch

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .java_program import Path


def archive(java: Path | None = None) -> str:
    """Writes an archive of the classes that a JVM loads to reach its first call, and returns its path.

    `launch` uses it from then on for the same Java, with the installed package as it is. It is in the folder `samewire` of
    XDG_CACHE_HOME, else of `~/.cache`. Without this call one is written in the background after the first gateway
    is closed.

    java: as for `launch`.

    Raises SamewireError: `misuse` if there is no Java, or others may write to the folder; `unsupported` if this Java writes no
    archives; `closed`, `timeout`. Raises OSError if the folder cannot be written.
    """
    from threading import Thread

    program = java_program(java)
    path = archive_path(program)
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    if ours(folder, stat.S_ISDIR) is None:
        raise SamewireError(
            "misuse", text=f"{folder} belongs to others, or they may write to it: chmod 700, or set XDG_CACHE_HOME"
        )
    part = f"{path}.{os.urandom(8).hex()}"
    try:
        gateway = launch(java=program, options=(SILENT, f"-XX:ArchiveClassesAtExit={part}"))
        with gateway:
            # On another thread, since its channel opens when the gateway listens, and this thread's then moves to
            # shared memory.
            thread = Thread(target=gateway.java.lang.Math.abs, args=(-1,))
            thread.start()
            thread.join()
            numbers = gateway.java.util.ArrayList([3, 1, 2])
            gateway.java.util.Collections.sort(numbers)
            gateway.session.close()
            process = gateway.process
            assert process is not None
            process.end_input()
            code = process.wait(MOST)
        if code or not os.path.exists(part):
            text = f"{program} ended with exit code {code} and wrote no archive; has it one of its own ({program} -Xshare:dump)?"
            raise SamewireError("unsupported", text=text)
        os.chmod(part, 0o600)
        os.replace(part, path)
        sweep(path)
    finally:
        if os.path.exists(part):
            os.unlink(part)
    return path
