"""Commands: names, arguments and what becomes of their replies."""
