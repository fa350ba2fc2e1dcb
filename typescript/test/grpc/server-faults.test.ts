import assert from "node:assert/strict";
import { constants } from "node:http2";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import * as grpcJs from "@grpc/grpc-js";
import { compressionAlgorithms, status } from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { clientStream, collect, framed, raw, serve, unary, until } from "./serving.js";
import type { Note } from "./serving.js";

type Unary = ServerUnaryCall<Note, Note>;
type Answer = sendUnaryData<Note>;

const echo = {
  Unary(call: Unary, callback: Answer) {
    callback(null, call.request);
  },
  Client(call: ServerReadableStream<Note, Note>, callback: Answer) {
    let number = 0;
    call.on("data", () => {
      number += 1;
    });
    call.on("end", () => {
      callback(null, { text: "", number });
    });
  },
};

/** A call that ends within itself, in `grpc-status` of its only header list or its trailers. */
function ended(reply: { headers: Record<string, unknown> | null; trailers: Record<string, unknown> | null }): unknown {
  return reply.trailers?.["grpc-status"] ?? reply.headers?.["grpc-status"];
}

test("requests that are not gRPC get a plain HTTP response", async (context) => {
  const serving = await serve(context, echo);
  const session = await serving.session();
  const text = framed('{"text":"x"}');
  assert.equal((await raw(session, { "content-type": "text/plain" }, [text])).headers?.[":status"], 415);
  assert.equal((await raw(session, { "content-type": "application/grpcweb" }, [text])).headers?.[":status"], 415);
  assert.equal((await raw(session, { ":method": "GET" })).headers?.[":status"], 405);
  assert.equal((await raw(session, { ":method": "PUT" }, [text])).headers?.[":status"], 405);
  assert.equal(serving.server.getStatistics().callsFailed, 4);
});

test("an error may carry metadata of grpc-js's own class", async (context) => {
  const serving = await serve(context, {
    Unary(_call: Unary, callback: Answer) {
      const metadata = new grpcJs.Metadata();
      metadata.add("reason", "first");
      metadata.add("reason", "second");
      callback({ code: status.NOT_FOUND, details: "none", metadata } as unknown as Parameters<Answer>[0]);
    },
  });
  const outcome = await unary(serving.client(), { text: "x", number: 1 });
  assert.deepEqual([outcome.code, outcome.details, outcome.trailers?.get("reason")], [status.NOT_FOUND, "none", ["first, second"]]);
});

test("content types of the family are taken, and te may be missing", async (context) => {
  const serving = await serve(context, echo);
  const session = await serving.session();
  const text = framed('{"text":"x"}');
  for (const [sent, answered] of [
    ["application/grpc", "application/grpc"],
    ["application/grpc+proto", "application/grpc+proto"],
    ["application/grpc+json", "application/grpc+json"],
    ["application/grpc; charset=utf-8", "application/grpc"],
    ["application/grpc+made-up", "application/grpc"],
  ] as const) {
    const reply = await raw(session, { "content-type": sent, te: "" }, [text]);
    assert.deepEqual([reply.headers?.["content-type"], ended(reply)], [answered, "0"]);
    assert.deepEqual(reply.body, text);
  }
});

test("a request split at every byte is the same request", async (context) => {
  const serving = await serve(context, echo);
  const session = await serving.session();
  const text = framed('{"text":"split"}');
  for (let cut = 1; cut < text.length; cut += 1) {
    const reply = await raw(session, {}, [text.subarray(0, cut), text.subarray(cut)]);
    assert.deepEqual([ended(reply), reply.body.equals(text)], ["0", true]);
  }
  const bytes = await raw(session, { ":path": "/notes.Notes/Client" }, [...Buffer.concat([text, text])].map((byte) => Uint8Array.of(byte)));
  assert.equal(bytes.body.subarray(5).toString(), '{"text":"","number":2}');
});

test("broken framing, timeouts and encodings end the call with their status", async (context) => {
  const serving = await serve(context, echo);
  const session = await serving.session();
  const text = framed('{"text":"x"}');
  const cases: [string, Record<string, string>, Uint8Array[], number][] = [
    ["a flag of 2", {}, [framed("x", 2)], status.INTERNAL],
    ["a message that is cut short", {}, [text.subarray(0, -1)], status.INTERNAL],
    ["a prefix that is cut short", {}, [text.subarray(0, 3)], status.INTERNAL],
    ["an announced length beyond the limit", {}, [Buffer.from([0, 0x7f, 0, 0, 0, 1])], status.RESOURCE_EXHAUSTED],
    ["no message", {}, [], status.UNIMPLEMENTED],
    ["two messages", {}, [text, text], status.UNIMPLEMENTED],
    ["a timeout without unit", { "grpc-timeout": "5" }, [text], status.INTERNAL],
    ["a timeout of nine digits", { "grpc-timeout": "123456789S" }, [text], status.INTERNAL],
    ["a timeout that has passed", { "grpc-timeout": "0m" }, [text], status.DEADLINE_EXCEEDED],
    ["an unknown path", { ":path": "/notes.Notes/Nothing" }, [text], status.UNIMPLEMENTED],
    ["an unknown service", { ":path": "/x/y" }, [text], status.UNIMPLEMENTED],
    ["a compressed message without encoding", {}, [framed("x", 1)], status.INTERNAL],
    ["a compressed message of an unknown encoding", { "grpc-encoding": "br" }, [framed("x", 1)], status.UNIMPLEMENTED],
    ["a compressed message that is none", { "grpc-encoding": "gzip" }, [framed("x", 1)], status.INTERNAL],
  ];
  for (const path of ["/notes.Notes/Unary", "/notes.Notes/Client"]) {
    for (const [name, headers, chunks, code] of cases) {
      if (path.endsWith("Client") && code === status.UNIMPLEMENTED && !("grpc-encoding" in headers) && !(":path" in headers)) continue;
      const reply = await raw(session, { ":path": path, ...headers }, chunks);
      assert.equal(reply.headers?.[":status"], 200, name);
      assert.equal(ended(reply), String(code), `${path}: ${name}`);
      assert.equal(reply.headers["grpc-accept-encoding"], "identity,deflate,gzip", name);
      assert.equal(reply.body.length, 0, name);
    }
  }
});

test("an uncompressed message is accepted with any encoding in the head", async (context) => {
  const serving = await serve(context, echo);
  const reply = await raw(await serving.session(), { "grpc-encoding": "br" }, [framed('{"text":"x"}')]);
  assert.equal(ended(reply), "0");
});

test("a fault while the client still sends ends the call at once", async (context) => {
  const serving = await serve(context, echo);
  const session = await serving.session();
  const reply = await raw(session, { ":path": "/notes.Notes/Client" }, [framed("x", 3)], true);
  assert.equal(ended(reply), String(status.INTERNAL));
  assert.equal(reply.reset, constants.NGHTTP2_NO_ERROR);
});

test("a client's deadline ends the call on both sides, once", async (context) => {
  const heard: string[] = [];
  let callback: Answer | null = null;
  const hear = (call: { on(event: "cancelled", listener: () => void): unknown; cancelled: boolean; getDeadline(): Date | number }, name: string): void => {
    const left = Number(call.getDeadline()) - Date.now();
    assert.ok(left > 0 && left <= 100, `${left}`);
    call.on("cancelled", () => heard.push(`${name} ${String(call.cancelled)}`));
  };
  const serving = await serve(context, {
    Unary(call: Unary, answer: Answer) {
      hear(call, "unary");
      callback = answer;
    },
    Bidi(call: ServerDuplexStream<Note, Note>) {
      hear(call, "bidi");
    },
  });
  const session = await serving.session();
  // A bare client does not end the call itself: the status is the server's.
  const single = await raw(session, { "grpc-timeout": "50m" }, [framed('{"text":"x"}')]);
  assert.equal(ended(single), String(status.DEADLINE_EXCEEDED));
  const both = await raw(session, { ":path": "/notes.Notes/Bidi", "grpc-timeout": "50000u" }, [], true);
  assert.equal(ended(both), String(status.DEADLINE_EXCEEDED));
  await until(() => heard.length === 2);
  assert.deepEqual(heard, ["unary true", "bidi true"]);
  (callback as unknown as Answer)(null, { text: "too late" });
  const outcome = await unary(serving.client(), { text: "" }, undefined, { deadline: Date.now() + 50 });
  assert.equal(outcome.code, status.DEADLINE_EXCEEDED);
});

test("a call that ends in time hears nothing of its deadline", async (context) => {
  let cancelled = 0;
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      call.on("cancelled", () => (cancelled += 1));
      callback(null, call.request);
    },
  });
  const session = await serving.session();
  assert.equal(ended(await raw(session, { "grpc-timeout": "20m" }, [framed('{"text":"x"}')])), "0");
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(cancelled, 0);
  assert.equal(serving.server.getStatistics().callsSucceeded, 1);
});

for (const how of ["cancel", "cut"] as const) {
  test(`every kind hears of a client's ${how}, once, and the statistics count it`, async (context) => {
    const heard: string[] = [];
    let started = 0;
    const wait = (name: string) => (call: { on(event: "cancelled", listener: () => void): unknown; cancelled: boolean }): void => {
      started += 1;
      call.on("cancelled", () => heard.push(`${name} ${String(call.cancelled)}`));
    };
    const serving = await serve(context, { Unary: wait("Unary"), Server: wait("Server"), Client: wait("Client"), Bidi: wait("Bidi") });
    const session = await serving.session();
    const requests = ["Unary", "Server", "Client", "Bidi"].map((name) => {
      const request = session.request({ ":method": "POST", ":path": `/notes.Notes/${name}`, "content-type": "application/grpc", te: "trailers" }, { endStream: false });
      request.on("error", () => undefined);
      if (name === "Unary" || name === "Server") request.end(framed('{"text":"x"}'));
      return request;
    });
    await until(() => started === 4);
    if (how === "cancel") for (const request of requests) request.close(constants.NGHTTP2_CANCEL);
    else session.destroy();
    await until(() => heard.length === 4);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(heard.sort(), ["Bidi true", "Client true", "Server true", "Unary true"]);
    const { callsFailed, callsSucceeded } = serving.server.getStatistics();
    assert.deepEqual([callsFailed, callsSucceeded], [4, 0]);
  });
}

test("what a handler sends after a cancellation goes nowhere and harms nothing", async (context) => {
  let late: (() => void) | null = null;
  const serving = await serve(context, {
    Unary(call: Unary, callback: Answer) {
      if (call.request.text === "wait") {
        late = () => {
          call.sendMetadata(call.metadata);
          callback(null, { text: "late" });
        };
      } else {
        callback(null, call.request);
      }
    },
    Bidi(call: ServerDuplexStream<Note, Note>) {
      late = () => {
        call.write({ text: "late" });
        call.end();
      };
    },
  });
  const client = serving.client();
  for (const start of [() => client.Unary({ text: "wait" }, new grpcJs.Metadata(), {}, () => undefined), () => client.Bidi()]) {
    late = null;
    const call = start();
    call.on("error", () => undefined);
    if (call instanceof Duplex) call.write({ text: "go" });
    await until(() => late !== null);
    call.cancel();
    await until(() => serving.server.getStatistics().callsFailed > 0);
    (late as unknown as () => void)();
    assert.equal((await unary(client, { text: "still here" })).note?.text, "still here");
  }
});

test("sizes: the limits hold in both directions, for each kind and for what is compressed", async (context) => {
  const serving = await serve(
    context,
    {
      ...echo,
      Server(call: ServerWritableStream<Note, Note>) {
        call.write({ text: "x".repeat(call.request.number ?? 0) });
        call.end();
      },
    },
    { "grpc.max_receive_message_length": 1_000, "grpc.max_send_message_length": 500 },
  );
  const client = serving.client();
  assert.equal((await unary(client, { text: "x".repeat(400) })).code, status.OK);
  const out = await unary(client, { text: "x".repeat(600) });
  assert.deepEqual([out.code, /^Sent message larger than max \(\d+ vs\. 500\): .*grpc\.max_send_message_length$/.test(out.details)], [status.RESOURCE_EXHAUSTED, true]);
  const into = await unary(client, { text: "x".repeat(2_000) });
  assert.deepEqual([into.code, into.details], [status.RESOURCE_EXHAUSTED, "Received message larger than max (2011 vs 1000): send less, or raise the server's option grpc.max_receive_message_length"]);
  assert.equal((await clientStream(client, [{ text: "" }, { text: "x".repeat(2_000) }])).code, status.RESOURCE_EXHAUSTED);
  assert.equal((await collect(client.Server({ text: "", number: 600 }))).code, status.RESOURCE_EXHAUSTED);
  const session = await serving.session();
  for (const length of [1_001, 500_000]) {
    const body = gzipSync(Buffer.alloc(length));
    const message = Buffer.concat([framed("", 1), body]);
    message.writeUInt32BE(body.length, 1);
    const reply = await raw(session, { "grpc-encoding": "gzip" }, [message]);
    assert.equal(ended(reply), String(status.RESOURCE_EXHAUSTED));
    assert.match(decodeURIComponent(String(reply.headers?.["grpc-message"])), /decompresses to a size larger than 1000: .*grpc\.max_receive_message_length$/);
  }
});

test("requests compressed by grpc-js are read, replies are compressed when asked for, both at any size", async (context) => {
  for (const algorithm of [compressionAlgorithms.gzip, compressionAlgorithms.deflate]) {
    const serving = await serve(
      context,
      {
        ...echo,
        Server(call: ServerWritableStream<Note, Note>) {
          for (let number = 0; number < 3; number += 1) call.write({ ...call.request, number });
          call.end();
        },
        Bidi(call: ServerDuplexStream<Note, Note>) {
          call.on("data", (note) => call.write(note));
          call.on("end", () => call.end());
        },
      },
      { "grpc.default_compression_algorithm": algorithm },
    );
    const client = serving.client({ "grpc.default_compression_algorithm": algorithm as number });
    for (const length of [0, 10, 300_000]) {
      const text = Array.from({ length }, (_, at) => String.fromCharCode(97 + (Math.imul(at, 2_654_435_761) >>> 27))).join("");
      const outcome = await unary(client, { text });
      assert.deepEqual([outcome.code, outcome.note?.text === text], [0, true]);
      const stream = await collect(client.Server({ text }));
      assert.deepEqual([stream.code, stream.notes.map(({ number }) => number), stream.notes.every((note) => note.text === text)], [0, [0, 1, 2], true]);
      const call = client.Bidi();
      const both = collect(call);
      for (let number = 0; number < 5; number += 1) call.write({ text, number });
      call.end();
      assert.deepEqual((await both).notes.map(({ number }) => number), [0, 1, 2, 3, 4]);
    }
  }
});

test("a reply is compressed only for a client that takes it, and the flag says so", async (context) => {
  const serving = await serve(context, echo, { "grpc.default_compression_algorithm": compressionAlgorithms.gzip });
  const session = await serving.session();
  const text = framed(JSON.stringify({ text: "x".repeat(1_000) }));
  const plain = await raw(session, {}, [text]);
  assert.deepEqual([plain.headers?.["grpc-encoding"], plain.body[0], plain.body.length], [undefined, 0, text.length]);
  const packed = await raw(session, { "grpc-accept-encoding": "identity, gzip" }, [text]);
  assert.deepEqual([packed.headers?.["grpc-encoding"], packed.body[0], packed.body.length < 200], ["gzip", 1, true]);
});

test("a client that goes on sending gets all that was sent before the call ended", async (context) => {
  const serving = await serve(context, {
    Bidi(call: ServerDuplexStream<Note, Note>) {
      for (let number = 0; number < 100; number += 1) call.write({ text: "x".repeat(10_000), number });
      call.end();
    },
  });
  const session = await serving.session();
  const request = session.request({ ":method": "POST", ":path": "/notes.Notes/Bidi", "content-type": "application/grpc", te: "trailers" }, { endStream: false });
  request.on("error", () => undefined);
  const message = framed('{"text":"more"}');
  // Nothing is read yet: most of the reply waits for the window when this comes.
  for (let count = 0; count < 20; count += 1) {
    request.write(message);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  let length = 0;
  let trailers: Record<string, unknown> | null = null;
  request.on("trailers", (fields: Record<string, unknown>) => (trailers = fields));
  request.on("data", (data: Buffer) => {
    length += data.length;
    if (!request.closed) request.write(message);
  });
  await new Promise((resolve) => request.once("close", resolve));
  const whole = Array.from({ length: 100 }, (_, number) => framed(JSON.stringify({ text: "x".repeat(10_000), number })).length);
  assert.equal(length, whole.reduce((sum, each) => sum + each));
  assert.equal((trailers as Record<string, unknown> | null)?.["grpc-status"], "0");
});

test("a connection that does not speak HTTP/2 leaves others alone", async (context) => {
  const serving = await serve(context, echo);
  const socket = connect(serving.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve).resume());
  assert.equal((await unary(serving.client(), { text: "x" })).code, status.OK);
});
