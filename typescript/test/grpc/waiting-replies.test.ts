import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { ServerInterceptingCall, status, type ServerOptions, type ServerWritableStream } from "../../src/grpc/index.js";
import { UNWRITABLE, collect, framed, logging, serve, until } from "./serving.js";
import type { Note } from "./serving.js";

/* Handlers that write on after `write` returned false: what waits for the client is serialized, counted and bounded. */

const interceptors: NonNullable<ServerOptions["interceptors"]> = [
  (_method, call) => new ServerInterceptingCall(call, { sendMessage: (message: Note, next) => { next({ ...message, number: 7 }); } }),
];
const note = (text: string): Note => ({ text: text.padEnd(10_000, "-") });

/** A call whose client reads nothing. */
function silent(session: ClientHttp2Session): ClientHttp2Stream {
  const stream = session.request({ ":method": "POST", ":path": "/notes.Notes/Server", "content-type": "application/grpc", te: "trailers" });
  stream.on("error", () => undefined).end(framed(JSON.stringify({ text: "" })));
  return stream;
}

for (const [how, options] of [["", {}], [" through interceptors", { interceptors }]] as const) {
  test(`messages that wait for the client arrive whole and in their order${how}`, async (context) => {
    const serving = await serve(context, {
      Server(call: ServerWritableStream<Note, Note>) {
        for (let at = 0; at < 300; at += 1) call.write(note(String(at)));
        call.end();
      },
    }, options);
    const { notes, code } = await collect(serving.client().Server({ text: "" }));
    assert.equal(code, status.OK);
    assert.deepEqual(notes.map(({ text }) => parseInt(text)), Array.from({ length: 300 }, (_, at) => at));
    assert.ok(notes.every(({ text, number }) => text.length === 10_000 && number === (how === "" ? undefined : 7)));
  });

  test(`a handler that writes more than a connection may hold ends its call with RESOURCE_EXHAUSTED, and no other${how}`, async (context) => {
    const logged = logging(context);
    let all: ServerWritableStream<Note, Note> | null = null;
    const ends: unknown[] = [];
    const serving = await serve(context, {
      Server(call: ServerWritableStream<Note, Note>) {
        all = call;
        if (call.request.text === "") for (let at = 0; at < 500; at += 1) call.write(note(String(at)), (error?: Error | null) => { ends.push(error); });
        else call.end();
      },
    }, { ...options, "samewire.max_connection_queued_bytes": 1_000_000 });
    const session = await serving.session();
    const stream = silent(session);
    await until(() => all !== null && all.cancelled);
    // Node's stream has let go of its messages, too: every one has been called back.
    await until(() => ends.length === 500);
    assert.equal(Reflect.get(all!, "writableLength"), 0);
    const other = serving.client();
    assert.equal((await collect(other.Server({ text: "end" }))).code, status.OK);
    // The client hears of it behind what it had not read.
    stream.resume();
    const [trailers] = (await once(stream, "trailers")) as [Record<string, string>];
    assert.equal(trailers["grpc-status"], String(status.RESOURCE_EXHAUSTED));
    assert.match(trailers["grpc-message"]!, /bytes of replies wait for the client, over the limit of 1000000 for a connection: .*samewire\.max_connection_queued_bytes/);
    assert.match(String(logged[0]), /Wait for 'drain' where write\(\) returns false/);
  });
}

test("a message that cannot be serialized ends the call behind those before it", async (context) => {
  logging(context);
  const serving = await serve(context, {
    Server(call: ServerWritableStream<Note, Note>) {
      for (let at = 0; at < 50; at += 1) call.write(at === 40 ? { text: UNWRITABLE } : note(String(at)));
      call.end();
    },
  });
  const { notes, code } = await collect(serving.client().Server({ text: "" }));
  assert.deepEqual([notes.length, code], [40, status.INTERNAL]);
});

test("what waits counts for the bound of the whole server, and calls of others go on", async (context) => {
  let calls = 0;
  const cancelled: number[] = [];
  const serving = await serve(context, {
    Server(call: ServerWritableStream<Note, Note>) {
      calls += 1;
      const own = calls;
      call.on("cancelled", () => { cancelled.push(own); });
      if (call.request.text === "") for (let at = 0; at < 90; at += 1) call.write(note(String(at)));
      else call.end();
    },
  }, { "samewire.max_queued_bytes": 2_500_000 });
  for (let at = 1; at <= 4; at += 1) {
    silent(await serving.session());
    await until(() => calls === at);
  }
  // Three hold 900 KB each: the oldest gives up.
  await until(() => cancelled.length > 0);
  assert.deepEqual(cancelled.slice(0, 1), [1]);
  assert.equal((await collect(serving.client().Server({ text: "end" }))).code, status.OK);
});
