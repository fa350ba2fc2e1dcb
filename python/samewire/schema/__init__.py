"""Tools around schemas: `infer` makes a schema from data, `emit` writes a schema's types in each language, `compare`
says which way messages can be read."""
