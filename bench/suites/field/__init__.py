"""Real data sets."""
