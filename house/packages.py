"""Makes the packages for the registries, from libraries that are built already.

usage: python -m house.packages [--out FOLDER]      (default: build/packages)

A wheel and its sources, a wheel that stands in for Py4J, an npm tarball and one that stands in for `@grpc/grpc-js`, three
jars a Java module (classes, sources, documentation), the command line of redis as one runnable jar, the crates, and a bill of
materials for each registry. Nothing is fetched but the Maven plugin that writes one, at first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from house import bom_pom, boms, bridge_jar, java_sources, manylinux, owner, redis_jar
from house.arrows import PARTS

ROOT = Path(__file__).parents[1]
VERSION = "0.1.0"
#: The version of `@grpc/grpc-js` whose names ours has (`typescript/alias.js`).
GRPC_JS = "1.14.7"
#: For a tool of the JDK that runs for seconds: it ends before code compiled by C2 pays.
SHORT = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
#: In archives that hold times: the same sources give the same bytes.
DATE = "2025-01-01T00:00:00Z"
#: In the order in which they would be published: what another depends on comes first.
CRATES = {
    f"samewire-{folder.replace('/', '-')}": folder
    for part in PARTS
    for folder in (f"{part}/derive", part)
    if (ROOT / "rust" / folder / "Cargo.toml").exists()
}
JAVA_MODULES = [part for part in PARTS if (ROOT / "java" / part / "pom.xml").exists()]


class PackagingError(Exception):
    """A tool refused; its words."""


def run(command: list[str], folder: Path, **environment: str) -> None:
    """Raises PackagingError where the command fails."""
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PackagingError(f"{' '.join(command)} in {folder}:\n{done.stdout}{done.stderr}")


def wheel(out: Path, scratch: Path, owned: owner.Owner) -> None:
    """The wheel, the one in Py4J's place, and the source package. From a copy, since building leaves files behind."""
    source = scratch / "python"
    left_out = shutil.ignore_patterns("tests", "build", "dist", "*.egg-info", ".*_cache", "__pycache__", "target")
    for folder in ("python", "rust"):
        shutil.copytree(ROOT / folder, scratch / folder, ignore=left_out)
    _rewrite(source / "pyproject.toml", owned.in_pyproject)
    # Debug information is the larger part, and names folders of this machine.
    run(["strip", "--strip-debug", "samewire/_native.so"], source)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    run([sys.executable, "-m", "pip", "wheel", "-q", *options, "--wheel-dir", str(out), "."], source)
    _say_which_glibc(next(out.glob("samewire-*.whl")), source / "samewire/_native.so")
    # Named after Py4J, with its version, since others pin that.
    run([sys.executable, "-m", "pip", "wheel", "-q", *options, "--wheel-dir", str(out), "./py4j-dist"], source)
    run([sys.executable, "-c", f"from setuptools import build_meta; build_meta.build_sdist({str(out)!r})"], source)


def _say_which_glibc(wheel: Path, library: Path) -> None:
    """Gives a wheel for Linux the tag that registries take, in place of its own."""
    platform = wheel.stem.rpartition("-")[2]
    if platform.startswith("linux_"):
        try:
            tag = manylinux.tag(library, platform.removeprefix("linux_"))
        except manylinux.NotPortable as why:
            raise PackagingError(f"{library.name}: {why}") from why
        run([sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheel.name], wheel.parent)


def tarball(out: Path, scratch: Path, owned: owner.Owner) -> None:
    """Packs `dist/`, which must exist. Packed twice: the first time as a copy in which the owner is named."""
    pack = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination"]
    run([*pack, str(scratch)], ROOT / "typescript")
    with tarfile.open(scratch / f"samewire-{VERSION}.tgz") as archive:
        archive.extractall(scratch / "npm", filter="data")
    _rewrite(scratch / "npm/package/package.json", owned.in_package_json)
    run([*pack, str(out)], scratch / "npm/package")


def alias(out: Path, scratch: Path) -> None:
    """The tarball for `overrides`: `samewire/grpc` as the package `@grpc/grpc-js`."""
    run(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(scratch)], ROOT / "typescript/dist/grpc-js")
    shutil.move(scratch / f"grpc-grpc-js-{GRPC_JS}.tgz", out / f"samewire-grpc-js-{GRPC_JS}.tgz")


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text("utf-8")), "utf-8")


def jars(out: Path, scratch: Path, owned: owner.Owner) -> None:
    """Classes, sources and documentation of each module, each with the licence."""
    for module in JAVA_MODULES:
        _jars_of(module, out, scratch / f"java-{module}")
    shutil.copy(ROOT / "java/pom.xml", out / f"samewire-parent-{VERSION}.pom")
    (out / f"samewire-bom-{VERSION}.pom").write_text(bom_pom.text(ROOT / "java/pom.xml", JAVA_MODULES), "utf-8")
    for pom in out.glob("*.pom"):
        _rewrite(pom, owned.in_pom)


def _jars_of(part: str, out: Path, scratch: Path) -> None:
    module = ROOT / "java" / part
    kotlin = (module / "src/main/kotlin").exists()
    # `make build-kotlin` has written Kotlin's documentation, too.
    built = "target/package" if kotlin else "target"
    sources = [module / "src/main/kotlin"] if kotlin else java_sources.roots(module)
    name = f"samewire-{part}-{VERSION}"
    licence = scratch / "licence"
    (licence / "META-INF").mkdir(parents=True)
    shutil.copy(module / "LICENSE", licence / "META-INF/LICENSE")
    documentation = module / built / "dokkaJavadoc" if kotlin else _javadoc(sources, module, scratch)
    # Maven has put the licence among the classes.
    parts = {"": [module / built / "classes"], "-sources": [*sources, licence], "-javadoc": [documentation, licence]}
    for kind, folders in parts.items():
        contents = [word for folder in folders for word in ("-C", str(folder), ".")]
        run(["jar", *SHORT, "--create", f"--date={DATE}", "--file", str(out / f"{name}{kind}.jar"), *contents], scratch)
    shutil.copy(module / "pom.xml", out / f"{name}.pom")


def _javadoc(sources: list[Path], module: Path, scratch: Path) -> Path:
    classpath = (module / "target/classpath.txt").read_text("utf-8").strip()
    documentation = scratch / "documentation"
    run(
        ["javadoc", *SHORT, "-quiet", "-Xdoclint:none", "-notimestamp", "--module-path", classpath, "-d", str(documentation)]
        + sorted(str(path) for root in sources for path in root.rglob("*.java")),
        scratch,
    )
    return documentation


def command_line(out: Path) -> None:
    """`java -jar` and nothing else: it holds what the command line of redis needs."""
    bridge_jar.write(out / f"samewire-redis-{VERSION}-cli.jar", redis_jar.entries())


def crates(out: Path, scratch: Path, owned: owner.Owner) -> None:
    """The patches stand for the registry, which by then has what a crate depends on. From the copy that `wheel` has made."""
    for folder in CRATES.values():
        _rewrite(scratch / "rust" / folder / "Cargo.toml", owned.in_manifest)
    wanted = [option for crate in CRATES for option in ("-p", crate)]
    patches = [option for crate, folder in CRATES.items() for option in ("--config", f'patch.crates-io.{crate}.path="{folder}"')]
    options = ["--no-verify", "--offline", "--allow-dirty"]
    run(["cargo", "package", "-q", *options, *patches, "--target-dir", str(scratch / "crates"), *wanted], scratch / "rust")
    for crate in CRATES:
        shutil.copy(scratch / f"crates/package/{crate}-{VERSION}.crate", out)


def make(out: Path, owned: owner.Owner | None = None) -> list[Path]:
    """Makes all packages; returns their files, sorted. `owned` is the content of OWNER.toml. Raises PackagingError."""
    try:
        owned = owned or owner.read()
        return _make(out, owned)
    except owner.OwnerError as error:
        raise PackagingError(str(error)) from error


def _make(out: Path, owned: owner.Owner) -> list[Path]:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        wheel(out, scratch, owned)
        tarball(out, scratch, owned)
        alias(out, scratch)
        jars(out, scratch, owned)
        command_line(out)
        crates(out, scratch, owned)
    try:
        boms.write(out, VERSION)
    except subprocess.CalledProcessError as error:
        raise PackagingError(str(error)) from error
    return sorted(out.iterdir())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build/packages")
    try:
        for path in make(parser.parse_args().out.resolve()):
            print(f"{path.stat().st_size:>10,} {path.name}")
    except PackagingError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
