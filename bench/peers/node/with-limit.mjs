// What no library can beat: to encode, a copy of bytes that hold the value at full width; to decode, the making of its objects and
// arrays alone. Texts are shared, since there is no cheapest way to make one.

import { dump } from "./reference.mjs";

function copy(value) {
  if (typeof value !== "object") return value;
  if (value instanceof Map) return new Map(value);
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(copy) : value.slice();
  if ("children" in value) return { name: value.name, color: value.color, children: value.children.map(copy) };
  if ("id" in value) return { id: value.id, name: value.name, author: value.author, publicationYear: value.publicationYear };
  return { i: value.i, b: value.b };
}

function prepare({ name, value }) {
  const bytes = dump(name, value);
  return { encode: () => bytes.slice(), decode: () => copy(value) };
}

export const rows = { limit: { prepare, kind: "limit", checks: "nothing", trusted: true, own: false, browser: true } };
