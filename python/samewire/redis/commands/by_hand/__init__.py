"""Methods that the wire form of a command does not tell: plain functions, which the generated classes take over."""
