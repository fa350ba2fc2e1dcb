// The report of one peer on one shape: a digest of the data, the encoded bytes, then a cost for each operation. Node and browsers.

import { digest, make } from "./reference.mjs";
import { fresh, repeated } from "./timing.mjs";

const PLAIN = new Set(["event", "ints", "doubles"]);

/** An equal value whose texts are all new strings, without cached hash. */
function renew(value) {
  if (typeof value === "string") return renewText(value);
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(renew);
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [renewText(key), item]));
  if ("children" in value) {
    return { name: renewText(value.name), color: renewText(value.color), children: value.children.map(renew) };
  }
  const { id, name, author, year } = value;
  return { id: renewText(id), name: renewText(name), author: renewText(author), year };
}

function renewText(text) {
  return typeof Buffer === "undefined" ? String.fromCharCode(...Array.from(text, (c) => c.charCodeAt(0))) : Buffer.from(text, "latin1").latin1Slice();
}

/** Equality of plain data: own fields, array items, map entries; classes do not count. */
function same(a, b) {
  if (typeof a !== "object" || a === null || b === null) return Object.is(a, b);
  if (a instanceof Map) return b instanceof Map && same([...a], [...b]);
  if (Array.isArray(a) || ArrayBuffer.isView(a)) return a.length === b.length && a.every((item, index) => same(item, b[index]));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Yields plain objects, one a line of the report. */
export function* report(prepare, shape, plan, operations) {
  const neutral = make(shape);
  yield { digest: digest(shape, neutral) };
  const peer = prepare(shape);
  const adapt = peer.adapt ?? ((value) => value);
  const value = adapt(neutral);
  const data = Uint8Array.from(peer.encode(value));
  yield { version: peer.version, hex: hex(data) };
  const input = peer.input ? peer.input(data) : data;
  if (!same(value, peer.decode(input))) {
    yield { wrong: "the decoded value differs from the encoded one" };
    return;
  }
  if (peer.into && peer.into(value) !== data.length) {
    yield { wrong: "encoding into a buffer gives another length" };
    return;
  }
  const copies = Math.max(1, Math.trunc(100_000 / data.length));
  const runs = {
    encode: () => repeated(peer.encode, value, plan),
    into: () => peer.into && repeated(peer.into, value, plan),
    fresh: () => !PLAIN.has(shape) && fresh(peer.encode, () => adapt(renew(neutral)), copies, plan),
    decode: () => repeated(peer.decode, input, plan),
  };
  for (const op of operations) {
    const cost = runs[op]();
    if (cost) yield { op, ...cost };
  }
}
