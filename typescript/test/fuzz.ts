/**
 * Feeds mutated messages, schema texts and streams, HTTP/2 frames and header blocks to everything that reads them.
 *
 *     fuzz.js --seconds N --seed S
 *
 * A finding is: anything thrown that is not a SamewireError; a connection that reports other events when its bytes come
 * in pieces; generated code, closures, small codec and columns that disagree; a decoded value that does not survive
 * encoding and decoding; an input that takes more time or memory than a small multiple of its length. Exits with 1
 * then.
 */
import { inspect, isDeepStrictEqual } from "node:util";
import { getHeapStatistics } from "node:v8";
import * as pack from "../src/pack/index.js";
import * as small from "../src/pack/small.js";
import { Random, allCases, mutate } from "./pack/corpus.js";
import { attackConnection, attackDecoder } from "./grpc/attack.js";
import { attackCalls } from "./grpc/attack-client.js";
import { attackMessages } from "./grpc/attack-messages.js";
import { attackUnary } from "./grpc/attack-server.js";
import { fromHex, toHex } from "./pack/notation.js";
import { outcome as valueOrError, tableOf, tables } from "./pack/table-messages.js";

const LIMITS = { items: 100_000, cells: 20_000, textBytes: 200_000, frameBytes: 1 << 20, depth: 64 } as const;
/** Milliseconds for any input, and more for each kilobyte. */
const TIME = 250;
const TIME_PER_KILOBYTE = 20;
/**
 * Bytes of heap for any input, and more for each of its bytes. The walker makes a path step of some hundred bytes for
 * each element.
 */
const HEAP = 64 << 20;
const HEAP_PER_BYTE = 4_096;

interface Target {
  schema: string;
  generated: pack.Codec<unknown>;
  closed: pack.Codec<unknown>;
  typed: pack.Codec<unknown>;
  small: small.Codec<unknown>;
  messages: Uint8Array[];
  /** Reads tables whose rows hold the type. */
  table: pack.TableCodec<{ v: unknown }>;
  tables: Uint8Array[];
}

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

const seconds = option("--seconds", 30);
const seed = option("--seed", 1);
const random = new Random(seed);

function targets(): Target[] {
  // Types that are parsed need what only these functions bring along.
  small.list(small.any);
  const bySchema = new Map<string, Uint8Array[]>();
  for (const { schema, hex } of allCases()) {
    if (typeof schema !== "string" || typeof hex !== "string" || hex.length > 8_192) continue;
    bySchema.set(schema, [...(bySchema.get(schema) ?? []), fromHex(hex)]);
  }
  return [...bySchema].map(([schema, messages]) => {
    const type = pack.parse(schema);
    const make = (options: pack.CodecOptions): pack.Codec<unknown> => pack.codec(type, { limits: LIMITS, ...options });
    return {
      schema,
      generated: make({ eval: true }),
      closed: make({ eval: false, detach: true }),
      typed: make({ eval: true, views: true }),
      small: small.codec(type, { limits: LIMITS }),
      messages,
      table: tableOf(type, { limits: LIMITS }),
      tables: messages.flatMap((message) => tablesOf(type, message)),
    };
  });
}

/** Tables of the value of a message, if it has one. */
function tablesOf(type: pack.Type, message: Uint8Array): Uint8Array[] {
  try {
    return tables(type, [pack.codec(type).decode(message)], [2, 64]).filter(({ length }) => length < 8_192);
  } catch {
    return [];
  }
}

/** The result of an attempt, as a text to compare: an error, or the value's message. */
function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof pack.SamewireError) return `${error.code} ${String(error.at)} ${String(error.path)}`;
    throw error;
  }
}

function tryMessage(target: Target, bytes: Uint8Array): void {
  const decoded = (codec: pack.Encoder<unknown> & pack.Decoder<unknown>): string => outcome(() => toHex(codec.encode(codec.decode(bytes))));
  const first = decoded(target.generated);
  const second = decoded(target.closed);
  const third = decoded(target.typed);
  if (first !== second || first !== third) throw new Error(`generated: ${first}, closures: ${second}, views: ${third}`);
  const fourth = decoded(target.small);
  if (first !== fourth) throw new Error(`generated: ${first}, small: ${fourth}`);
  // A code and where it stands.
  if (first.includes(" ")) return;
  const again = decoded(target.generated);
  const canonical = outcome(() => toHex(target.generated.encode(target.generated.decode(fromHex(again)))));
  if (canonical !== first) throw new Error(`encoded ${first}, decoded and encoded again ${canonical}`);
}

function tryTable({ table }: Target, bytes: Uint8Array): void {
  // Values, not their bytes: the engine gives a NaN other bits where numbers go through an array.
  const decoded = valueOrError(() => table.decode(bytes));
  const columns = valueOrError(() => table.columns(bytes).toArray());
  if (isDeepStrictEqual(decoded, columns)) return;
  // The nulls of structs take more room in columns.
  if (typeof columns === "string" && columns.startsWith("limit_items ")) return;
  throw new Error(`decode: ${inspect(decoded)}, columns: ${inspect(columns)}`);
}

function trySchema(text: string): void {
  const read = outcome(() => pack.Schema.parse(text).text);
  if (read.includes("undefined") && !text.includes("undefined")) {
    if (!/^(malformed|limit_\w+) \d+ undefined$/.test(read)) throw new Error(`schema: ${read}`);
  } else if (pack.Schema.parse(read).text !== read) throw new Error(`not canonical: ${read}`);
}

function tryFrames(stream: Uint8Array): void {
  const scanned = (step: number): string => {
    const scanner = new pack.FrameScanner({ frameBytes: 4_096 });
    const messages: string[] = [];
    const drain = (): void => {
      for (let message = scanner.next(); message !== undefined; message = scanner.next()) messages.push(toHex(message));
    };
    const end = outcome(() => {
      for (let at = 0; at < stream.length; at += step) {
        scanner.feed(stream.subarray(at, at + step));
        drain();
      }
      scanner.end();
      return "end";
    });
    return `${messages.join()} ${end}`;
  };
  const whole = scanned(stream.length);
  const pieces = scanned(1 + random.below(5));
  if (whole !== pieces) throw new Error(`whole: ${whole}, in pieces: ${pieces}`);
}

const all = targets();
const texts = allCases().flatMap(({ schema, text }) => [schema, text].filter((part) => typeof part === "string" && part.length < 4_096));
const counts = { messages: 0, tables: 0, schemas: 0, streams: 0, connections: 0, blocks: 0, servers: 0, clients: 0, grpcMessages: 0 };

/** One input: what it is, and the trial of it. */
function next(): { what: string; size: number; run: () => void } {
  const kind = random.below(16);
  if (kind >= 10) {
    const attack = [attackConnection, attackConnection, attackDecoder, attackUnary, attackCalls, attackMessages][kind - 10]!(random);
    const count = (["connections", "connections", "blocks", "servers", "clients", "grpcMessages"] as const)[kind - 10]!;
    counts[count]++;
    return { ...attack, size: attack.what.length };
  }
  const target = random.pick(all);
  const bytes = mutate(random, random.pick(target.messages), random.pick(random.pick(all).messages));
  if (kind < 2 && target.tables.length > 0) {
    counts.tables++;
    const table = mutate(random, random.pick(target.tables), bytes);
    return { what: `table of ${target.schema} ${toHex(table)}`, size: table.length, run: () => { tryTable(target, table); } };
  }
  if (kind < 8) {
    counts.messages++;
    return { what: `${target.schema} ${toHex(bytes)}`, size: bytes.length, run: () => { tryMessage(target, bytes); } };
  }
  if (kind === 8) {
    counts.schemas++;
    const encoded = mutate(random, new TextEncoder().encode(random.pick(texts)), new TextEncoder().encode(random.pick(texts)));
    const text = new TextDecoder().decode(encoded);
    return { what: `schema ${JSON.stringify(text)}`, size: text.length, run: () => { trySchema(text); } };
  }
  counts.streams++;
  const output = new pack.Output();
  for (let i = random.below(4); i >= 0; i--) pack.writeFrame(output, Uint8Array.of(0x80, ...random.pick(target.messages)));
  const stream = mutate(random, output.bytes, bytes);
  return { what: `stream ${toHex(stream)}`, size: stream.length, run: () => { tryFrames(stream); } };
}

const started = Date.now();
let inputs = 0;
while (Date.now() - started < 1_000 * seconds) {
  const { what, size, run } = next();
  inputs++;
  // Servers tell of cancellations in turns of their own, which must come for the memory to be let go.
  if (inputs % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  const before = getHeapStatistics();
  const clock = process.cpuUsage();
  try {
    run();
  } catch (error) {
    process.stdout.write(`finding (seed ${seed}, input ${inputs}): ${what}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  }
  const { user, system } = process.cpuUsage(clock);
  const grown = getHeapStatistics().used_heap_size + getHeapStatistics().external_memory - before.used_heap_size - before.external_memory;
  const slow = (user + system) / 1_000 > TIME + (TIME_PER_KILOBYTE * size) / 1_024;
  if (slow || grown > HEAP + HEAP_PER_BYTE * size) {
    process.stdout.write(`finding (seed ${seed}, input ${inputs}): ${what}\n${(user + system) / 1_000} ms, ${grown} bytes of heap for ${size} bytes\n`);
    process.exit(1);
  }
}
const elapsed = ((Date.now() - started) / 1_000).toFixed(1);
process.stdout.write(
  `fuzz typescript: ${inputs} inputs in ${elapsed} s, ${counts.messages} messages of ${all.length} schemas, ${counts.tables} tables, ${counts.schemas} schema texts, ${counts.streams} streams, ${counts.connections} connections, ${counts.blocks} lists of header blocks, ${counts.servers} gRPC servers, ${counts.clients} gRPC clients, ${counts.grpcMessages} messages of gRPC's own\n`,
);
