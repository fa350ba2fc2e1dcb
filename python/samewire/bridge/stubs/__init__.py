"""Type stubs of Java's classes: `from gateway.java.util import ArrayList` checks and completes as Python does."""
