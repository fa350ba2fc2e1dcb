import * as pack from "../../src/pack/index.js";
import { fromHex, fromNotation, toHex, toNotation } from "./notation.js";
import type { Notation } from "./notation.js";

/** One case of the vectors of record files (`spec/vectors/README.md`). */
export interface RecordsCase {
  name: string;
  kind: "written" | "appended" | "read" | "refused";
  schema: string;
  blocks: Notation[][];
  indexed: boolean;
  before: string;
  records: Notation[];
  hex: string;
  ends: number[];
  error: pack.ErrorCode;
  at: number | null;
  path: string | null;
  limits?: Record<string, number>;
}

interface Result {
  readonly records: Notation[];
  readonly error: pack.SamewireError | undefined;
}

function check(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right.slice(0, 400)}, got ${left.slice(0, 400)}`);
}

/** Reads a file in two pieces; returns the records before the first error, and the error. */
function read(bytes: Uint8Array, cut: number, codec: pack.Codec<unknown>, options: pack.RecordReaderOptions = {}): Result {
  const records: Notation[] = [];
  try {
    const decoder = new pack.RecordDecoder(codec, options);
    const take = (): void => { while (decoder.ready()) records.push(toNotation(codec.schema.tree.root, decoder.take())); };
    for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      decoder.feed(piece);
      take();
    }
    decoder.end();
    take();
  } catch (error) {
    if (error instanceof pack.SamewireError) return { records, error };
    throw error;
  }
  return { records, error: undefined };
}

function codecOf(vector: RecordsCase): pack.Codec<unknown> {
  const limits = Object.fromEntries(Object.entries(vector.limits ?? {}).map(([name, value]) => [name.replace("_b", "B"), value]));
  // The vectors keep this default where `frame_bytes` is less.
  return pack.codec(pack.parse(vector.schema), { limits: { bufferedBytes: pack.DEFAULT_LIMITS.bufferedBytes, ...limits } });
}

async function seek(bytes: Uint8Array, codec: pack.Codec<unknown>, records: Notation[]): Promise<void> {
  const file = await pack.RecordFile.open(new Blob([bytes as Uint8Array<ArrayBuffer>]), codec);
  check(file.count, records.length, "count");
  for (let from = records.length; from >= 0; from--) {
    const found: Notation[] = [];
    for await (const record of file.records(from)) found.push(toNotation(codec.schema.tree.root, record));
    check(found, records.slice(from), `from record ${from}`);
  }
}

async function written(vector: RecordsCase): Promise<void> {
  const codec = codecOf(vector);
  const { root } = codec.schema.tree;
  const encoder = new pack.RecordEncoder(codec);
  let made = toHex(encoder.flush());
  for (const block of vector.blocks) {
    for (const record of block) made += toHex(encoder.write(fromNotation(root, record)));
    made += toHex(encoder.flush());
  }
  if (vector.indexed) made += toHex(encoder.end());
  check(made, vector.hex, "written");
  const bytes = fromHex(vector.hex);
  const all = vector.blocks.flat();
  for (let cut = 0; cut <= bytes.length; cut++) {
    check(read(bytes, cut, codec), { records: all }, `in pieces of ${cut}`);
    const whole = vector.ends.slice(1).filter((end) => end <= cut).length;
    const before = vector.blocks.slice(0, whole).flat();
    const { records, error } = read(bytes.subarray(0, cut), cut, codec);
    check(records, before, `the first ${cut} bytes`);
    check(error && [error.code, error.at], vector.ends.includes(cut) ? undefined : ["truncated", cut], `the first ${cut} bytes`);
    if (cut >= vector.ends[0]!) check(read(bytes.subarray(0, cut), cut, codec, { growing: true }), { records: before }, `growing, ${cut} bytes`);
  }
  await seek(bytes, codec, all);
}

async function appended(vector: RecordsCase): Promise<void> {
  const codec = codecOf(vector);
  const before = fromHex(vector.before);
  const file = await pack.RecordFile.open(new Blob([before as Uint8Array<ArrayBuffer>]), codec);
  const encoder = file.append(codec);
  let made = toHex(before.subarray(0, file.end));
  for (const record of vector.records) made += toHex(encoder.write(fromNotation(codec.schema.tree.root, record)));
  check(made + toHex(encoder.end()), vector.hex, "appended");
}

function refused(vector: RecordsCase): void {
  const codec = codecOf(vector);
  const bytes = fromHex(vector.hex);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { records, error } = read(bytes, cut, codec, { limits: codec.limits });
    check(records, vector.records, "records before the error");
    check([error?.code, error?.at ?? null, error?.path ?? null], [vector.error, vector.at, vector.path], "error");
  }
}

/** Runs a case, with all checks that follow from its kind; throws if one fails. */
export async function runRecordsCase(vector: RecordsCase): Promise<void> {
  switch (vector.kind) {
    case "written":
      await written(vector);
      break;
    case "appended":
      await appended(vector);
      break;
    case "read":
      check(read(fromHex(vector.hex), 0, codecOf(vector)), { records: vector.records }, "read");
      break;
    case "refused":
      refused(vector);
  }
}
