"""Commands of modules under redis-py's names: documents (JSON), filters and sketches, time series, search.

They are methods of clients and pipelines, blocking or asyncio, of servers and clusters: `client.json().set("k", "$", {})`.
"""
