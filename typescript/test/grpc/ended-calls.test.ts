import assert from "node:assert/strict";
import { constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { test } from "node:test";
import * as samewire from "../../src/grpc/index.js";
import { InterceptingCall, ServerInterceptingCall, createClient, status, type ServerDuplexStream, type ServerWritableStream } from "../../src/grpc/index.js";
import { framed, logging, notes, serve, until } from "./serving.js";
import type { Note } from "./serving.js";

/*
 * A writer that obeys `write` and waits for 'drain' learns that its call has ended, however it ends, and writes no more:
 * here writes are counted. A writer that does not learn of the end would block the thread: it stops at `MOST`.
 */

const MOST = 200_000;
const note: Note = { text: "-".repeat(1_000) };

/** Writes without end as Node's documentation says, and what came of it. */
class Writer {
  writes = 0;
  /** Those after the call had ended that did not return false. */
  accepted = 0;
  readonly events: string[] = [];
  state: [boolean, boolean] | null = null;

  constructor(stream: { write: (note: Note) => boolean; on(event: string, listener: () => void): unknown; once(event: "drain", listener: () => void): unknown; readonly writable: boolean }, end: string, over: () => boolean) {
    let stop = false;
    stream.on(end, () => {
      if (stop) return;
      stop = true;
      this.events.push("end");
      this.state = [stream.writable, stream.write(note)];
    });
    stream.on("drain", () => { if (over()) this.events.push("drain"); });
    const go = (): void => {
      while (!stop && this.writes < MOST) {
        const ended = over();
        this.writes += 1;
        const room = stream.write(note);
        if (ended && room) this.accepted += 1;
        if (!room) {
          stream.once("drain", go);
          return;
        }
      }
    };
    go();
  }

  /** Checks that the end was reported once, before anything else, and that no message was accepted after it. */
  check(): void {
    assert.deepEqual([this.events, this.state, this.accepted], [["end"], [false, false], 0]);
    assert.ok(this.writes < MOST, `${this.writes} messages written`);
  }
}

type Written = ServerWritableStream<Note, Note> | ServerDuplexStream<Note, Note>;

/** The ways in which a client may end a call that it does not read. */
const ends: Record<string, (stream: ClientHttp2Stream, session: ClientHttp2Session, server: samewire.Server) => void> = {
  "its client resets it": (stream) => { stream.close(constants.NGHTTP2_CANCEL); },
  "its client's connection is cut": (_stream, session) => { session.destroy(); },
  "its client closes the connection with an error": (_stream, session) => { session.goaway(constants.NGHTTP2_INTERNAL_ERROR); session.destroy(); },
  "its deadline passes": () => undefined,
  "the server shuts down": (_stream, _session, server) => { server.forceShutdown(); },
};

const changing: NonNullable<samewire.ServerOptions["interceptors"]> = [
  (_method, call) => new ServerInterceptingCall(call, { sendMessage: (message: Note, next) => { next({ ...message, number: 7 }); } }),
];

for (const kind of ["Server", "Bidi"] as const) {
  for (const [how, options] of [["", {}], [" through interceptors", { interceptors: changing }]] as const) {
    for (const [what, end] of Object.entries(ends)) {
      test(`the handler of ${kind} stops writing when ${what}${how}`, async (context) => {
        let writer: Writer | null = null;
        let call: Written | null = null;
        const handler = (given: Written): void => {
          call = given;
          writer = new Writer(given, "cancelled", () => given.cancelled);
        };
        const serving = await serve(context, { [kind]: handler }, options);
        const session = await serving.session();
        const fields = { ":method": "POST", ":path": `/notes.Notes/${kind}`, "content-type": "application/grpc", te: "trailers" };
        const stream = session.request(what.includes("deadline") ? { ...fields, "grpc-timeout": "500m" } : fields);
        stream.on("error", () => undefined);
        stream.write(framed(JSON.stringify({ text: "" })));
        if (kind === "Server") stream.end();
        await until(() => writer !== null && writer.writes > 0);
        end(stream, session, serving.server);
        await until(() => writer!.events.length > 0);
        await until(() => call!.destroyed);
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
        writer!.check();
        assert.deepEqual([call!.cancelled, call!.destroyed, call!.writable], [true, true, false]);
      });
    }
  }
}

test("a handler whose call ends while it writes sees that at once", async (context) => {
  logging(context);
  let writes = 0;
  let cancelled = false;
  const serving = await serve(context, {
    Server(call: ServerWritableStream<Note, Note>) {
      while (!call.cancelled && writes < MOST) {
        writes += 1;
        call.write(note);
      }
      cancelled = call.cancelled;
      assert.deepEqual([call.writable, call.write(note)], [false, false]);
    },
  }, { "samewire.max_connection_queued_bytes": 1_000_000 });
  const session = await serving.session();
  session.request({ ":method": "POST", ":path": "/notes.Notes/Server", "content-type": "application/grpc" }).on("error", () => undefined).end(framed(JSON.stringify(note)));
  await until(() => cancelled);
  assert.ok(writes < 10_000, `${writes} messages written`);
});

test("a handler that writes from the callbacks of its writes learns that its call was cancelled", async (context) => {
  let writes = 0;
  let stopped = false;
  const serving = await serve(context, {
    Server(call: ServerWritableStream<Note, Note>) {
      const next = (): void => {
        writes += 1;
        if (!stopped && writes < MOST) call.write(note, next);
      };
      call.on("cancelled", () => { stopped = true; });
      next();
    },
  });
  const session = await serving.session();
  const stream = session.request({ ":method": "POST", ":path": "/notes.Notes/Server", "content-type": "application/grpc" }).on("error", () => undefined).end(framed(JSON.stringify(note)));
  await until(() => writes > 100);
  stream.close(constants.NGHTTP2_CANCEL);
  await until(() => stopped);
  assert.ok(writes < MOST, `${writes} messages written`);
});

test("a generator of the modern API stops producing messages once the call has ended", async (context) => {
  let made = 0;
  let cleaned = false;
  const server = samewire.createServer().add(notes as never, {
    async *Server() {
      try {
        for (; made < MOST; made += 1) {
          await Promise.resolve();
          yield note;
        }
      } finally {
        cleaned = true;
      }
    },
  } as never);
  const port = await server.serve("127.0.0.1:0");
  context.after(() => server.close(0));
  const client = createClient(notes as never, `127.0.0.1:${port}`) as unknown as { Server(note: Note): AsyncIterable<Note> } & AsyncDisposable;
  context.after(() => client[Symbol.asyncDispose]());
  const first = client.Server(note)[Symbol.asyncIterator]();
  await first.next();
  await first.return!();
  await until(() => cleaned);
  assert.ok(made < MOST, `${made} messages made`);
});

type Opened = samewire.ClientWritableStream<Note> | samewire.ClientDuplexStream<Note, Note>;
const Client = samewire.makeClientConstructor(notes, "notes.Notes");

/** How a call that sends ends before its writer. */
const outcomes: Record<string, { options?: samewire.CallOptions; early?: boolean; end?: (call: Opened, server: samewire.Server) => void }> = {
  "the caller cancels it": { end: (call) => { call.cancel(); } },
  "its deadline passes": { options: { deadline: 500 } },
  "the server ends it with a status": { early: true },
  "the server shuts down": { end: (_call, server) => { server.forceShutdown(); } },
};

for (const kind of ["Client", "Bidi"] as const) {
  for (const [how, interceptors] of [["", []], [" through interceptors", [(options: never, next: (options: never) => never) => new InterceptingCall(next(options))]]] as const) {
    for (const [what, { options, early, end }] of Object.entries(outcomes)) {
      test(`the caller of ${kind} stops writing when ${what}${how}`, async (context) => {
        let started = false;
        const failed = Object.assign(new Error("enough"), { code: status.FAILED_PRECONDITION });
        const { server, port } = await serve(context, {
          // Neither reads: the writer waits for room.
          Client(_call: unknown, callback: (error: samewire.ServerErrorResponse) => void) {
            started = true;
            if (early === true) setTimeout(callback, 50, failed);
          },
          Bidi(call: { emit(event: string, error: unknown): void }) {
            started = true;
            if (early === true) setTimeout(() => { call.emit("error", failed); }, 50);
          },
        });
        const client = new Client(`127.0.0.1:${port}`, samewire.credentials.createInsecure(), { interceptors: interceptors as never });
        context.after(() => { client.close(); });
        const settings = options === undefined ? {} : { deadline: Date.now() + Number(options.deadline) };
        const methods = client as unknown as { Client(options: object, callback: () => void): Opened; Bidi(options: object): Opened };
        const call = kind === "Client" ? methods.Client(settings, () => undefined) : methods.Bidi(settings);
        call.on("error", () => undefined);
        if (kind === "Bidi") (call as samewire.ClientDuplexStream<Note, Note>).resume();
        let over = false;
        call.on("status", () => { over = true; });
        const writer = new Writer(call, "status", () => over);
        await until(() => started || over);
        end?.(call, server);
        await until(() => call.destroyed);
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
        writer.check();
      });
    }
  }
}

test("a caller that has cancelled its call sees that at once", async (context) => {
  const { port } = await serve(context, { Bidi: () => undefined });
  const client = new Client(`127.0.0.1:${port}`, samewire.credentials.createInsecure());
  context.after(() => { client.close(); });
  const call = (client as unknown as { Bidi(): samewire.ClientDuplexStream<Note, Note> }).Bidi();
  call.on("error", () => undefined);
  call.write(note);
  call.cancel();
  assert.deepEqual([call.writable, call.write(note)], [false, false]);
  const error = await new Promise<unknown>((resolve) => call.write(note, resolve));
  assert.match(String(error), /The call has ended/);
});

test("the requests of a modern call are let go when it ends while they wait for room", async (context) => {
  let made = 0;
  let cleaned = false;
  const { port } = await serve(context, { Client(_call: unknown, callback: (error: samewire.ServerErrorResponse) => void) { setTimeout(callback, 50, Object.assign(new Error("enough"), { code: status.ABORTED })); } });
  const client = createClient(notes as never, `127.0.0.1:${port}`) as unknown as { Client(requests: AsyncIterable<Note>): Promise<Note> } & AsyncDisposable;
  context.after(() => client[Symbol.asyncDispose]());
  async function* requests(): AsyncGenerator<Note> {
    try {
      for (; made < MOST; made += 1) {
        await Promise.resolve();
        yield note;
      }
    } finally {
      cleaned = true;
    }
  }
  await assert.rejects(client.Client(requests()), { code: status.ABORTED });
  await until(() => cleaned);
  assert.ok(made < MOST, `${made} messages made`);
});
