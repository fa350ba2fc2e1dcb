// The servers that are loaded: how each is started, and what it is.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const BUILT = fileURLToPath(new URL("../../../build/bench/grpc/", import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = (name, kept) => ({ command: [process.execPath, here(`${name}.mjs`)], version: () => versionOf(kept), address: true });

/** The version that a package of ours or of others says it has. */
function versionOf(name) {
  if (name === "node") return process.version.slice(1);
  const file = name === "samewire" ? here("../../../typescript/package.json") : require.resolve(name).replace(/(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, "$1/package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}

const built = (name, version) => ({ command: [`${BUILT}${name}`], version: () => version, file: `${BUILT}${name}` });

const WIRE = "HTTP/2, HPACK, gRPC framing";
/** By name. `trusted` is true of none: all of them meet the network. */
export const SERVERS = {
  samewire: { ...node("samewire", "samewire"), kind: "typed", checks: WIRE },
  "grpc-js": { ...node("grpc-js", "@grpc/grpc-js"), kind: "typed", checks: WIRE },
  "nice-grpc": { ...node("nice-grpc", "nice-grpc"), kind: "typed", checks: WIRE },
  "connect-node": { ...node("connect-node", "@connectrpc/connect-node"), kind: "typed", checks: WIRE },
  "node-http2": { ...node("http2", "node"), kind: "dynamic", checks: "HTTP/2, HPACK; the message is left as bytes" },
  "grpc-go": { ...built("go-grpc", "1.85.0"), kind: "dynamic", checks: `${WIRE}; the message is left as bytes` },
  tonic: { ...built("tonic", "0.14.9"), kind: "typed", checks: `${WIRE}; one thread` },
};

/** Why a server cannot run here; empty where it can. */
export function missing({ file }) {
  if (file === undefined || existsSync(file)) return "";
  return existsSync(`${file}.missing`) ? readFileSync(`${file}.missing`, "utf8").trim() : "it is not built";
}

/** The words that start a server, with a certificate for TLS. */
export function started({ command, address }, tls) {
  if (tls === null) return address ? [...command, "127.0.0.1:0"] : command;
  return address ? [...command, "127.0.0.1:0", "--tls", tls.key, tls.cert] : [...command, tls.key, tls.cert];
}
