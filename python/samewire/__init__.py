"""Samewire: typed values between Python, the JVM and JavaScript, the same bytes in every language."""

__version__ = "0.1.0"
