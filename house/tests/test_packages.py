"""What is given away: what lies in each package, and that a program in an empty project runs with it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from house import checks, packages, third_party
from house.neatness import MACHINE_PATHS
from house.runtimes.copies import copy
from house.sources import files

ROOT = packages.ROOT
LICENCE = (ROOT / "LICENSE").read_bytes()
#: Nothing of these belongs to what a user installs.
LEFT_OUT = re.compile(r"(^|/)(tests?|__pycache__|node_modules|target|\.[a-z_]+_cache|\.git)/|\.(pyc|tsbuildinfo|map)$")

PIP = ("--quiet", "--no-index", "--no-deps", "--disable-pip-version-check")
PYTHON = """
from samewire import pack
codec = pack.codec(list[int])
assert codec.decode(codec.encode([1, 974])) == [1, 974]
assert pack.__file__.startswith(__import__("sys").prefix), pack.__file__

import samewire.redis
from importlib.metadata import version
from samewire.redis import Client, aio
samewire.redis.install_as_redis()
import redis
assert (redis.Redis, redis.asyncio.Redis, version("redis")) == (Client, aio.Client, "8.1.0")
for client in (Client(), aio.Client()):
    client.store(list[int], prefix="numbers:", ttl=60)
"""
NODE = """
import * as pack from "samewire/pack";
const codec = pack.codec(pack.list(pack.i32));
const [one, other] = codec.decode(codec.encode([1, 974]));
if (one !== 1 || other !== 974) throw new Error("not what was written");
"""
JAVA = """
public class Program {
    public record Book(String id, int year) {}
    public static void main(String[] arguments) {
        var codec = io.samewire.pack.Pack.codec(Book.class);
        if (codec.decode(codec.encode(new Book("1001", 974))).year() != 974) throw new AssertionError();
    }
}
"""
RUST = """
#[derive(samewire_pack::Pack)]
pub struct Book { pub id: String, pub year: i32 }
pub fn year(codec: &samewire_pack::Codec<Book>, message: &[u8]) -> Option<i32> {
    codec.decode(message).ok().map(|book| book.year)
}
"""
MANIFEST = """
[package]
name = "program"
version = "0.0.0"
edition = "2021"
[dependencies]
samewire-pack = "0.1.0"
[patch.crates-io]
samewire-core = {{ path = "{core}" }}
samewire-pack = {{ path = "{pack}" }}
samewire-pack-derive = {{ path = "{derive}" }}
"""


def contents(path: Path) -> dict[str, bytes]:
    """Every file of an archive; its own outermost folder, if it has one, is left away."""
    if path.suffix in (".whl", ".jar"):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    with tarfile.open(path) as archive:
        members = {member.name.partition("/")[2]: archive.extractfile(member) for member in archive if member.isfile()}
        return {name: file.read() for name, file in members.items() if file is not None}


def run(command: list[str], folder: Path, **environment: str) -> None:
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def wheel(made: dict[str, Path]) -> Path:
    return next(path for path in made.values() if path.name.startswith("samewire-") and path.suffix == ".whl")


def py4j_wheel(made: dict[str, Path]) -> Path:
    return next(path for path in made.values() if path.name.startswith("py4j-"))


def test_the_wheel_says_which_glibc_it_needs(made: dict[str, Path]) -> None:
    assert re.search(rf"-cp3\d+-cp3\d+-manylinux_2_\d+_{platform.machine()}\.whl$", wheel(made).name)


def test_every_package_has_the_licence_and_nothing_that_is_no_users(made: dict[str, Path]) -> None:
    archives = [path for path in made.values() if path.suffix not in (".pom", ".json")]
    # A wheel, its sources, the wheel in Py4J's place, two npm tarballs, redis' command line; of each module for the JVM classes, sources and documentation.
    assert len(archives) == 6 + 3 * len(packages.JAVA_MODULES) + len(packages.CRATES)
    for path in archives:
        files = contents(path)
        assert any(name.rpartition("/")[2] == "LICENSE" and text == LICENCE for name, text in files.items()), path.name
        for name, text in files.items():
            assert not LEFT_OUT.search(name), (path.name, name)
            assert str(ROOT).encode() not in text, (path.name, name)
            if not name.endswith(".class"):
                assert not MACHINE_PATHS.search(text.decode("latin-1")), (path.name, name)


@pytest.mark.parametrize("name", [name for name in checks.CHECKS if name != "attw"])
def test_the_registries_checkers_pass(made: dict[str, Path], name: str) -> None:
    """Types are checked by `test_its_types_are_found_by_every_resolution`."""
    assert checks.CHECKS[name](wheel(made).parent) == []


def test_the_wheel_has_the_notices_of_what_it_contains(made: dict[str, Path]) -> None:
    (text,) = (text.decode() for name, text in contents(wheel(made)).items() if name.endswith("/THIRD_PARTY_NOTICES"))
    found = third_party.components()
    assert text == third_party.notices(found), "python -m house.third_party writes it"
    assert {"pyo3", "libc", "org.ow2.asm/asm"} <= {component.name for component in found}


def test_bills_of_materials_name_what_packages_need(made: dict[str, Path]) -> None:
    named = {
        kind: {part["name"] for part in json.loads(made[f"samewire-{kind}.cdx.json"].read_text())["components"]}
        for kind in ("wheel", "npm", "maven")
    }
    assert {"pyo3", "asm"} <= named["wheel"]
    assert named["npm"] == set()
    assert {"samewire-core", "samewire-redis", "asm"} <= named["maven"]
    assert "junit-jupiter" not in named["maven"]


def test_copies_of_the_licence_are_the_licence() -> None:
    crates = [f"rust/{folder}" for folder in packages.CRATES.values()]
    for folder in ("python", "python/py4j-dist", "typescript", *(f"java/{module}" for module in packages.JAVA_MODULES), *crates):
        assert (ROOT / folder / "LICENSE").read_bytes() == LICENCE


def test_the_wheel_says_what_it_is(made: dict[str, Path]) -> None:
    files = contents(wheel(made))
    assert {"samewire/py.typed", "samewire/_native.pyi", "samewire/_native.so", "samewire_py4j.pth"} <= files.keys()
    metadata = next(text.decode() for name, text in files.items() if name.endswith(".dist-info/METADATA"))
    for line in (
        "License-Expression: Apache-2.0",
        "Requires-Python: >=3.11",
        "Classifier: Typing :: Typed",
        "License-File: LICENSE",
    ):
        assert f"\n{line}\n" in metadata
    assert "Requires-Dist" not in metadata and "pack.codec(list[Book])" in metadata


def test_the_wheel_has_every_file_of_the_package(made: dict[str, Path]) -> None:
    """Stubs, what stands under redis-py's name, and its metadata too."""
    kept = {str(path) for path in files(ROOT) if path.is_relative_to("python/samewire")}
    inside = {f"python/{name}" for name in contents(wheel(made)) if name.startswith("samewire/")}
    made_here = {"_native.so", "bridge/samewire-bridge.jar", "py4j/samewire-py4j.jar"}
    assert inside - {f"python/samewire/{name}" for name in made_here} == kept
    assert {"python/samewire/redis/typed/store.py", "python/samewire/redis/commands/core.pyi"} <= kept


def test_the_source_package_has_what_is_compiled_and_nothing_that_was(made: dict[str, Path]) -> None:
    files = contents(made["samewire.tar.gz"])
    sources = {
        "samewire/__init__.py",
        "samewire/_native.pyi",
        "samewire/py.typed",
        "samewire_py4j.pth",
        "setup.py",
        "pyproject.toml",
        "README.md",
        "PKG-INFO",
    }
    rust = {
        "Cargo.toml",
        "Cargo.lock",
        ".cargo/config.toml",
        "python/build.rs",
        "python/src/lib.rs",
        "core/src/lib.rs",
        "pack/src/lib.rs",
        "pack/derive/src/lib.rs",
        "redis/src/lib.rs",
    }
    assert sources | {f"rust/{name}" for name in rust} <= files.keys()
    assert not [name for name in files if name.endswith((".so", ".rlib"))]


def test_the_tarball_has_its_types(made: dict[str, Path]) -> None:
    files = contents(made["samewire.tgz"])
    for name in (
        "dist/lib/core/index.js",
        "dist/src/core/index.d.ts",
        "dist/lib/pack/index.js",
        "dist/src/pack/index.d.ts",
        "dist/lib/pack/small.js",
        "dist/node/pack/small.d.cts",
        "dist/lib/grpc/index.js",
        "dist/src/grpc/index.d.ts",
        "dist/node/grpc/index.cjs",
        "dist/node/grpc/index.d.cts",
        "README.md",
    ):
        assert name in files, name
    kinds = (".js", ".cjs", ".mjs", ".d.ts", ".d.cts", ".d.mts", ".json", ".md", "LICENSE")
    assert all(name.endswith(kinds) for name in files)


def test_the_jars_are_classes_sources_and_documentation(made: dict[str, Path]) -> None:
    for part, name in (
        ("core", "Limits"),
        ("pack", "Codec"),
        ("pack-arrow", "ArrowTable"),
        ("redis", "client/RedisClient"),
        ("redis", "command/Strings"),
        ("redis-micrometer", "MicrometerObserver"),
        ("redis-opentelemetry", "OpenTelemetryObserver"),
        ("redis-spring", "SamewireConnectionFactory"),
        ("bridge", "Gateway"),
    ):
        path = f"io/samewire/{part.replace('-', '/')}/{name}"
        assert {"module-info.class", f"{path}.class"} <= contents(made[f"samewire-{part}.jar"]).keys()
        assert {"module-info.java", f"{path}.java"} <= contents(made[f"samewire-{part}-sources.jar"]).keys()
        assert f"io.samewire.{part.replace('-', '.')}/{path}.html" in contents(made[f"samewire-{part}-javadoc.jar"])


def test_kotlin_s_jars_are_classes_sources_and_documentation(made: dict[str, Path]) -> None:
    package = "io/samewire/redis/kotlin"
    assert {"module-info.class", f"{package}/AwaitKt.class"} <= contents(made["samewire-redis-kotlin.jar"]).keys()
    assert {"module-info.java", f"{package}/Await.kt"} <= contents(made["samewire-redis-kotlin-sources.jar"]).keys()
    page = contents(made["samewire-redis-kotlin-javadoc.jar"])[f"{package}/AwaitKt.html"].decode()
    assert "suspends until its reply is there" in page


def test_the_command_line_of_redis_runs_alone(made: dict[str, Path], tmp_path: Path) -> None:
    run(["java", "-jar", str(made["samewire-redis-cli.jar"]), "--help"], tmp_path)


def test_the_crates_name_each_other_by_version(made: dict[str, Path]) -> None:
    manifest = contents(made["samewire-pack.crate"])["Cargo.toml"].decode()
    for dependency in ("samewire-core", "samewire-pack-derive"):
        assert f'[dependencies.{dependency}]\nversion = "0.1.0"\n' in manifest
    for crate in packages.CRATES:
        files = contents(made[f"{crate}.crate"])
        assert {"README.md", "LICENSE", "src/lib.rs"} <= files.keys()
        for key in ("description", "license", "readme", "keywords", "categories"):
            assert f"\n{key} = " in files["Cargo.toml"].decode(), (crate, key)


def installed(package: Path, folder: Path) -> None:
    """Runs the program with a wheel in an environment of its own."""
    run([sys.executable, "-m", "venv", "--without-pip", "own"], folder)
    python = str(folder / "own/bin/python")
    run([sys.executable, "-m", "pip", "--python", python, "install", *PIP, str(package)], folder)
    run([python, "-c", PYTHON], folder)


#: Another Py4J, found by PYTHONPATH, as Spark's scripts have theirs.
OTHER = 'name = "other"'
WHICH = "import py4j; print(py4j.name if hasattr(py4j, 'name') else py4j.__name__)"


def test_a_variable_puts_ours_before_an_installed_py4j(made: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "py4j").mkdir()
    (tmp_path / "py4j/__init__.py").write_text(OTHER)
    run([sys.executable, "-m", "venv", "--without-pip", "own"], tmp_path)
    python = str(tmp_path / "own/bin/python")
    run([sys.executable, "-m", "pip", "--python", python, "install", *PIP, str(wheel(made))], tmp_path)
    elsewhere = tmp_path / "own"
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "SAMEWIRE"))}
    for value, expected, warned in (
        ("1", "samewire.py4j", False),
        ("True", "samewire.py4j", False),
        ("0", "other", False),
        ("", "other", False),
        (None, "other", False),
        ("sometimes", "other", True),
    ):
        told = {"PYTHONPATH": str(tmp_path), **({} if value is None else {"SAMEWIRE_PY4J": value})}
        done = subprocess.run(
            [python, "-c", WHICH], cwd=elsewhere, env={**environment, **told}, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == expected, value
        assert bool(done.stderr) == warned, done.stderr
        assert len(done.stderr.splitlines()) <= 1


def test_the_wheel_in_py4j_s_place_satisfies_those_who_pin_it(made: dict[str, Path], tmp_path: Path) -> None:
    run([sys.executable, "-m", "venv", "--without-pip", "own"], tmp_path)
    python = str(tmp_path / "own/bin/python")
    options = ["--quiet", "--no-index", "--disable-pip-version-check", "--find-links", str(wheel(made).parent)]
    run([sys.executable, "-m", "pip", "--python", python, "install", *options, "py4j==0.10.9.9"], tmp_path)
    run([python, "-c", f"{WHICH}; from py4j.java_gateway import JavaGateway; assert py4j.__name__ == 'samewire.py4j'"], tmp_path)
    assert any(name.endswith("METADATA") for name in contents(py4j_wheel(made)))


def in_python(made: dict[str, Path], folder: Path) -> None:
    installed(wheel(made), folder)


def in_python_from_source(made: dict[str, Path], folder: Path) -> None:
    """From what `cargo fetch` has put into its cache, in a short compilation: what is compiled is the same.

    Its files lie in one place and keep their times while they are the same: cargo compiles what has changed, and of a crate that
    has changed only the functions.
    """
    with tarfile.open(made["samewire.tar.gz"]) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.glob("samewire-*/")
    source = ROOT / "build/packages-check/source"
    copy(unpacked, source)
    for left in (source / "build", source / "samewire.egg-info"):
        shutil.rmtree(left, ignore_errors=True)
    (source / "samewire/_native.so").unlink(missing_ok=True)
    short = {
        "CARGO_PROFILE_RELEASE_LTO": "off",
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
        "CARGO_PROFILE_RELEASE_DEBUG": "false",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "256",
        "CARGO_PROFILE_RELEASE_INCREMENTAL": "true",
    }
    cargo = {"CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(ROOT / "build/packages-check"), **short}
    command = [sys.executable, "-m", "pip", "wheel", *PIP, "--no-build-isolation", str(source)]
    run(command, folder, **cargo)
    (built,) = folder.glob("*.whl")
    assert "samewire/_native.so" in contents(built)
    installed(built, folder)


def in_node(made: dict[str, Path], folder: Path) -> None:
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "program.mjs").write_text(NODE)
    options = ["--offline", "--no-audit", "--no-fund", "--silent"]
    run(["npm", "install", *options, str(made["samewire.tgz"])], folder)
    run(["node", "program.mjs"], folder)


def in_java(made: dict[str, Path], folder: Path) -> None:
    (folder / "Program.java").write_text(JAVA)
    listed = (ROOT / "java/pack/target/classpath.txt").read_text("utf-8").strip().split(":")
    others = [path for path in listed if not path.startswith(str(ROOT / "java"))]
    ours = [str(made[f"samewire-{part}.jar"]) for part in packages.JAVA_MODULES]
    run(["java", "-cp", ":".join(ours + others), "Program.java"], folder)


def in_rust(made: dict[str, Path], folder: Path) -> None:
    digest = hashlib.sha256()
    for crate in packages.CRATES:
        with tarfile.open(made[f"{crate}.crate"]) as archive:
            archive.extractall(folder, filter="data")
        digest.update(repr(contents(made[f"{crate}.crate"])).encode())
    # All files of a crate have one time, by which Cargo would take what it compiled of others.
    checked = ROOT / "build/packages-check"
    sources = checked / "sources.sha256"
    if not sources.exists() or sources.read_text() != digest.hexdigest():
        for path in folder.rglob("*.rs"):
            path.touch()
    paths = {crate.split("-")[-1]: f"{crate}-{packages.VERSION}" for crate in packages.CRATES}
    (folder / "Cargo.toml").write_text(MANIFEST.format(**paths))
    (folder / "src").mkdir()
    (folder / "src/lib.rs").write_text(RUST)
    # Of all that the workspace has locked, what it needs is in Cargo's cache.
    (folder / "Cargo.lock").write_bytes((ROOT / "rust/Cargo.lock").read_bytes())
    run(["cargo", "check", "-q", "--offline"], folder, CARGO_TARGET_DIR=str(checked))
    sources.write_text(digest.hexdigest())


@pytest.mark.parametrize(
    "install_and_run", [in_python, pytest.param(in_python_from_source, marks=pytest.mark.hard), in_node, in_java, in_rust]
)
def test_a_program_in_an_empty_project(
    made: dict[str, Path], tmp_path: Path, install_and_run: Callable[[dict[str, Path], Path], None]
) -> None:
    install_and_run(made, tmp_path)
