"""Samewire: typed values between Python, the JVM, JavaScript and Rust, the same bytes in every language."""

__version__ = "0.1.0"
