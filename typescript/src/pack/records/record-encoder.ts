import { SamewireError } from "../../core/error.js";
import { Output } from "../../core/output.js";
import { writeFrame } from "../../core/frame.js";
import type { Codec } from "../bind/codec.js";
import { Kind, MAGIC, block, indexBody, joined, varint } from "./blocks.js";
import type { Place } from "./blocks.js";
import type { Zstd } from "./zstd.js";

/** How a record file is written. */
export interface RecordWriterOptions {
  /** How many bytes of records a block collects; a larger record has a block of its own. Default 65,536. */
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
 * returns, in that order.
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
   * @throws SamewireError `misuse` for `blockBytes` below 1 or above the codec's `frameBytes`.
   */
  constructor(
    private readonly codec: Codec<T>,
    options: RecordWriterOptions = {},
    after?: Written,
  ) {
    const { blockBytes = BLOCK_BYTES } = options;
    // A larger block would meet `bufferedBytes` in a reader with the same limits.
    const most = codec.limits.frameBytes;
    if (!Number.isSafeInteger(blockBytes) || blockBytes < 1 || blockBytes > most) throw new SamewireError("misuse", `blockBytes is a number of bytes from 1 to the limit frameBytes, ${most}`);
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
   * @throws SamewireError as `Codec.encode`: then nothing was added; `closed` after {@link end}.
   */
  write(record: T): Uint8Array {
    this.open();
    const message = this.codec.encode(record);
    const framed = varint(message.length).length + message.length;
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

  /** Returns what is left, and the index. */
  end(): Uint8Array {
    const left = this.flush();
    this.ended = true;
    return this.indexed ? left : joined(left, block(Kind.INDEX, indexBody(this.places, this.position)));
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
    if (this.ended) throw new SamewireError("closed", "this file has ended: append to it with an encoder of its own");
  }
}

/**
 * Returns the bytes of a record file, in pieces. In Node `pipeline(writeRecords(records, codec), createWriteStream(path))`
 * writes one.
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
