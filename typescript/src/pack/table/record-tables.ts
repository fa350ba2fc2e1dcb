import { SamewireError } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { Codec } from "../bind/codec.js";
import type { Decoder } from "../bind/codec.js";
import type { Resolution, ResolutionPlan } from "../schema/resolution-plan.js";
import type { Schema } from "../schema/schema.js";
import type { Type } from "../schema/type.js";
import { RecordDecoder } from "../records/record-decoder.js";
import type { RecordReaderOptions } from "../records/record-decoder.js";
import type { Reader } from "../wire/reader.js";
import type { ColumnBuilder, ReadSlot } from "./builder.js";
import type { StructColumn } from "./column.js";
import { Builders } from "./nested-builders.js";
import { ROOT, slotReaders } from "./table-codec.js";
import type { Columns } from "./table-codec.js";

const ROWS = 65_536;

/** How a record file is read as tables. */
export interface RecordTablesOptions extends RecordReaderOptions {
  /** Records of a table, at most. Default 65,536. The last one may have fewer, and so has one whose records are large. */
  readonly rows?: number;
}

/** The records of a table that is not whole yet. A table takes no more memory than two messages within the limits, and one block. */
class Batch {
  rows = 0;
  private cells = 0;
  private bytes = 0;
  private builders: Builders | undefined;
  private builder: ColumnBuilder | undefined;

  constructor(
    private readonly most: number,
    private readonly limits: Limits,
  ) {}

  get full(): boolean {
    return this.rows >= this.most || this.cells >= this.limits.cells || this.bytes >= this.limits.bufferedBytes;
  }

  /** Appends the row of a message. An error leaves all columns invalid. */
  append(r: Reader, depth: number, plan: ResolutionPlan, slot: (plan: ResolutionPlan) => ReadSlot): void {
    const builders = (this.builders ??= new Builders(slot));
    const builder = (this.builder ??= builders.of(plan, ROOT));
    const before = builders.next();
    builder.slot(r, depth);
    this.rows++;
    this.cells += r.options.limits.cells - r.cells + (builders.next() - before);
    this.bytes += r.end;
  }

  finish(): StructColumn {
    const { builder } = this;
    this.drop();
    return builder!.finish() as StructColumn;
  }

  drop(): void {
    this.rows = this.cells = this.bytes = 0;
    this.builders = this.builder = undefined;
  }
}

/** Decodes records into a batch. */
class RowCodec extends Codec<unknown> {
  readonly rows: Decoder<undefined>;

  constructor(type: Type, limits: Limits, batch: Batch) {
    super(type, { limits, eval: false });
    this.rows = this.decoderBy(({ plan }: Resolution) => {
      if (plan.kind !== "struct" || plan.recursive) {
        const found = plan.kind === "struct" ? "one that does" : plan.kind;
        throw new SamewireError("unsupported", `a row of a table is a struct that does not contain itself, not ${found}: readRecords reads records of any type`, { path: "$" });
      }
      const slot = slotReaders();
      // Refuses a type with too many columns at once.
      new Builders(slot).of(plan, ROOT);
      return (r, depth) => { batch.append(r, depth, plan, slot); return undefined; };
    });
  }
}

class RowDecoder extends RecordDecoder<undefined> {
  constructor(
    options: RecordReaderOptions,
    private readonly batch: (limits: Limits) => Batch,
  ) {
    super(undefined, options);
  }

  protected override decoderOf(schema: Schema): Decoder<undefined> {
    return new RowCodec(schema.type, this.limits, this.batch(this.limits)).rows;
  }
}

/**
 * Turns the bytes of a record file, fed in chunks of any size, into tables, without an object for each record and without I/O. It
 * holds the records of one table and one block of the file.
 *
 * Columns have the types and names of the file's own schema, by any writer (`spec/tables.md`, section 6).
 */
export class RecordTables<R = Record<string, unknown>> {
  private readonly records: RowDecoder;
  private readonly batch: Batch;
  private finished = false;
  /** Whether reading the file has failed behind records that were not taken yet. */
  private failed = false;

  /** @throws SamewireError `misuse` unless `rows` is a whole number above 0, and for `complete` with `growing`. */
  constructor(options: RecordTablesOptions = {}) {
    const { rows = ROWS } = options;
    if (!Number.isSafeInteger(rows) || rows < 1) throw new SamewireError("misuse", `expected rows to be a whole number above 0, got ${String(rows)}: leave it out for ${ROWS}`);
    let batch: Batch | undefined;
    this.records = new RowDecoder(options, () => batch!);
    this.batch = batch = new Batch(rows, this.records.limits);
  }

  /** The schema of the file; undefined until {@link ready} has met it. */
  get schema(): Schema | undefined {
    return this.records.schema;
  }

  /**
   * Adds the next bytes of the file.
   *
   * @throws SamewireError `misuse` for anything but a `Uint8Array`.
   */
  feed(chunk: Uint8Array): void {
    this.records.feed(chunk);
  }

  /** Declares the end of the file, as {@link RecordDecoder.end}: {@link take} then returns what is left. */
  end(): void {
    this.finished = true;
    this.records.end();
  }

  /**
   * Whether a table can be taken. False if more bytes are needed, and at the end.
   *
   * @throws SamewireError as {@link RecordDecoder.ready}, behind a table of the records before the fault, and `unsupported` for a
   *   file whose records are not structs, or ones that contain themselves; as {@link RecordDecoder.take} for a record that is
   *   broken, which costs the table that it would be in: the next call goes on behind it.
   */
  ready(): boolean {
    const { batch, records } = this;
    while (!batch.full) {
      if (!this.more()) return batch.rows > 0 && (this.finished || this.failed);
      try {
        records.take();
      } catch (error) {
        batch.drop();
        throw error;
      }
    }
    return true;
  }

  /** Whether there is another record. */
  private more(): boolean {
    try {
      return this.records.ready();
    } catch (error) {
      this.failed = true;
      if (this.batch.rows === 0) throw error;
      return false;
    }
  }

  /**
   * Returns the next table, once {@link ready}.
   *
   * @throws SamewireError `misuse` if none is ready.
   */
  take(): Columns<R> {
    if (this.batch.rows === 0) throw new SamewireError("misuse", "no table is ready: call take() only after ready() has returned true");
    return this.batch.finish();
  }
}

/**
 * Returns the tables of a record file that comes in chunks: in Node those of `createReadStream(path)`, anywhere those of a
 * response's body.
 *
 * ```ts
 * for await (const orders of pack.readTables(createReadStream("orders.records"))) {
 *   orders.length; // 65,536 rows, in the last table what is left
 *   orders.column("price", "f64").values; // Float64Array
 * }
 * ```
 *
 * @throws SamewireError as {@link RecordTables.ready}; the first error ends it.
 */
export async function* readTables<R = Record<string, unknown>>(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: RecordTablesOptions,
): AsyncGenerator<Columns<R>, void, undefined> {
  const tables = new RecordTables<R>(options);
  for await (const chunk of chunks) {
    tables.feed(chunk);
    while (tables.ready()) yield tables.take();
  }
  tables.end();
  while (tables.ready()) yield tables.take();
}
