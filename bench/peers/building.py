"""Builds the runner of each language and returns the command that starts it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tour.places import java_libraries

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "bench" / "peers"
BUILD = ROOT / "build" / "bench"
COST = PEERS / "java" / "src" / "io" / "samewire" / "bench" / "Cost.java"
"""What an operation costs, as runners on the JVM report it."""

JAVAC = ("javac", "-encoding", "UTF-8", "--release", "17")
LINT = ("-Xlint:all,-path,-processing,-classfile", "-Werror")


class BuildError(Exception):
    """A runner could not be built; the text is the tool's own last words."""


def call(*command: str | Path, environment: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """The standard output of a command. Raises BuildError."""
    words = [str(part) for part in command]
    try:
        done = subprocess.run(words, cwd=cwd, env=os.environ | (environment or {}), capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise BuildError(f"{command[0]} is not installed") from missing
    if done.returncode:
        raise BuildError(f"{command[0]}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def changed(stamp: Path, sources: Iterable[Path]) -> str | None:
    """The text to write to `stamp` after building, or None where it is there already: what is built is made of these sources."""
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    text = digest.hexdigest() + "\n"
    return None if stamp.exists() and stamp.read_text() == text else text


def python() -> list[str]:
    """Nothing is built."""
    return [sys.executable, "-m", "bench.peers.python"]


def _packages() -> Path:
    folder = PEERS / "node"
    if not (folder / "node_modules").is_dir():
        call("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=folder)
    if not (ROOT / "typescript" / "dist").is_dir():
        raise BuildError("typescript is not built: make build-typescript")
    return folder


def _v8_options() -> list[str]:
    lines = (PEERS / "node" / "v8.options").read_text().splitlines()
    return [line for line in lines if line.startswith("--")]


def _jvm_options() -> Path:
    return PEERS / "java" / "jvm.options"


def without_options(command: list[str]) -> list[str]:
    """A runner's command without the options that steady figures: V8's, and of the JVM those of its heap and its compilers.

    Those that JMH gives a process that it forks stay.
    """
    tuned = f"@{_jvm_options()}"
    if tuned not in command:
        return [word for word in command if word not in _v8_options()]
    lines = [line for line in _jvm_options().read_text().splitlines() if line.startswith("-")]
    kept = [line for line in lines if not line.startswith(("-Xbatch", "-Xms", "-Xmx", "-Xmn", "-XX:+AlwaysPreTouch"))]
    at = command.index(tuned)
    return [*command[:at], *kept, *command[at + 1 :]]


def node() -> list[str]:
    """The collector can be called, to measure what is allocated."""
    return ["node", *_v8_options(), "--expose-gc", str(_packages() / "main.mjs")]


def browser() -> str:
    """The path of Chromium. Raises BuildError."""
    found = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if found is None:
        raise BuildError("no Chromium: apt-get install chromium, or set CHROMIUM to its path")
    return found


def chromium() -> list[str]:
    """Node drives the browser, which gets the V8 options that this Node was started with."""
    browser()
    return ["node", *_v8_options(), str(_packages() / "chromium.mjs")]


def rust(binary: str = "samewire-bench-peers", environment: dict[str, str] | None = None) -> list[str]:
    """By cargo, which knows what has changed."""
    manifest = PEERS / "rust" / "Cargo.toml"
    target = BUILD / "rust"
    command = ("cargo", "build", "-q", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
    call(*command, "--bin", binary, environment=environment)
    return [str(target / "release" / binary)]


def _resolved(folder: str) -> str:
    """The class path of a folder's pom, as the root's Makefile leaves it."""
    pom = PEERS / folder / "pom.xml"
    resolved = BUILD / "peers" / folder / "classpath.txt"
    if not resolved.exists() or resolved.stat().st_mtime < pom.stat().st_mtime:
        resolved.parent.mkdir(parents=True, exist_ok=True)
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
        call("mvn", "-q", "-B", "-ntp", "-f", pom, goal, f"-Dmdep.outputFile={resolved}")
        resolved.touch()
    return resolved.read_text().strip()


def class_path() -> str:
    """Peers as the root's Makefile resolves them, ours as `make build` left it. Raises BuildError."""
    peers = _resolved("java")
    ours = java_libraries()
    if not ours:
        raise BuildError("java is not built: make build-java")
    return ":".join([*ours, peers])


def _messages(libraries: str, into: Path, classes: Path) -> None:
    """protobuf's code for the reference data. Its compiler comes with the libraries; what it writes is not checked by our linters."""
    protoc = next(Path(part) for part in libraries.split(":") if part.endswith(".exe"))
    runnable = into / "protoc"
    into.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(protoc, runnable)
    runnable.chmod(0o755)
    call(runnable, f"--java_out={into}", f"--proto_path={PEERS}", PEERS / "reference.proto")
    call(*JAVAC, "-proc:none", "-nowarn", "-d", classes, "-cp", libraries, *into.rglob("*.java"))


def jvm() -> list[str]:
    """protobuf's code, then Java with JMH's annotation processor, then the peers in Scala."""
    libraries = class_path()
    classes = BUILD / "java-classes"
    java = [*(PEERS / "java" / "src").rglob("*.java"), ROOT / "tour" / "java" / "io" / "samewire" / "tour" / "Names.java"]
    scala = [*(PEERS / "java" / "src").rglob("*.scala")]
    stamp = classes / "stamp"
    state = changed(stamp, [*java, *scala, PEERS / "reference.proto", PEERS / "java" / "pom.xml"])
    if state:
        shutil.rmtree(classes, ignore_errors=True)
        generated = BUILD / "java-generated"
        shutil.rmtree(generated, ignore_errors=True)
        both = f"{classes}:{libraries}"
        for folder in (classes, generated / "jmh"):
            folder.mkdir(parents=True)
        _messages(libraries, generated / "protobuf", classes)
        call(*JAVAC, *LINT, "-s", generated / "jmh", "-d", classes, "-cp", both, *java)
        call("java", "-cp", libraries, "scala.tools.nsc.Main", "-nobootcp", "-cp", both, "-d", classes, *scala)
        stamp.write_text(state)
    return ["java", f"@{_jvm_options()}", _our_version(), "-cp", f"{classes}:{libraries}", "io.samewire.bench.Main"]


def grpc() -> list[str]:
    """The driver of gRPC servers. Those in Go and Rust are built beside it where there are compilers; else their rows say why not."""
    if shutil.which("h2load") is None:
        raise BuildError("no h2load: apt-get install nghttp2-client")
    folder = _node_grpc()
    target = BUILD / "grpc"
    target.mkdir(parents=True, exist_ok=True)
    manifest = PEERS / "rust-grpc" / "Cargo.toml"
    _beside(target / "go-grpc", lambda made: call("go", "build", "-o", made, ".", cwd=PEERS / "go-grpc"))
    _beside(target / "tonic", lambda made: _released("tonic", manifest, made))
    return ["node", str(folder / "main.mjs")]


def grpc_soak() -> list[str]:
    """The soak of our gRPC server."""
    return ["node", str(_node_grpc() / "soak.mjs")]


def _node_grpc() -> Path:
    """The programs in Node, with their packages."""
    folder = PEERS / "node-grpc"
    if not (folder / "node_modules").is_dir():
        call("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=folder)
    return folder


def bridge() -> list[str]:
    """The driver of bridges to the JVM, in an environment of the lab's own: peers, and ours as it lies in the work tree. Floors in C
    are built beside it where there is a compiler; else their rows say why not.
    """
    target, sources = BUILD / "bridge", PEERS / "bridge"
    python = target / "python" / "bin" / "python"
    pinned = sources / "requirements.txt"
    if state := changed(target / "python" / "stamp", [pinned]):
        shutil.rmtree(target / "python", ignore_errors=True)
        call(sys.executable, "-m", "venv", target / "python")
        call(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "--no-deps", "-r", pinned)
        folder = call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        (Path(folder) / "samewire.pth").write_text(f"{ROOT / 'python'}\n")
        (target / "python" / "stamp").write_text(state)
    _bridge_in_java(target, sources)
    _beside(target / "floor", lambda made: call("cc", "-O2", "-o", made, sources / "floor.c"))
    return [str(python), "-m", "bench.peers.bridge"]


def _bridge_in_java(target: Path, sources: Path) -> None:
    """What the bridges call, and the servers of those that start none of their own."""
    libraries = _resolved("bridge")
    java = [*(sources / "java").rglob("*.java")]
    if state := changed(target / "classes" / "stamp", [*java, sources / "pom.xml"]):
        shutil.rmtree(target / "classes", ignore_errors=True)
        (target / "classes").mkdir(parents=True)
        call(*JAVAC, *LINT, "-d", target / "classes", "-cp", libraries, *java)
        (target / "classpath.txt").write_text(libraries)
        (target / "classes" / "stamp").write_text(state)


def spark() -> list[str]:
    """The driver of PySpark, in the environment in which its doctests run. Raises BuildError if that is not there: 0.5 GB."""
    python = ROOT / "build" / "spark" / "4.3" / "bin" / "python"
    if not python.exists():
        raise BuildError("PySpark is not installed for the lab: make build/spark/4.3/.stamp")
    return [str(python), "-m", "bench.peers.spark"]


def redis() -> list[str]:
    """The driver of clients in Python, which starts a server for each. Programs in C and Rust are built beside it where there are
    compilers and hiredis; else their rows say why not.
    """
    redis_in_c()
    _beside(BUILD / "redis" / "redis-rs", lambda made: _released("redis-rs", PEERS / "rust-redis" / "Cargo.toml", made))
    return [sys.executable, "-m", "bench.peers.redis"]


def java_25() -> str:
    """The program of a JDK 25: that of `JAVA_25_HOME`, else where distributions put it; `java-25` where there is none."""
    homes = [Path(os.environ["JAVA_25_HOME"])] if "JAVA_25_HOME" in os.environ else sorted(Path("/usr/lib/jvm").glob("*-25-*"))
    found = next((home / "bin" / "java" for home in homes if (home / "bin" / "java").exists()), None)
    return str(found or "java-25")


def redis_jvm(java: str = "java") -> list[str]:
    """Ours and others' codecs of RESP and clients on the JVM, with JMH's annotation processor; no option but what JMH gives its own
    forks. A process in front starts the server that calls need.
    """
    sources, classes = PEERS / "redis-jvm", BUILD / "redis-jvm" / "classes"
    ours = java_libraries()
    if not (ROOT / "java" / "redis" / "target" / "classes").is_dir():
        raise BuildError("java is not built: make build-java")
    libraries = ":".join([*ours, _resolved("redis-jvm")])
    files = [*(sources / "src").rglob("*.java"), COST]
    if state := changed(classes / "stamp", [*files, sources / "pom.xml"]):
        generated = BUILD / "redis-jvm" / "generated"
        for folder in (classes, generated):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        call(*JAVAC, *LINT, "-s", generated, "-d", classes, "-cp", libraries, *files)
        (classes / "stamp").write_text(state)
    command = [
        sys.executable,
        "-m",
        "bench.peers.served",
        java,
        f"@{sources / 'jvm.options'}",
        _our_version(),
        "-cp",
        f"{classes}:{libraries}",
    ]
    return [*command, "io.samewire.bench.redis.Main"]


def _our_version() -> str:
    """That of our own libraries, as an option of the JVM: they lie beside the lab as classes, which tell none."""
    named = re.search(r"<version>([^<]+)</version>", (ROOT / "java" / "pom.xml").read_text())
    return f"-Dsamewire.version={named[1]}" if named else "-Dsamewire.version=?"


def redis_in_c() -> None:
    """The raw loop and the client on hiredis, in a second."""
    target, sources = BUILD / "redis", PEERS / "redis"
    target.mkdir(parents=True, exist_ok=True)

    def hiredis(made: Path) -> None:
        if not Path("/usr/include/hiredis/hiredis.h").exists():
            raise BuildError("no hiredis: apt-get install libhiredis-dev")
        call("cc", "-O2", "-o", made, sources / "hiredis.c", "-lhiredis")

    _beside(target / "raw", lambda made: call("cc", "-O2", "-o", made, sources / "raw.c"))
    _beside(target / "hiredis", hiredis)


def _beside(made: Path, build: Callable[[Path], object]) -> None:
    """Builds a program that the others can do without; why it could not be built stands in a file beside its place."""
    why = made.with_suffix(".missing")
    why.unlink(missing_ok=True)
    try:
        build(made)
    except BuildError as reason:
        made.unlink(missing_ok=True)
        why.write_text(str(reason))


def _released(name: str, manifest: Path, made: Path) -> None:
    """A program by cargo, from a project of its own."""
    target = BUILD / f"rust-{name}"
    call("cargo", "build", "-q", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
    shutil.copy2(target / "release" / f"samewire-bench-{name}", made)
