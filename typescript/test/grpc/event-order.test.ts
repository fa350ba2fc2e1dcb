import assert from "node:assert/strict";
import { test } from "node:test";
import * as samewire from "../../src/grpc/index.js";
import { raw, framed, serve } from "./serving.js";
import type { Note } from "./serving.js";
import { Stage, same } from "./same-program.js";
import type { EitherClient } from "./same-program.js";

const implementation: samewire.UntypedServiceImplementation = {
  Unary(call: samewire.ServerUnaryCall<Note, Note>, done: samewire.sendUnaryData<Note>) {
    if (call.request.text === "fail") done({ code: 5, details: "none" });
    else done(null, call.request);
  },
  Server(call: samewire.ServerWritableStream<Note, Note>) {
    for (const number of [1, 2, 3]) call.write({ text: "", number });
    if (call.request.text === "fail") call.emit("error", { code: 7, details: "after three" });
    else call.end();
  },
  Bidi(call: samewire.ServerDuplexStream<Note, Note>) {
    call.on("data", (note: Note) => call.write(note)).on("end", () => { call.end(); });
  },
};

/** Which of an interceptor's handlers passes on 20 ms late. */
type Late = "metadata" | "message" | "status" | "nothing";

function tracing(stage: Stage, log: string[], late: Late): samewire.Interceptor {
  const pass = <T>(what: Late, next: (value: T) => void, value: T): void => {
    if (late === what) setTimeout(next, 20, value);
    else next(value);
  };
  return (options, nextCall) =>
    new stage.grpc.InterceptingCall(nextCall(options), {
      start(metadata, _listener, next) {
        next(metadata, {
          onReceiveMetadata(received, further) {
            log.push("metadata");
            pass("metadata", further, received);
          },
          onReceiveMessage(message: Note | null, further) {
            log.push(`message ${message === null ? "missing" : (message.number ?? "")}`);
            pass("message", further, message);
          },
          onReceiveStatus(status, further) {
            log.push(`status ${status.code} ${status.details}`);
            pass("status", further, status);
          },
        });
      },
    });
}

/** The events of a stream until its status. */
async function events(call: samewire.ClientReadableStream<Note> | samewire.ClientDuplexStream<Note, Note>, log: string[]): Promise<void> {
  call.on("metadata", () => log.push("event metadata"));
  call.on("data", (note: Note) => log.push(`event data ${note.number ?? ""}`));
  call.on("end", () => log.push("event end"));
  call.on("error", (error: samewire.ServiceError) => log.push(`event error ${error.code} ${error.details}`));
  const status = await new Promise<samewire.StatusObject>((resolve) => call.on("status", resolve));
  log.push(`event status ${status.code} ${status.details}`);
}

async function unary(stage: Stage, client: EitherClient, text: string, log: string[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const call = client.Unary({ text }, new stage.grpc.Metadata(), {}, (error) => log.push(`callback ${error?.details ?? "reply"}`));
    call.on("metadata", () => log.push("event metadata"));
    call.on("status", ({ code, details }: samewire.StatusObject) => {
      log.push(`event status ${code} ${details}`);
      resolve();
    });
  });
}

for (const late of ["nothing", "metadata", "message", "status"] as const) {
  same(`events come to an interceptor and its program in this order (late: ${late})`, async (stage) => {
    const address = await stage.serve(implementation);
    const log: string[] = [];
    const client = stage.client(address, { interceptors: [tracing(stage, log, late)] });
    for (const text of ["", "fail"]) await unary(stage, client, text, log);
    await events(client.Server({ text: "" }), log);
    // Of a failing stream grpc-js loses what an interceptor still holds up.
    if (late === "nothing" || late === "status") await events(client.Server({ text: "fail" }), log);
    const both = client.Bidi();
    for (const number of [1, 2]) both.write({ text: "", number });
    both.end();
    await events(both, log);
    // How many messages an interceptor hears of before the program gets the first depends on how they came.
    return [log.filter((entry) => !entry.startsWith("message")), log.filter((entry) => entry.startsWith("message"))];
  });
}

test("messages of a stream that fails come before its status, also where an interceptor holds them up", async (context) => {
  const stage = new Stage(samewire, context);
  const log: string[] = [];
  const client = stage.client(await stage.serve(implementation), { interceptors: [tracing(stage, log, "message")] });
  await events(client.Server({ text: "fail" }), log);
  assert.deepEqual(log.filter((entry) => entry.startsWith("event")).slice(1, 5), ["event data 1", "event data 2", "event data 3", "event error 7 after three"]);
});

same("calls that succeed have the details OK, or an interceptor's", async (stage) => {
  const said: string[] = [];
  for (const details of [undefined, "", "done", "100 % dönë"]) {
    const own: samewire.ServerInterceptor = (_method, call) =>
      new stage.grpc.ServerInterceptingCall(call, {
        sendStatus(status, next) {
          next(details === undefined ? status : { ...status, details });
        },
      });
    const address = await stage.serve(implementation, details === undefined ? {} : { interceptors: [own] });
    const client = stage.client(address);
    await unary(stage, client, "", said);
    const stream = client.Server({ text: "" });
    await events(stream, said);
    const empty = client.Bidi();
    empty.end();
    await events(empty, said);
  }
  return said;
});

test("the text of an OK is in the trailers, and in the only header list of a call without messages", async (context) => {
  const serving = await serve(context, { ...implementation, Server(call: samewire.ServerWritableStream<Note, Note>) { call.end(); } });
  const session = await serving.session();
  const replies = [await raw(session, {}, [framed('{"text":""}')]), await raw(session, { ":path": "/notes.Notes/Server" }, [framed('{"text":""}')])];
  assert.deepEqual(replies.map(({ trailers, headers }) => (trailers ?? headers)?.["grpc-message"]), ["OK", "OK"]);
});
