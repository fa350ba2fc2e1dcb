// One server under h2load: started, checked, loaded, its CPU read from the kernel.

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** `abc` and 1 as an EchoMessage, behind gRPC's prefix: 12 bytes. The reply is the same. */
export const FRAME = Buffer.from("00000000070a036162631001", "hex");
const PATH = "/EchoService/Echo";
const HEAD = { "content-type": "application/grpc", te: "trailers" };

/** Files for h2load and TLS, in a folder of their own; `remove` takes them away. */
export function scratch(withTls) {
  const folder = mkdtempSync(join(tmpdir(), "samewire-load-"));
  const body = join(folder, "body.bin");
  writeFileSync(body, FRAME);
  let tls = null;
  if (withTls) {
    tls = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", tls.key, "-out", tls.cert, ...subject], { stdio: "ignore" });
  }
  return { body, tls, remove: () => rmSync(folder, { recursive: true }) };
}

/** A server's process and where it listens. */
export async function start(command) {
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), once(child, "exit").then(() => ["null"])]);
  const ready = JSON.parse(line);
  if (ready === null) throw new Error("the server ended before it listened");
  return { pid: child.pid, port: ready.port, stop: () => child.kill("SIGKILL") };
}

/** CPU time of all threads of a process so far, in nanoseconds. */
export function spent(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0);
}

/** Resident memory of a process, in bytes. */
export const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

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

/** Loads a server with `count` requests; nanoseconds a request, of the server's CPU and by the clock. Throws where a reply is bad. */
export async function load(server, { connections, streams }, count, body, tls) {
  const url = `${tls ? "https" : "http"}://localhost:${server.port}${PATH}`;
  const heads = Object.entries(HEAD).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const before = spent(server.pid);
  const { stdout } = await promisify(execFile)("h2load", [`-n${count}`, `-c${connections}`, `-m${streams}`, "-t1", ...heads, "-d", body, url]);
  const used = spent(server.pid) - before;
  const seconds = duration(/finished in ([\d.]+)(ms|us|s)/.exec(stdout));
  const good = Number(/(\d+) 2xx/.exec(stdout)?.[1]);
  const bytes = Number(/\((\d+)\) data/.exec(stdout)?.[1]);
  if (good !== count) throw new Error(`${good} of ${count} requests were answered`);
  // A gRPC error is a 200 too: what tells is the bytes.
  if (bytes !== count * FRAME.length) throw new Error(`${bytes} bytes came for ${count} replies of ${FRAME.length}`);
  return { cpu: used / count, wall: (seconds * 1e9) / count };
}

const duration = ([, figure, unit]) => Number(figure) / { s: 1, ms: 1e3, us: 1e6 }[unit];
