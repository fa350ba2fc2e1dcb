import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { createClient, InterceptingCall, ServerInterceptingCall } from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerInterceptor, ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { connect, pause, service, startPeer, until, type EchoClient } from "./peers.js";
import { clientStream, collect, serve, unary } from "./serving.js";
import type { Note } from "./serving.js";

/* Programs keep what belongs to a request of theirs in an AsyncLocalStorage, and make calls for many requests over
   one connection. */

const storage = new AsyncLocalStorage<string>();

/** Makes a call of every kind in a context, and notes in which context each of their events comes. */
function calls(client: EchoClient, name: string, heard: string[]): void {
  const note = (event: string): void => { heard.push(`${name} ${event} ${storage.getStore() ?? "nothing"}`); };
  storage.run(name, () => {
    client.Unary({ wait: 5 }, () => { note("unary"); });
    const watched = client.Unary({ wait: 5 }, () => { note("watched"); });
    watched.on("metadata", () => { note("metadata"); }).on("status", () => { note("status"); });
    const up = client.Up(() => { note("up"); });
    up.write({ number: 1 });
    up.end();
    const down = client.Down({ count: 2 });
    down.on("data", () => { note("data"); }).on("end", () => { note("end"); }).on("status", () => { note("streamed"); });
    const failing = client.Down({ count: 0, code: 5 });
    failing.on("error", () => { note("error"); }).resume();
    client.Unary({ wait: 1_000 }, { deadline: Date.now() + 20 }, () => { note("deadline"); });
  });
}

const EVENTS = ["data", "data", "deadline", "end", "error", "metadata", "status", "streamed", "unary", "up", "watched"];

for (const intercepted of [false, true]) {
  test(`what a caller hears comes in the context that it called in${intercepted ? ", through interceptors" : ""}`, async () => {
    const peer = await startPeer("samewire");
    const options = intercepted ? { interceptors: [(options: never, next: (options: never) => InterceptingCall) => new InterceptingCall(next(options))] as never } : {};
    // The connection is made in the context of another caller.
    const client = storage.run("first", () => connect(peer, options));
    const heard: string[] = [];
    for (const name of ["a", "b"]) calls(client, name, heard);
    await until(() => heard.length >= 2 * EVENTS.length, "all events");
    for (const name of ["a", "b"]) calls(client, name, heard);
    await until(() => heard.length >= 4 * EVENTS.length, "all events");
    await pause(10);
    const expected = ["a", "b"].flatMap((name) => EVENTS.flatMap((event) => [`${name} ${event} ${name}`, `${name} ${event} ${name}`]));
    assert.deepEqual(heard.sort(), expected.sort());
    client.close();
    peer.stop();
  });
}

test("promises, iterables and watchers of the modern interface keep their context", async () => {
  const peer = await startPeer("samewire");
  const client = createClient(service, peer.address);
  const heard: string[] = [];
  const one = (name: string): Promise<void> => storage.run(name, async () => {
    const watch = { onHeader: () => heard.push(`${name} header ${storage.getStore()!}`), onTrailer: () => heard.push(`${name} trailer ${storage.getStore()!}`) };
    await (client.Unary({ wait: 5 }, watch) as Promise<unknown>);
    heard.push(`${name} answer ${storage.getStore()!}`);
    for await (const item of client.Down({ count: 1 }) as AsyncIterable<unknown>) heard.push(`${name} ${item === undefined ? "nothing" : "item"} ${storage.getStore()!}`);
  });
  await Promise.all(["a", "b"].map(one));
  assert.deepEqual(heard.sort(), ["a", "b"].flatMap((name) => ["answer", "header", "item", "trailer"].map((event) => `${name} ${event} ${name}`)));
  await client[Symbol.asyncDispose]();
  peer.stop();
});

const passing: ServerInterceptor = (_method, call) => new ServerInterceptingCall(call);
for (const interceptors of [[], [passing]]) {
  test(`what a handler enters stays with its call, and its events find it${interceptors.length > 0 ? ", through interceptors" : ""}`, async (context) => {
    const seen = new Set<string>();
    const note = (event: string): void => { seen.add(`${event} ${storage.getStore() ?? "nothing"}`); };
    const enter = (name: string): void => {
      note(`${name} begins`);
      storage.enterWith(name);
    };
    const serving = await serve(context, {
      Unary(call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
        enter("unary");
        call.on("cancelled", () => { note("unary cancelled"); });
        if (call.request.text === "wait") return;
        callback(null, call.request);
      },
      Server(call: ServerWritableStream<Note, Note>) {
        enter("server");
        call.on("drain", () => {
          note("server drain");
          call.end();
        });
        while (call.write({ text: "x".repeat(10_000) }));
      },
      Client(call: ServerReadableStream<Note, Note>, callback: sendUnaryData<Note>) {
        enter("client");
        call.on("data", () => { note("client data"); });
        call.on("end", () => {
          note("client end");
          callback(null, { text: "" });
        });
      },
      Bidi(call: ServerDuplexStream<Note, Note>) {
        enter("bidi");
        call.on("data", () => { note("bidi data"); });
        call.on("cancelled", () => { note("bidi cancelled"); });
      },
    }, { interceptors });
    const client = serving.client();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([unary(client, { text: "x" }), collect(client.Server({ text: "x" })), clientStream(client, [{ text: "a" }, { text: "b" }])]);
      const call = client.Bidi();
      call.on("error", () => undefined);
      call.write({ text: "x" });
      const deadline = unary(client, { text: "wait" }, undefined, { deadline: Date.now() + 30 });
      await until(() => seen.has("bidi data bidi"), "a message");
      call.cancel();
      await deadline;
    }
    await until(() => seen.has("bidi cancelled bidi") && seen.has("unary cancelled unary"), "the cancellations");
    assert.deepEqual([...seen].sort(), [
      "bidi begins nothing", "bidi cancelled bidi", "bidi data bidi", "client begins nothing", "client data client", "client end client",
      "server begins nothing", "server drain server", "unary begins nothing", "unary cancelled unary",
    ]);
  });
}
