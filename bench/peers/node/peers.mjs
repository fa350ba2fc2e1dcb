// The peers by name: the file and the function in it that prepares each.

const FILES = {
  "samewire-compact": ["samewire", "compact"],
  "samewire-fast": ["samewire", "fast"],
  "samewire-compact-typed": ["samewire", "compactTyped"],
  "samewire-fast-typed": ["samewire", "fastTyped"],
  "msgpackr-records": ["msgpackr", "records"],
  "msgpackr-bundle": ["msgpackr", "bundle"],
  "cbor-x": ["cbor-x", "records"],
  avsc: ["avsc", "prepare"],
  protobufjs: ["protobufjs", "prepare"],
  json: ["json", "prepare"],
};

export const PEERS = Object.keys(FILES);

/** The `prepare(shape)` of one peer; only its own file is loaded. */
export async function load(name) {
  const [file, prepare] = FILES[name];
  return (await import(`./with-${file}.mjs`))[prepare];
}
