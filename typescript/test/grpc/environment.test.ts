import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, Metadata, Server, credentials, status } from "../../src/grpc/index.js";
import type { ChannelOptions, ServiceError, ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { bind, notes } from "./serving.js";
import type { Note } from "./serving.js";

/* What the environment's variables of grpc-js do. */

const LIBRARY = fileURLToPath(new URL("../../src/grpc/index.js", import.meta.url));

/** The output of a program that fails to connect once. */
async function traced(environment: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const program = `
    import { Client, credentials } from ${JSON.stringify(LIBRARY)};
    const client = new Client("127.0.0.1:1", credentials.createInsecure());
    const bytes = (value) => value;
    client.makeUnaryRequest("/a.B/C", bytes, bytes, Buffer.alloc(0), (error) => { console.log(error.code); client.close(); });`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env: { ...process.env, ...environment }, timeout: 30_000 });
}

test("GRPC_TRACE names what is written, at the verbosity DEBUG, to the standard error output", async () => {
  const { stdout, stderr } = await traced({ GRPC_TRACE: "subchannel,connectivity_state", GRPC_VERBOSITY: "DEBUG" });
  assert.equal(stdout, "14\n");
  assert.match(stderr, /^D \S+Z \| \d+ \| subchannel \| 127\.0\.0\.1:1 Connectivity state change to CONNECTING$/m);
  assert.match(stderr, /^D \S+Z \| \d+ \| connectivity_state \| 127\.0\.0\.1:1 Connectivity state change to TRANSIENT_FAILURE$/m);
  const some = await traced({ GRPC_NODE_TRACE: "all,-subchannel", GRPC_TRACE: "none", GRPC_NODE_VERBOSITY: "DEBUG" });
  assert.doesNotMatch(some.stderr, /\| subchannel \|/);
  assert.match(some.stderr, /\| connectivity_state \|/);
});

test("nothing is traced below the verbosity DEBUG, or unless it is named", async () => {
  assert.deepEqual(await traced({ GRPC_TRACE: "all", GRPC_VERBOSITY: "ERROR" }), { stdout: "14\n", stderr: "" });
  assert.doesNotMatch((await traced({ GRPC_TRACE: "", GRPC_VERBOSITY: "DEBUG" })).stderr, /connectivity_state/);
});

function get(address: string, text: string, options: ChannelOptions = {}): Promise<string | ServiceError> {
  const client = new Client(address, credentials.createInsecure(), options);
  const { path, requestSerialize, responseDeserialize } = notes.Unary;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text }, new Metadata(), { deadline: Date.now() + 10_000 }, (error, note) => {
      client.close();
      resolve(error ?? note!.text);
    });
  });
}

async function serving(): Promise<{ server: Server; port: number }> {
  const server = new Server();
  const broken = { ...notes, Unary: { ...notes.Unary, responseSerialize: (note: Note) => {
    if (note.text === "broken") throw new Error("a secret of the program");
    return notes.Unary.responseSerialize(note);
  } } };
  server.addService(broken, { unary: (call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, call.request); } });
  return { server, port: await bind(server, "127.0.0.1:0") };
}

test("GRPC_NODE_DEBUG_SEND_ERROR_DETAILS sends a serializer's error to clients", async (context) => {
  const { server, port } = await serving();
  context.after(() => {
    delete process.env["GRPC_NODE_DEBUG_SEND_ERROR_DETAILS"];
    server.forceShutdown();
  });
  const details = async (): Promise<unknown> => {
    const error = await get(`127.0.0.1:${port}`, "broken");
    return typeof error === "string" ? error : [error.code, error.details];
  };
  assert.deepEqual(await details(), [status.INTERNAL, "Error serializing response"]);
  process.env["GRPC_NODE_DEBUG_SEND_ERROR_DETAILS"] = "true";
  assert.deepEqual(await details(), [status.INTERNAL, "Error serializing response: a secret of the program"]);
});

test("GRPC_NODE_USE_ALTERNATIVE_RESOLVER asks the name servers instead of the system", async (context) => {
  const { server, port } = await serving();
  const asked: string[] = [];
  context.mock.method(Resolver.prototype, "resolve4", (host: string) => {
    asked.push(host);
    return Promise.resolve(["127.0.0.1"]);
  });
  context.mock.method(Resolver.prototype, "resolve6", () => Promise.reject(new Error("none")));
  process.env["GRPC_NODE_USE_ALTERNATIVE_RESOLVER"] = "true";
  context.after(() => {
    delete process.env["GRPC_NODE_USE_ALTERNATIVE_RESOLVER"];
    server.forceShutdown();
  });
  assert.equal(await get(`asked.invalid:${port}`, "x", { "grpc.service_config_disable_resolution": 1 }), "x");
  assert.deepEqual(asked, ["asked.invalid"]);
});

test("errors end with the frames of who made the call, if the channel's option or the environment asks for it", async (context) => {
  context.after(() => { delete process.env["SAMEWIRE_CALL_FRAMES"]; });
  const stack = async (options: ChannelOptions): Promise<string> => ((await get("127.0.0.1:1", "x", options)) as ServiceError).stack ?? "";
  assert.doesNotMatch(await stack({}), /for call at/);
  assert.match(await stack({ "samewire.call_frames": 1 }), /^Error: 14 UNAVAILABLE: [^]*\nfor call at\n[^]*environment\.test/);
  process.env["SAMEWIRE_CALL_FRAMES"] = "1";
  assert.match(await stack({}), /\nfor call at\n/);
  assert.doesNotMatch(await stack({ "samewire.call_frames": 0 }), /for call at/);
});
