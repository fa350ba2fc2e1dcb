"""Tests that each peer of the lab carries the values, and is measured, from end to end."""
