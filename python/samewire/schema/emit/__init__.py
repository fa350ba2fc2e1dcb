"""Native definitions for a schema, in each language: `python`, `java`, `typescript` and `rust` have one `emit` each."""
