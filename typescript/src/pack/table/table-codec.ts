import { SamewireError } from "../../core/error.js";
import { Codec } from "../bind/codec.js";
import type { CodecOptions, Decoder } from "../bind/codec.js";
import { DecodeClosures } from "../bind/decode-closures.js";
import type { Decode } from "../bind/decode-closures.js";
import type { Resolution, ResolutionPlan } from "../schema/resolution-plan.js";
import { Schema } from "../schema/schema.js";
import type { Infer, Type } from "../schema/type.js";
import type { ListColumn, StructColumn } from "./column.js";
import { Builders } from "./nested-builders.js";
import type { ReadSlot } from "./builder.js";

/** The columns of a table, by the fields of its rows. */
export type Columns<R> = StructColumn<keyof R & string>;

/** A {@link Codec} of a list of structs, which also reads its messages as columns. {@link tableCodec} makes it. */
export class TableCodec<R> extends Codec<R[]> {
  private readonly table: Decoder<Columns<R>>;

  constructor(type: Type<R[]>, options: CodecOptions = {}) {
    super(type, options);
    this.table = this.decoderBy((resolution) => columnsOf(resolution) as (...given: Parameters<Decode>) => Columns<R>);
  }

  /**
   * Returns the columns of one message, of any profile, without an object for each row: the values of one field stand
   * together, numbers in typed arrays. `spec/tables.md` says what each type becomes. The columns share nothing with the
   * message.
   *
   * They hold the written values: the functions of `as` are not called. A null struct takes room in its columns, which
   * is charged to `limits.cells`.
   *
   * @throws SamewireError as {@link Codec.decode}, and `limit_items` where columns need more room than the limits
   *   allow.
   */
  columns(bytes: Uint8Array): Columns<R> {
    return this.table.decode(bytes);
  }

  override resolve(writer: Schema | string): TableDecoder<R> {
    const decoder = super.resolve(writer);
    const text = typeof writer === "string" ? writer : writer.text;
    let table: TableCodec<object> | undefined;
    return {
      decode: (bytes) => decoder.decode(bytes),
      columns: (bytes) => (table ??= new TableCodec(Schema.parse(text).type as Type<object[]>, this.options)).columns(bytes),
    };
  }
}

/** A decoder of a list of structs that another schema wrote. {@link TableCodec.resolve} makes it. */
export interface TableDecoder<R> extends Decoder<R[]> {
  /**
   * Returns the columns of one message in the types and under the names of the **writer's** schema, since columns hold what is
   * written: the reader's defaults, wider numbers and aliases play no part. `columns(bytes).columns` lacks what the writer
   * does not have.
   *
   * @throws SamewireError as {@link TableCodec.columns}.
   */
  columns(bytes: Uint8Array): StructColumn;
}

/** Returns a function that reads a message's list as columns. */
function columnsOf({ plan }: Resolution): (...given: Parameters<Decode>) => unknown {
  if (plan.kind !== "list" || plan.of.kind !== "struct" || plan.of.recursive) {
    const element = plan.kind !== "list" ? undefined : plan.of.kind === "struct" ? "one that does" : plan.of.kind;
    const found = element === undefined ? plan.kind : `a list of ${element}`;
    const text = `a table is a list of a struct that does not contain itself, not ${found}: pack.codec takes any type`;
    throw new SamewireError("unsupported", text, { path: "$" });
  }
  const slotOf = slotReaders();
  // Made before the first message, to refuse a type with too many columns.
  let builder: ReturnType<Builders["of"]> | undefined = new Builders(slotOf).of(plan, ROOT);
  return (r, depth) => {
    const rows = builder ?? new Builders(slotOf).of(plan, ROOT);
    builder = undefined;
    rows.slot(r, depth);
    return (rows.finish() as ListColumn).child;
  };
}

/** Returns a function that makes slot readers, one for each plan, for types whose values are read one by one. */
export function slotReaders(): (plan: ResolutionPlan) => ReadSlot {
  const closures = new DecodeClosures();
  const slots = new Map<ResolutionPlan, ReadSlot>();
  return (plan) => {
    let read = slots.get(plan);
    if (read === undefined) slots.set(plan, (read = closures.slot(plan)));
    return read;
  };
}

export const ROOT = (): string => "$";

/**
 * Returns the codec of a list of structs that reads messages as columns, too.
 *
 * ```ts
 * const Order = pack.struct("Order", { side: pack.string, price: pack.f64, at: pack.timestamp });
 * const codec = pack.tableCodec(pack.list(Order));
 * const orders = codec.columns(message);
 * orders.length; // rows
 * orders.column("price", "f64").values; // Float64Array
 * orders.column("at", "timestamp").toMilliseconds(); // Float64Array
 * ```
 *
 * @throws SamewireError `misuse` for an invalid type or option; `unsupported` for another type than a list of a struct,
 *   for a struct that contains itself, and for more than 65,536 columns.
 */
export function tableCodec<D extends Type<object[]>>(
  type: D,
  options: CodecOptions = {},
): TableCodec<Infer<D>[number]> {
  return new TableCodec(type, options);
}
