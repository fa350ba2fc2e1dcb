"""The blocking client: what of it is not shared with asyncio's."""
