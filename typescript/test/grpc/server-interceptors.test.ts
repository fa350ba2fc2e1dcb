import assert from "node:assert/strict";
import { test } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import {
  Metadata,
  ResponderBuilder,
  ServerCredentials,
  ServerInterceptingCall,
  ServerListenerBuilder,
  createServerCredentialsWithInterceptors,
  status,
} from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerInterceptor, ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { clientStream, collect, framed, logging, raw, serve, unary, until } from "./serving.js";
import type { Note, Outcome, StreamOutcome } from "./serving.js";

type Answer = sendUnaryData<Note>;

const echo = {
  Unary(call: ServerUnaryCall<Note, Note>, callback: Answer) {
    callback(null, { text: `${call.request.text}${call.metadata.get("extra").join()}` });
  },
  Server(call: ServerWritableStream<Note, Note>) {
    call.write({ text: `${call.request.text}${call.metadata.get("extra").join()}` });
    call.end();
  },
  Client(call: ServerReadableStream<Note, Note>, callback: Answer) {
    let text = "";
    call.on("data", (note) => (text += note.text));
    call.on("end", () => {
      callback(null, { text: `${text}${call.metadata.get("extra").join()}` });
    });
  },
  Bidi(call: ServerDuplexStream<Note, Note>) {
    call.on("data", (note) => call.write({ text: `${note.text}${call.metadata.get("extra").join()}` }));
    call.on("end", () => call.end());
  },
};

/** One request through every kind. */
async function everyKind(context: Parameters<typeof serve>[0], interceptors: ServerInterceptor[], text: string): Promise<(Outcome | StreamOutcome)[]> {
  const serving = await serve(context, echo, { interceptors });
  const client = serving.client();
  const call = client.Bidi();
  const both = collect(call);
  call.write({ text });
  call.end();
  return [await unary(client, { text }), await collect(client.Server({ text })), await clientStream(client, [{ text }]), await both];
}

function texts(outcome: Outcome | StreamOutcome): (string | undefined)[] {
  return "notes" in outcome ? outcome.notes.map(({ text }) => text) : [outcome.note?.text];
}

/** Passes everything on after a turn of the event loop. */
const slow: ServerInterceptor = (_method, call) =>
  new ServerInterceptingCall(call, {
    start: (next) =>
      setImmediate(() => {
        next({
          onReceiveMetadata: (metadata, pass) => setImmediate(() => { pass(metadata); }),
          onReceiveMessage: (message, pass) => setImmediate(() => { pass(message); }),
          onReceiveHalfClose: (pass) => setImmediate(pass),
        });
      }),
    sendMetadata: (metadata, next) => setImmediate(() => { next(metadata); }),
    sendMessage: (message, next) => setImmediate(() => { next(message); }),
    sendStatus: (ending, next) => setImmediate(() => { next(ending); }),
  });

test("interceptors that do nothing, and those that take their time, change nothing", async (context) => {
  const idle: ServerInterceptor = (_method, call) => new ServerInterceptingCall(call);
  for (const interceptors of [[idle], [slow], [idle, slow, idle], [slow, slow]]) {
    for (const outcome of await everyKind(context, interceptors, "x")) {
      assert.deepEqual([outcome.code, texts(outcome)], [status.OK, ["x"]]);
    }
  }
});

test("interceptors change metadata, messages and the status, both ways; the last one is the outermost", async (context) => {
  const change = (mark: string): ServerInterceptor => (method, call) => {
    assert.match(method.path, /^\/notes\.Notes\//);
    return new ServerInterceptingCall(
      call,
      new ResponderBuilder()
        .withStart((next) => {
          next(
            new ServerListenerBuilder()
              .withOnReceiveMetadata((metadata, pass) => {
                metadata.add("extra", mark);
                pass(metadata);
              })
              .withOnReceiveMessage((note: Note, pass) => {
                pass({ text: `${note.text}<${mark}` });
              })
              .withOnReceiveHalfClose((pass) => {
                pass();
              })
              .withOnCancel(() => undefined)
              .build(),
          );
        })
        .withSendMetadata((metadata, next) => {
          metadata.set(`head-${mark}`, "1");
          next(metadata);
        })
        .withSendMessage((note: Note, next) => {
          next({ text: `${note.text}>${mark}` });
        })
        .withSendStatus((ending, next) => {
          const metadata = ending.metadata ?? new Metadata();
          metadata.set(`tail-${mark}`, "1");
          next({ ...ending, metadata });
        })
        .build(),
    );
  };
  for (const outcome of await everyKind(context, [change("a"), change("b")], "x")) {
    assert.deepEqual(texts(outcome), ["x<a<ba,b>b>a"]);
    for (const mark of ["a", "b"]) assert.deepEqual([outcome.headers?.get(`head-${mark}`), outcome.trailers?.get(`tail-${mark}`)], [["1"], ["1"]]);
  }
});

test("an interceptor refuses calls before their handlers run", async (context) => {
  const guard: ServerInterceptor = (_method, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            if (metadata.get("token")[0] === "yes") pass(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: "no token" });
          },
        });
      },
    });
  const serving = await serve(context, echo, { interceptors: [guard] });
  const client = serving.client();
  const metadata = new grpcJs.Metadata();
  metadata.set("token", "yes");
  assert.equal((await unary(client, { text: "" }, metadata)).code, status.OK);
  assert.deepEqual([(await unary(client, { text: "" })).code, (await unary(client, { text: "" })).details], [status.UNAUTHENTICATED, "no token"]);
  assert.equal((await collect(client.Bidi())).code, status.UNAUTHENTICATED);
});

test("interceptors of the credentials run inside those of the server", async (context) => {
  const order: string[] = [];
  const note = (name: string): ServerInterceptor => (_method, call) => {
    order.push(name);
    return new ServerInterceptingCall(call);
  };
  const credentials = createServerCredentialsWithInterceptors(ServerCredentials.createInsecure(), [note("inner")]);
  const serving = await serve(context, echo, { interceptors: [note("outer")] }, credentials);
  assert.equal((await unary(serving.client(), { text: "x" })).note?.text, "x");
  assert.deepEqual(order, ["inner", "outer"]);
  assert.ok(credentials._equals(credentials));
  assert.ok(!credentials._equals(ServerCredentials.createInsecure()));
});

test("interceptors hear of a cancellation, and nothing passes after it", async (context) => {
  let cancelled = 0;
  let started = 0;
  const listen: ServerInterceptor = (_method, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        next({
          onCancel() {
            cancelled += 1;
          },
        });
      },
    });
  const serving = await serve(
    context,
    {
      Unary() {
        started += 1;
      },
    },
    { interceptors: [listen, slow] },
  );
  const session = await serving.session();
  const request = session.request({ ":method": "POST", ":path": "/notes.Notes/Unary", "content-type": "application/grpc", te: "trailers" });
  request.on("error", () => undefined);
  request.end(framed('{"text":"x"}'));
  await until(() => started === 1);
  request.close(8);
  await until(() => cancelled === 1);
});

test("an interceptor that throws ends the call with INTERNAL", async (context) => {
  const broken: ServerInterceptor = () => {
    throw new Error("broken");
  };
  const logged = logging(context);
  const serving = await serve(context, echo, { interceptors: [broken] });
  const reply = await raw(await serving.session(), {}, [framed('{"text":"x"}')]);
  assert.equal(reply.headers?.["grpc-status"], String(status.INTERNAL));
  assert.deepEqual(logged.map(([text, error]) => [text, (error as Error).message]), [["An interceptor failed for /notes.Notes/Unary:", "broken"]]);
});

test("a call tells interceptors where it comes from", async (context) => {
  const seen: unknown[] = [];
  const look: ServerInterceptor = (_method, call) => {
    const { localPort, remoteAddress } = call.getConnectionInfo();
    seen.push(localPort, remoteAddress, call.getHost(), call.getDeadline(), call.getAuthContext());
    assert.match(call.getPeer(), /:\d+$/);
    return new ServerInterceptingCall(call);
  };
  const serving = await serve(context, echo, { interceptors: [look, look] });
  await raw(await serving.session(), {}, [framed('{"text":"x"}')]);
  const once = [serving.port, "127.0.0.1", `127.0.0.1:${serving.port}`, Infinity, {}];
  assert.deepEqual(seen, [...once, ...once]);
});
