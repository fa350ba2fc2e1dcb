"""What the judge needs: redis-py's tests, an interpreter with their requirements, certificates."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / "build/interop/redis-py"
#: redis-py's tests and their configuration, without redis-py itself, which would be found before ours.
SUITE = PLACE / "suite"
#: redis-py itself.
THEIRS = PLACE / "theirs"
PYTHON = PLACE / "venv/bin/python"
_PIP = ("-m", "pip", "-q", "--disable-pip-version-check")


def prepare() -> None:
    """Downloads and installs, once for each state of requirements.txt."""
    requirements = HERE / "requirements.txt"
    stamp = PLACE / "stamp"
    if stamp.exists() and stamp.stat().st_mtime > requirements.stat().st_mtime:
        return
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    _run(sys.executable, "-m", "venv", str(PLACE / "venv"))
    _run(str(PYTHON), *_PIP, "install", "--require-hashes", "--no-deps", "-r", str(requirements))
    _run(str(PYTHON), *_PIP, "uninstall", "-y", "redis")  # Only its tests are wanted here.
    source = PLACE / "source.txt"
    lines = requirements.read_text().replace("\\\n", " ").splitlines()
    source.write_text(next(line for line in lines if line.startswith("redis==")) + "\n")
    _run(
        sys.executable,
        *_PIP,
        "download",
        "--require-hashes",
        "--no-deps",
        "--no-binary",
        "redis",
        "-r",
        str(source),
        "-d",
        str(PLACE),
    )
    (archive,) = PLACE.glob("redis-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(PLACE / "unpacked", filter="data")
    (unpacked,) = (PLACE / "unpacked").iterdir()
    SUITE.mkdir()
    THEIRS.mkdir()
    for name in ("tests", "pyproject.toml"):
        (unpacked / name).rename(SUITE / name)
    (unpacked / "redis").rename(THEIRS / "redis")
    shutil.rmtree(PLACE / "unpacked")
    certificates(SUITE / "dockers/standalone/tls")
    stamp.touch()


def certificates(folder: Path) -> None:
    """An authority, a server's and clients' certificates, under the names that the tests look for."""
    folder.mkdir(parents=True)
    extensions = folder / "extensions"
    extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    new = ("req", "-newkey", "rsa:2048", "-nodes")
    openssl(*new, "-x509", "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=Judge's authority", "-days", "3650")
    for name, subject in (("redis", "localhost"), ("client", "client"), ("test_user", "test_user")):
        openssl(*new, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={subject}")
        sign = ("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "3650")
        openssl(*sign, "-extfile", "extensions", "-out", f"{name}.crt")


def _run(*command: str) -> None:
    environment = {**os.environ, "PIP_NO_INPUT": "1"}
    subprocess.run(command, check=True, env=environment)
