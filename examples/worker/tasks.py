"""Tasks of Celery, whose broker, results and values are in Redis. Start a worker with

python -m samewire.redis celery -A tasks worker
"""

import os
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from celery import Celery
from samewire import pack
from samewire.redis import Client

URL = os.environ.get("REDIS_URL", "redis://localhost:6379")


@dataclass(slots=True, frozen=True)
class Item:
    """Part of an order."""

    name: str
    price: Decimal
    count: Annotated[int, pack.I32] = 1


@dataclass(slots=True, frozen=True)
class Order:
    """What a customer wants."""

    customer: str
    items: list[Item]


@dataclass(slots=True, frozen=True)
class Invoice:
    """What a customer has to pay."""

    customer: str
    total: Decimal


app = Celery("tasks", broker=URL, backend=URL)
app.conf.broker_connection_retry_on_startup = True
client = Client.from_url(URL)
orders = client.store(Order, prefix="order:")
invoices = client.store(Invoice, prefix="invoice:")


@app.task
def invoice(key: str) -> str:
    """Writes the invoice of an order. Messages of the queue carry the key alone; values stay typed in Redis."""
    order = orders.get(key)
    if order is None:
        raise LookupError(f"there is no order {key}")
    total = sum((item.price * item.count for item in order.items), Decimal())
    invoices.put(key, Invoice(order.customer, total))
    return f"invoice:{key}"
