"""Calls that PySpark makes at each operation of a column, and that need no trip of their own.

The place in the program where a column was made is told to a variable of Java's thread before the operation, and taken back after
it. Nobody sees the variable but later calls of the same thread of Python's, which is the same thread of Java's.
"""

from __future__ import annotations

#: Static methods that are sent with the next call of their thread: the class, and the names.
POSTPONED = {"org.apache.spark.sql.catalyst.trees.PySparkCurrentOrigin": frozenset(("set", "clear"))}

#: What methods without arguments return for each object of a class.
CONSTANTS = {
    ("scala.Some", "isDefined"): True,
    ("scala.Some", "isEmpty"): False,
    ("scala.Some", "nonEmpty"): True,
    ("scala.None$", "isDefined"): False,
    ("scala.None$", "isEmpty"): True,
    ("scala.None$", "nonEmpty"): False,
}
