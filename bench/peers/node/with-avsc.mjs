// avsc: Avro's binary form by code generated from a schema; into a kept buffer by `encode`.

import avro from "avsc";

const book = {
  type: "record",
  name: "Book",
  fields: ["id", "name", "author"].map((name) => ({ name, type: "string" })).concat({ name: "year", type: "int" }),
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

export function prepare(shape) {
  const type = avro.Type.forSchema(schemas[shape] ?? array(book));
  const buffer = Buffer.alloc(1 << 20);
  return {
    version: "5.7.9",
    adapt: shape === "map" ? Object.fromEntries : undefined,
    encode: (value) => type.toBuffer(value),
    into: (value) => type.encode(value, buffer, 0),
    decode: (data) => type.fromBuffer(data),
    input: (data) => Buffer.from(data),
  };
}
