"""The version of Py4J whose interface this package has."""

__version__ = "0.10.9.9"
