import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Metadata, Server, credentials, makeClientConstructor } from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { bind, clientStream, collect, notes, serve, unary, until } from "./serving.js";
import type { Note } from "./serving.js";

/* What frameworks and instrumentations do to grpc-js, beside its documented interface. */

test("every method of a service goes through `register`, and what replaces a handler's `func` is called", async () => {
  const registered: string[] = [];
  const server = new Server();
  const register = server.register.bind(server);
  server.register = (...all) => {
    registered.push(`${all[0]} ${all[4]}`);
    return register(...all);
  };
  server.addService(notes, { unary: (call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, call.request); } });
  assert.deepEqual(registered, ["/notes.Notes/Unary unary", "/notes.Notes/Server serverStream", "/notes.Notes/Client clientStream", "/notes.Notes/Bidi bidi"]);

  const route = server.handlers.get("/notes.Notes/Unary")!;
  const { func } = route;
  const types: string[] = [];
  route.func = function (call, callback) {
    types.push(this.type);
    return func.call(this, call, callback);
  };
  const client = new (makeClientConstructor(notes, "notes.Notes"))(`127.0.0.1:${await bind(server, "127.0.0.1:0")}`, credentials.createInsecure());
  const reply = await new Promise((resolve, reject) => {
    (client["Unary"] as (note: Note, done: (error: Error | null, note?: Note) => void) => void)({ text: "x" }, (error, note) => { if (error === null) resolve(note); else reject(error); });
  });
  assert.deepEqual([reply, types], [{ text: "x" }, ["unary"]]);
  client.close();
  server.forceShutdown();
});

test("methods of clients do not call what is put in the place of `makeUnaryRequest` and its like", (context) => {
  const client = new (makeClientConstructor(notes, "notes.Notes"))("127.0.0.1:1", credentials.createInsecure());
  for (const name of ["makeUnaryRequest", "makeClientStreamRequest", "makeServerStreamRequest", "makeBidiStreamRequest"] as const) {
    context.mock.method(Client.prototype, name, () => { throw new Error(`${name} was called`); });
  }
  const ignore = (call: { on(event: "error", listener: () => void): unknown; cancel(): void }): void => {
    call.on("error", () => undefined);
    call.cancel();
  };
  const made = client as unknown as Record<string, (...rest: unknown[]) => Parameters<typeof ignore>[0]>;
  const done = (): void => undefined;
  ignore(made["Unary"]!({ text: "" }, done));
  ignore(made["Client"]!(done));
  ignore(made["Server"]!({ text: "" }));
  ignore(made["Bidi"]!());
  client.close();
});

test("an `emit` that an instrumentation puts on a call gets all its events", async (context) => {
  const serving = await serve(context, { Unary: (call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, call.request); } });
  const client = new Client(`127.0.0.1:${serving.port}`, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = notes.Unary;
  const events: string[] = [];
  await new Promise<void>((resolve) => {
    const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: "x" }, () => { events.push("callback"); });
    const emit = call.emit.bind(call);
    call.emit = (event: string | symbol, ...rest: unknown[]) => {
      events.push(String(event));
      if (event === "status") resolve();
      return emit(event, ...rest);
    };
  });
  assert.deepEqual(events, ["metadata", "callback", "status"]);
  client.close();
});

test("a call with many requests tells its handler by `cancelled`, once, that it is over", async (context) => {
  let told = 0;
  const serving = await serve(context, {
    Client(call: ServerReadableStream<Note, Note>, callback: sendUnaryData<Note>) {
      call.on("cancelled", () => { told += 1; });
      call.on("data", () => undefined).on("end", () => { callback(null, { text: "" }); });
    },
  });
  await clientStream(serving.client(), [{ text: "a" }]);
  await until(() => told > 0);
  serving.client().close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(told, 1);
});

test("metadata is known by its `internalRepr`, as grpc-js's is", () => {
  const metadata = new Metadata();
  metadata.set("Who", "client");
  assert.deepEqual([...(metadata as unknown as { internalRepr: Map<string, unknown> }).internalRepr], [["who", ["client"]]]);
});

test("a handler that passes messages on to who subscribes some promises later loses none", async (context) => {
  /** Listens at once, and drops what comes before anybody has subscribed. */
  function late(call: ServerReadableStream<Note, Note> | ServerDuplexStream<Note, Note>): (to: (note: Note) => void) => Promise<void> {
    let subscriber: ((note: Note) => void) | null = null;
    call.on("data", (note: Note) => subscriber?.(note));
    return async (to) => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      subscriber = to;
    };
  }
  const serving = await serve(context, {
    Unary: (call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, call.request); },
    Client(call: ServerReadableStream<Note, Note>, callback: sendUnaryData<Note>) {
      let text = "";
      void late(call)((note) => { text += note.text; });
      call.on("end", () => { callback(null, { text }); });
    },
    Bidi(call: ServerDuplexStream<Note, Note>) {
      void late(call)((note) => { call.write(note); });
      call.on("end", () => { call.end(); });
    },
  });
  const client = serving.client();
  // The connection is made: what is sent next comes with its call.
  await unary(client, { text: "x" });
  assert.deepEqual((await clientStream(client, [{ text: "a" }, { text: "b" }])).note, { text: "ab" });
  const call = client.Bidi();
  call.write({ text: "a" });
  call.end({ text: "b" });
  assert.deepEqual((await collect(call)).notes, [{ text: "a" }, { text: "b" }]);
});
