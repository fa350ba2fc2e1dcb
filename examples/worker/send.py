"""Stores an order, lets a worker write its invoice, and reads that. Start it with `python -m samewire.redis send.py`."""

from decimal import Decimal

from tasks import Item, Order, invoice, invoices, orders

orders.put("1001", Order("Ada", [Item("pen", Decimal("1.20"), 3), Item("ink", Decimal("7.95"))]))
print(invoice.delay("1001").get(timeout=60))
print(invoices.get("1001"))
