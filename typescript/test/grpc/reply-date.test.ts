import assert from "node:assert/strict";
import { test } from "node:test";
import { HeaderEncoder } from "../../src/grpc/http2/hpack/encoder.js";
import { Metadata } from "../../src/grpc/index.js";
import type { ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { ReplyDate, ReplyTable } from "../../src/grpc/server/reply-fields.js";
import type { ReplyHeads } from "../../src/grpc/server/reply-fields.js";
import { Status } from "../../src/grpc/protocol/status.js";
import { TimerWheel } from "../../src/transport/timer-wheel.js";
import { raw, framed, serve, unary } from "./serving.js";
import type { Note } from "./serving.js";

const MIDNIGHT = Date.UTC(2026, 0, 1);

/** Heads with a clock and a wheel of their own, which `pass` moves on. */
function ticking(): { heads: ReplyHeads; pass: (milliseconds: number) => void; wheel: TimerWheel } {
  let passed = 0;
  const wheel = new TimerWheel(0);
  const date = new ReplyDate(() => MIDNIGHT + passed, (timer, delay) => { wheel.set(timer, passed + delay); });
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
    wheel.advance(passed);
  };
  return { heads: new ReplyTable("identity,gzip", date).of("application/grpc"), pass, wheel };
}

test("the heads of a second are one object, and those of the next have its date", () => {
  const { heads, pass, wheel } = ticking();
  const kinds = () => [heads.plain, heads.encoded("gzip"), heads.trailersOnly(Status.NOT_FOUND, ""), heads.trailersOnly(Status.OK, "OK")];
  const dates = () => kinds().map(({ names, values }) => values[names.indexOf("date")]);
  pass(1);
  const first = kinds();
  pass(998);
  kinds().forEach((head, at) => { assert.equal(head, first[at]); });
  assert.deepEqual(dates(), Array(4).fill("Thu, 01 Jan 2026 00:00:00 GMT"));
  pass(1);
  assert.equal(wheel.size, 0, "no timer without replies");
  assert.deepEqual(dates(), Array(4).fill("Thu, 01 Jan 2026 00:00:01 GMT"));
  assert.equal(wheel.size, 1);
});

test("a date takes one byte of a head after its first use, for as many seconds as a connection lasts", () => {
  const { heads, pass } = ticking();
  const encoder = new HeaderEncoder(4_096);
  const out = new Uint8Array(1_024);
  let most = 0;
  let total = 0;
  const [seconds, calls] = [300, 1_000];
  for (let second = 0; second < seconds; second++) {
    pass(1_000);
    for (let call = 0; call < calls; call++) {
      const bytes = encoder.write(heads.plain, undefined, out, 0);
      most = Math.max(most, bytes);
      total += bytes;
    }
  }
  // Four bytes, and for one second in 60 the literal: the peer's table is full then, and emptied after 1,024 such heads.
  assert.ok(most < 80, `${most} bytes`);
  assert.ok(total < 4.6 * seconds * calls, `${total / seconds / calls} bytes a head`);
});

test("clients find the server's date in a reply's initial metadata, a handler's own instead of it, and in a failure's trailers", async (context) => {
  const serving = await serve(context, {
    Unary: (call: ServerUnaryCall<Note, Note>, done: sendUnaryData<Note>) => {
      const metadata = new Metadata();
      metadata.set("date", "a handler's");
      if (call.request.text === "own") call.sendMetadata(metadata);
      if (call.request.text === "fail") done({ code: 5, details: "nothing" });
      else if (call.request.text === "fail with a date") done({ code: 5, details: "nothing", metadata: metadata });
      else done(null, call.request);
    },
  });
  const began = Math.floor(Date.now() / 1_000) * 1_000;
  const [time] = (await unary(serving.client(), { text: "plain" })).headers?.get("date") ?? [];
  assert.match(String(time), /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
  assert.ok(Date.parse(String(time)) >= began && Date.parse(String(time)) <= Date.now());
  assert.deepEqual((await unary(serving.client(), { text: "own" })).headers?.get("date"), ["a handler's"]);

  const connection = await serving.session();
  const dates = async (text: string): Promise<unknown> => (await raw(connection, {}, [framed(JSON.stringify({ text }))])).headers?.["date"];
  assert.match(String(await dates("fail")), / GMT$/);
  assert.equal(await dates("fail with a date"), "a handler's");
});
