import assert from "node:assert/strict";
import { constants } from "node:http2";
import { test } from "node:test";
import type { RequestMessages } from "../../src/grpc/client/request-messages.js";
import { Metadata, status, type ServiceError } from "../../src/grpc/index.js";
import { codeOf, connect, pause, unary, until } from "./peers.js";
import { rawServer, refuse, reply, type Respond } from "./raw-server.js";

const policy = { maxAttempts: 4, initialBackoff: "0.01s", maxBackoff: "0.05s", backoffMultiplier: 2, retryableStatusCodes: ["UNAVAILABLE"] };
const configured = (entry: object, more: object = {}) => ({
  "grpc.service_config": JSON.stringify({ methodConfig: [{ name: [{ service: "test.Echo" }], ...entry }], ...more }),
});

/** Runs `work` with a client of a raw server. */
async function against(respond: Respond, options: object, work: (client: ReturnType<typeof connect>, server: Awaited<ReturnType<typeof rawServer>>) => Promise<void>): Promise<void> {
  const server = await rawServer(respond);
  const client = connect(server, options);
  try {
    await work(client, server);
  } finally {
    client.close();
    await server.close();
  }
}

test("a call that fails with a code of its policy is made again, and says which attempt it is", async () => {
  const seen: unknown[] = [];
  const respond: Respond = (stream, headers, number) => {
    seen.push(headers["grpc-previous-rpc-attempts"]);
    if (number < 3) refuse(stream, status.UNAVAILABLE);
    else reply(stream, { text: "third" });
  };
  await against(respond, configured({ retryPolicy: policy }), async (client) => {
    assert.deepEqual(await unary(client, {}), { text: "third" });
    assert.deepEqual(seen, [undefined, "1", "2"]);
  });
});

test("a retry sends the metadata that the call was given, also if the program changes it meanwhile", async () => {
  const seen: unknown[] = [];
  const metadata = new Metadata();
  metadata.set("key", "given");
  const respond: Respond = (stream, headers, number) => {
    seen.push(headers["key"]);
    metadata.set("key", "changed");
    if (number < 2) refuse(stream, status.UNAVAILABLE);
    else reply(stream, { text: "second" });
  };
  await against(respond, configured({ retryPolicy: policy }), async (client) => {
    assert.deepEqual(await unary(client, {}, metadata), { text: "second" });
    assert.deepEqual(seen, ["given", "given"]);
  });
});

test("attempts end at the policy's number, and at other codes at once", async () => {
  await against((stream) => { refuse(stream, status.UNAVAILABLE, "no"); }, configured({ retryPolicy: policy }), async (client, server) => {
    await assert.rejects(unary(client, {}), (error: ServiceError) => error.code === status.UNAVAILABLE && error.details === "no" && error.metadata.get("grpc-previous-rpc-attempts")[0] === "3");
    assert.equal(server.streams, 4);
  });
  await against((stream) => { refuse(stream, status.NOT_FOUND); }, configured({ retryPolicy: policy }), async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.NOT_FOUND);
    assert.equal(server.streams, 1);
  });
  const off = { ...configured({ retryPolicy: policy }), "grpc.enable_retries": 0 };
  await against((stream) => { refuse(stream, status.UNAVAILABLE); }, off, async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
    assert.equal(server.streams, 1);
  });
});

test("an answer that has begun is not asked for again", async () => {
  const respond: Respond = (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "14" }); });
    stream.end();
  };
  await against(respond, configured({ retryPolicy: policy }), async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
    assert.equal(server.streams, 1);
  });
});

test("pushback sets the pause, or forbids", async () => {
  const times: number[] = [];
  const respond: Respond = (stream, _headers, number) => {
    times.push(Date.now());
    if (number === 1) refuse(stream, status.UNAVAILABLE, "", { "grpc-retry-pushback-ms": "150" });
    else reply(stream);
  };
  await against(respond, configured({ retryPolicy: policy }), async (client) => {
    await unary(client, {});
    assert.ok(times[1]! - times[0]! >= 145, `${times[1]! - times[0]!} ms`);
  });
  await against((stream) => { refuse(stream, status.UNAVAILABLE, "", { "grpc-retry-pushback-ms": "-1" }); }, configured({ retryPolicy: policy }), async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
    assert.equal(server.streams, 1);
  });
});

test("throttling stops retries of a failing server, and successes open them again", async () => {
  let healthy = false;
  const respond: Respond = (stream) => {
    if (healthy) reply(stream);
    else refuse(stream, status.UNAVAILABLE);
  };
  const options = configured({ retryPolicy: policy }, { retryThrottling: { maxTokens: 4, tokenRatio: 1 } });
  await against(respond, options, async (client, server) => {
    await codeOf(unary(client, {}));
    assert.equal(server.streams, 2);
    await codeOf(unary(client, {}));
    assert.equal(server.streams, 3);
    healthy = true;
    for (let at = 0; at < 4; at += 1) await unary(client, {});
    healthy = false;
    const before = server.streams;
    await codeOf(unary(client, {}));
    assert.equal(server.streams - before, 2);
  });
});

test("messages of a stream are sent again, until an answer begins or the buffer is full", async () => {
  const respond: Respond = (stream, _headers, number) => {
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (number === 1 && bytes > 40) refuse(stream, status.UNAVAILABLE);
    });
    stream.on("end", () => { if (number > 1) reply(stream, { number: bytes }); });
  };
  await against(respond, configured({ retryPolicy: policy }), async (client, server) => {
    const answer = await new Promise((resolve, reject) => {
      const call = client.Up((error, value) => { if (error === null) resolve(value); else reject(error); });
      for (let number = 10; number < 20; number += 1) call.write({ number });
      call.end();
    });
    assert.deepEqual(answer, { number: 10 * (5 + 13) });
    assert.equal(server.streams, 2);
  });
  const small = { ...configured({ retryPolicy: policy }), "grpc.per_rpc_retry_buffer_size": 20 };
  await against(respond, small, async (client, server) => {
    const failed = new Promise((resolve) => {
      const call = client.Up((error) => { resolve(error!.code); });
      for (let number = 10; number < 20; number += 1) call.write({ number });
    });
    assert.equal(await failed, status.UNAVAILABLE);
    assert.equal(server.streams, 1);
  });
});

test("what is kept for a retry counts as it was before compression, made on this thread or on another", async () => {
  const options = { ...configured({ retryPolicy: policy }), "grpc.default_compression_algorithm": 2, "grpc.per_rpc_retry_buffer_size": 150_000 };
  // Short messages are compressed at once, those over 65,536 bytes on another thread; of all of them next to nothing is
  // left.
  for (const [length, count, attempts] of [[30_000, 4, 2], [30_000, 6, 1], [100_000, 1, 2], [100_000, 2, 1]] as const) {
    const streams: Parameters<Respond>[0][] = [];
    const respond: Respond = (stream, _headers, number) => {
      streams.push(stream);
      stream.resume();
      if (number > 1) stream.on("end", () => { reply(stream); });
    };
    await against(respond, options, async (client) => {
      let call!: ReturnType<typeof client.Up>;
      const ended = new Promise((resolve) => { call = client.Up((error) => { resolve(error?.code ?? status.OK); }); });
      for (let at = 0; at < count; at += 1) await new Promise((resolve) => call.write({ text: "x".repeat(length) }, resolve));
      await until(() => streams.length === 1, "the first attempt");
      refuse(streams[0]!, status.UNAVAILABLE);
      call.end();
      assert.equal(await ended, attempts === 1 ? status.UNAVAILABLE : status.OK, `${count} messages of ${length} bytes`);
      assert.equal(streams.length, attempts);
      assert.equal((Reflect.get(call.inner.core!, "messages") as RequestMessages).bytes, 0, "in the end nothing is kept");
    });
  }
});

test("what all calls of a channel keep together is bounded too", async () => {
  const options = { ...configured({ retryPolicy: policy }), "grpc.retry_buffer_size": 100_000 };
  const streams: Parameters<Respond>[0][] = [];
  const respond: Respond = (stream, _headers, number) => {
    streams.push(stream);
    stream.resume();
    if (number > 2) stream.on("end", () => { reply(stream); });
  };
  await against(respond, options, async (client) => {
    const outcomes: Promise<number>[] = [];
    const calls: ReturnType<typeof client.Up>[] = [];
    for (let at = 0; at < 2; at += 1) {
      outcomes.push(new Promise((resolve) => { calls.push(client.Up((error) => { resolve(error?.code ?? status.OK); })); }));
      await new Promise((resolve) => calls[at]!.write({ text: "x".repeat(60_000) }, resolve));
      await until(() => streams.length === at + 1, "the attempt");
    }
    for (const stream of streams.slice(0, 2)) refuse(stream, status.UNAVAILABLE);
    for (const call of calls) call.end();
    assert.deepEqual(await Promise.all(outcomes), [status.OK, status.UNAVAILABLE]);
    const { core } = client.getChannel() as unknown as { core: { retainedBytes: number } };
    assert.equal(core.retainedBytes, 0);
  });
});

test("a refused stream is opened once more without a policy", async () => {
  const respond: Respond = (stream, _headers, number) => {
    if (number === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else reply(stream, { text: "again" });
  };
  await against(respond, {}, async (client) => { assert.deepEqual(await unary(client, {}), { text: "again" }); });
  await against((stream) => { stream.close(constants.NGHTTP2_REFUSED_STREAM); }, {}, async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
    assert.equal(server.streams, 2);
  });
});

test("hedges join after the delay, the first answer wins and the others are cancelled", async () => {
  const cancelled: number[] = [];
  const respond: Respond = (stream, _headers, number) => {
    stream.on("close", () => { if (stream.rstCode === constants.NGHTTP2_CANCEL) cancelled.push(number); });
    if (number === 2) reply(stream, { number });
  };
  const options = configured({ hedgingPolicy: { maxAttempts: 3, hedgingDelay: "0.05s", nonFatalStatusCodes: ["UNAVAILABLE"] } });
  await against(respond, options, async (client, server) => {
    const began = Date.now();
    assert.deepEqual(await unary(client, {}), { number: 2 });
    assert.ok(Date.now() - began >= 45);
    await until(() => cancelled.includes(1), "the first hedge's cancellation");
    await pause(80);
    assert.equal(server.streams, 2);
  });
});

test("a hedge that fails well brings the next forward, one that fails badly ends the call", async () => {
  const options = configured({ hedgingPolicy: { maxAttempts: 3, hedgingDelay: "10s", nonFatalStatusCodes: ["UNAVAILABLE"] } });
  const quick: Respond = (stream, _headers, number) => {
    if (number < 3) refuse(stream, status.UNAVAILABLE);
    else reply(stream, { number });
  };
  await against(quick, options, async (client) => { assert.deepEqual(await unary(client, {}), { number: 3 }); });
  await against((stream) => { refuse(stream, status.UNAVAILABLE); }, options, async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
    assert.equal(server.streams, 3);
  });
  await against((stream) => { refuse(stream, status.ABORTED); }, options, async (client, server) => {
    assert.equal(await codeOf(unary(client, {})), status.ABORTED);
    assert.equal(server.streams, 1);
  });
});

test("a deadline and a cancellation end the pauses between attempts", async () => {
  const slow = { ...policy, initialBackoff: "10s", maxBackoff: "10s" };
  await against((stream) => { refuse(stream, status.UNAVAILABLE); }, configured({ retryPolicy: slow }), async (client, server) => {
    assert.equal(await codeOf(unary(client, {}, { deadline: Date.now() + 80 })), status.DEADLINE_EXCEEDED);
    const code = await new Promise((resolve) => {
      const call = client.Unary({}, (error) => { resolve(error!.code); });
      setTimeout(() => { call.cancel(); }, 40);
    });
    assert.equal(code, status.CANCELLED);
    assert.equal(server.streams, 2);
  });
});

test("the service configuration's time-out and sizes hold", async () => {
  const options = configured({ timeout: "0.06s", maxRequestBytes: 100, maxResponseBytes: 100 });
  const respond: Respond = (stream, headers) => {
    assert.match(String(headers["grpc-timeout"]), /^\d+m$/);
    if (stream.id! > 1) reply(stream, { text: "x".repeat(200) });
  };
  await against(respond, options, async (client) => {
    assert.equal(await codeOf(unary(client, {})), status.DEADLINE_EXCEEDED);
    assert.equal(await codeOf(unary(client, {}, { deadline: Date.now() + 10_000 })), status.RESOURCE_EXHAUSTED);
    assert.equal(await codeOf(unary(client, { text: "x".repeat(200) })), status.RESOURCE_EXHAUSTED);
  });
});
