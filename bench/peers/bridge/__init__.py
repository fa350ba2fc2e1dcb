"""Bridges between Python and the JVM, beside bare transports and a bare JVM."""
