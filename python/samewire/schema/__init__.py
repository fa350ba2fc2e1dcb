"""Tools for schemas: `infer` makes a schema from data, `emit` writes a schema's types in each language, `compare`
checks the compatibility of two schemas."""
