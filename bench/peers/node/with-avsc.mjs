// avsc: Avro's binary form by code generated from a schema; into a kept buffer by `encode`.

import avro from "avsc";

const book = {
  type: "record",
  name: "Book",
  fields: [...["id", "name", "author"].map((name) => ({ name, type: "string" })), { name: "publicationYear", type: "int" }],
};
const node = {
  type: "record",
  name: "Node",
  fields: [
    { name: "name", type: "string" },
    { name: "color", type: "string" },
    { name: "children", type: { type: "array", items: "Node" } },
  ],
};
const event = { type: "record", name: "Event", fields: [{ name: "i", type: "int" }, { name: "b", type: "boolean" }] };
const array = (items) => ({ type: "array", items });

const schemas = {
  event,
  tree: node,
  ints: array("int"),
  doubles: array("double"),
  strings: array("string"),
  uniqueStrings: array("string"),
  map: { type: "map", values: "int" },
};

/** avsc would infer 32 bits for a number with a fraction. */
const typeHook = (schema) => (schema === "float" || schema.type === "float" ? avro.Type.forSchema("double") : undefined);

/** The user's own data get the schema that avsc infers from them. */
function prepare({ name, value, own }) {
  const type = own ? avro.Type.forValue(value, { typeHook }) : avro.Type.forSchema(schemas[name] ?? array(book));
  const buffer = Buffer.alloc(1 << (own ? 26 : 20));
  return {
    adapt: name === "map" ? Object.fromEntries : undefined,
    encode: (item) => type.toBuffer(item),
    into: (item) => type.encode(item, buffer, 0),
    decode: (data) => type.fromBuffer(data),
    input: (data) => Buffer.from(data),
  };
}

export const rows = {
  avsc: { prepare, package: "avsc", kind: "schema", checks: "bounds", trusted: false, own: true },
};
