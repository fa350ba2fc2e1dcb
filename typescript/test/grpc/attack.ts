import { getHeapStatistics } from "node:v8";
import { Http2Error } from "../../src/grpc/http2/error.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { HeaderDecoder } from "../../src/grpc/http2/hpack/decoder.js";
import { DEFAULT_OPTIONS } from "../../src/grpc/http2/options.js";
import type { Random } from "../pack/corpus.js";
import { mutate } from "../pack/corpus.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";

const REQUEST = new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", "/a/B"], ["te", "trailers"]]);
const HEAD = new HeaderFields([[":status", "200"]]);
const TRAILERS = new HeaderFields([["grpc-status", "0"]]);

/** Bytes and CPU that one input may cost beside its own length. */
const HEAP_BYTES = 24e6;
const TIME_MS = 400;

const BLOCKS = ["838684", "8386040161", "40016101628386 84", "be", "3fe11f82", "20", "0001780179", "400a637573746f6d2d6b65790c637573746f6d2d76616c7565", "88", "880f0d0130"].map((text) =>
  Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex")),
);

/** A frame that is mostly right: types, flags, streams and payloads that occur, in any order. */
function piece(random: Random): Uint8Array {
  const stream = random.pick([0, 1, 1, 1, 3, 3, 5, 7, 2, 0x7fff_ffff]);
  const noise = Uint8Array.from({ length: random.below(40) }, () => random.below(256));
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return frame(1, random.pick([4, 5, 5, 0, 1, 0x2d]), stream, random.pick(BLOCKS));
    case 3:
    case 4:
      return frame(0, random.pick([0, 1, 8, 9]), stream, noise);
    case 5:
      return frame(3, 0, stream, noise.subarray(0, 4));
    case 6:
      return frame(4, random.pick([0, 0, 1]), 0, join(Uint8Array.of(0, random.below(8), 0, 0), noise.subarray(0, 2)));
    case 7:
      return frame(6, random.below(2), 0, new Uint8Array(8));
    case 8:
      return frame(8, 0, stream, Uint8Array.of(random.below(2) * 127, 0, random.below(256), random.below(256)));
    case 9:
      return frame(9, random.pick([0, 4]), stream, random.pick(BLOCKS));
    case 10:
      return frame(random.below(12), random.below(256), stream, noise);
    default:
      return frame(7, 0, 0, join(new Uint8Array(8), noise));
  }
}

/** Feeds one connection; returns its events and the frames that it sent, one line each. */
function run(role: "client" | "server", bytes: Uint8Array, cuts: () => number): string[] {
  const { connection, journal } = journaled(role);
  if (role === "client") for (let i = 0; i < 3; i++) connection.open(REQUEST, i === 0, null);
  journal.onStream = (stream, _block, end) => {
    journal.lines.push(`stream ${stream.id}${end ? " end" : ""}`);
    if (stream.id % 4 === 1) stream.reply(HEAD, new Uint8Array(30), TRAILERS, Uint8Array.of(1, 2, 3));
    else if (stream.id % 4 === 3) stream.headers(HEAD, false);
  };
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + cuts());
    const lent = bytes.slice(at, end);
    connection.receive(lent);
    lent.fill(0xaa);
    at = end;
  }
  connection.end();
  if (journal.closed !== 1) throw new Error(`closed ${journal.closed} times`);
  const open = new Set<string>();
  for (const line of journal.lines) {
    const [what, id] = line.split(" ");
    if (what === "reset" && open.has(id!)) throw new Error(`stream ${id!} was reset twice`);
    if (what === "reset") open.add(id!);
    else if (["stream", "headers", "data"].includes(what!) && open.has(id!)) throw new Error(`${line} after its reset`);
  }
  if (connection.openStreams !== 0 || connection.queuedBytes !== 0) throw new Error("streams are left behind");
  return [...journal.lines, ...framesOf(drain(connection)).map(({ type, flags, stream, payload }) => `out ${type} ${flags} ${stream} ${payload.length}`)];
}

/** One attack on a connection: whole and in pieces it must tell the same, end once, and cost little. */
export function attackConnection(random: Random): { what: string; run: () => void } {
  const role = random.pick(["client", "server"] as const);
  let bytes = join(...Array.from({ length: 1 + random.below(12) }, () => piece(random)));
  if (random.below(3) === 0) bytes = mutate(random, bytes, piece(random));
  bytes = join(prefaceOf(role === "server" ? "client" : "server"), bytes);
  const step = 1 + random.below(20);
  return {
    what: `${role} ${Buffer.from(bytes).toString("hex")}`,
    run: () => {
      frugal(() => {
        const whole = run(role, bytes, () => bytes.length).join("\n");
        const pieces = run(role, bytes, () => step).join("\n");
        if (whole !== pieces) throw new Error(`whole:\n${whole}\nin pieces:\n${pieces}`);
      });
    },
  };
}

/** One attack on the header decoder: what it reads is bounded, what it refuses it refuses for good. */
export function attackDecoder(random: Random): { what: string; run: () => void } {
  const blocks = Array.from({ length: 1 + random.below(5) }, () => mutate(random, random.pick(BLOCKS), random.pick(BLOCKS)));
  return {
    what: `blocks ${blocks.map((block) => Buffer.from(block).toString("hex")).join(" ")}`,
    run: () => {
      frugal(() => {
        const [one, two] = [new HeaderDecoder(DEFAULT_OPTIONS), new HeaderDecoder({ ...DEFAULT_OPTIONS, blockCacheEntries: 1 })];
        const read = (decoder: HeaderDecoder, block: Uint8Array): string => {
          try {
            const found = decoder.decode(block, 0, block.length);
            return found === null ? "over" : JSON.stringify([found.names, found.values]);
          } catch (error) {
            if (error instanceof Http2Error) return error.message;
            throw error;
          }
        };
        for (const block of [...blocks, ...blocks]) {
          const [first, second] = [read(one, block), read(two, block)];
          if (first !== second || one.tableBytes !== two.tableBytes) throw new Error(`${first}\n${second}`);
          if (one.tableBytes > DEFAULT_OPTIONS.headerTableBytes) throw new Error(`a table of ${one.tableBytes} bytes`);
        }
      });
    },
  };
}

function frugal(work: () => void): void {
  const used = (): number => getHeapStatistics().used_heap_size + getHeapStatistics().external_memory;
  const [bytes, cpu] = [used(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(cpu);
  if ((user + system) / 1_000 > TIME_MS || used() - bytes > HEAP_BYTES) throw new Error(`${(user + system) / 1_000} ms, ${used() - bytes} bytes`);
}
