// protobuf.js: proto3 messages by code generated at run time.

import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const root = protobuf.loadSync(fileURLToPath(new URL("../reference.proto", import.meta.url)));

const messages = {
  event: "Event",
  tree: "Node",
  ints: "Ints",
  doubles: "Doubles",
  strings: "Strings",
  uniqueStrings: "Strings",
  map: "Counts",
};

function prepare({ name }) {
  const type = root.lookupType(`samewire.bench.${messages[name] ?? "Books"}`);
  const wrapped = name !== "event" && name !== "tree";
  const plain = name === "map" ? Object.fromEntries : (value) => value;
  return {
    adapt: (value) => type.fromObject(wrapped ? { value: plain(value) } : value),
    encode: (value) => type.encode(value).finish(),
    decode: (data) => type.decode(data),
    input: (data) => Buffer.from(data),
  };
}

export const rows = {
  protobufjs: { prepare, package: "protobufjs", kind: "schema", checks: "bounds, depth", trusted: false, own: false },
};
