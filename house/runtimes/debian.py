"""Debian trees that hold newer runtimes: made by debootstrap from the machine's own mirror, kept, and entered by chroot."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
BASE = ("ca-certificates", "gcc", "libc6-dev", "make")
#: What the commands inside read and fill as those outside do: tools, and packages that are downloaded once.
SHARED = (".cargo", ".rustup", ".m2", ".npm", ".cache/pip")


class Unavailable(Exception):
    """The machine cannot make or enter a tree; the text is one line that says what is missing."""


def place() -> Path:
    """The folder of the trees: SAMEWIRE_RUNTIMES, or one in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("SAMEWIRE_RUNTIMES") or Path(cache) / "samewire/runtimes")


def require() -> None:
    """Raises Unavailable unless trees can be made and entered here."""
    if os.geteuid() != 0:
        raise Unavailable("needs root: CPython 3.13 and 3.14 and the JDKs run in chroots; type: sudo make test-runtimes")
    for program in ("debootstrap", "unshare", "chroot"):
        if shutil.which(program) is None:
            raise Unavailable(f"needs {program}; type: apt-get install debootstrap util-linux coreutils")
    allowed = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True, check=False)
    if allowed.returncode:
        raise Unavailable(f"may not mount here: {allowed.stderr.strip()}")


@dataclass(frozen=True)
class Debian:
    """One release with the packages of its runtimes."""

    release: str
    packages: tuple[str, ...]

    @property
    def tree(self) -> Path:
        """Where it lies."""
        return place() / self.release

    def enter(self, command: list[str]) -> list[str]:
        """The command that runs another one inside."""
        return [str(HERE / "enter.sh"), str(self.tree), *command]

    def ready(self) -> None:
        """Makes the tree, or makes it again where it is broken, and installs what it lacks. Raises Unavailable."""
        wanted = " ".join(sorted({*BASE, *self.packages})) + "\n"
        mark = self.tree / "var/lib/samewire-packages"
        if not self._sound():
            shutil.rmtree(self.tree, ignore_errors=True)
            self.tree.parent.mkdir(parents=True, exist_ok=True)
            self._make()
        if not mark.exists() or mark.read_text() != wanted:
            # A mirror that is seldom renewed is still the one this machine has.
            _call(self.enter(["apt-get", "update", "-q", "-o", "Acquire::Check-Valid-Until=false"]))
            _call(self.enter(["apt-get", "install", "-y", "-q", "--no-install-recommends", *wanted.split()]))
            _call(self.enter(["apt-get", "clean"]))
            mark.write_text(wanted)

    def _sound(self) -> bool:
        """Whether debootstrap came to its end, and a program inside runs."""
        if (self.tree / "debootstrap").exists() or not (self.tree / "usr/bin/dpkg").exists():
            return False
        return (
            subprocess.run(self.enter(["dpkg", "--audit"]), capture_output=True, env=environment(), check=False).returncode == 0
        )

    def _make(self) -> None:
        # A release that this machine's debootstrap does not know yet is made as its newest one.
        scripts = Path("/usr/share/debootstrap/scripts")
        script = () if (scripts / self.release).exists() else (str(scripts / "sid"),)
        keys = ("--keyring", str(KEYRING)) if KEYRING.exists() else ()
        _call(["debootstrap", "--variant=minbase", *keys, self.release, str(self.tree), mirror(), *script])


def mirror() -> str:
    """The address that this machine takes its own Debian from. Raises Unavailable."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian", "Label: Debian"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    if not found:
        raise Unavailable("needs a Debian with a mirror among its apt sources")
    return found[0]


def environment() -> dict[str, str]:
    """This process's environment without what make, a virtual environment and a version manager have put there."""
    left_out = {"PYTHON", "PYO3_PYTHON", "VIRTUAL_ENV", "PYTHONPATH", "JAVA_HOME", "HYPOTHESIS_STORAGE_DIRECTORY"}
    kept = {k: v for k, v in os.environ.items() if k not in left_out and not k.startswith(("MAKE", "MFLAGS", "PYENV"))}
    return kept | {"LANG": "C.UTF-8"}


def inside() -> dict[str, str]:
    """The environment of a command inside a tree."""
    home = Path.home()
    folders = [*(str(home / name) for name in SHARED), *os.environ.get("PIP_FIND_LINKS", "").split()]
    path = f"{home}/.cargo/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return environment() | {"PATH": path, "BIND": ":".join(folders)}


def _call(command: list[str]) -> None:
    ran = subprocess.run(command, env=inside() | {"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive"},
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    if ran.returncode:
        raise Unavailable(f"{' '.join(command[:4])} failed:\n{ran.stdout[-3000:]}")
