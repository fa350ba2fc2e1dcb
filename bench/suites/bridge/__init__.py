"""`bridge`: Python that calls Java."""
