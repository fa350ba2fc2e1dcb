"""A web service that keeps books in Redis as typed values. Start it with `uvicorn catalogue:app`."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import FastAPI, HTTPException
from samewire import pack
from samewire.redis.aio import Client


@dataclass(slots=True, frozen=True)
class Book:
    """FastAPI checks it in requests, Samewire in Redis."""

    title: str
    author: str
    year: Annotated[int, pack.I32]
    pages: Annotated[int, pack.I32] = 0


@asynccontextmanager
async def connected(app: FastAPI) -> AsyncIterator[None]:
    """One client for all requests: what they send within one turn of the event loop goes out in one write."""
    async with Client.from_url(os.environ.get("REDIS_URL", "redis://localhost:6379")) as client:
        app.state.books = client.store(Book, prefix="book:", ttl=3600)
        yield


app = FastAPI(lifespan=connected)


@app.put("/books/{key}", status_code=204)
async def put(key: str, book: Book) -> None:
    """Stores a book for an hour."""
    await app.state.books.put(key, book)


@app.get("/books/{key}")
async def get(key: str) -> Book:
    """Returns a book, or 404."""
    book: Book | None = await app.state.books.get(key)
    if book is None:
        raise HTTPException(404, f"there is no book {key}")
    return book
