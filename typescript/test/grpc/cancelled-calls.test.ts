import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import * as samewire from "../../src/grpc/index.js";
import { status } from "../../src/grpc/index.js";
import { frame, join, prefaceOf } from "./journal.js";
import { notes, serve, until } from "./serving.js";
import type { Note } from "./serving.js";

/* Many calls that are cancelled are ordinary traffic: hedging, autocomplete, gateways with deadlines. */

type Caller = { Unary(note: Note, options: object, done: (error: { code: number } | null) => void): { cancel(): void }; close(): void };
const clients: Record<string, (address: string) => Caller> = {
  "samewire": (address) => new (samewire.makeClientConstructor(notes, "notes.Notes"))(address, samewire.credentials.createInsecure()) as unknown as Caller,
  "grpc-js": (address) => new (grpcJs.makeClientConstructor(notes, "notes.Notes"))(address, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }) as unknown as Caller,
};

for (const [name, make] of Object.entries(clients)) {
  test(`2,000 calls of ${name} that are cancelled, 100 at a time, end no connection`, async (context) => {
    let answer: (() => void) | null = null;
    const { address } = await serve(context, {
      Unary(call: { request: Note }, done: (error: null, note: Note) => void) {
        if (call.request.text === "honest") answer = () => { done(null, call.request); };
      },
    });
    const client = make(address);
    context.after(() => { client.close(); });
    let ended: number | null = null;
    client.Unary({ text: "honest" }, {}, (error) => { ended = error?.code ?? status.OK; });
    await until(() => answer !== null);
    const codes = new Map<number | undefined, number>();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => new Promise<void>((resolve) => {
        const call = client.Unary({ text: "" }, {}, (error) => {
          codes.set(error?.code, (codes.get(error?.code) ?? 0) + 1);
          resolve();
        });
        setTimeout(() => { call.cancel(); }, 1 + Math.random() * 6);
      })));
    }
    assert.deepEqual([...codes], [[status.CANCELLED, 2_000]]);
    answer!();
    await until(() => ended !== null);
    assert.equal(ended, status.OK);
  });
}

const literal = (name: string, value: string): Uint8Array => join(Uint8Array.of(0, name.length), Buffer.from(name), Uint8Array.of(value.length), Buffer.from(value));
const head = join(Uint8Array.of(0x83, 0x86), literal(":path", "/notes.Notes/Unary"), literal("te", "trailers"), literal("content-type", "application/grpc"));
const message = join(Uint8Array.of(0, 0, 0, 0, 11), Buffer.from('{"text":""}'));

const PING = frame(6, 0, 0, "0000000000000000");

test("10,000 calls whose cancellations have come by the time that the server reads them end no connection", async (context) => {
  let started = 0;
  const { port } = await serve(context, {
    Unary(call: { request: Note }, done: (error: null, note: Note) => void) {
      started += 1;
      done(null, call.request);
    },
  });
  const socket = connect(port, "127.0.0.1");
  context.after(() => { socket.destroy(); });
  await once(socket, "connect");
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => { bytes += chunk.length; });
  socket.write(prefaceOf("client"));
  await until(() => bytes > 0);
  for (let round = 0; round < 100; round += 1) {
    // One write, which the server reads in one piece, and answers the PING.
    const ids = Array.from({ length: 100 }, (_, at) => 200 * round + 2 * at + 1);
    const before = bytes;
    socket.write(join(...ids.map((id) => join(frame(1, 4, id, head), frame(0, 1, id, message))), ...ids.map((id) => frame(3, 0, id, "00000008")), PING));
    await until(() => bytes >= before + PING.length);
  }
  const before = bytes;
  socket.write(join(frame(1, 4, 30_001, head), frame(0, 1, 30_001, message)));
  await until(() => started > 0 && bytes > before);
  assert.equal(started, 1);
  assert.ok(!socket.closed);
});

test("deadlines of one millisecond are DEADLINE_EXCEEDED, however many, and the connection goes on", async (context) => {
  const { address } = await serve(context, {
    Unary(call: { request: Note }, done: (error: null, note: Note) => void) {
      if (call.request.text === "honest") done(null, call.request);
    },
  });
  const client = clients["samewire"]!(address);
  context.after(() => { client.close(); });
  const call = (text: string, timeout: number): Promise<number> => new Promise((resolve) => {
    client.Unary({ text }, { deadline: Date.now() + timeout }, (error) => { resolve(error?.code ?? status.OK); });
  });
  assert.equal(await call("honest", 60_000), status.OK);
  for (let round = 0; round < 5; round += 1) {
    const codes = new Set(await Promise.all(Array.from({ length: 1_000 }, () => call("", 1))));
    assert.deepEqual([...codes], [status.DEADLINE_EXCEEDED]);
  }
  assert.equal(await call("honest", 60_000), status.OK);
});

test("1,200 calls of one connection are served at a time, and more than the server allows say why they waited", async (context) => {
  let served = 0;
  const handlers = { Bidi: () => { served += 1; } };
  const Client = samewire.makeClientConstructor(notes, "notes.Notes");
  type Opened = { Bidi(options?: object): samewire.ClientDuplexStream<Note, Note> };
  const begin = (address: string, options?: object): Promise<{ code: number; details: string }> => new Promise((resolve) => {
    const client = new Client(address, samewire.credentials.createInsecure());
    context.after(() => { client.close(); });
    const many = client as unknown as Opened;
    for (let at = 0; at < 1_200; at += 1) many.Bidi().on("error", () => undefined);
    if (options !== undefined) many.Bidi(options).on("error", resolve as never);
  });
  void begin((await serve(context, handlers)).address);
  await until(() => served === 1_200);
  const narrow = await serve(context, handlers, { "grpc.max_concurrent_streams": 1_000 });
  const { code, details } = await begin(narrow.address, { deadline: Date.now() + 3_000 });
  assert.equal(code, status.DEADLINE_EXCEEDED);
  assert.match(details, /,all 1000 streams of the connection to .* are in use/);
});
