"""`redis`: clients on a server of their own."""
