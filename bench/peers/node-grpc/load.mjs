// One server under h2load: its CPU read from the kernel, the bytes of every reply counted.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { output, spent } from "./processes.mjs";

/** `abc` and 1 as an EchoMessage, behind gRPC's prefix: 12 bytes. The reply is the same. */
export const FRAME = Buffer.from("00000000070a036162631001", "hex");
const PATH = "/EchoService/Echo";
const HEAD = { "content-type": "application/grpc", te: "trailers" };
/** Seconds that one load may take. */
const LONGEST = 120;

/** Files for h2load, TLS and a server of files, in a folder of their own; `remove` takes them away. */
export function scratch(withTls) {
  const folder = mkdtempSync(join(tmpdir(), "samewire-load-"));
  const body = join(folder, PATH);
  mkdirSync(dirname(body), { recursive: true });
  writeFileSync(body, FRAME);
  let tls = null;
  if (withTls) {
    tls = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", tls.key, "-out", tls.cert, ...subject], { stdio: "ignore" });
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  return { folder, body, tls, remove };
}

/** What is wrong with a server's answer to one call; null if it is the message and a good status. */
export async function fault(port, tls) {
  const session = connect(`${tls ? "https" : "http"}://localhost:${port}`, tls ? { ca: readFileSync(tls.cert) } : {});
  try {
    const call = session.request({ ":method": "POST", ":path": PATH, ...HEAD });
    const parts = [];
    let status;
    call.on("data", (part) => parts.push(part));
    call.on("trailers", (trailers) => (status = trailers["grpc-status"]));
    call.end(FRAME);
    await once(call, "end");
    if (!Buffer.concat(parts).equals(FRAME)) return `the reply's body is ${Buffer.concat(parts).toString("hex")}`;
    return status === "0" ? null : `grpc-status is ${status}`;
  } finally {
    session.close();
  }
}

/**
 * Loads a server with `count` requests; nanoseconds a request, of the server's CPU and by the clock, and what h2load tells of
 * requests (mean nanoseconds) and of connections (mean nanoseconds to the first byte, relative spread of their rates).
 * Throws where a reply is bad.
 */
export async function load(server, { connections, streams }, count, body, tls) {
  const url = `${tls ? "https" : "http"}://localhost:${server.port}${PATH}`;
  const heads = Object.entries(HEAD).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const before = spent(server.pid);
  const said = await output(["h2load", `-n${count}`, `-c${connections}`, `-m${streams}`, "-t1", ...heads, "-d", body, url], LONGEST);
  const used = spent(server.pid) - before;
  const good = Number(/(\d+) 2xx/.exec(said)?.[1]);
  const bytes = Number(/\((\d+)\) data/.exec(said)?.[1]);
  if (good !== count) throw new Error(`${good} of ${count} requests were answered`);
  // A gRPC error is a 200 too: what tells is the bytes.
  if (bytes !== count * FRAME.length) throw new Error(`${bytes} bytes came for ${count} replies of ${FRAME.length}`);
  const [, , rate, spread] = row(said, "req/s").map(Number);
  const [mean, first] = ["time for request", "time to 1st byte"].map((name) => duration(row(said, name)[2]));
  const wall = duration(/finished in ([^,]+),/.exec(said)[1]) / count;
  return { cpu: used / count, wall, told: { mean, first, spread: rate ? spread / rate : 0 } };
}

/** Least, greatest, mean and standard deviation, as h2load prints them. */
const row = (said, name) => new RegExp(`^${name}\\s*:(.*)$`, "m").exec(said)[1].trim().split(/\s+/);

/** Nanoseconds. */
const duration = (text) => parseFloat(text) * { s: 1e9, ms: 1e6, us: 1e3 }[/[a-z]+$/.exec(text)[0]];
