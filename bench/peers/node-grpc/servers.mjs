// The servers that are measured: how each is started, and what it is.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { vacant } from "./processes.mjs";

const require = createRequire(import.meta.url);
const BUILT = fileURLToPath(new URL("../../../build/bench/grpc/", import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const WIRE = "HTTP/2, HPACK, gRPC framing";

/** The version that a package of ours or of others says it has. */
function versionOf(name) {
  const file = name === "samewire" ? here("../../../typescript/package.json") : require.resolve(name).replace(/(node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, "$1/package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}

/** A program in Node; what it compiles while it runs has to be warmed up. */
const node = (name, version) => ({
  kind: "typed",
  checks: WIRE,
  version,
  compiles: true,
  missing: () => "",
  start: async ({ tls }) => ({ command: [process.execPath, here(`${name}.mjs`), "127.0.0.1:0", ...(tls ? ["--tls", tls.key, tls.cert] : [])] }),
});

/** A program that the lab built beside, its version in a manifest; where it could not, the reason stands in a file. */
const built = (name, [manifest, pattern]) => ({
  kind: "typed",
  checks: WIRE,
  version: () => pattern.exec(readFileSync(here(manifest), "utf8"))[1],
  compiles: false,
  missing() {
    if (existsSync(`${BUILT}${name}`)) return "";
    return existsSync(`${BUILT}${name}.missing`) ? readFileSync(`${BUILT}${name}.missing`, "utf8").trim() : "it is not built";
  },
  start: async ({ tls }) => ({ command: [`${BUILT}${name}`, ...(tls ? [tls.key, tls.cert] : [])] }),
});

/** nghttp2's own server with the reply as a file: the floor, as it reads no request. */
const nghttpd = {
  kind: "limit",
  checks: "HTTP/2, HPACK; the request's body is dropped, the reply is a file",
  compiles: false,
  version: () => /nghttp2\/(\S+)/.exec(execFileSync("nghttpd", ["--version"], { encoding: "utf8" }))[1],
  missing() {
    try {
      return this.version() && "";
    } catch {
      return "no nghttpd: apt-get install nghttp2-server";
    }
  },
  async start({ folder, tls }) {
    const port = await vacant();
    const end = tls ? [port, tls.key, tls.cert] : ["--no-tls", port];
    return { command: ["nghttpd", "-a", "127.0.0.1", "-m", "1000", "-d", folder, "--trailer", "grpc-status: 0", ...end.map(String)], port };
  },
};

/** By name. `trusted` is true of none: all of them meet the network. `only`: the workloads of a row that differs from another in its interface. */
export const SERVERS = {
  samewire: node("samewire", () => versionOf("samewire")),
  "samewire-async": { ...node("samewire-async", () => versionOf("samewire")), only: ["c10-m50", "unary-100", "unary-1", "server-stream", "bidi-100"] },
  "grpc-js": node("grpc-js", () => versionOf("@grpc/grpc-js")),
  "nice-grpc": node("nice-grpc", () => versionOf("nice-grpc")),
  "connect-node": node("connect-node", () => versionOf("@connectrpc/connect-node")),
  "node-http2": { ...node("http2", () => process.version.slice(1)), kind: "dynamic", checks: "HTTP/2, HPACK; the message is left as bytes" },
  "grpc-go": { ...built("go-grpc", ["../go-grpc/go.mod", /google\.golang\.org\/grpc v(\S+)/]), kind: "dynamic", checks: `${WIRE}; the message is left as bytes` },
  tonic: { ...built("tonic", ["../rust-grpc/Cargo.lock", /name = "tonic"\nversion = "([^"]+)"/]), checks: `${WIRE}; one thread` },
  nghttpd,
};
