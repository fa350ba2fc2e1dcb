"""`pack`: a typed value to compact bytes and back."""
