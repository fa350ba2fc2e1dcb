import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import * as pack from "../../src/pack/index.js";
import { createClient, createServer, fromGeneric, fromProtobufEs, GrpcError, Metadata, status, type ClientOf, type ModernServer, type TypedMethod } from "../../src/grpc/index.js";
import { packService } from "../../src/grpc/modern/pack-service.js";
import { codeOf, deserialize, serialize, service, until, type Item } from "./peers.js";
import { logging } from "./serving.js";

const echo = service as unknown as {
  Unary: TypedMethod<Item, Item, false, false>;
  Up: TypedMethod<Item, Item, true, false>;
  Down: TypedMethod<Item, Item, false, true>;
  Both: TypedMethod<Item, Item, true, true>;
};

let server: ModernServer;
let target: string;
let client: ClientOf<typeof echo>;
const seen = { cleaned: 0, aborted: 0, metadata: [] as unknown[] };

before(async () => {
  server = createServer().add(echo, {
    async Unary(request, context) {
      seen.metadata.push(context.metadata.getMap());
      context.signal.addEventListener("abort", () => (seen.aborted += 1));
      if (request.code !== undefined) throw new GrpcError(request.code, "wänted");
      if (request.text === "throw") throw new Error("plain");
      if (request.wait !== undefined) await sleep(request.wait, undefined, { signal: context.signal });
      const header = new Metadata();
      header.set("early", "1");
      context.sendHeader(header);
      context.trailers.set("late", "2");
      return request;
    },
    async Up(requests) {
      let number = 0;
      for await (const request of requests) number += request.number ?? 0;
      return { number };
    },
    async *Down(request) {
      try {
        for (let number = 0; number < request.count!; number += 1) {
          await Promise.resolve();
          yield { number, text: "x".repeat(request.size ?? 0) };
        }
        if (request.code !== undefined) throw new GrpcError(request.code, "at the end");
        if (request.text === "throw") throw new Error("plain");
      } finally {
        seen.cleaned += 1;
      }
    },
    async *Both(requests) {
      for await (const request of requests) yield request;
    },
  });
  target = `127.0.0.1:${await server.serve("127.0.0.1:0")}`;
  client = createClient(echo, target);
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.close(1_000);
});

async function* numbers(count: number): AsyncGenerator<Item> {
  for (let number = 1; number <= count; number += 1) {
    await Promise.resolve();
    yield { number };
  }
}

test("a promise of the answer, with metadata both ways", async () => {
  let header: Metadata | null = null;
  let trailer: Metadata | null = null;
  const answer = await client.Unary({ text: "héllo" }, {
    metadata: { key: "value", "raw-bin": Uint8Array.of(1, 2) },
    onHeader: (metadata) => { header = metadata; },
    onTrailer: (metadata) => { trailer = metadata; },
  });
  assert.deepEqual(answer, { text: "héllo" });
  assert.deepEqual(header!.get("early"), ["1"]);
  assert.deepEqual(trailer!.get("late"), ["2"]);
  assert.equal((seen.metadata.at(-1) as { key: string }).key, "value");
});

test("errors have their code; what a handler throws otherwise is UNKNOWN, and its text stays with the server", async (context) => {
  const logged = logging(context);
  await assert.rejects(client.Unary({ code: 5 }), (error: GrpcError) => error instanceof GrpcError && error.code === status.NOT_FOUND && error.details === "wänted");
  await assert.rejects(client.Unary({ text: "throw" }), (error: GrpcError) => error.code === status.UNKNOWN && error.details === "Unknown error");
  const loop = async () => { for await (const item of client.Down({ count: 1, text: "throw" })) assert.equal(item.number, 0); };
  await assert.rejects(loop(), (error: GrpcError) => error.code === status.UNKNOWN && error.details === "Unknown error");
  assert.deepEqual(logged.map(([text, error]) => [text, (error as Error).message]), ["Unary", "Down"].map((name) => [`The handler of /test.Echo/${name} failed:`, "plain"]));
});

test("iterables stream both ways", async () => {
  assert.deepEqual(await client.Up(numbers(100)), { number: 5_050 });
  assert.deepEqual(await client.Up([{ number: 1 }, { number: 2 }]), { number: 3 });
  let next = 0;
  for await (const item of client.Down({ count: 3_000, size: 100 })) assert.equal(item.number, next++);
  assert.equal(next, 3_000);
  const back: number[] = [];
  for await (const item of client.Both(numbers(500))) back.push(item.number!);
  assert.equal(back.length, 500);
});

test("the error of a stream follows its messages", async () => {
  const got: number[] = [];
  const loop = async () => { for await (const item of client.Down({ count: 3, code: 9 })) got.push(item.number!); };
  assert.equal(await codeOf(loop()), status.FAILED_PRECONDITION);
  assert.deepEqual(got, [0, 1, 2]);
});

test("a signal and a time-out end calls on both sides", async () => {
  const before = seen.aborted;
  const aborter = new AbortController();
  const call = client.Unary({ wait: 5_000 }, { signal: aborter.signal });
  setTimeout(() => { aborter.abort(); }, 30);
  assert.equal(await codeOf(call), status.CANCELLED);
  await until(() => seen.aborted > before, "the handler's abort");
  assert.equal(await codeOf(client.Unary({}, { signal: AbortSignal.abort() })), status.CANCELLED);
  assert.equal(await codeOf(client.Unary({ wait: 5_000 }, { timeout: 40 })), status.DEADLINE_EXCEEDED);
  assert.equal(await codeOf(client.Unary({ wait: 5_000 }, { signal: AbortSignal.timeout(40) })), status.CANCELLED);
});

test("leaving a loop cleans up the server's generator", async () => {
  const before = seen.cleaned;
  for await (const item of client.Down({ count: 1_000_000, size: 1_000 })) if (item.number === 5) break;
  await until(() => seen.cleaned > before, "the generator's end");
});

test("requests that fail cancel the call", async () => {
  async function* broken(): AsyncGenerator<Item> {
    yield await Promise.resolve({ number: 1 });
    throw new Error("broken");
  }
  await assert.rejects(client.Up(broken()), /broken/);
});

test("close waits for calls under way", async () => {
  const other = createServer().add(echo, { async Unary(request) { await sleep(60); return request; } });
  const port = await other.serve("127.0.0.1:0");
  const caller = createClient(echo, `127.0.0.1:${port}`);
  const call = caller.Unary({ number: 1 });
  await sleep(20);
  const closed = other.close();
  assert.deepEqual(await call, { number: 1 });
  await caller[Symbol.asyncDispose]();
  await closed;
  assert.equal(await codeOf(createClient(echo, `127.0.0.1:${port}`).Unary({})), status.UNAVAILABLE);
});

test("generic definitions of ts-proto and descriptors of protobuf-es become services", async () => {
  const Message = { encode: (item: Item) => ({ finish: () => serialize(item) }), decode: (bytes: Uint8Array): Item => deserialize(Buffer.from(bytes)) };
  const generic = fromGeneric({
    name: "Echo",
    fullName: "test.Echo",
    methods: { down: { name: "Down", requestType: Message, requestStream: false, responseType: Message, responseStream: true, options: {} } },
  });
  const items: Item[] = [];
  for await (const item of createClient(generic, target).down({ count: 2 })) items.push(item);
  assert.deepEqual(items.map(({ number }) => number), [0, 1]);
  const descriptor = { typeName: "test.Echo", methods: [{ name: "Unary", localName: "unary", methodKind: "unary" as const, input: "in", output: "out" }] };
  const es = fromProtobufEs<{ unary: { request: Item; response: Item } }>(descriptor, {
    create: (_schema, init: Item) => ({ $typeName: "Item", ...init }),
    toBinary: (_schema, message: Item) => serialize(message),
    fromBinary: (_schema, bytes) => deserialize(Buffer.from(bytes)),
  });
  assert.equal((await createClient(es, target).unary({ text: "es" })).text, "es");
});

const Book = pack.struct("Book", { title: pack.string, year: pack.i32 });

test("pack values are messages, and a different schema is refused by name", async () => {
  const Shelf = packService("books.Shelf", {
    Get: { request: pack.string, response: Book },
    All: { request: pack.i32, response: Book, responseStream: true },
  });
  const shelf = createServer().add(Shelf, {
    Get: (title) => Promise.resolve({ title, year: 1_974 }),
    *All(count) {
      for (let year = 0; year < count; year += 1) yield { title: "t", year };
    },
  });
  const address = `127.0.0.1:${await shelf.serve("127.0.0.1:0")}`;
  const reader = createClient(Shelf, address);
  for (let round = 0; round < 3; round += 1) assert.deepEqual({ ...(await reader.Get("Carrie")) }, { title: "Carrie", year: 1_974 });
  const years: number[] = [];
  for await (const book of reader.All(5)) years.push(book.year);
  assert.deepEqual(years, [0, 1, 2, 3, 4]);
  const Other = packService("books.Shelf", { Get: { request: pack.string, response: pack.struct("Book", { title: pack.string, year: pack.i64 }) } });
  await assert.rejects(createClient(Other, address).Get("x"), (error: GrpcError) => error.code === status.FAILED_PRECONDITION && error.details.includes("schema_mismatch"));
  await reader[Symbol.asyncDispose]();
  await shelf.close(100);
});

test("a value that is not a definition is refused, and the error says what to pass", () => {
  const refused = (definition: unknown, expected: RegExp) => {
    assert.throws(() => createClient(definition as never, target), { name: "TypeError", message: expected });
    assert.throws(() => createServer().add(definition as typeof echo, {}), { name: "TypeError", message: expected });
  };
  refused(function Shelf() { return undefined; }, /^\w+: expected a service's definition.*got the function Shelf/);
  refused(Object.assign(function Books() { return undefined; }, { service: echo }), /got the function Books; it is a client's class of grpc-js: pass its `service`/);
  refused({}, /got an object without methods/);
  refused(undefined, /got undefined/);
  refused({ typeName: "test.Echo", methods: [] }, /descriptor test\.Echo of protobuf-es: pass fromProtobufEs/);
  refused({ fullName: "test.Echo", methods: {} }, /generic definition test\.Echo of ts-proto: pass fromGeneric/);
  refused({ Unary: { path: "/test.Echo/Unary" } }, /Unary is an object without a path or without the four functions/);
});

test("handlers of no method are refused, and methods without a handler are not", async () => {
  const add = (handlers: unknown) => createServer().add(echo, handlers as never);
  assert.throws(() => add({ Unary: () => ({}), Dwon: () => [] }), /test\.Echo has no method Dwon; its methods are Unary, /);
  assert.throws(() => add({ unary: () => ({}) }), /test\.Echo has no method unary; call the handler Unary/);
  class Misspelt { down(): Item[] { return []; } }
  assert.throws(() => add(new Misspelt()), /test\.Echo has no method down; call the handler Down/);
  assert.throws(() => add({ Unary: 3 }), /the handler of test\.Echo\.Unary is a function, not 3/);
  assert.throws(() => add({}), /expected a handler of at least one method of test\.Echo \(Unary, /);
  assert.throws(() => add(undefined), /expected an object with handlers of test\.Echo, got undefined/);
  class Own { private text(): string { return "own"; } Unary(): Item { return { text: this.text() }; } }
  const other = add(new Own());
  const caller = createClient(echo, `127.0.0.1:${await other.serve("127.0.0.1:0")}`);
  assert.equal((await caller.Unary({})).text, "own");
  await assert.rejects(async () => { for await (const item of caller.Down({})) assert.fail(item.text); }, { code: status.UNIMPLEMENTED });
  await caller[Symbol.asyncDispose]();
  await other.close(100);
});

test("a handler has the name of the method in the .proto file, as in grpc-js", async () => {
  const { Unary } = echo;
  const renamed = { Unary: { ...Unary, originalName: "unary" } };
  const other = createServer().add(renamed, { unary: () => ({ text: "original" }) } as never);
  const caller = createClient(renamed, `127.0.0.1:${await other.serve("127.0.0.1:0")}`);
  assert.equal((await caller.Unary({})).text, "original");
  await caller[Symbol.asyncDispose]();
  await other.close(100);
});

test("a timeout or deadline of another type is refused", () => {
  for (const timeout of ["1s", null, Number.NaN]) assert.throws(() => client.Unary({}, { timeout: timeout as never }), { name: "TypeError", message: /^timeout: expected a number of milliseconds, .* got / });
  assert.throws(() => client.Down({}, { timeout: "1s" as never }), /got "1s"/);
  assert.throws(() => client.Unary({}, { deadline: "1s" as never }), /^TypeError: deadline: expected a Date or milliseconds since 1970, got "1s"/);
});

test("messages of a pack service carry no check: the calls carry the digests", () => {
  const { Get } = packService("books.Shelf", { Get: { request: pack.string, response: pack.list(pack.string) } });
  assert.equal(Get.requestSerialize("1001")[0], 0x81);
  assert.equal(Get.responseSerialize(["’", "it’s"])[0], 0xa2);
});
