import { described } from "../../core/described.js";
import { SamewireError, textOf } from "../../core/error.js";
import { limits as limitsOf } from "../../core/limits.js";
import type { Limits } from "../../core/limits.js";
import { isBytes } from "../../core/realm.js";
import { Codec, checkCodec } from "../bind/codec.js";
import type { Decoder } from "../bind/codec.js";
import { Schema } from "../schema/schema.js";
import { digestOf } from "../wire/header.js";
import { BlockScanner, Kind, fileError, indexOf, malformed, messagesOf, recordsSize } from "./blocks.js";
import type { Block, Place } from "./blocks.js";
import { noZstd } from "./zstd.js";
import type { Zstd } from "./zstd.js";

/** How a record file is read. */
export interface RecordReaderOptions {
  /** `bufferedBytes` bounds a block, the others each message if no codec is given. Those that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /**
   * A block that is not whole yet is not an error: the records end before it. Default false. If another writer has cut such a
   * block off and put one of its own in its place, what is fed next does not belong to it, and is `malformed`: start again.
   */
  readonly growing?: boolean;
  /**
   * The file must end with the index that closing a writer leaves. Behind the last record of one without it, which was cut
   * off between two blocks or whose writer has not closed it, reading throws `truncated` at the file's length. Default
   * false. Not together with `growing`.
   */
  readonly complete?: boolean;
  /** Expands compressed blocks. Default: such a block is `unsupported`. */
  readonly zstd?: Pick<Zstd, "expand">;
}

/**
 * Returns the schema of a file's first block.
 *
 * @throws SamewireError at its body for text that is none, or not canonical.
 */
export function schemaOf(block: Block): Schema {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(block.body);
  } catch {
    throw fileError("bad_utf8", block.bodyAt, "expected the schema's text in UTF-8, got other bytes: the file's writer is at fault");
  }
  let schema: Schema;
  try {
    schema = Schema.parse(text);
  } catch (error) {
    throw error instanceof SamewireError ? fileError(error.code, block.bodyAt, `the schema's text${error.at === undefined ? "" : ` at its byte ${error.at}`}: ${textOf(error)}`) : error;
  }
  if (schema.text !== text) throw malformed(block, "expected the canonical text of the schema, got another: the file's writer is at fault");
  return schema;
}

/**
 * Turns the bytes of a record file, fed in chunks of any size, into records (`spec/records.md`, section 3), without I/O.
 * Holds one block at a time.
 */
export class RecordDecoder<T = unknown> {
  /** The limits of blocks. */
  readonly limits: Limits;
  private readonly growing: boolean;
  private readonly complete: boolean;
  /** Whether the block that was read last is an index. */
  private indexed = false;
  private readonly zstd: Pick<Zstd, "expand"> | undefined;
  private scanner: BlockScanner;
  private found: Schema | undefined;
  /** Where the schema's block ends. */
  private first = 0;
  private decoder: Decoder<T> | undefined;
  private messages: readonly Uint8Array[] = [];
  private taken = 0;
  private number = 0;
  private skipped = 0;
  private place: Place | undefined;
  private finished = false;
  private error: unknown;

  /**
   * @param codec of a record's type; without one, records are as the file's own schema has them
   * @throws SamewireError `misuse` for anything but a codec, and for `complete` with `growing`.
   */
  constructor(
    private readonly codec?: Codec<T>,
    options: RecordReaderOptions = {},
  ) {
    if (codec !== undefined) checkCodec(codec);
    this.limits = limitsOf(options.limits);
    this.growing = options.growing ?? false;
    this.complete = options.complete ?? false;
    if (this.complete && this.growing) throw new SamewireError("misuse", "expected complete: true or growing: true, got both: a file that grows has no index at its end yet; leave one out");
    this.zstd = options.zstd;
    this.scanner = new BlockScanner(this.limits);
  }

  /** The schema that the records were written with; undefined until {@link ready} has met it. */
  get schema(): Schema | undefined {
    return this.found;
  }

  /**
   * Adds the next bytes of the file.
   *
   * @throws SamewireError `misuse` for anything but a `Uint8Array`.
   */
  feed(chunk: Uint8Array): void {
    if (!isBytes(chunk)) {
      throw new SamewireError("misuse", `expected bytes of the file as a Uint8Array, got ${described(chunk)}: createReadStream(path), without an encoding, reads such`);
    }
    this.scanner.feed(chunk);
  }

  /**
   * Declares the end of the file; {@link ready} throws `truncated` if a block is not whole, unless it is growing, and for
   * an index that is missing with the option `complete`.
   */
  end(): void {
    this.finished = true;
  }

  /**
   * Whether a record can be taken. False if more bytes are needed, and at the end.
   *
   * @throws SamewireError of the file, with the offset in it; the same again at each further call.
   */
  ready(): boolean {
    if (this.taken < this.messages.length) return true;
    if (this.error !== undefined) throw this.error as Error;
    try {
      return this.advance();
    } catch (error) {
      this.error = error;
      throw error;
    }
  }

  /**
   * Returns the next record, once {@link ready}.
   *
   * @throws SamewireError as `Codec.decode` for a record that is broken, whose number stands in the text: the next call
   *   goes on behind it; `misuse` if none is ready.
   */
  take(): T {
    const message = this.messages[this.taken];
    if (message === undefined) throw new SamewireError("misuse", "no record is ready: call take() only after ready() has returned true");
    this.taken++;
    const number = this.number++;
    try {
      const digest = digestOf(message);
      if (digest !== undefined && digest !== this.found!.digest) {
        throw new SamewireError("schema_mismatch", `expected the digest of the file's schema, ${this.found!.digest}, got ${digest}: it was written with another codec`, { at: 1, path: "$" });
      }
      return this.decoder!.decode(message);
    } catch (error) {
      throw error instanceof SamewireError ? numbered(error, number) : error;
    }
  }

  /**
   * Goes on at a block of records of a file whose schema is known: what is fed next starts there.
   *
   * @internal
   * @param head where the schema's block ends
   * @param first the number of its first record
   * @param skipped how many of its records are passed over
   */
  goTo(schema: Schema, head: number, place: Place, first: number, skipped: number): void {
    this.begin(schema, head);
    this.scanner = new BlockScanner(this.limits, place.start);
    this.place = place;
    this.number = first;
    this.skipped = skipped;
  }

  private advance(): boolean {
    for (let block = this.scanner.next(); block !== undefined; block = this.scanner.next()) {
      this.indexed = block.kind === Kind.INDEX;
      if (block.kind === Kind.SCHEMA) this.begin(schemaOf(block), block.end);
      else if (this.indexed) indexOf(block, this.first);
      else {
        if (this.place !== undefined) this.expect(block, this.place);
        this.messages = this.open(block);
        this.taken = this.skipped;
        this.number += this.skipped;
        this.skipped = 0;
        if (this.taken < this.messages.length) return true;
      }
    }
    if (this.finished && !(this.growing && this.found !== undefined)) this.scanner.end(this.complete && !this.indexed);
    else if (this.finished) this.scanner.checkUnfinished();
    return false;
  }

  private begin(schema: Schema, head: number): void {
    this.found = schema;
    this.first = head;
    this.decoder = this.decoderOf(schema);
  }

  /**
   * Returns what decodes the records of a file.
   *
   * @internal
   */
  protected decoderOf(schema: Schema): Decoder<T> {
    const own = this.codec ?? (new Codec(schema.type, { limits: this.limits }) as Codec<T>);
    return own.schema.text === schema.text ? own : own.resolve(schema);
  }

  /** Checks that a block is where the index has it. */
  private expect(block: Block, { start, count }: Place): void {
    this.place = undefined;
    if (block.start !== start || recordsSize(block).count !== count) throw fileError("malformed", start, `expected the block of ${count} records that the index names, got another: the file was changed after it was opened`);
  }

  private open(block: Block): Uint8Array[] {
    const { count, size, dataAt } = recordsSize(block);
    const data = block.body.subarray(dataAt);
    return messagesOf(block, block.kind === Kind.ZSTD ? this.expanded(block, data, size) : data, count);
  }

  private expanded(block: Block, data: Uint8Array, size: number): Uint8Array {
    const { bufferedBytes } = this.limits;
    if (size > bufferedBytes) throw fileError("limit_size", block.bodyAt, `a block that expands to ${size} bytes, limits.bufferedBytes is ${bufferedBytes}: raise it to read this file`);
    if (this.zstd === undefined) throw noZstd(block.start);
    let content: Uint8Array;
    try {
      content = this.zstd.expand(data, size);
    } catch (error) {
      throw malformed(block, `expected compressed data that the option zstd expands, it threw: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (content.length !== size) throw malformed(block, `expected compressed data that expand to ${size} bytes, got ${content.length}: the file's writer is at fault`);
    return content;
  }
}

function numbered(error: SamewireError, number: number): SamewireError {
  const { at, path } = error;
  const where = { ...(at === undefined ? {} : { at }), ...(path === undefined ? {} : { path }) };
  return new SamewireError(error.code, `record ${number}: ${textOf(error)}`, where);
}

/**
 * Returns the records of a file that comes in chunks: in Node those of `createReadStream(path)`, anywhere those of a
 * response's body.
 *
 * @throws SamewireError as {@link RecordDecoder.ready} and {@link RecordDecoder.take}; the first error ends it.
 */
export async function* readRecords<T = unknown>(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  codec?: Codec<T>,
  options?: RecordReaderOptions,
): AsyncGenerator<T, void, undefined> {
  const decoder = new RecordDecoder(codec, options);
  for await (const chunk of chunks) {
    decoder.feed(chunk);
    while (decoder.ready()) yield decoder.take();
  }
  decoder.end();
  while (decoder.ready()) yield decoder.take();
}
