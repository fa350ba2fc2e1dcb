"""What the lab answers where it cannot do what was asked for."""


class Refusal(Exception):
    """The text says why, and what to do."""
