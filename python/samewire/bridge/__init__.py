"""bridge: call Java from Python and back (spec/bridge.md)."""
