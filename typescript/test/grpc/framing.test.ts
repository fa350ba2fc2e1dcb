import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { frameMessage } from "../../src/grpc/protocol/message-frame.js";
import { MessageReader, Reading } from "../../src/grpc/protocol/message-reader.js";
import type { MessageSink } from "../../src/grpc/protocol/message-reader.js";

interface Message {
  bytes: Buffer;
  compressed: boolean;
}

class Collector implements MessageSink {
  readonly messages: Message[] = [];
  constructor(readonly most = Infinity) {}

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean, owned: boolean): boolean {
    const copy = Buffer.from(bytes.subarray(from, to));
    // Lent bytes may be overwritten as soon as the call is over.
    if (!owned) bytes.fill(0xee, from, to);
    this.messages.push({ bytes: copy, compressed });
    return this.messages.length < this.most;
  }
}

function wire(messages: Message[]): Buffer {
  return Buffer.concat(messages.map(({ bytes, compressed }) => frameMessage(bytes, compressed)));
}

function readAll(chunks: Uint8Array[], limit = 1 << 20): { reader: MessageReader; sink: Collector; reading: Reading } {
  const reader = new MessageReader(limit);
  const sink = new Collector();
  let reading: Reading = Reading.Fine;
  for (const chunk of chunks) {
    // A margin around the chunk catches readers that look beyond it.
    const padded = Buffer.concat([Buffer.from([9, 9, 9]), chunk, Buffer.from([9, 9, 9])]);
    reading = reader.read(padded, 3, padded.length - 3, sink);
  }
  return { reader, sink, reading };
}

const anyMessage = fc.record({ bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)), compressed: fc.boolean() }, { noNullPrototype: true });

test("messages come out whole, split at every byte", () => {
  const messages = [0, 1, 4, 5, 6, 40].map((length, at) => ({ bytes: Buffer.alloc(length, at + 1), compressed: at % 2 === 1 }));
  const bytes = wire(messages);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { reader, sink, reading } = readAll([bytes.subarray(0, cut), bytes.subarray(cut)]);
    assert.equal(reading, Reading.Fine);
    assert.deepEqual(sink.messages, messages, `cut at ${cut}`);
    assert.ok(reader.atBoundary);
  }
  const single = readAll([...bytes].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(single.sink.messages, messages);
});

test("messages come out whole however they are split", () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 8 }), fc.array(fc.nat({ max: 2_000 }), { maxLength: 8 }), (messages, cuts) => {
      const bytes = wire(messages);
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const { sink, reader } = readAll(chunks);
      assert.deepEqual(sink.messages, messages);
      assert.ok(reader.atBoundary);
    }),
  );
});

test("a strict prefix of a message is never a boundary", () => {
  const bytes = frameMessage(Buffer.from("hello"), false);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const { reader, sink } = readAll([bytes.subarray(0, cut)]);
    assert.equal(reader.atBoundary, false);
    assert.equal(sink.messages.length, 0);
  }
});

test("the limit holds at its edge, as soon as the prefix is whole", () => {
  const fits = frameMessage(Buffer.alloc(100), false);
  assert.equal(readAll([fits], 100).sink.messages.length, 1);
  for (let cut = 0; cut <= 5; cut += 1) {
    const { reader, reading, sink } = readAll([fits.subarray(0, cut), fits.subarray(cut, 5)], 99);
    assert.equal(reading, Reading.TooLong);
    assert.equal(reader.announced, 100);
    assert.equal(sink.messages.length, 0);
    assert.equal(reader.read(fits, 0, fits.length, sink), Reading.TooLong, "dead after a fault");
  }
});

test("a length of 2^32 - 1 is refused and allocates nothing", () => {
  const { reader, reading } = readAll([Buffer.from([0, 0xff, 0xff, 0xff, 0xff])], 4 << 20);
  assert.equal(reading, Reading.TooLong);
  assert.equal(reader.announced, 0xffff_ffff);
});

test("room grows with what came, not with what was announced", () => {
  for (const [came, most] of [[0, 0], [3, 4_096], [2_049, 65_536], [65_537, 32 * 65_537]] as const) {
    const bytes = Buffer.concat([Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(came)]);
    const readers = Array.from({ length: 20 }, () => new MessageReader(0xffff_ffff));
    const before = process.memoryUsage().arrayBuffers;
    for (const reader of readers) reader.read(bytes, 0, bytes.length, new Collector());
    const each = (process.memoryUsage().arrayBuffers - before) / readers.length;
    assert.ok(each <= most, `${each} bytes for ${came}`);
  }
});

test("a long message is assembled in few steps, in room of exactly its length", () => {
  const reader = new MessageReader(0xffff_ffff);
  const message = Buffer.alloc(3_000_000, "samewire");
  const bytes = frameMessage(message, false);
  let whole: Uint8Array | null = null;
  const sink = { onMessage: (room: Uint8Array, from: number, to: number, _compressed: boolean, owned: boolean) => { whole = room; return owned && from === 0 && to === message.length; } };
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let at = 0; at < bytes.length; at += 16_384) {
    assert.equal(reader.read(bytes, at, Math.min(at + 16_384, bytes.length), sink), Reading.Fine);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(message.equals(whole!) && whole!.length === message.length);
  assert.ok(most < 6_000_000, `${most} bytes`);
});

test("a flag that is neither 0 nor 1 is refused with the first byte", () => {
  for (const flag of [2, 3, 0x80, 0xff]) {
    assert.equal(readAll([Buffer.from([flag])]).reading, Reading.BadFlag);
    assert.equal(readAll([Buffer.from([flag, 0, 0, 0, 0])]).reading, Reading.BadFlag);
  }
});

test("a sink that has enough ends the reading", () => {
  const reader = new MessageReader(100);
  const sink = new Collector(2);
  const bytes = wire([1, 2, 3].map((length) => ({ bytes: Buffer.alloc(length), compressed: false })));
  assert.equal(reader.read(bytes, 0, bytes.length, sink), Reading.Stopped);
  assert.equal(sink.messages.length, 2);
});
