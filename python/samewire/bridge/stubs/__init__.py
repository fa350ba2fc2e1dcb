"""Type stubs of Java's classes, for checkers and completion of `from gateway.java.util import ArrayList`."""
