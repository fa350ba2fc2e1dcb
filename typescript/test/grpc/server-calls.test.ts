import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { Metadata, ServerCredentials, status } from "../../src/grpc/index.js";
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from "../../src/grpc/index.js";
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { UNWRITABLE, clientStream, collect, logging, serve, unary } from "./serving.js";
import type { Note } from "./serving.js";

type Unary = ServerUnaryCall<Note, Note>;
type Answer = sendUnaryData<Note>;

const echo: UntypedServiceImplementation = {
  Unary(call: Unary, callback: Answer) {
    callback(null, call.request);
  },
  Server(call: ServerWritableStream<Note, Note>) {
    for (let number = 0; number < (call.request.number ?? 0); number += 1) call.write({ text: call.request.text, number });
    call.end();
  },
  Client(call: ServerReadableStream<Note, Note>, callback: Answer) {
    let text = "";
    call.on("data", (note) => {
      text += note.text;
    });
    call.on("end", () => {
      callback(null, { text });
    });
  },
  Bidi(call: ServerDuplexStream<Note, Note>) {
    call.on("data", (note) => call.write(note));
    call.on("end", () => call.end());
  },
};

const pairs = [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }];
const transports = {
  "plain text": () => ({ server: ServerCredentials.createInsecure(), client: grpcJs.credentials.createInsecure() }),
  TLS: () => ({ server: ServerCredentials.createSsl(null, pairs), client: grpcJs.credentials.createSsl(AUTHORITY) }),
  "mutual TLS": () => ({
    server: ServerCredentials.createSsl(AUTHORITY, pairs, true),
    client: grpcJs.credentials.createSsl(AUTHORITY, CLIENT_KEY, CLIENT_CERTIFICATE),
  }),
  "a unix socket": () => ({ server: ServerCredentials.createInsecure(), client: grpcJs.credentials.createInsecure() }),
};

for (const [name, make] of Object.entries(transports)) {
  test(`all four kinds of call over ${name}`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "samewire-"));
    context.after(() => { rmSync(folder, { recursive: true }); });
    const { server, client: clientCredentials } = make();
    const serving = await serve(context, echo, {}, server, name === "a unix socket" ? `unix:${folder}/s` : "localhost:0");
    const client = serving.client({}, clientCredentials);
    const one = await unary(client, { text: "höllo", number: 3 });
    assert.deepEqual([one.code, one.note], [status.OK, { text: "höllo", number: 3 }]);
    const many = await collect(client.Server({ text: "x", number: 100 }));
    assert.deepEqual([many.code, many.notes.map(({ number }) => number)], [0, Array.from({ length: 100 }, (_, at) => at)]);
    const sum = await clientStream(client, ["a", "b", "c"].map((text) => ({ text })));
    assert.deepEqual([sum.code, sum.note], [0, { text: "abc" }]);
    const call = client.Bidi();
    const both = collect(call);
    for (let number = 0; number < 50; number += 1) call.write({ text: "y", number });
    call.end();
    const back = await both;
    assert.deepEqual([back.code, back.notes.length, back.notes.at(-1)?.number], [0, 50, 49]);
    const { callsStarted, callsSucceeded, messagesReceived, messagesSent } = serving.server.getStatistics();
    assert.deepEqual([callsStarted, callsSucceeded, messagesReceived, messagesSent], [4, 4, 55, 152]);
  });
}

test("a client without a certificate is turned away by mutual TLS, and the handler of one with sees it", async (context) => {
  const subjects: unknown[] = [];
  const serving = await serve(
    context,
    {
      Unary(call: Unary, callback: Answer) {
        subjects.push(call.getAuthContext().sslPeerCertificate?.subject.CN);
        callback(null, call.request);
      },
    },
    {},
    ServerCredentials.createSsl(AUTHORITY, pairs, true),
  );
  const untrusted = await unary(serving.client({}, grpcJs.credentials.createSsl(AUTHORITY)), { text: "" });
  assert.equal(untrusted.code, status.UNAVAILABLE);
  const known = await unary(serving.client({}, grpcJs.credentials.createSsl(AUTHORITY, CLIENT_KEY, CLIENT_CERTIFICATE)), { text: "" });
  assert.equal(known.code, status.OK);
  assert.deepEqual(subjects, ["test client"]);
});

test("a call tells who calls what, and the metadata without gRPC's own fields", async (context) => {
  const seen: Record<string, unknown>[] = [];
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      seen.push({ path: call.getPath(), host: call.getHost(), peer: call.getPeer(), deadline: call.getDeadline(), auth: call.getAuthContext(), ...call.metadata.getMap() });
      callback(null, call.request);
    },
  });
  const metadata = new grpcJs.Metadata();
  metadata.set("a", "1");
  metadata.set("b-bin", Buffer.from([1, 2, 255]));
  await unary(serving.client(), { text: "" }, metadata);
  const [{ "user-agent": agent, peer, ...rest }] = seen as [Record<string, unknown>];
  assert.match(String(agent), /^grpc-node-js/);
  assert.match(String(peer), /^(127\.0\.0\.1|\[::ffff:127\.0\.0\.1\]):\d+$/);
  assert.deepEqual(rest, { path: "/notes.Notes/Unary", host: serving.address, deadline: Infinity, auth: {}, a: "1", "b-bin": Buffer.from([1, 2, 255]) });
});

test("headers and trailers go out with every kind, once", async (context) => {
  const give = (call: { sendMetadata(metadata: Metadata): void }): Metadata => {
    const head = new Metadata();
    head.add("h", "1");
    head.add("h", "2");
    call.sendMetadata(head);
    call.sendMetadata(new Metadata());
    const trailers = new Metadata();
    trailers.set("t-bin", Buffer.from("end"));
    return trailers;
  };
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      callback(null, call.request, give(call));
    },
    Server(call: ServerWritableStream<Note, Note>) {
      const trailers = give(call);
      call.write(call.request);
      call.end(trailers);
    },
    Client(call: ServerReadableStream<Note, Note>, callback: Answer) {
      call.resume();
      callback(null, { text: "" }, give(call));
    },
    Bidi(call: ServerDuplexStream<Note, Note>) {
      call.end(give(call));
    },
  });
  const client = serving.client();
  for (const { code, headers, trailers } of [
    await unary(client, { text: "" }),
    await collect(client.Server({ text: "" })),
    await clientStream(client, [{ text: "" }]),
    await collect(client.Bidi()),
  ]) {
    assert.equal(code, status.OK);
    assert.equal(headers?.get("h").join(), "1, 2");
    assert.deepEqual(trailers?.get("t-bin"), [Buffer.from("end")]);
  }
});

test("trailers go out without headers of the handler's own", async (context) => {
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      const trailers = new Metadata();
      trailers.set("t", "1");
      callback(null, call.request, trailers);
    },
  });
  const { note, trailers } = await unary(serving.client(), { text: "x" });
  assert.deepEqual([note, trailers?.get("t")], [{ text: "x" }, ["1"]]);
});

test("an error's code, details and metadata reach the client; other errors are UNKNOWN", async (context) => {
  const metadata = new Metadata();
  metadata.set("why", "because");
  const errors: Record<string, unknown> = {
    whole: { code: status.NOT_FOUND, details: "nö: 100 %\n☺", metadata },
    text: Object.assign(new Error("only a message"), { code: status.ABORTED }),
    plain: new Error("plain"),
    odd: { code: "ENOENT", message: "no file" },
    far: { code: 4_711, details: "beyond the list" },
  };
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      callback(errors[call.request.text] as Error);
    },
    Server(call: ServerWritableStream<Note, Note>) {
      call.write(call.request);
      (call as unknown as { emit(event: string, error: unknown): void }).emit("error", errors[call.request.text]);
    },
  });
  const client = serving.client();
  const expected: [string, number, string][] = [
    ["whole", status.NOT_FOUND, "nö: 100 %\n☺"],
    ["text", status.ABORTED, "only a message"],
    ["plain", status.UNKNOWN, "plain"],
    ["odd", status.UNKNOWN, "no file"],
    ["far", 4_711, "beyond the list"],
  ];
  for (const [text, code, details] of expected) {
    const single = await unary(client, { text });
    assert.deepEqual([single.code, single.details], [code, details]);
    const stream = await collect(client.Server({ text }));
    assert.deepEqual([stream.code, stream.details, stream.notes.length], [code, details, 1]);
    if (text === "whole") assert.deepEqual([single.trailers?.get("why"), stream.trailers?.get("why")], [["because"], ["because"]]);
  }
});

test("handlers may be async: promises answer, rejections end the call, and the callback still counts", async (context) => {
  const logged = logging(context);
  const serving = await serve(context, {
    async Unary(call: Unary, callback: Answer) {
      await Promise.resolve();
      if (call.request.text === "throw") throw Object.assign(new Error("no"), { code: status.PERMISSION_DENIED });
      if (call.request.text === "secret") throw new Error("password");
      if (call.request.text === "callback") {
        setTimeout(() => {
          callback(null, { text: "called back" });
        }, 5);
        return undefined;
      }
      return { text: "returned" };
    },
    async Server(call: ServerWritableStream<Note, Note>) {
      call.write({ text: "first" });
      await Promise.resolve();
      throw Object.assign(new Error("late"), { code: status.DATA_LOSS });
    },
    async Client(call: ServerReadableStream<Note, Note>) {
      let count = 0;
      for await (const { text } of call) count += text.length;
      return { text: "", number: count };
    },
    async Bidi(call: ServerDuplexStream<Note, Note>) {
      for await (const note of call) call.write(note);
      call.end();
    },
  });
  const client = serving.client();
  const replies = await Promise.all(["throw", "secret", "callback", ""].map((text) => unary(client, { text })));
  assert.deepEqual(
    replies.map(({ code, details, note }) => [code, code === 0 ? note?.text : details]),
    [
      [status.PERMISSION_DENIED, "no"],
      [status.UNKNOWN, "Unknown error"],
      [status.OK, "called back"],
      [status.OK, "returned"],
    ],
  );
  assert.deepEqual(logged.map(([, error]) => (error as Error).message), ["password"]);
  const stream = await collect(client.Server({ text: "" }));
  assert.deepEqual([stream.code, stream.details, stream.notes.length], [status.DATA_LOSS, "late", 1]);
  assert.equal((await clientStream(client, [{ text: "a" }, { text: "b" }])).note?.number, 2);
  const call = client.Bidi();
  const both = collect(call);
  call.write({ text: "z" });
  call.end();
  assert.deepEqual((await both).notes, [{ text: "z" }]);
});

test("handlers that throw end the call with UNKNOWN, or with the code they throw", async (context) => {
  const fail = (call: { request?: Note }): never => {
    throw call.request?.text === "coded" ? Object.assign(new Error("x"), { code: status.OUT_OF_RANGE }) : new Error("secret");
  };
  const logged = logging(context);
  const serving = await serve(context, { Unary: fail, Server: fail, Client: fail, Bidi: fail });
  const client = serving.client();
  const outcomes = [await unary(client, { text: "" }), await collect(client.Server({ text: "" })), await clientStream(client, []), await collect(client.Bidi())];
  for (const { code, details } of outcomes) assert.deepEqual([code, details], [status.UNKNOWN, "Unknown error"]);
  // The text that the client must not see is in the log.
  assert.deepEqual(logged.map(([text, error]) => [text, (error as Error).message]), ["Unary", "Server", "Client", "Bidi"].map((name) => [`The handler of /notes.Notes/${name} failed:`, "secret"]));
  assert.equal((await unary(client, { text: "coded" })).code, status.OUT_OF_RANGE);
});

test("only the first answer counts", async (context) => {
  const serving = await serve(context, {
    Unary(_call: Unary, callback: Answer) {
      callback(null, { text: "first" });
      callback(null, { text: "second" });
      callback(new Error("third"));
    },
    Client(call: ServerReadableStream<Note, Note>, callback: Answer) {
      call.resume();
      call.on("end", () => {
        callback(null, { text: "first" });
        callback(new Error("second"));
      });
    },
  });
  const client = serving.client();
  assert.equal((await unary(client, { text: "" })).note?.text, "first");
  assert.equal((await clientStream(client, [{ text: "" }])).note?.text, "first");
  const { callsSucceeded, callsFailed } = serving.server.getStatistics();
  assert.deepEqual([callsSucceeded, callsFailed], [2, 0]);
});

test("what cannot be written or read is INTERNAL, and the handler of an unreadable request does not run", async (context) => {
  let runs = 0;
  const logged = logging(context);
  const serving = await serve(context, {
    Unary(_call: Unary, callback: Answer) {
      runs += 1;
      callback(null, { text: UNWRITABLE });
    },
    Server(call: ServerWritableStream<Note, Note>) {
      call.write({ text: UNWRITABLE });
      call.end();
    },
  });
  const client = serving.client();
  assert.deepEqual([(await unary(client, { text: "" })).code, runs], [status.INTERNAL, 1]);
  assert.equal((await collect(client.Server({ text: "" }))).code, status.INTERNAL);
  assert.deepEqual(logged.map(([text, error]) => [text, (error as Error).message]), ["Unary", "Server"].map((name) => [`A response of /notes.Notes/${name} cannot be serialized:`, "cannot write this"]));
  const broken: Promise<grpcJs.StatusObject> = new Promise((resolve) => {
    client
      .makeUnaryRequest("/notes.Notes/Unary", () => Buffer.from("{"), () => null, null, () => undefined)
      .on("status", resolve);
  });
  assert.deepEqual([(await broken).code, (await broken).details, runs], [status.INTERNAL, "Error deserializing request", 1]);
});

test("methods without a handler, and paths without a method, are UNIMPLEMENTED; handlers are found by either name", async (context) => {
  const serving = await serve(context, {
    unary(call: Unary, callback: Answer) {
      callback(null, call.request);
    },
  });
  const client = serving.client();
  assert.equal((await unary(client, { text: "x" })).note?.text, "x");
  for (const { code, details } of [await collect(client.Server({ text: "" })), await clientStream(client, []), await collect(client.Bidi())]) {
    assert.equal(code, status.UNIMPLEMENTED);
    assert.match(details, /does not implement the method/);
  }
  const unknown: Promise<grpcJs.StatusObject> = new Promise((resolve) => {
    client.makeUnaryRequest("/no/such", (text: string) => Buffer.from(text), () => null, "", () => undefined).on("status", resolve);
  });
  assert.deepEqual([(await unknown).code, (await unknown).details], [status.UNIMPLEMENTED, "The server does not implement the method /no/such"]);
});
