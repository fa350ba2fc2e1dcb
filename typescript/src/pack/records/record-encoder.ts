import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import { Output } from "../../core/output.js";
import { writeFrame } from "../../core/frame.js";
import { checkCodec } from "../bind/codec.js";
import type { Codec } from "../bind/codec.js";
import { Kind, MAGIC, SIZE_BYTES, block, indexBody, joined, varint } from "./blocks.js";
import type { Place } from "./blocks.js";
import type { Zstd } from "./zstd.js";

/** How a record file is written. */
export interface RecordWriterOptions {
  /**
   * How many bytes of records a block collects, at most the codec's `frameBytes`, and 5 less than its `bufferedBytes`; a
   * larger record has a block of its own. Default 65,536.
   */
  readonly blockBytes?: number;
  /** Compresses blocks. Default: they are not compressed. */
  readonly zstd?: Pick<Zstd, "compress">;
}

/** A file that is appended to: where its last whole block ends, what its blocks hold, and whether an index is the last. */
export interface Written {
  readonly end: number;
  readonly places: readonly Place[];
  readonly indexed: boolean;
}

const BLOCK_BYTES = 65_536;
const NOTHING = new Uint8Array(0);

/**
 * Turns records into the bytes of a record file (`spec/records.md`, section 4), without I/O: write what each method
 * returns, in that order. What must survive a power cut is made a block by {@link flush}, written, and synced, in Node by
 * `sync` of its `FileHandle`.
 */
export class RecordEncoder<T> {
  private readonly blockBytes: number;
  private readonly zstd: Pick<Zstd, "compress"> | undefined;
  private readonly places: Place[];
  private readonly frames = new Output();
  private position: number;
  private count = 0;
  private begun: boolean;
  private indexed: boolean;
  private ended = false;

  /**
   * @param after the file that is appended to; it must have been cut to its `end`. Default: a new file.
   * @throws SamewireError `misuse` for anything but a codec, and for `blockBytes` below 1 or above what its limits allow.
   */
  constructor(
    private readonly codec: Codec<T>,
    options: RecordWriterOptions = {},
    after?: Written,
  ) {
    checkCodec(codec);
    const { blockBytes = BLOCK_BYTES } = options;
    // A larger block would meet `bufferedBytes` in a reader with the same limits. Its count stands before its frames.
    const { frameBytes, bufferedBytes } = codec.limits;
    const most = Math.min(frameBytes, bufferedBytes - SIZE_BYTES);
    if (!Number.isSafeInteger(blockBytes) || blockBytes < 1 || blockBytes > most) {
      const limit = `the less of limits.frameBytes and limits.bufferedBytes - ${SIZE_BYTES}`;
      throw new SamewireError("misuse", `expected a number of bytes from 1 to ${most}, ${limit}, as blockBytes, got ${described(blockBytes)}`);
    }
    this.blockBytes = blockBytes;
    this.zstd = options.zstd;
    this.places = [...(after?.places ?? [])];
    this.position = after?.end ?? 0;
    this.begun = after !== undefined;
    this.indexed = after?.indexed ?? false;
  }

  /** How many records there are, with those that no block has been made of yet. */
  get records(): number {
    return this.places.reduce((sum, place) => sum + place.count, 0) + this.count;
  }

  /**
   * Adds a record; returns the bytes of the blocks that it completed, often none.
   *
   * @throws SamewireError as `Codec.encode`, and `limit_size` for a record whose block is larger than `bufferedBytes`: then
   *   nothing was added; `closed` after {@link end}.
   */
  write(record: T): Uint8Array {
    this.open();
    // The file says which schema its records are of.
    const message = this.codec.encodeBare(record);
    const framed = varint(message.length).length + message.length;
    const { bufferedBytes } = this.codec.limits;
    // Alone in a block, it stands behind a count of one byte.
    if (framed >= bufferedBytes) throw new SamewireError("limit_size", `a record that needs a block of ${framed + 1} bytes, limits.bufferedBytes is ${bufferedBytes}: raise it on both sides`, { path: "$" });
    const before = this.count > 0 && this.frames.length + framed > this.blockBytes ? this.flush() : NOTHING;
    writeFrame(this.frames, message);
    this.count++;
    if (this.frames.length < this.blockBytes) return before;
    return before.length === 0 ? this.flush() : joined(before, this.flush());
  }

  /** Returns the bytes of a block with the records so far, so that readers see them; of a new file also its start. */
  flush(): Uint8Array {
    this.open();
    const start = this.begun ? NOTHING : joined(MAGIC, block(Kind.SCHEMA, new TextEncoder().encode(this.codec.schema.text)));
    this.begun = true;
    this.position += start.length;
    if (this.count === 0) return start;
    const made = this.block();
    this.places.push({ start: this.position, count: this.count });
    this.position += made.length;
    this.count = 0;
    this.frames.length = 0;
    this.indexed = false;
    return start.length === 0 ? made : joined(start, made);
  }

  /**
   * Returns what is left, and the index. Of more blocks than an index within `bufferedBytes` names there is none: readers
   * then walk over the blocks.
   */
  end(): Uint8Array {
    const left = this.flush();
    this.ended = true;
    if (this.indexed) return left;
    const body = indexBody(this.places, this.position);
    return body.length > this.codec.limits.bufferedBytes ? left : joined(left, block(Kind.INDEX, body));
  }

  private block(): Uint8Array {
    const frames = this.frames.buffer.subarray(0, this.frames.length);
    const count = varint(this.count);
    const plain = block(Kind.RECORDS, count, frames);
    if (this.zstd === undefined) return plain;
    const packed = block(Kind.ZSTD, count, varint(frames.length), this.zstd.compress(frames.slice()));
    return packed.length < plain.length ? packed : plain;
  }

  private open(): void {
    if (this.ended) throw new SamewireError("closed", "this encoder has ended its file: RecordFile.open(…).append(codec) goes on with it");
  }
}

/**
 * Returns the bytes of a record file, in pieces. In Node `pipeline(writeRecords(records, codec), createWriteStream(path))`
 * writes one. It survives a power cut from then on with `createWriteStream(path, { flush: true })` (Node 20.10 and newer).
 *
 * @throws SamewireError as {@link RecordEncoder.write}, at the record at fault.
 */
export async function* writeRecords<T>(records: Iterable<T> | AsyncIterable<T>, codec: Codec<T>, options?: RecordWriterOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new RecordEncoder(codec, options);
  for await (const record of records) {
    const bytes = encoder.write(record);
    if (bytes.length > 0) yield bytes;
  }
  yield encoder.end();
}
