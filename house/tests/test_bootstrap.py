"""What a newcomer meets: help, and one line where something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def shell(script: str, *arguments: str, path: str) -> subprocess.CompletedProcess[str]:
    """Runs a script of house/ with nothing but `path` to find programs in."""
    command = [shutil.which("bash") or "bash", str(ROOT / "house" / script), *arguments]
    environment = {"PATH": path, "HOME": os.environ.get("HOME", ""), "PYTHON": "python3"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the few programs that every Debian has, and no others."""
    for name in ("sort", "head", "grep", "sed", "printf"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    return tmp_path


def fake(folder: Path, name: str, says: str) -> None:
    program = folder / name
    program.write_text(f"#!{shutil.which('bash')}\necho '{says}'\n")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("python", "missing: CPython 3.11 or newer; type: apt-get install python3 python3-venv\n"),
        (
            "java",
            "missing: JDK 17 or newer, Maven 3.8 or newer; type: apt-get install openjdk-17-jdk-headless maven\n",
        ),
        ("node", "missing: Node.js 20 or newer (from nodejs.org or a version manager), npm 9 or newer (comes with Node.js)\n"),
        (
            "miri",
            "missing: Miri of nightly Rust (type: rustup toolchain install nightly --component miri,rust-src)\n",
        ),
    ],
)
def test_a_missing_toolchain_stops_with_one_line(bare: Path, tool: str, expected: str) -> None:
    ran = shell("toolchains.sh", tool, path=str(bare))
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", expected)


def test_all_missing_toolchains_share_the_line(bare: Path) -> None:
    ran = shell("toolchains.sh", "python", "rust", "java", "node", path=str(bare))
    assert ran.stderr.count("\n") == 1
    assert all(name in ran.stderr for name in ("CPython", "cargo", "JDK", "Maven", "Node.js"))


@pytest.mark.parametrize(("says", "status"), [("v18.20.1", 1), ("v20.0.0", 0), ("v20.20.2", 0), ("v100.1.0", 0)])
def test_versions_are_compared_as_numbers(bare: Path, says: str, status: int) -> None:
    fake(bare, "node", says)
    fake(bare, "npm", "10.1.0")
    assert shell("toolchains.sh", "node", path=str(bare)).returncode == status


def test_present_packages_install_nothing(bare: Path) -> None:
    ran = shell("debian.sh", "sort=coreutils", f"{bare}=a-folder-that-is-there", path=str(bare))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_without_the_right_to_install_the_line_to_type_is_shown(bare: Path) -> None:
    fake(bare, "id", "1000")
    ran = shell("debian.sh", "sort=coreutils", "absent-browser=chromium", path=str(bare))
    assert ran.returncode == 1
    assert ran.stderr == "missing Debian packages; type: sudo apt-get install -y --no-install-recommends chromium\n"


def test_help_lists_every_target_that_the_readme_names() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in [
        "tour",
        "test",
        "build",
        "lint",
        "format",
        "vectors",
        "check-vectors",
        "fuzz",
        "matrix",
        "bench",
        "clean",
        "test-rust",
        "test-house",
    ]:
        assert f"  make {target} " in shown


def test_ci_is_the_developers_own_commands() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    commands = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
    assert commands == [
        "set -e",
        'cd "$(dirname "${BASH_SOURCE[0]}")/.."',
        "make test",
        "make lint",
        "make test-others",
        "make test-runtimes-short",
    ]


def test_linting_measures_nothing() -> None:
    # `bench` is a target and a folder: a list of sources that names the folder would measure for minutes.
    planned = subprocess.run(["make", "-n", "lint-typescript"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "bench run" not in planned
