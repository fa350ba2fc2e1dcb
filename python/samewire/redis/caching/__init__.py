"""Client-side caching. Blocking and asyncio clients share it."""
