import assert from "node:assert/strict";
import { test } from "node:test";
import { MB, attack, honest, until, victim } from "./scene.js";

/* Attacks over sockets: victim and attacker are processes of their own, and an honest client calls meanwhile. */

test("connections that come and go by the thousand leave no memory behind", async (context) => {
  const target = await victim(context);
  const churn = attack(context, "churn", target);
  const { calls, failures } = await honest(target, churn);
  const { peak } = await target.health();
  assert.ok((await churn) > 20, `${await churn} connections`);
  assert.ok(MB(peak) <= 120, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

test("short messages that decompress to long ones leave time for honest calls", async (context) => {
  const target = await victim(context);
  const bombs = attack(context, "bombs", target);
  const { calls, failures, slowest } = await honest(target, bombs);
  context.diagnostic(`${await bombs} bombs, ${calls} calls, slowest ${Math.round(slowest)} ms`);
  assert.ok(calls > 5, `${calls} calls`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

test("clients that ask for much and open no window share one bound, and keep it for a limited time", async (context) => {
  const target = await victim(context, { "samewire.max_queued_bytes": 100e6, "samewire.stalled_reply_ms": 1_000 });
  const stalled = attack(context, "stalled", target);
  const { calls, failures } = await honest(target, stalled);
  const { peak } = await target.health();
  // 20 connections held 64 MiB each.
  assert.ok(MB(peak) <= 350, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
  await until(async () => (await target.health()).buffers < 20e6, "the end of what nobody takes");
});

test("header blocks and frames that are begun and not finished end their connection", async (context) => {
  const target = await victim(context, { "samewire.http2": { frameMs: 500 } });
  assert.equal(await attack(context, "halves", target), 50);
  await until(async () => (await target.health()).connections === 0, "the end of 50 connections");
});

test("windows full of messages of no bytes, for a handler that does not read, take little memory", async (context) => {
  const target = await victim(context);
  const empties = attack(context, "empties", target);
  const { calls, failures } = await honest(target, empties);
  const { peak } = await target.health();
  context.diagnostic(`${await empties} messages, ${MB(peak)} MB`);
  assert.ok(MB(peak) <= 300, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

for (const tls of [false, true]) {
  test(`connections that say nothing make room for others${tls ? ", within TLS too" : ""}`, async (context) => {
    const target = await victim(context, { "samewire.max_handshakes": 200 }, tls);
    const silence = attack(context, "silence", target);
    const { calls, failures } = await honest(target, silence, tls);
    assert.equal(await silence, 600);
    const { peak, connections } = await target.health();
    assert.ok(connections <= 202, `${connections} connections`);
    assert.ok(MB(peak) <= 150, `${MB(peak)} MB`);
    assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
  });
}
