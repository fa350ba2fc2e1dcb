// The report of one peer on one workload: a digest of the data, the encoded bytes, then a cost for each operation. Node and browsers.

import { digest, dump, make } from "./reference.mjs";
import { fresh, once, repeated } from "./timing.mjs";

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
  const { id, name, author, publicationYear } = value;
  return { id: renewText(id), name: renewText(name), author: renewText(author), publicationYear };
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
const asItIs = (value) => value;

function start(row, workload) {
  const peer = row.prepare(workload);
  const value = (peer.adapt ?? asItIs)(workload.value);
  const data = Uint8Array.from(peer.encode(value));
  const input = peer.input ? peer.input(data) : data;
  return { peer, value, data, input, back: peer.decode(input) };
}

/** Yields plain objects, one a line of the report. `load` returns the row, `version` that of its package. */
export async function* report(load, version, workload, plan, ops) {
  if (!workload.own) yield { digest: digest(dump(workload.name, workload.value)) };
  try {
    yield* plan.samples > 0 ? run(await load(), version, workload, plan, ops) : paidOnce(load, workload);
  } catch (refused) {
    if (!workload.own) throw refused;
    yield { cannot: String(refused) };
  }
}

/** What a process pays before its first message: the library with another type, then this workload's own. */
async function* paidOnce(load, workload) {
  if (workload.own) {
    yield { op: "first", ...(await once(async () => start(await load(), workload))) };
    return;
  }
  const shape = workload.name === "event" ? "ints" : "event";
  const other = { name: shape, value: make(shape) };
  let row;
  const first = await once(async () => {
    row = await load();
    start(row, row.workloads && !row.workloads.includes(shape) ? workload : other);
  });
  if (row.kind === "limit") return;
  yield { op: "load", ...first };
  yield { op: "first", ...(await once(() => start(row, workload))) };
}

/** Fresh values that wait for the clock at a time, as many for each peer: one with small messages would find more of them out of the cache. */
function copies(workload) {
  return Math.max(1, Math.trunc(100_000 / dump(workload.name, workload.value).length));
}

async function* run(row, version, workload, plan, ops) {
  if (workload.own && !row.own) {
    yield { cannot: "it needs a schema of its own, written by hand" };
    return;
  }
  const { peer, value, data, input, back } = start(row, workload);
  yield { version: version(row.package), hex: hex(data) };
  if (!same(value, back)) {
    yield { wrong: "the decoded value differs from the encoded one" };
    return;
  }
  if (peer.into && peer.into(value) !== data.length) {
    yield { wrong: "encoding into a buffer gives another length" };
    return;
  }
  const adapt = peer.adapt ?? asItIs;
  const texts = !workload.own && !PLAIN.has(workload.name) && row.kind !== "limit";
  const runs = {
    encode: () => repeated(peer.encode, value, plan),
    into: () => peer.into && repeated(peer.into, value, plan),
    fresh: () => texts && fresh(peer.encode, () => adapt(renew(workload.value)), copies(workload), plan),
    decode: () => repeated(peer.decode, input, plan),
  };
  for (const op of ops) {
    const cost = await runs[op]();
    if (cost) yield { op, ...cost };
  }
}
