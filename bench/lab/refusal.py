"""The error of a command that cannot be done."""


class Refusal(Exception):
    """The text says why, and what to do."""
