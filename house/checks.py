"""Checks the packages by the registries' own tools, and by the rules that registries publish.

usage: python -m house.checks [--packages FOLDER] [--release]      (default: build/packages, which `house.packages` makes)

Prints a line for each check. The last line names what the project's owner has yet to fill in before a publication: with
`--release` it is a failure.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from pathlib import Path

from house import central

ROOT = Path(__file__).parents[1]
#: An environment of its own, which `make build/checkers/.stamp` prepares.
CHECKERS = ROOT / "build/checkers/bin"
MODULES = ROOT / "typescript/node_modules/.bin"
#: crates.io takes no crate without these, and shows the rest.
CRATE_KEYS = ("description", "license", "readme", "keywords", "categories")
MOST_KEYWORDS, LONGEST_KEYWORD, MOST_CATEGORIES = 5, 20, 5


def twine(folder: Path) -> list[str]:
    """Metadata and long descriptions of the wheels and the source package."""
    return _tool([str(CHECKERS / "twine"), "check", "--strict", *_files(folder, "*.whl", "*.tar.gz")])


def wheel_contents(folder: Path) -> list[str]:
    """Files that do not belong into a wheel, or lie in the wrong place."""
    return _tool([str(CHECKERS / "check-wheel-contents"), *_files(folder, "*.whl")])


def publint(folder: Path) -> list[str]:
    """The manifests of npm's packages: each entry of `exports` leads to a file of its kind."""
    return [found for name in _files(folder, "*.tgz") for found in _tool([str(MODULES / "publint"), "run", name, "--strict"])]


def attw(folder: Path) -> list[str]:
    """Their types: each resolution of TypeScript finds those of what it would run."""
    options = ["--no-color", "--no-emoji"]
    return [found for name in _files(folder, "*.tgz") for found in _tool([str(MODULES / "attw"), name, *options])]


def boms(folder: Path) -> list[str]:
    """Bills of materials are valid by the schema of their version."""
    return _tool([str(CHECKERS / "python"), str(ROOT / "house/checkers/boms.py"), *_files(folder, "*.cdx.json")])


def maven_central(folder: Path) -> list[str]:
    """POMs and jars by Central's rules, but for what only the owner can say."""
    return central.judge(folder).problems


def crates_io(folder: Path) -> list[str]:
    """The manifests of crates by the registry's rules."""
    problems = []
    for name in _files(folder, "*.crate"):
        with tarfile.open(name) as archive:
            manifest = archive.extractfile(f"{Path(name).stem}/Cargo.toml")
            assert manifest is not None
            package = tomllib.loads(manifest.read().decode())["package"]
        problems += [f"{Path(name).name}: `{key}` is missing" for key in CRATE_KEYS if not package.get(key)]
        keywords: list[str] = package.get("keywords", [])
        if len(keywords) > MOST_KEYWORDS or len(package.get("categories", [])) > MOST_CATEGORIES:
            problems.append(f"{Path(name).name}: at most {MOST_KEYWORDS} keywords and {MOST_CATEGORIES} categories are taken")
        problems += [f"{Path(name).name}: '{word}' is too long a keyword" for word in keywords if len(word) > LONGEST_KEYWORD]
    return problems


CHECKS: dict[str, Callable[[Path], list[str]]] = {
    "twine check": twine,
    "check-wheel-contents": wheel_contents,
    "publint": publint,
    "attw": attw,
    "CycloneDX's schema": boms,
    "Maven Central's rules": maven_central,
    "crates.io's rules": crates_io,
}


def _files(folder: Path, *patterns: str) -> list[str]:
    """Raises FileNotFoundError for a pattern that nothing matches: a checker that is given nothing finds nothing."""
    found = []
    for pattern in patterns:
        matched = sorted(str(path) for path in folder.glob(pattern))
        if not matched:
            raise FileNotFoundError(f"{folder} has no {pattern}: `make package` makes it")
        found += matched
    return found


def _tool(command: list[str]) -> list[str]:
    """Runs a checker; returns its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [(done.stdout + done.stderr).strip()] if done.returncode else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, default=ROOT / "build/packages")
    parser.add_argument("--release", action="store_true")
    options = parser.parse_args()
    folder: Path = options.packages
    failed = False
    for name, check in CHECKS.items():
        problems = check(folder)
        print("\n".join(problems) if problems else f"{name}: passed")
        failed |= bool(problems)
    if owners := central.judge(folder).owners:
        print(f"before publishing, the owner has to say in OWNER.toml: {', '.join(sorted(owners))}")
        failed |= options.release
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
