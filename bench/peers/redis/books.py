"""100,000 books, each under a key of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from samewire import pack

from bench.peers.redis.peer import Task, Window, WrongReply
from bench.peers.redis.server import Server
from bench.peers.redis.tasks import Measured

AT_ONCE = 1_000
"""Books that a peer sends and asks for together, where it is left to it."""
FIRST = ["Carrie", "'Salem's Lot", "The Shining", "Last Rung on the Ladder", "Böögeyman", "Cat from Hell", "The Stand"]
AUTHORS = ["Stephen King", "Richard Bachman", "Ursula K. Le Guin", "Stanisław Lem", "Astrid Lindgren"]


@dataclass
class Book:
    """The reference's book."""

    id: str
    name: str
    author: str
    year: Annotated[int, pack.I32]


def made(count: int) -> dict[str, Book]:
    """So many, the same each time, by name."""
    chance = random.Random(0)
    found = {}
    for number in range(count):
        name = f"{chance.choice(FIRST)}, vol. {chance.randrange(1, 400)}"
        found[str(number)] = Book(f"R{chance.getrandbits(40):010x}", name, chance.choice(AUTHORS), chance.randrange(1950, 2025))
    return found


def parts(some: list[Any]) -> Iterator[list[Any]]:
    """Chunks of a thousand."""
    return (some[begun : begun + AT_ONCE] for begun in range(0, len(some), AT_ONCE))


def task(
    workload: str,
    server: Server,
    put: Callable[[dict[str, Book]], object],
    get: Callable[[list[str]], list[Any]],
    close: Callable[[], object],
) -> Task:
    """Writing or reading all of them. What the server holds afterwards is told for one book."""
    kept: dict[int, dict[str, Book]] = {}
    empty = server.used_memory()

    def some(count: int) -> dict[str, Book]:
        if count not in kept:
            kept.clear()
            kept[count] = made(count)
            put(kept[count])
            if get(list(kept[count])) != list(kept[count].values()):
                raise WrongReply("the books that came back are others")
        return kept[count]

    def window(count: int) -> Window:
        books = some(count)
        names = list(books)
        measured = Measured()
        if workload == "books-put":
            put(books)
        else:
            get(names)
        return measured.end(count)

    def held() -> float:
        return (server.used_memory() - empty) / max(map(len, kept.values()))

    return Task(window, close, held)
