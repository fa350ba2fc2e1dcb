import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createClient, status, type GrpcError } from "../../src/grpc/index.js";
import { service } from "./peers.js";
import { rawServer } from "./raw-server.js";

/* A response whose end has come before its reader asks: the messages before the end are read, and none after it. */

const message = (text: string, flag = 0): Buffer => {
  const bytes = flag === 1 ? gzipSync(text) : Buffer.from(text);
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};
const garbage = Buffer.concat([Buffer.of(1, 0, 0, 0, 3), Buffer.from("abc")]);
const long = (flag: number): Buffer => message("x".repeat(100_000), flag);

const cases: readonly (readonly [string, Buffer[], string[], number])[] = [
  ["trailers", [message("a"), message("b")], ["a", "b"], status.OK],
  ["trailers behind compressed messages", [message("a", 1), message("b"), message("c", 1)], ["a", "b", "c"], status.OK],
  ["trailers behind a message that another thread decompresses", [long(1), message("b")], ["x".repeat(100_000), "b"], status.OK],
  ["a message that cannot be decompressed", [message("a", 1), garbage, message("c"), message("d", 1)], ["a"], status.INTERNAL],
  ["a flag that is neither 0 nor 1", [message("a"), message("b", 1), Buffer.of(2, 0, 0, 0, 0), message("c")], ["a", "b"], status.INTERNAL],
  ["a message over the limit", [message("a"), long(0), long(0), Buffer.from("00ffffffff", "hex")], ["a", "x".repeat(100_000), "x".repeat(100_000)], status.RESOURCE_EXHAUSTED],
  ["half a message", [message("a"), message("b").subarray(0, 5)], ["a"], status.INTERNAL],
];

for (const [what, messages, expected, code] of cases) {
  test(`messages that wait come before ${what}`, async () => {
    const server = await rawServer((stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-encoding": "gzip" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "0" }); });
      stream.end(Buffer.concat(messages));
    });
    const client = createClient({ Down: { ...service.Down, responseDeserialize: (bytes: Buffer) => bytes.toString() } }, server.address);
    const read: string[] = [];
    let ended: number = status.OK;
    try {
      for await (const text of client.Down({}) as AsyncIterable<string>) {
        read.push(text);
        // The rest of the response comes meanwhile.
        if (read.length === 1) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } catch (error) {
      ended = (error as GrpcError).code;
    }
    assert.deepEqual(read.map((text) => text.length), expected.map((text) => text.length));
    assert.deepEqual(read, expected);
    assert.equal(ended, code);
    await client[Symbol.asyncDispose]();
    await server.close();
  });
}
