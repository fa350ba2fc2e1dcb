"""The runner of PySpark: with Py4J, and with samewire.py4j and its jar in Py4J's place."""
