"""Commands that are sent together. Blocking and asyncio pipelines share it."""
