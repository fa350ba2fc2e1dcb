import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import { checkCodec } from "../bind/codec.js";
import type { Codec } from "../bind/codec.js";
import type { Schema } from "../schema/schema.js";
import { BlockScanner, INDEX_TAIL_BYTES, Kind, fileError, indexOf, noIndex, recordsSize } from "./blocks.js";
import type { Block, Place } from "./blocks.js";
import { RecordDecoder, schemaOf } from "./record-decoder.js";
import type { RecordReaderOptions } from "./record-decoder.js";
import { RecordEncoder } from "./record-encoder.js";
import type { RecordWriterOptions, Written } from "./record-encoder.js";

/** What bytes are read from: a `Blob`, in Node that of `openAsBlob(path)`. */
export interface ByteSource {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

const PIECE_BYTES = 65_536;

async function bytesOf(source: ByteSource, start: number, end: number): Promise<Uint8Array> {
  return new Uint8Array(await source.slice(start, Math.min(end, source.size)).arrayBuffer());
}

/** A record file that can be read from any record on. */
export class RecordFile<T = unknown> implements Written {
  private constructor(
    private readonly source: ByteSource,
    private readonly codec: Codec<T> | undefined,
    private readonly options: RecordReaderOptions,
    /** The schema that the records were written with. */
    readonly schema: Schema,
    /** Where its block ends. */
    private readonly head: number,
    /** Where the blocks of records start, and how many records each has. */
    readonly places: readonly Place[],
    /** Where the last whole block ends, in bytes: a file is cut to this size before it is appended to. */
    readonly end: number,
    /** Whether an index ends there. */
    readonly indexed: boolean,
  ) {}

  /**
   * Opens a file: reads its schema, and its index or, without one, its blocks.
   *
   * @param codec of a record's type; without one, records are as the file's own schema has them
   * @throws SamewireError of the file, but not `truncated`: an unfinished block at the end is left out; `schema_mismatch`
   *   if the codec's type cannot be read from the file's.
   */
  static async open<T = unknown>(source: ByteSource, codec?: Codec<T>, options: RecordReaderOptions = {}): Promise<RecordFile<T>> {
    const { limits } = new RecordDecoder(codec, options);
    checkSource(source);
    const scan = async (start: number): Promise<Block | undefined> => blockAt(source, start, new BlockScanner(limits, start));
    const first = await scan(0);
    if (first === undefined) throw fileError("truncated", source.size, "the file ends within its schema: it was cut off, or its writer is still at work");
    const schema = schemaOf(first);
    if (codec !== undefined && codec.schema.text !== schema.text) codec.resolve(schema);
    const index = await lastIndex(source, first.end, scan);
    if (index !== undefined) return new RecordFile(source, codec, options, schema, first.end, indexOf(index, first.end), index.end, true);
    const places: Place[] = [];
    let last = first;
    for (let next = await scan(last.end); next !== undefined; next = await scan(last.end)) {
      last = next;
      if (last.kind !== Kind.INDEX) places.push({ start: last.start, count: recordsSize(last).count });
    }
    return new RecordFile(source, codec, options, schema, first.end, places, last.end, last.kind === Kind.INDEX);
  }

  /** How many records the whole blocks of the file hold. */
  get count(): number {
    return this.places.reduce((sum, place) => sum + place.count, 0);
  }

  /**
   * Returns the records from a number on.
   *
   * @throws SamewireError as `readRecords`, also with the option `complete`; `misuse` for a number that is not from 0 to
   *   {@link count}.
   */
  async *records(from = 0): AsyncGenerator<T, void, undefined> {
    if (!Number.isSafeInteger(from) || from < 0 || from > this.count) throw new SamewireError("misuse", `records(${described(from)}): expected a number from 0 to ${this.count}, the records of the file`);
    const decoder = new RecordDecoder(this.codec, { ...this.options, growing: true, complete: false });
    let first = 0;
    for (const place of this.places) {
      if (from < first + place.count) {
        decoder.goTo(this.schema, this.head, place, first, from - first);
        yield* this.read(decoder, place.start);
        break;
      }
      first += place.count;
    }
    const { size } = this.source;
    if (this.options.complete === true && !(this.indexed && this.end === size)) throw noIndex(size);
  }

  /**
   * Returns an encoder that appends to the file. Cut the file to {@link end} bytes, then write there what it returns.
   *
   * @throws SamewireError `schema_mismatch` with the first difference if the codec's schema is not the file's.
   */
  append(codec: Codec<T>, options?: RecordWriterOptions): RecordEncoder<T> {
    checkCodec(codec);
    const difference = codec.schema.difference(this.schema);
    if (difference !== undefined) {
      throw new SamewireError("schema_mismatch", `records of another type are in the file: ${String(difference)}; write them to a file of their own`, { path: difference.path });
    }
    return new RecordEncoder(codec, options, this);
  }

  private async *read(decoder: RecordDecoder<T>, start: number): AsyncGenerator<T, void, undefined> {
    for (let at = start; at < this.end; at += PIECE_BYTES) {
      decoder.feed(await bytesOf(this.source, at, Math.min(at + PIECE_BYTES, this.end)));
      while (decoder.ready()) yield decoder.take();
    }
  }
}

/** Throws `misuse` for anything but a source of bytes, say the path of a file. */
function checkSource(source: unknown): void {
  const { size, slice } = (source ?? {}) as Partial<ByteSource>;
  if (typeof size === "number" && typeof slice === "function") return;
  throw new SamewireError("misuse", `expected a Blob of the file, got ${described(source)}: openAsBlob(path) of node:fs makes one`);
}

/** Reads the block at an offset; undefined if the file ends before it does. */
async function blockAt(source: ByteSource, start: number, scanner: BlockScanner): Promise<Block | undefined> {
  for (let at = start; at < source.size; at += PIECE_BYTES) {
    scanner.feed(await bytesOf(source, at, at + PIECE_BYTES));
    const found = scanner.next();
    if (found !== undefined) return found;
  }
  scanner.checkUnfinished();
  return undefined;
}

/** Returns the index at the end of the file, or undefined if there is none: another block may end in any bytes. */
async function lastIndex(source: ByteSource, first: number, scan: (start: number) => Promise<Block | undefined>): Promise<Block | undefined> {
  const tail = await bytesOf(source, Math.max(0, source.size - INDEX_TAIL_BYTES), source.size);
  if (tail.length < INDEX_TAIL_BYTES) return undefined;
  const start = Number(new DataView(tail.buffer, tail.byteOffset).getBigUint64(0, true));
  if (start < first || start >= source.size - INDEX_TAIL_BYTES) return undefined;
  try {
    const found = await scan(start);
    if (found?.kind !== Kind.INDEX || found.end !== source.size) return undefined;
    indexOf(found, first);
    return found;
  } catch (error) {
    if (error instanceof SamewireError) return undefined;
    throw error;
  }
}
