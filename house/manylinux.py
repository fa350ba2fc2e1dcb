"""The platform tag of a wheel on Linux: registries refuse `linux_x86_64`, which does not say what libraries the wheel needs.

PEP 600: `manylinux_X_Y` promises that what is compiled runs with glibc X.Y or newer, and needs no library beyond glibc's own.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

#: Libraries that every distribution with that glibc has, of those that PEP 600 allows: what Rust links to.
ALLOWED = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s)\.so\.\d+|ld-linux[\w-]*\.so\.\d+")
NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)
VERSION = re.compile(r"\bGLIBC_(\d+)\.(\d+)")


class NotPortable(Exception):
    """The library needs another that a distribution may lack, or no glibc."""


def tag(library: Path, architecture: str) -> str:
    """The tag for the oldest glibc that has every symbol of a library. Raises NotPortable."""
    return tag_of(_objdump("-p", library), _objdump("-T", library), architecture)


def tag_of(headers: str, symbols: str, architecture: str) -> str:
    """The tag, from objdump's output: private headers and dynamic symbols. Raises NotPortable."""
    if others := [name for name in NEEDED.findall(headers) if not ALLOWED.fullmatch(name)]:
        raise NotPortable(f"it needs {', '.join(others)}, which a distribution may lack: link it statically, or bundle it")
    versions = [(int(major), int(minor)) for major, minor in VERSION.findall(symbols)]
    if not versions:
        raise NotPortable("it has no symbols of glibc: it was compiled for another libc")
    major, minor = max(versions)
    return f"manylinux_{major}_{minor}_{architecture}"


def _objdump(option: str, library: Path) -> str:
    return subprocess.run(["objdump", option, str(library)], capture_output=True, text=True, check=True).stdout
