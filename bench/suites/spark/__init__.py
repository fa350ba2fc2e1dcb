"""`spark`: what PySpark's driver asks of the JVM, with Py4J and on the bridge."""
