"""What the server pushes. Blocking and asyncio subscribers share it."""
