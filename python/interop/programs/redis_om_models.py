"""redis-om: hash models, sync and asyncio, without the search module."""

from __future__ import annotations

import datetime

from aredis_om import HashModel as AsyncHashModel
from aredis_om import get_redis_connection as get_async_connection
from harness import URL, check, run
from redis_om import HashModel, NotFoundError, get_redis_connection

connection = get_redis_connection(url=URL)


class Book(HashModel, index=True):
    title: str
    year: int
    price: float = 0.0
    published: datetime.date | None = None

    class Meta:
        database = connection
        global_key_prefix = "om"


@check
def saved_and_read() -> None:
    book = Book(title="Ünderwelt", year=1997, price=9.5, published=datetime.date(1997, 10, 3))
    book.save()
    assert Book.get(book.pk) == book
    assert connection.hget(book.key(), "title") == "Ünderwelt"
    book.update(year=1998)
    assert Book.get(book.pk).year == 1998


@check
def expires_and_is_deleted() -> None:
    book = Book(title="a", year=1)
    book.save()
    book.expire(50)
    assert 0 < connection.ttl(book.key()) <= 50
    assert Book.delete(book.pk) == 1
    try:
        Book.get(book.pk)
    except NotFoundError:
        pass
    else:
        raise AssertionError("no NotFoundError")


@check
def many_in_a_pipeline() -> None:
    books = [Book(title=str(i), year=i) for i in range(20)]
    Book.add(books)
    assert sorted(Book.get(pk).year for pk in Book.all_pks() if Book.get(pk).title.isdigit()) == list(range(20))
    assert Book.delete_many(books) == 20


@check
async def asyncio_models() -> None:
    class Note(AsyncHashModel, index=True):
        text: str

        class Meta:
            database = get_async_connection(url=URL)
            global_key_prefix = "aom"

    note = Note(text="later")
    await note.save()
    assert await Note.get(note.pk) == note
    assert [pk async for pk in await Note.all_pks()] == [note.pk]
    await Note.delete(note.pk)
    await Note.db().aclose()


run()
