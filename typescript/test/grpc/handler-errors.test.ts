import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { ServerInterceptingCall, status } from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { clientStream, logging, serve, unary } from "./serving.js";
import type { Note } from "./serving.js";

for (const intercepted of [false, true]) {
  test(`an error that a handler emits ends its call${intercepted ? ", behind an interceptor, too" : ""}`, async (context) => {
    const heard: unknown[] = [];
    const serving = await serve(
      context,
      {
        Unary(call: ServerUnaryCall<Note, Note>) {
          if (call.request.text === "heard") call.on("error", (error) => heard.push(error));
          setImmediate(() => call.emit("error", Object.assign(new Error("no such book"), { code: status.NOT_FOUND })));
        },
      },
      intercepted ? { interceptors: [(_method, call) => new ServerInterceptingCall(call)] } : {},
    );
    for (const text of ["", "heard"]) {
      const outcome = await unary(serving.client(), { text });
      assert.deepEqual([outcome.code, outcome.details], [status.NOT_FOUND, "no such book"]);
    }
    assert.equal(heard.length, 1);
  });
}

test("an error's code that is not a gRPC status becomes UNKNOWN and is not sent", async (context) => {
  logging(context);
  const serving = await serve(context, {
    Unary(call: ServerUnaryCall<Note, Note>) {
      const thrown = Object.assign(new Error("duplicate key: bob@corp.example"), { code: call.request.number });
      if (call.request.text === "async") return Promise.reject(thrown);
      throw thrown;
    },
  });
  const client = serving.client();
  for (const text of ["", "async"]) {
    for (const number of [11_000, -104, 0, 17]) {
      const outcome = await unary(client, { text, number });
      assert.deepEqual([outcome.code, outcome.details], [status.UNKNOWN, "Unknown error"]);
    }
    const outcome = await unary(client, { text, number: status.UNAUTHENTICATED });
    assert.deepEqual([outcome.code, outcome.details], [status.UNAUTHENTICATED, "duplicate key: bob@corp.example"]);
  }
});

test("a handler sees the end of the requests that its client cancelled, then that it did", { timeout: 10_000 }, async (context) => {
  const events: string[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  const serving = await serve(context, {
    Bidi(call: ServerDuplexStream<Note, Note>) {
      call.on("data", () => call.write({ text: "joined" }));
      call.on("end", () => events.push("end"));
      call.on("cancelled", () => events.push("cancelled"));
      closed = once(call, "close").then(() => events.push("close"));
    },
  });
  const call = serving.client().Bidi();
  call.on("error", () => undefined);
  call.write({ text: "hello" });
  await once(call, "data");
  call.cancel();
  await closed;
  assert.deepEqual(events, ["end", "cancelled", "close"]);
});

test("a handler that iterates over the requests ends its loop when its client cancels", { timeout: 10_000 }, async (context) => {
  let ended: (how: string) => void;
  const loop = new Promise<string>((resolve) => { ended = resolve; });
  const serving = await serve(context, {
    async Bidi(call: ServerDuplexStream<Note, Note>) {
      try {
        for await (const note of call) call.write(note);
        ended("ended");
      } catch (thrown) {
        ended(String(thrown));
      }
    },
  });
  const call = serving.client().Bidi();
  call.on("error", () => undefined);
  call.write({ text: "hello" });
  await once(call, "data");
  call.cancel();
  assert.equal(await loop, "ended");
});

test("a handler writes and ends after a loop over the requests, to their end or with a break", { timeout: 10_000 }, async (context) => {
  const serving = await serve(context, {
    async Bidi(call: ServerDuplexStream<Note, Note>) {
      for await (const note of call) {
        call.write(note);
        if (note.text === "break") break;
      }
      await new Promise((resolve) => { setImmediate(resolve); });
      call.write({ text: "last" });
      call.end();
    },
  });
  for (const text of ["hello", "break"]) {
    const call = serving.client().Bidi();
    const texts: string[] = [];
    call.on("data", (note: Note) => texts.push(note.text));
    const over = once(call, "status");
    call.write({ text });
    if (text === "hello") call.end();
    const [{ code }] = (await over) as [{ code: number }];
    assert.deepEqual([code, texts], [status.OK, [text, "last"]]);
  }
});

test("a handler that failed its call does not see the end of the requests", async (context) => {
  const events: string[] = [];
  let closed: Promise<unknown> = Promise.resolve();
  const serving = await serve(context, {
    Client(call: ServerReadableStream<Note, Note>, callback: sendUnaryData<Note>) {
      call.on("data", () => { callback({ code: status.INVALID_ARGUMENT, details: "not this" }); });
      call.on("end", () => events.push("end"));
      closed = once(call, "close");
    },
  });
  const outcome = await clientStream(serving.client(), [{ text: "a" }, { text: "b" }]);
  assert.equal(outcome.code, status.INVALID_ARGUMENT);
  await closed;
  assert.deepEqual(events, []);
});
