"""Java's collections and arrays as Python's containers, by reference."""
