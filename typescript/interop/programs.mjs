// The third-party programs: built from pinned versions, started on loopback, ended by their process id.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BUILD = fileURLToPath(new URL("../../build/interop/", import.meta.url));
const BUILT = fileURLToPath(new URL("../dist/test/grpc/interop/", import.meta.url));
export const PYTHON = fileURLToPath(new URL("../../.venv/bin/python", import.meta.url));
const run = promisify(execFile);

const PACKAGES = {
  client: "google.golang.org/grpc/interop/client",
  server: "google.golang.org/grpc/interop/server",
  h2spec: "github.com/summerwind/h2spec/cmd/h2spec",
  grpcurl: "github.com/fullstorydev/grpcurl/cmd/grpcurl",
};

/** Where a program of a name lies once it is built. */
export const program = (name) => `${BUILD}bin/${name}`;

/** Where reports and certificates go. */
export const scratch = (name) => `${BUILD}${name}`;

/** Builds programs; Go keeps what has been built before. */
export async function build(names) {
  mkdirSync(`${BUILD}bin`, { recursive: true });
  for (const name of names) {
    await run("go", ["build", "-p", "2", "-mod=readonly", "-o", program(name), PACKAGES[name]], { cwd: HERE, timeout: 1_200_000 });
  }
}

/** A certificate of its own for `localhost`, valid for a day. */
export async function certificate() {
  const [key, cert] = [scratch("key.pem"), scratch("certificate.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject]);
  return { key, cert };
}

/** Runs a program to its end. Returns whether it succeeded, and its output. */
export async function judge(command, args, timeout = 60_000) {
  try {
    const { stdout, stderr } = await run(command, args, { timeout, maxBuffer: 1 << 26 });
    return { passed: true, text: stdout + stderr };
  } catch (error) {
    const text = `${error.stdout ?? ""}${error.stderr ?? ""}`;
    return { passed: false, text: error.killed ? `no end within ${timeout / 1000} s` : text || error.message };
  }
}

/** Runs `work` beside our server of the test service, with its port. */
export const besideOurs = (args, work) => beside(process.execPath, [`${BUILT}serve.js`, ...args], work);

/** Runs `work` beside grpcio's server, with its port. */
export const besideGrpcio = (work) => beside(PYTHON, [grpcio, "serve"], work);

/** Runs `work` beside a server that prints its port. */
async function beside(command, args, work) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [first] = await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => [""])]);
    const port = Number.parseInt(String(first), 10);
    if (!(port > 0)) throw new Error(`the server did not start: ${command} ${args.join(" ")}`);
    return await work(port);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Runs `work` beside grpc-go's server, with its port. */
export async function besideGrpcGo(work) {
  const port = await freePort();
  const child = spawn(program("server"), ["--port", String(port)], { stdio: "ignore" });
  try {
    await listening(port);
    return await work(port);
  } finally {
    child.kill("SIGKILL");
  }
}

/** grpcio's client and server, a program for {@link PYTHON}. */
export const grpcio = `${HERE}grpcio_peer.py`;

/** Our client's built program. */
export const ourClient = `${BUILT}client.js`;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function listening(port) {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      socket.destroy();
      return;
    } catch {
      await after(50);
    }
  }
  throw new Error(`nothing listens on port ${port}`);
}
