// Samewire. "typed" rows carry numbers in typed arrays, which no peer here does: the same bytes, another model.

import * as pack from "../../../typescript/dist/lib/pack/index.js";

const Event = pack.struct("Event", { i: pack.i32, b: pack.bool });
const Book = pack.struct("Book", { id: pack.string, name: pack.string, author: pack.string, publicationYear: pack.i32 });
const Node = pack.struct("Node", { name: pack.string, color: pack.string, children: pack.list(pack.recursive(() => Node)) });

const types = {
  event: Event,
  tree: Node,
  ints: pack.list(pack.i32),
  doubles: pack.list(pack.f64),
  strings: pack.list(pack.string),
  uniqueStrings: pack.list(pack.string),
  map: pack.map(pack.string, pack.i32),
};

const typedArrays = { ints: [pack.array(pack.i32), Int32Array], doubles: [pack.array(pack.f64), Float64Array] };

function peer(type, profile, adapt) {
  const codec = pack.codec(type, { profile });
  const output = new pack.Output(1 << 20);
  return {
    adapt: adapt && ((value) => adapt(value, codec)),
    encode: (value) => codec.encode(value),
    into: (value) => {
      output.clear();
      return codec.encodeInto(value, output);
    },
    decode: (data) => codec.decode(data),
  };
}

const plain = (profile) => (workload) => {
  if (workload.own) return peer(pack.parse(workload.schema), profile, (_, codec) => codec.decode(workload.message));
  return peer(types[workload.name] ?? pack.list(Book), profile);
};

const typed = (profile) => ({ name }) => {
  const [type, array] = typedArrays[name];
  return peer(type, profile, (value) => array.from(value));
};

const about = { package: "samewire", kind: "typed", checks: "all bounds, text, schema types, limits", trusted: false };
const row = (profile) => ({ prepare: plain(profile), ...about, own: true, browser: true });
const numbers = (profile) => ({ prepare: typed(profile), ...about, own: false, workloads: Object.keys(typedArrays) });

export const rows = {
  "samewire-compact": row("compact"),
  "samewire-fast": row("fast"),
  "samewire-compact-typed": numbers("compact"),
  "samewire-fast-typed": numbers("fast"),
};
