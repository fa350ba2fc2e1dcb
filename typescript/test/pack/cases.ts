import * as pack from "../../src/pack/index.js";
import { fromHex, fromNotation, toHex, toNotation } from "./notation.js";
import type { Notation } from "./notation.js";
import { withTypedArrays } from "./typed.js";

/** One case of the vectors. */
export interface Case {
  name: string;
  kind: "canonical" | "rewritten" | "sorted" | "accepted" | "rejected" | "resolved" | "unresolved" | "schema" | "bad_schema" | "difference" | "frames";
  schema: string;
  profile: pack.Profile;
  digest?: boolean | string;
  check?: boolean;
  hex: string;
  /** Of a `rewritten` case, its value as a message of the profile `fast`. */
  rows: string;
  value: Notation;
  /** Of a `sorted` case, the value with its maps in several orders. */
  values: Notation[];
  uses: { depth: number; items: number; cells?: number; text_bytes: number; frame_bytes: number };
  canonical: string;
  annotated?: string;
  error?: pack.ErrorCode;
  at?: number;
  path?: string;
  limits?: Record<string, number>;
  writer: string;
  text: string;
  here: string;
  there: string;
  difference: { path: string; here: string; there: string } | null;
  messages: string[];
  at_end?: boolean;
}

/** How the library is used in a run of the vectors. */
export interface Mode {
  /** Of the modes that a message is read in one after the other: each cuts it at other places. */
  readonly turn: number;
  readonly eval: boolean;
  /** Lists of numbers as typed arrays. */
  readonly typed: boolean;
  readonly views: boolean;
  readonly detach: boolean;
}

/**
 * Longer messages are cut at this many places instead of all, and in each mode at others, so that four modes together
 * read every prefix of messages of up to 1,000 bytes: reading each prefix strictly takes quadratic time.
 */
const MOST_PREFIXES = 120;
const MODES = 4;

function check(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right.slice(0, 400)}, got ${left.slice(0, 400)}`);
}

function failure(run: () => unknown): pack.SamewireError {
  let value: unknown;
  try {
    value = run();
  } catch (error) {
    if (error instanceof pack.SamewireError) return error;
    throw error;
  }
  throw new Error(`expected an error, got ${String(value)}`);
}

function checkFailure(run: () => unknown, expected: { error: string; at?: number | undefined; path?: string | undefined }, what: string): void {
  const error = failure(run);
  check({ error: error.code, at: error.at, path: error.path }, { error: expected.error, at: expected.at, path: expected.path }, what);
}

const LIMIT_NAMES = { depth: "depth", frame_bytes: "frameBytes", text_bytes: "textBytes", items: "items", cells: "cells", buffered_bytes: "bufferedBytes" } as const;

function limitsOf(given: Record<string, number> = {}): Partial<pack.Limits> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [LIMIT_NAMES[name as keyof typeof LIMIT_NAMES], value]));
}

/** Runs all checks of one case; throws on the first that fails. */
export function runCase(test: Case, mode: Mode): void {
  const runner = new Runner(test, mode);
  runner[test.kind]();
}

class Runner {
  constructor(
    private readonly test: Case,
    private readonly mode: Mode,
  ) {}

  private type(text: string): pack.Type {
    const type = pack.parse(text);
    return this.mode.typed ? withTypedArrays(type) : type;
  }

  private codec(options: pack.CodecOptions = {}): pack.Codec<unknown> {
    const { eval: evaluate, views, detach } = this.mode;
    const codec = pack.codec(this.type(this.test.schema), { check: false, eval: evaluate, views, detach, ...options });
    check(codec.schema.annotated, this.test.schema, "schema text");
    return codec;
  }

  canonical(): void {
    const { test } = this;
    const codec = this.codec({ profile: test.profile, digest: test.digest === true, check: test.check === true });
    const { root } = codec.schema.tree;
    const bytes = fromHex(test.hex);
    const value = fromNotation(root, test.value);
    check(toHex(codec.encode(value)), test.hex, "encoded");
    check(toNotation(root, codec.decode(bytes)), test.value, "decoded");
    check(toHex(codec.encode(codec.decode(bytes))), test.hex, "encoded again");
    this.checks(codec, bytes, value);
  }

  /** A value that is kept as a message in rows, and what a profile of columns makes of it. */
  rewritten(): void {
    const { test } = this;
    const rows = this.codec({ profile: "fast" });
    const codec = this.codec({ profile: test.profile, digest: test.digest === true, check: test.check === true });
    const bytes = fromHex(test.hex);
    const value = rows.decode(fromHex(test.rows));
    check(toHex(rows.encode(value)), test.rows, "rows encoded");
    check(toHex(codec.encode(value)), test.hex, "encoded");
    const decoded = codec.decode(bytes);
    check(toHex(rows.encode(decoded)), test.rows, "decoded");
    check(toHex(codec.encode(decoded)), test.hex, "encoded again");
    this.checks(codec, bytes, value);
  }

  /** Equal values, whose maps differ in the order of their entries. */
  sorted(): void {
    const { profile, hex, values } = this.test;
    const codec = this.codec({ profile, sortKeys: true });
    const plain = this.codec({ profile });
    const { root } = codec.schema.tree;
    for (const notation of values) {
      const value = fromNotation(root, notation);
      check(toHex(codec.encode(value)), hex, "encoded");
      this.outputs(codec, value);
    }
    check(toHex(plain.encode(plain.decode(fromHex(hex)))), hex, "encoded again");
    check(toHex(plain.encode(fromNotation(root, values[0]!))) === hex, false, "sorted without the option");
  }

  /** The checks of every message that a writer makes. */
  private checks(codec: pack.Codec<unknown>, bytes: Uint8Array, value: unknown): void {
    this.outputs(codec, value);
    this.prefixes(codec, bytes);
    const longer = new Uint8Array([...bytes, 0]);
    checkFailure(() => codec.decode(longer), { error: "trailing", at: bytes.length, path: "$" }, "one byte more");
    this.limits(bytes, value);
    // No mode changes how frames are read.
    if (this.mode.turn === 0) this.framesOf(bytes);
  }

  private outputs(codec: pack.Codec<unknown>, value: unknown): void {
    const { hex } = this.test;
    const output = new pack.Output(0);
    check(codec.encodeInto(value, output), hex.length / 2, "length of the first message");
    check(codec.encodeInto(value, output), hex.length / 2, "length of the second message");
    check(toHex(output.bytes), hex + hex, "two messages in one output");
    check([...codec.encodeChunks(value, 64)].map(toHex).join(""), hex, "pieces");
  }

  private prefixes(codec: pack.Codec<unknown>, bytes: Uint8Array): void {
    const few = Math.max(1, Math.ceil(bytes.length / MOST_PREFIXES));
    const step = bytes.length < 1_000 ? Math.min(few, MODES) : few;
    // A stack for each of 100,000 errors would take a fifth of the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      for (let length = this.mode.turn % step; length < bytes.length; length += step) {
        const error = failure(() => codec.decode(bytes.subarray(0, length)));
        check([error.code, error.at], ["truncated", length], `prefix of ${length}`);
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** At all its limits a message is read and written; below any one of them it is refused for that one. */
  private limits(bytes: Uint8Array, value: unknown): void {
    const { uses, profile } = this.test;
    const carried = { digest: this.test.digest === true, check: this.test.check === true };
    const errors = { depth: "limit_depth", items: "limit_items", cells: "limit_items", text_bytes: "limit_size", frame_bytes: "limit_size" } as const;
    const names = (["depth", "items", "cells", "text_bytes", "frame_bytes"] as const).filter((name) => (uses[name] ?? 0) >= 1);
    const enough = limitsOf(Object.fromEntries(names.map((name) => [name, uses[name]!])));
    const at = this.codec({ profile, ...carried, limits: enough });
    check(toHex(at.encode(at.decode(bytes))), this.test.hex, "at the limits");
    for (const name of names) {
      const use = uses[name]!;
      if (use < 2) continue;
      const below = this.codec({ profile, ...carried, limits: limitsOf({ [name]: use - 1 }) });
      check(failure(() => below.decode(bytes)).code, errors[name], `${name} below the limit`);
      if (name !== "text_bytes") {
        check(failure(() => below.encode(value)).code, errors[name], `${name} below the limit, writing`);
      }
    }
  }

  private framesOf(bytes: Uint8Array): void {
    const output = new pack.Output();
    pack.writeFrame(output, bytes);
    pack.writeFrame(output, bytes);
    const stream = output.bytes.slice();
    const step = Math.ceil(stream.length / MOST_PREFIXES);
    for (let cut = 0; cut <= stream.length; cut += step) {
      const { messages, error } = scan(stream, cut, {});
      check([messages, error], [[this.test.hex, this.test.hex], undefined], `frames split at ${cut}`);
    }
  }

  accepted(): void {
    const { test } = this;
    const codec = this.codec();
    const value = codec.decode(fromHex(test.hex));
    check(toNotation(codec.schema.tree.root, value), test.value, "decoded");
    check(toHex(codec.encode(value)), test.canonical, "encoded");
  }

  rejected(): void {
    const { test } = this;
    const codec = this.codec({ limits: limitsOf(test.limits) });
    checkFailure(() => codec.decode(fromHex(test.hex)), { error: test.error!, at: test.at, path: test.path }, "decoding");
  }

  resolved(): void {
    const { test } = this;
    const codec = this.codec({ limits: limitsOf(test.limits) });
    const value = codec.resolve(test.writer).decode(fromHex(test.hex));
    check(toNotation(codec.schema.tree.root, value), test.value, "resolved");
  }

  unresolved(): void {
    const { test } = this;
    const codec = this.codec({ limits: limitsOf(test.limits) });
    if ((test.hex as string | undefined) !== undefined) {
      const decoder = codec.resolve(test.writer);
      checkFailure(() => decoder.decode(fromHex(test.hex)), { error: test.error!, at: test.at, path: test.path }, "decoding");
    } else {
      checkFailure(() => codec.resolve(test.writer), { error: test.error!, path: test.path }, "resolving");
    }
  }

  schema(): void {
    const { test } = this;
    const schema = pack.Schema.parse(test.text);
    check([schema.text, schema.digest], [test.canonical, test.digest], "canonical text and digest");
    const again = pack.Schema.parse(schema.text);
    check([again.text, again.digest], [test.canonical, test.digest], "read again");
    const annotated = test.annotated ?? test.canonical;
    check([schema.annotated, pack.Schema.parse(annotated).annotated], [annotated, annotated], "annotated text");
    pack.codec(this.type(test.text), { eval: this.mode.eval });
  }

  bad_schema(): void {
    const { test } = this;
    checkFailure(() => pack.parse(test.text), { error: test.error!, at: test.at }, "reading");
  }

  difference(): void {
    const { test } = this;
    const [here, there] = [pack.Schema.parse(test.here), pack.Schema.parse(test.there)];
    const found = here.difference(there);
    check(found ?? null, test.difference, "difference");
    check([here.text === there.text, there.difference(here) === undefined], [found === undefined, found === undefined], "whether they differ");
  }

  frames(): void {
    const { test } = this;
    const stream = fromHex(test.hex);
    const expected = test.error === undefined ? undefined : { code: test.error, at: test.at, atEnd: test.at_end === true };
    for (let cut = 0; cut <= stream.length; cut++) {
      const { messages, error } = scan(stream, cut, limitsOf(test.limits));
      check([messages, error], [test.messages, expected], `split at ${cut}`);
    }
    if (test.messages.length === 0) return;
    const scanner = new pack.FrameScanner(limitsOf(test.limits));
    scanner.feed(stream);
    checkFailure(() => { scanner.end(); }, { error: "misuse", at: undefined, path: undefined }, "the end before the messages are taken");
    check(test.messages.map(() => toHex(scanner.next()!)), test.messages, "messages after an early end");
  }
}

interface Scanned {
  messages: string[];
  error: { code: string; at: number | undefined; atEnd: boolean } | undefined;
}

/** Feeds a stream in two pieces and takes all messages; after an error it makes sure that the scanner is dead. */
function scan(stream: Uint8Array, cut: number, limits: Partial<pack.Limits>): Scanned {
  const scanner = new pack.FrameScanner(limits);
  const messages: string[] = [];
  let atEnd = false;
  const drain = (): void => {
    for (let message = scanner.next(); message !== undefined; message = scanner.next()) messages.push(toHex(message));
  };
  try {
    scanner.feed(stream.subarray(0, cut));
    drain();
    scanner.feed(stream.subarray(cut));
    drain();
    atEnd = true;
    scanner.end();
  } catch (error) {
    if (!(error instanceof pack.SamewireError)) throw error;
    const again = failure(() => scanner.next());
    check([again.code, again.at], [error.code, error.at], "the error again");
    return { messages, error: { code: error.code, at: error.at, atEnd } };
  }
  return { messages, error: undefined };
}
