"""The client for asyncio, and the source of its synchronous twin."""
