import assert from "node:assert/strict";
import { hardTest } from "../../hard.js";
import { MB, attack, honest, until, victim } from "./scene.js";

/* Attacks over sockets: victim and attacker are processes of their own, and an honest client calls meanwhile. */

/** Memory that a server keeps after the first calls of any client: code, caches and buffers that are used again. */
const FIRST_BYTES = 2e6;

hardTest("connections that come and go by the hundred leave no memory behind", async (context) => {
  const target = await victim(context);
  const before = await target.health();
  const churn = attack(context, "churn", target);
  const { calls, failures } = await honest(target, churn);
  const made = await churn;
  await until(async () => (await target.health()).sockets < 10, "the end of connections that their clients have left");
  const { peak, heap, buffers } = await target.health();
  const grown = heap + buffers - before.heap - before.buffers;
  context.diagnostic(`${made} connections, ${grown} bytes more are alive, ${MB(peak)} MB`);
  assert.ok(made >= 500, `${made} connections`);
  // Without the mend 20 KB of each were alive until the time for its preface was over: 10 MB, however few a busy machine makes.
  assert.ok(grown <= FIRST_BYTES + 1_000 * made, `${grown} bytes more are alive after ${made} connections`);
  assert.ok(MB(peak) <= 300, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("short messages that decompress to long ones leave time for honest calls", async (context) => {
  const target = await victim(context);
  const bombs = attack(context, "bombs", target);
  const { calls, failures, slowest } = await honest(target, bombs);
  context.diagnostic(`${await bombs} bombs, ${calls} calls, slowest ${Math.round(slowest)} ms`);
  assert.ok(calls > 5, `${calls} calls`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("clients that ask for much and open no window share one bound, and keep it for a limited time", async (context) => {
  const target = await victim(context, { "samewire.max_queued_bytes": 100e6, "samewire.stalled_reply_ms": 1_000 });
  const stalled = attack(context, "stalled", target);
  const { calls, failures } = await honest(target, stalled);
  const { peak } = await target.health();
  context.diagnostic(`${MB(peak)} MB`);
  // 20 connections held 64 MiB each: 1,340 MB. Replies that are given up count until they are collected, late on a busy machine.
  assert.ok(MB(peak) <= 600, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
  await until(async () => (await target.health()).buffers < 20e6, "the end of replies that the client does not take");
});

hardTest("windows that open and close by single bytes move no more than they say, and hold what others may hold", async (context) => {
  const target = await victim(context, { "samewire.max_queued_bytes": 60e6 });
  const flaps = attack(context, "flaps", target);
  const { calls, failures } = await honest(target, flaps);
  const { peak, buffers, turn } = await target.health();
  context.diagnostic(`${await flaps} flaps, ${MB(buffers)} MB in buffers, ${MB(peak)} MB; ${Math.round(turn)} ms of CPU in one turn`);
  // 240 MB were asked for.
  assert.ok(MB(buffers) <= 90, `${MB(buffers)} MB in buffers`);
  assert.ok(MB(peak) <= 300, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("header blocks and frames that are begun and not finished end their connection", async (context) => {
  const target = await victim(context, { "samewire.http2": { frameMs: 500 } });
  assert.equal(await attack(context, "halves", target), 50);
  await until(async () => (await target.health()).connections === 0, "the end of 50 connections");
});

hardTest("windows full of messages of no bytes, for a handler that does not read, take little memory", async (context) => {
  const target = await victim(context);
  const empties = attack(context, "empties", target);
  const { calls, failures } = await honest(target, empties);
  const { peak } = await target.health();
  context.diagnostic(`${await empties} messages, ${MB(peak)} MB`);
  assert.ok(MB(peak) <= 300, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("messages that wait to be decompressed are bounded for each connection and for the server", async (context) => {
  const target = await victim(context, { "samewire.max_request_bytes": 60e6, "samewire.inflate_threads": 1 });
  const deflated = attack(context, "deflated", target);
  const { calls, failures } = await honest(target, deflated);
  const { peak } = await target.health();
  context.diagnostic(`${MB(await deflated)} MB offered, ${MB(peak)} MB`);
  assert.ok(MB(peak) <= 450, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

// A window full of them, of each connection, was decompressed in one turn of the event loop.
hardTest("messages that decompress to nothing leave time for honest calls", async (context) => {
  const target = await victim(context);
  const crumbs = attack(context, "crumbs", target);
  const { calls, failures, slowest } = await honest(target, crumbs);
  const turn = Math.round((await target.health()).turn);
  context.diagnostic(`${await crumbs} messages, ${calls} calls, slowest ${Math.round(slowest)} ms; ${turn} ms of CPU in one turn`);
  assert.ok(turn < 400, `${turn} ms of CPU in one turn of the event loop`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

for (const [name, what] of [["bytes", "frames of one byte"], ["hollow", "messages of no bytes, with frames of no bytes between them"]] as const) {
  // Reads of one connection went on for 8 MB.
  hardTest(`${what} leave time for honest calls`, async (context) => {
    const target = await victim(context);
    const flood = attack(context, name, target);
    const { calls, failures, slowest } = await honest(target, flood);
    const turn = Math.round((await target.health()).turn);
    context.diagnostic(`${await flood} frames, ${calls} calls, slowest ${Math.round(slowest)} ms; ${turn} ms of CPU in one turn`);
    assert.ok(turn < 250, `${turn} ms of CPU in one turn of the event loop`);
    assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
  });
}

hardTest("replies that a handler writes without end, for clients that read none, are bounded", async (context) => {
  const target = await victim(context, { "samewire.max_queued_bytes": 20e6 });
  const unread = attack(context, "unread", target);
  const { calls, failures } = await honest(target, unread);
  const { peak, buffers } = await target.health();
  context.diagnostic(`${MB(await unread)} MB sent, ${MB(buffers)} MB in buffers, ${MB(peak)} MB`);
  assert.ok(await unread > 40e6, `${MB(await unread)} MB sent`);
  // The queues, and messages that have not come whole. Without a bound it is all that was sent.
  assert.ok(MB(buffers) <= 100, `${MB(buffers)} MB in buffers`);
  assert.ok(MB(peak) <= 300, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("requests that never end are bounded for each connection and for the server", async (context) => {
  const target = await victim(context, { "samewire.max_request_bytes": 60e6 });
  const unfinished = attack(context, "unfinished", target);
  const { calls, failures } = await honest(target, unfinished);
  const { peak } = await target.health();
  context.diagnostic(`${MB(await unfinished)} MB offered, ${MB(peak)} MB`);
  // 200 streams held 3 MB each.
  assert.ok(MB(peak) <= 400, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("3,000 handshakes of TLS that stop after their first message leave 2,000 at most", async (context) => {
  // Time enough that none of them ends by it, however slowly a busy machine makes them.
  const target = await victim(context, { "samewire.http2": { prefaceMs: 600_000 } }, true);
  const handshakes = attack(context, "handshakes", target);
  const { calls, failures } = await honest(target, handshakes, true);
  assert.equal(await handshakes, 3_000);
  const { peak, sockets, connections } = await target.health();
  context.diagnostic(`${sockets} sockets, ${MB(peak)} MB`);
  // None of them is a connection of HTTP/2: its limit has no part in this.
  assert.ok(connections <= 1, `${connections} connections`);
  assert.ok(sockets > 1_000 && sockets <= 2_010, `${sockets} sockets`);
  assert.ok(MB(peak) <= 400, `${MB(peak)} MB`);
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

hardTest("handshakes of TLS that are begun and not finished end with their time", async (context) => {
  const target = await victim(context, { "samewire.http2": { prefaceMs: 1_000 } }, true);
  const begun = attack(context, "hellos", target);
  const { calls, failures } = await honest(target, begun, true);
  assert.equal(await begun, 50);
  // Their sockets are open at the attacker's end.
  await until(async () => (await target.health()).sockets < 10, "the end of 50 handshakes");
  assert.ok(failures.length <= calls / 100, `${failures.length} of ${calls} calls failed: ${failures[0]?.message}`);
});

for (const tls of [false, true]) {
  hardTest(`connections that say nothing make room for others${tls ? ", within TLS too" : ""}`, async (context) => {
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
