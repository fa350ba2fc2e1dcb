"""Calls that PySpark makes at each operation of a column, and that need no round trip of their own.

PySpark stores the place in the program where a column is made in a thread-local variable of Java before the operation,
and clears it afterwards. Only later calls of the same Python thread can see the variable, since they run on the same
Java thread.
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
