import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { compressionAlgorithms, InterceptingCall, Metadata, status, type InterceptorOptions, type NextCall, type ServiceError } from "../../src/grpc/index.js";
import { codeOf, connect, makers, pause, startPeer, unary, until, type Item, type Peer } from "./peers.js";

for (const maker of makers) {
  describe(`our client with a server of ${maker}`, () => {
    let peer: Peer;
    let client: ReturnType<typeof connect>;
    before(async () => {
      peer = await startPeer(maker, undefined, undefined, { "grpc.max_receive_message_length": -1 });
      client = connect(peer, { "grpc.max_receive_message_length": -1 });
    });
    after(() => {
      client.close();
      peer.stop();
    });

    test("a unary call gives the answer, metadata and status", async () => {
      const call = client.Unary({ text: "héllo" }, (error, value) => {
        assert.equal(error, null);
        assert.deepEqual(value, { text: "héllo" });
      });
      const [metadata] = (await once(call, "metadata")) as [Metadata];
      assert.ok(metadata instanceof Metadata);
      const [ended] = (await once(call, "status")) as [{ code: number; details: string }];
      assert.equal(ended.code, status.OK);
      assert.equal(call.getPeer(), peer.address);
    });

    test("every status code arrives with details and trailers", async () => {
      for (let code = 1; code <= 16; code += 1) {
        await assert.rejects(unary(client, { code }), (error: ServiceError) => {
          assert.ok(error instanceof Error);
          assert.equal(error.code, code);
          assert.equal(error.details, `wänted ${code}`);
          assert.equal(error.message, `${code} ${status[code]}: wänted ${code}`);
          assert.deepEqual(error.metadata.get("why"), ["because"]);
          return true;
        });
      }
    });

    test("metadata goes as it was given", async () => {
      const metadata = new Metadata();
      metadata.set("key", "value");
      metadata.add("twice", "a");
      metadata.set("raw-bin", Buffer.from([0, 255, 1]));
      await unary(client, {}, metadata);
      const seen = peer.events.metadata.at(-1)!;
      assert.equal(seen["key"], "value");
      assert.deepEqual([...(seen["raw-bin"] as Buffer)], [0, 255, 1]);
      assert.match(String(seen["user-agent"]), /^grpc-node-samewire\//);
    });

    test("a stream of requests is answered once", async () => {
      const answer = await new Promise<Item>((resolve, reject) => {
        const call = client.Up((error, value) => {
          if (error === null) resolve(value!);
          else reject(error);
        });
        for (let number = 1; number <= 100; number += 1) call.write({ number });
        call.end();
      });
      assert.deepEqual(answer, { number: 5_050 });
      const none = await new Promise((resolve, reject) => {
        client.Up((error, value) => { if (error === null) resolve(value); else reject(error); }).end();
      });
      assert.deepEqual(none, { number: 0 });
    });

    test("a stream of responses comes in order, and its error after them", async () => {
      let next = 0;
      for await (const item of client.Down({ count: 2_000, size: 10 })) assert.equal((item as Item).number, next++);
      assert.equal(next, 2_000);
      const call = client.Down({ count: 5, code: status.DATA_LOSS });
      const seen: number[] = [];
      call.on("data", (item: Item) => seen.push(item.number!));
      const [error] = (await once(call, "error")) as [ServiceError];
      assert.equal(error.code, status.DATA_LOSS);
      assert.deepEqual(seen, [0, 1, 2, 3, 4]);
    });

    test("both streams run at once, and end after each other", async () => {
      const call = client.Both();
      const seen: number[] = [];
      call.on("data", (item: Item) => {
        seen.push(item.number!);
        if (seen.length < 200) call.write({ number: seen.length });
        else call.end();
      });
      call.write({ number: 0 });
      const [ended] = (await once(call, "status")) as [{ code: number }];
      assert.equal(ended.code, status.OK);
      assert.deepEqual(seen, Array.from({ length: 200 }, (_, at) => at));
    });

    test("an error of a stream reaches the writer", async () => {
      const call = client.Both();
      call.write({ code: status.ABORTED });
      const [error] = (await once(call, "error")) as [ServiceError];
      assert.equal(error.code, status.ABORTED);
      assert.equal(
        await codeOf(new Promise((resolve, reject) => { client.Up((e: Error | null) => { if (e === null) resolve(0); else reject(e); }).write({ code: 7 }); })),
        status.PERMISSION_DENIED,
      );
    });

    test("large messages pass both ways", async () => {
      const text = "y".repeat(9_000_000);
      const answer = await unary(client, { text });
      assert.equal(answer.text, text);
      assert.equal((await unary(client, { size: 5_000_000 })).text!.length, 5_000_000);
    });

    test("a slow reader holds the server back", async () => {
      const call = client.Down({ count: 2_000, size: 10_000 });
      let count = 0;
      for await (const item of call) {
        assert.equal((item as Item).number, count++);
        if (count % 500 === 0) await pause(30);
      }
      assert.equal(count, 2_000);
    });

    test("a writer is held back, and everything arrives", async () => {
      const call = client.Both();
      let got = 0;
      let waited = 0;
      call.on("data", () => (got += 1));
      for (let number = 0; number < 500; number += 1) {
        if (!call.write({ number, text: "z".repeat(5_000) })) {
          waited += 1;
          await once(call, "drain");
        }
      }
      call.end();
      await once(call, "status");
      assert.equal(got, 500);
      assert.ok(waited > 0);
    });

    test("a deadline ends the call on both sides", async () => {
      const before = peer.events.cancelled;
      const began = Date.now();
      // So long that the call has reached the server by then on a loaded machine, too.
      assert.equal(await codeOf(unary(client, { wait: 3_000 }, { deadline: Date.now() + 1_000 })), status.DEADLINE_EXCEEDED);
      assert.ok(Date.now() - began >= 995);
      await until(() => peer.events.cancelled > before, "the server's cancellation");
      assert.equal(await codeOf(unary(client, {}, { deadline: new Date(Date.now() - 1) })), status.DEADLINE_EXCEEDED);
      await unary(client, {}, { deadline: Infinity });
      await unary(client, {}, { deadline: null as unknown as number });
      for (const invalid of [NaN, new Date("no date")]) {
        assert.equal(await codeOf(unary(client, {}, { deadline: invalid })), status.DEADLINE_EXCEEDED);
      }
    });

    test("a cancelled call ends at once on both sides, and exactly once", async () => {
      const before = peer.events.cancelled;
      const { handled } = peer.events;
      let ends = 0;
      const code = await new Promise<number>((resolve) => {
        const call = client.Unary({ wait: 3_000 }, (error) => { ends += 1; resolve(error!.code); });
        void until(() => peer.events.handled > handled, "the server's handler").then(() => { call.cancel(); call.cancel(); });
      });
      assert.equal(code, status.CANCELLED);
      await until(() => peer.events.cancelled > before, "the server's cancellation");
      const stream = client.Down({ count: 1, wait: 1 });
      const failed = once(stream, "error");
      stream.once("data", () => { stream.cancel(); });
      assert.equal(((await failed) as [ServiceError])[0].code, status.CANCELLED);
      await pause(20);
      assert.equal(ends, 1);
    });

    test("leaving a loop over responses cancels the call", async () => {
      const before = peer.events.cancelled;
      for await (const item of client.Down({ count: 100_000, size: 1_000 })) if ((item as Item).number === 10) break;
      await until(() => peer.events.cancelled > before, "the server's cancellation");
    });

    test("an unknown method is UNIMPLEMENTED, an unreadable answer INTERNAL", async () => {
      const raw = (bytes: Buffer) => bytes;
      const call = (path: string, de: (bytes: Buffer) => unknown) => new Promise((resolve, reject) => {
        client.makeUnaryRequest(path, raw, de, Buffer.from("{}"), (error, value) => { if (error === null) resolve(value); else reject(error); });
      });
      assert.equal(await codeOf(call("/test.Echo/Nothing", raw)), status.UNIMPLEMENTED);
      assert.equal(await codeOf(call("/test.Echo/Unary", () => { throw new Error("no"); })), status.INTERNAL);
      const bad = new Promise((resolve, reject) => {
        client.makeUnaryRequest("/test.Echo/Unary", () => { throw new Error("cannot"); }, raw, {}, (error, value) => { if (error === null) resolve(value); else reject(error); });
      });
      await assert.rejects(bad, /13 INTERNAL: Request message serialization failure: cannot/);
    });

    test("a serializer that gives anything but bytes ends the call with INTERNAL, in all shapes of call", async () => {
      const raw = (bytes: Buffer) => bytes;
      const given = ["text", new Float64Array(2), { length: 40 }, [1, 2], 5, new ArrayBuffer(3), new DataView(new ArrayBuffer(3)), null, undefined];
      const pass = { interceptors: [(options: InterceptorOptions, next: NextCall) => new InterceptingCall(next(options))] };
      for (const value of given) {
        const wrong = (): Buffer => value as unknown as Buffer;
        for (const options of [{}, pass]) {
          const limited = { ...options, deadline: Date.now() + 20_000 };
          const ends = [
            new Promise((resolve) => { client.makeUnaryRequest("/test.Echo/Unary", wrong, raw, {}, new Metadata(), limited, resolve); }),
            new Promise((resolve) => { client.makeClientStreamRequest("/test.Echo/Up", wrong, raw, new Metadata(), limited, resolve).write({}); }),
            new Promise((resolve) => { client.makeServerStreamRequest("/test.Echo/Down", wrong, raw, {}, new Metadata(), limited).on("error", resolve).resume(); }),
            new Promise((resolve) => { client.makeBidiStreamRequest("/test.Echo/Both", wrong, raw, new Metadata(), limited).on("error", resolve).resume().write({}); }),
          ];
          for (const error of (await Promise.all(ends)) as ServiceError[]) {
            assert.match(error.message, /^13 INTERNAL: Request message serialization failure: expected a Buffer or Uint8Array of the serializer, got \w+$/);
          }
        }
      }
      const plain = new Uint8Array(Buffer.from('{"text":"plain"}'));
      assert.equal(await new Promise((resolve, reject) => {
        client.makeUnaryRequest("/test.Echo/Unary", () => plain as Buffer, String, {}, (error, value) => { if (error === null) resolve(value); else reject(error); });
      }), '{"text":"plain"}');
    });

    test("sizes are limited both ways", async () => {
      const small = connect(peer, { "grpc.max_receive_message_length": 100, "grpc.max_send_message_length": 200 });
      await unary(small, { size: 50 });
      await assert.rejects(unary(small, { size: 500 }), /8 RESOURCE_EXHAUSTED: Received message larger than max \(\d+ vs 100\): raise the channel's option grpc\.max_receive_message_length/);
      await assert.rejects(unary(small, { text: "x".repeat(300) }), /8 RESOURCE_EXHAUSTED: Attempted to send message with a size larger than 200, 3\d\d bytes: raise the channel's option grpc\.max_send_message_length/);
      small.close();
    });

    for (const algorithm of [compressionAlgorithms.gzip, compressionAlgorithms.deflate]) {
      test(`requests compressed by ${compressionAlgorithms[algorithm]} are understood`, async () => {
        const packing = connect(peer, { "grpc.default_compression_algorithm": algorithm, "grpc.max_receive_message_length": -1 });
        for (const size of [1, 1_000, 300_000]) {
          const text = "ab".repeat(size);
          assert.equal((await unary(packing, { text })).text, text);
        }
        const call = packing.Both();
        const seen: number[] = [];
        call.on("data", (item: Item) => seen.push(item.number!));
        for (let number = 0; number < 20; number += 1) call.write({ number, text: "q".repeat(number % 3 === 0 ? 100_000 : 10) });
        call.end();
        await once(call, "status");
        assert.deepEqual(seen, Array.from({ length: 20 }, (_, at) => at));
        packing.close();
      });
    }

    test("a thousand calls at once are all answered, each with its own answer", async () => {
      const answers = await Promise.all(Array.from({ length: 1_000 }, (_, number) => unary(client, { number })));
      answers.forEach((answer, at) => { assert.equal(answer.number, at); });
    });

    test("an error thrown by a callback leaves other calls alone", async () => {
      const thrown = new Promise<Error>((resolve) => {
        process.setUncaughtExceptionCaptureCallback((error) => {
          process.setUncaughtExceptionCaptureCallback(null);
          resolve(error);
        });
      });
      const second = unary(client, { number: 2, wait: 10 });
      client.Unary({ number: 1 }, () => { throw new Error("mine"); });
      assert.equal((await thrown).message, "mine");
      assert.equal((await second).number, 2);
    });

    test("after close calls are refused, those under way end well", async () => {
      const closing = connect(peer);
      await unary(closing, {});
      const last = unary(closing, { number: 7, wait: 50 });
      closing.close();
      assert.throws(() => { closing.Unary({}, () => undefined); }, /Channel has been shut down/);
      assert.equal((await last).number, 7);
    });
  });
}
