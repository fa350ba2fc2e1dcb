// The peers by name: the file, the function in it that prepares each, and its shapes if not all.

import { SHAPES } from "./reference.mjs";

const NUMBERS = ["ints", "doubles"];
const FILES = {
  "samewire-compact": ["samewire", "compact"],
  "samewire-fast": ["samewire", "fast"],
  "samewire-compact-typed": ["samewire", "compactTyped", NUMBERS],
  "samewire-fast-typed": ["samewire", "fastTyped", NUMBERS],
  "msgpackr-records": ["msgpackr", "records"],
  "msgpackr-bundle": ["msgpackr", "bundle"],
  "cbor-x": ["cbor-x", "records"],
  avsc: ["avsc", "prepare"],
  protobufjs: ["protobufjs", "prepare"],
  json: ["json", "prepare"],
};

/** The shapes of every peer. */
export const PEERS = Object.fromEntries(Object.entries(FILES).map(([name, [, , shapes]]) => [name, shapes ?? SHAPES]));

/** The `prepare(shape)` of one peer; only its own file is loaded. */
export async function load(name) {
  const [file, prepare] = FILES[name];
  return (await import(`./with-${file}.mjs`))[prepare];
}
