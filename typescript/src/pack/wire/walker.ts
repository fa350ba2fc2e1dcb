import { SamewireError, textOf } from "../../core/error.js";
import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { pathField } from "../../core/path.js";
import { BITS, isFloat, isNumeric } from "../schema/numeric.js";
import type { AdaptedDefinition, Numeric } from "../schema/type.js";
import { CONVERSION_CELLS, FREE_CELLS, OBJECT_CELLS } from "../schema/cells.js";
import type { ListPlan, MapPlan, Place, ResolutionPlan, RefPlan, Resolution, ScalarPlan, SetPlan, StructPlan, TuplePlan, UnionPlan } from "../schema/resolution-plan.js";
import type { Converters } from "../schema/tree.js";
import { Decimal } from "../schema/value.js";
import { leastBytes } from "./allocation-budget.js";
import { BIGINT_BYTES } from "./bigint.js";
import { isFlat, MARK } from "./columns/form.js";
import type { ColumnWalk, ColumnWalker } from "./columns/strict.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS, MOST_UNITS } from "./engine.js";
import { hasFlag } from "./flags.js";
import { BOTH, CHECK_BYTES, Header, versionText } from "./header.js";
import { lost } from "./lost-keys.js";
import { put } from "./property.js";
import type { ReaderOptions } from "./reader.js";
import { Cursor } from "./strict-reader.js";
import { floatsOf, walkFloat, walkInteger, walkPadding } from "./strict-numbers.js";
import type { walkNumbers } from "./strict-rows.js";
import { TextWalker } from "./strict-texts.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "./time.js";
import { typedOf } from "./typed-arrays.js";
import { dateOf, entries, hexOf, numberOf, uuidOf } from "./values.js";
import { hasExactly, isExact } from "./widening.js";

const RAISE = "raise it for data that you trust";

/** A row of different slots: the place of each, its step in the path, and how many have a flag. */
interface Row {
  readonly slots: readonly (Place & { readonly step: string })[];
  readonly flagged: number;
}

function rowOf(slots: Row["slots"]): Row {
  return { slots, flagged: slots.filter(({ plan }) => hasFlag(plan)).length };
}

/** The reader's options on which the validity of a message depends, and whether a map inside an `any` is an object. */
type WalkerOptions = Pick<ReaderOptions, "limits" | "digest" | "truncateTimes" | "objects"> & {
  /** Adds to an error text the other format that the bytes seem to be in. */
  readonly told?: (text: string, bytes: Uint8Array) => string;
};

/** The readers of those parts of a message that not every type has. */
export interface WalkerParts {
  /** Where there are lists, sets or maps. */
  readonly columns?: (walk: ColumnWalk) => ColumnWalker;
  readonly numbers?: typeof walkNumbers;
  /** Where there is an `any`. */
  readonly any?: (walker: Walker) => unknown;
}

/** A numbered struct. */
interface Shared {
  readonly name: string;
  /** Its position, if the reader has only skipped it so far. */
  begin: { readonly position: number; readonly text: TextWalker; readonly before: number } | undefined;
  readonly value: unknown;
  /** Its conversions by the types made by `as`. */
  readonly made: Map<AdaptedDefinition, unknown>;
}

/**
 * Reads a message strictly by its plan, and throws the error that the specification prescribes. The fast paths only bail
 * out; this is the authority on errors. Takes time linear in the length of the message.
 *
 * The small codec reads its values with it, by the plan of its own schema. To explain an error it makes no values but
 * keys: the functions and classes of the program must not run again.
 */
export class Walker extends Cursor {
  private readonly limits: Limits;
  private items = 0;
  /** Cells of the program's own types. */
  private conversions = 0;
  /** Cells charged so far; −Infinity while a struct is read again, which is not charged twice. */
  private cells = 0;
  private depth = 0;
  private aligned = false;
  text = TextWalker.NONE;
  /**
   * Whether the bytes may be in another format: no digest or check has shown yet that they are a message of this
   * schema.
   */
  private unknown = false;
  /** Rows by struct or tuple. */
  private readonly rows = new Map<StructPlan | TuplePlan, Row>();
  private readonly shared: Shared[] = [];
  /** How many of them are numbered at this position; fewer than all while a struct is read again. */
  private sharedCount = 0;

  private readonly columnWalk: ColumnWalk = {
    cursor: this,
    makes: () => this.makes,
    object: (plan, values) => this.object(plan, values),
    converted: (converters, value) => this.converted(converters, value),
    sequence: (plan, values) => this.sequence(plan, values),
    keys: (converters, keys) => this.keys(converters, keys),
    inside: (step, walk) => this.inside(step, walk),
    add: (at, count) => { this.addItems(at, count); },
    charge: (at, cells) => { this.charge(at, cells); },
    text: () => this.text.read(this),
    slot: (plan) => this.slot(plan),
    truncatesTimes: () => this.options.truncateTimes,
  };

  /** @param stop the reader's position when the engine ran out of memory for a value that ends there or later */
  constructor(
    bytes: Uint8Array,
    readonly options: WalkerOptions,
    private readonly parts: WalkerParts,
    private readonly stop = Infinity,
    /** Whether values are made. */
    readonly makes = false,
  ) {
    super(bytes);
    this.limits = options.limits;
  }

  /** Reads a message, in the order of checks of section 12. Returns its value if it is valid. */
  message({ plan, cells, converters }: Resolution): unknown {
    const { length } = this.bytes;
    if (length > this.limits.frameBytes) this.fail("limit_size", 0, `a message of ${length} bytes, limits.frameBytes is ${this.limits.frameBytes}: ${RAISE}`);
    const header = this.byte();
    this.unknown = true;
    if ((header & Header.VERSION) === 0) this.fail("unsupported", 0, versionText(header));
    const carried = header & (Header.DIGEST | Header.CHECK);
    if (carried === (Header.DIGEST | Header.CHECK)) this.fail("malformed", 0, BOTH);
    if (carried !== 0) this.schema(carried === Header.DIGEST);
    this.aligned = (header & Header.ALIGNED) !== 0;
    const latin = (header & Header.TEXT) === 0 ? 0 : this.blockLength(1, 0);
    const wide = (header & Header.WIDE) === 0 ? 0 : 2 * this.blockLength(2, latin);
    const utf8 = (header & Header.UTF8) === 0 ? 0 : this.blockLength(1, latin + wide);
    const latinAt = this.position;
    this.text = new TextWalker(this.take(latin), this.take(wide), this.take(utf8), (header & Header.REFS) !== 0);
    // The reader makes one string of the wide block, and one of the UTF-8 block.
    if (wide > 2 * MOST_UNITS) this.fail("limit_size", latinAt + latin, `${wide / 2} units of wide text, more than this engine's strings hold`);
    if (utf8 > MOST_UNITS) this.fail("limit_size", latinAt + latin + wide, `${utf8} bytes of UTF-8, more than this engine's strings hold`);
    if (this.aligned) walkPadding(this, 1);
    this.charge(this.position, cells);
    const [value] = this.row(rowOf([{ plan, step: "", converters }]));
    if (this.position < length) this.fail("trailing", this.position, `${length - this.position} bytes are left after the value: a stream of messages needs frames (FrameScanner)`);
    const unused = this.text.unused();
    if (unused.latin > 0) this.fail("malformed", latinAt + latin - unused.latin, "characters that no text uses");
    if (unused.wide > 0) this.fail("malformed", latinAt + latin + wide - unused.wide, "wide characters that no text uses");
    if (unused.utf8 > 0) this.fail("malformed", latinAt + latin + wide + utf8 - unused.utf8, "bytes of UTF-8 that no text uses");
    return value;
  }

  override fail(code: ErrorCode, at: number, text: string): never {
    return super.fail(code, at, this.unknown ? (this.options.told?.(text, this.bytes) ?? text) : text);
  }

  /** Reads the digest, or the check. */
  private schema(whole: boolean): void {
    const { digest } = this.options;
    if (this.take(whole ? digest.length : CHECK_BYTES).some((byte, i) => byte !== digest[i])) {
      this.fail("schema_mismatch", 1, `the message carries the ${whole ? "digest" : "check"} of another schema: decode it with codec.resolve(the writer's schema)`);
    }
    this.unknown = false;
  }

  private blockLength(width: number, before: number): number {
    const at = this.position;
    const length = this.count();
    if (length === 0) this.fail("malformed", at, "a block of text that is empty");
    const size = before + length * width;
    if (size > this.limits.textBytes) this.fail("limit_size", at, `${size} bytes of text, limits.textBytes is ${this.limits.textBytes}: ${RAISE}`);
    return length;
  }

  /**
   * Reads a count of elements of so many cells, in rows of these types; one object of the engine holds at most `most`.
   */
  elements(most: number, cells: number, ...rows: readonly { readonly kind: string }[]): number {
    const at = this.position;
    const count = this.count();
    this.addItems(at, count);
    this.need(rows.reduce((sum, row) => sum + leastBytes(row, count), 0));
    this.charge(at, OBJECT_CELLS + count * cells);
    if (count > most) this.fail("limit_items", at, `${count} elements, more than this engine holds in one list, set or map`);
    return count;
  }

  private addItems(at: number, count: number): void {
    this.items += count;
    if (this.items > this.limits.items) this.fail("limit_items", at, `${this.items} elements, limits.items is ${this.limits.items}: ${RAISE}`);
  }

  /** Walks the columns of a list or map if its count says that it is columnar (columns.md section 1). */
  private columnar(walk: (at: number, count: number) => unknown): { readonly value: unknown } | undefined {
    const at = this.position;
    const count = Number(this.varint(32)) - MARK;
    if (count < 0) {
      this.position = at;
      return undefined;
    }
    if (count === 0) this.fail("bad_number", at, "columns of no elements");
    return { value: walk(at, count) };
  }

  /** Charges the cells of a value at that offset. */
  charge(at: number, cells: number): void {
    this.cells += cells;
    if (this.cells > this.limits.cells) this.fail("limit_items", at, `values of ${this.cells} cells, limits.cells is ${this.limits.cells}: ${RAISE}`);
  }

  /** Throws `limit_size` if the reader ran out of memory for the value that ends here. */
  fits(at: number): void {
    if (this.position >= this.stop) this.fail("limit_size", at, "larger than this engine has memory for");
  }

  deeper<T>(at: number, walk: () => T): T {
    if (++this.depth > this.limits.depth) this.fail("limit_depth", at, `nested deeper than limits.depth, ${this.limits.depth}: ${RAISE}`);
    const value = walk();
    this.depth--;
    return value;
  }

  inside<T>(step: string, walk: () => T): T {
    this.steps.push(step);
    const value = walk();
    this.steps.pop();
    return value;
  }

  /** Reads the flags of a row with so many flags; returns their offset. */
  private flags(count: number): number {
    const start = this.position;
    this.need(Math.ceil(count / 8));
    this.position += Math.ceil(count / 8);
    if (count % 8 !== 0 && this.bytes[this.position - 1]! >> count % 8 !== 0) {
      this.fail("malformed", this.position - 1, "unused flags that are not zero");
    }
    return start;
  }

  /** Reads the slots of a row; returns their values. */
  private row({ slots, flagged }: Row): unknown[] {
    const flags = this.flags(flagged);
    const values: unknown[] = [];
    let flag = 0;
    for (const { plan, step, converters } of slots) {
      this.steps.push(step);
      values.push(this.converted(converters, this.flagged(plan, flags, flag)));
      this.steps.pop();
      if (hasFlag(plan)) flag++;
    }
    return values;
  }

  /**
   * Reads the row of a list, a set, or the keys or values of a map, and adds its values to `values`, if given. Allocates
   * nothing for elements that have not been read.
   */
  private sameRow({ plan, converters }: Place, count: number, after = "", values?: unknown[]): void {
    if (isNumeric(plan.kind)) {
      const at = this.position;
      this.numbers(plan as ScalarPlan, count, values);
      this.fits(at);
      if (values !== undefined && converters.length > 0) for (let i = 0; i < count; i++) values[i] = this.inside(`[${i}]${after}`, () => this.converted(converters, values[i]));
      return;
    }
    const flags = this.flags(hasFlag(plan) ? count : 0);
    if (plan.kind === "bool" && values === undefined) return;
    for (let i = 0; i < count; i++) {
      this.steps.push(`[${i}]${after}`);
      const value = this.converted(converters, this.flagged(plan, flags, i));
      values?.push(value);
      this.steps.pop();
    }
  }

  /** The program's value of one that was read. */
  private converted(converters: Converters, read: unknown): unknown {
    if (!this.makes || converters.length === 0) return read;
    let value = read;
    for (const { decode } of [...converters].reverse()) {
      this.conversions += CONVERSION_CELLS;
      if (this.conversions > FREE_CELLS + this.limits.cells - this.cells) this.fail("limit_items", this.position, `the program's own types take more memory than limits.cells: ${RAISE}`);
      value = this.own(() => decode(value));
    }
    return value;
  }

  /** Calls a function of the program. A SamewireError of it without a path gets that of the value. */
  private own<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof SamewireError) || error.path !== undefined || error.at !== undefined) throw error;
      throw new SamewireError(error.code, textOf(error), { path: `$${this.steps.join("")}` });
    }
  }

  /** Reads a slot. Its flag, if it has one, is number `flag` of those at offset `flags`. */
  private flagged(plan: ResolutionPlan, flags: number, flag: number): unknown {
    if (!hasFlag(plan)) return this.slot(plan);
    const set = ((this.bytes[flags + (flag >> 3)]! >> (flag & 7)) & 1) === 1;
    if (plan.kind === "option") return set ? this.present(plan) : null;
    return set;
  }

  private known(plan: StructPlan | TuplePlan, slots: () => Row["slots"]): Row {
    let row = this.rows.get(plan);
    if (row === undefined) this.rows.set(plan, (row = rowOf(slots())));
    return row;
  }

  /** Reads the value of an option: a struct or tuple in it is charged when it is entered. */
  private present({ of, converters }: Extract<ResolutionPlan, { kind: "option" }>): unknown {
    if (of.kind === "tuple") this.charge(this.position, of.cells);
    return this.converted(converters, of.kind === "struct" ? this.struct(of) : this.slot(of));
  }

  private slot(plan: ResolutionPlan): unknown {
    switch (plan.kind) {
      case "option":
        return this.present(plan);
      case "enum":
        return plan.symbols[this.index(plan.symbols.length, `symbols of ${plan.name}`, (i) => plan.symbols[i] !== undefined)];
      case "list":
        return this.list(plan);
      case "set":
        return this.set(plan);
      case "map":
        return this.map(plan);
      case "tuple":
        return this.row(this.known(plan, () => plan.of.map((part, i) => ({ plan: part, step: `[${i}]`, converters: plan.converters[i]! }))));
      case "struct":
        return this.struct(plan, !plan.recursive);
      case "union":
        return this.union(plan);
      case "ref":
        return this.ref(plan);
      default:
        return this.scalar(plan);
    }
  }

  private list(plan: ListPlan): unknown {
    const columns = isFlat(plan.of) ? this.columnar((at, count) => this.parts.columns!(this.columnWalk).list(plan, at, count)) : undefined;
    if (columns !== undefined) return columns.value;
    const count = this.elements(plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS, plan.cells, plan.of);
    const values: unknown[] | undefined = this.makes ? [] : undefined;
    this.sameRow({ plan: plan.of, converters: plan.converters }, count, "", values);
    // The bits of a NaN stay as they are.
    if (values !== undefined && plan.typed !== undefined && isFloat(plan.typed)) return floatsOf(plan.typed, this.bytes.subarray(this.position - (count * BITS[plan.typed]) / 8, this.position));
    return values === undefined ? undefined : this.sequence(plan, values);
  }

  /** The array or typed array of a list's elements. */
  private sequence({ typed }: ListPlan, values: unknown[]): unknown {
    return typed === undefined ? values : typedOf(typed, values);
  }

  private ref(plan: RefPlan): unknown {
    const at = this.position;
    const number = Number(this.varint(32));
    const { name } = plan.of;
    if (number === 0) {
      const begin = plan.role === "skipped" ? { position: this.position, text: this.text.copy(), before: this.sharedCount } : undefined;
      const value = this.struct(plan.of);
      if (this.sharedCount++ === this.shared.length) this.shared.push({ name, begin, value, made: new Map() });
      return this.oneOf(plan.converters, this.shared[this.sharedCount - 1]!);
    }
    const shared = number <= this.sharedCount ? this.shared[number - 1] : undefined;
    if (shared?.name !== name) return this.fail("malformed", at, `no ${name} has been given the number ${number - 1}`);
    if (shared.begin === undefined || plan.role !== "wanted") return this.oneOf(plan.converters, shared);
    // It is in a field that the reader lacks. A struct that was valid there may be invalid by the reader's schema, or
    // too deep.
    const { position, text, sharedCount, items, cells } = this;
    this.position = shared.begin.position;
    this.text = shared.begin.text;
    this.sharedCount = shared.begin.before;
    this.items = 0;
    this.cells = -Infinity;
    this.struct(plan.of);
    Object.assign(this, { position, text, sharedCount, items, cells });
    shared.begin = undefined;
    return undefined;
  }

  /** The program's value of a shared struct, which is made once. */
  private oneOf(converters: Converters, { value, made }: Shared): unknown {
    const [outermost] = converters;
    if (outermost === undefined) return value;
    if (!made.has(outermost)) made.set(outermost, this.converted(converters, value));
    return made.get(outermost);
  }

  private index(count: number, what: string, known: (index: number) => boolean): number {
    const at = this.position;
    const index = this.count();
    if (index >= count) this.fail("malformed", at, `index ${index}, but there are ${count} ${what}`);
    if (!known(index)) this.fail("schema_mismatch", at, `number ${index} of the writer's ${what} is not known to the reader`);
    return index;
  }

  private set(plan: SetPlan): unknown {
    const at = this.position;
    const count = this.elements(MOST_KEYS, plan.cells, plan.of);
    const keys: unknown[] = [];
    this.sameRow({ plan: plan.of, converters: NONE }, count, "", keys);
    return this.keys(plan.converters, this.distinct(keys, at));
  }

  private map(plan: MapPlan): unknown {
    const columns = isFlat(plan.value) ? this.columnar((at, count) => this.parts.columns!(this.columnWalk).map(plan, at, count)) : undefined;
    if (columns !== undefined) return columns.value;
    const at = this.position;
    const count = this.elements(MOST_KEYS, plan.cells, plan.key, plan.value);
    const keys: unknown[] = [];
    this.sameRow({ plan: plan.key, converters: NONE }, count, ".key", keys);
    const made = [...this.keys(plan.keyConverters, this.distinct(keys, at))];
    const values: unknown[] | undefined = this.makes ? [] : undefined;
    this.sameRow({ plan: plan.value, converters: plan.valueConverters }, count, ".value", values);
    return values && entries(made, values);
  }

  distinct(keys: readonly unknown[], at: number): Set<unknown> {
    const set = new Set(keys);
    return set.size < keys.length ? this.fail("malformed", at, "a key occurs more than once") : set;
  }

  /** The program's set of keys that were read. */
  private keys(converters: Converters, keys: Set<unknown>): Set<unknown> {
    if (!this.makes || converters.length === 0) return keys;
    const made = new Set(Array.from(keys, (key) => this.converted(converters, key)));
    if (made.size < keys.size) this.own(() => lost(made.size, keys.size));
    return made;
  }

  /** @param inline whether its cells are charged with the value that contains it */
  private struct(plan: StructPlan, inline = false): unknown {
    const row = this.known(plan, () => plan.slots.map(({ name, plan: part, converters }) => ({ plan: part, step: pathField(name), converters })));
    const at = this.position;
    const walk = (): unknown => {
      if (!inline) this.charge(at, plan.cells);
      const values = this.row(row);
      return this.makes ? this.object(plan, values) : undefined;
    };
    return plan.recursive ? this.deeper(at, walk) : walk();
  }

  /** The object of a struct with the values of its fields. */
  private object({ fields, prototype = Object.prototype, discriminator, name }: StructPlan, values: readonly unknown[]): unknown {
    const object = Object.create(prototype) as object;
    if (discriminator !== undefined) put(object, discriminator, name);
    for (const { name: field, slot } of fields) put(object, field, values[slot!]);
    return object;
  }

  private union(plan: UnionPlan): unknown {
    return this.struct(plan.members[this.index(plan.members.length, "members of the union", (i) => plan.members[i]!.plan !== undefined)]!.plan!);
  }

  scalar(plan: ScalarPlan): unknown {
    const { kind } = plan;
    if (isNumeric(kind)) return this.number(plan, kind);
    switch (kind) {
      case "bool": {
        const at = this.position;
        const byte = this.byte();
        return byte < 2 ? byte === 1 : this.fail("malformed", at, `a bool is 0 or 1, not ${byte}: the bytes were changed, or are of another schema`);
      }
      case "bigint":
        return this.bigint();
      case "decimal":
        return this.decimal();
      case "string":
        return this.text.read(this);
      case "bytes": {
        const at = this.position;
        const bytes = this.take(this.count());
        this.fits(at);
        return this.makes ? new Uint8Array(bytes) : undefined;
      }
      case "uuid":
        return uuidOf(this.take(16));
      case "date":
        return Number(this.ranged(() => this.signed(32), DATE_MIN, DATE_MAX, "a date outside the years 1 to 9999"));
      case "time":
        return Number(this.ranged(() => this.varint(64), 0, TIME_MAX, "a time of 24 hours or more"));
      case "timestamp":
      case "duration": {
        const nanoseconds = this.instant(plan);
        return plan.as === "date" ? dateOf(nanoseconds) : nanoseconds;
      }
      default:
        return this.parts.any!(this);
    }
  }

  private number({ as }: ScalarPlan, kind: Numeric): unknown {
    if (isFloat(kind)) return walkFloat(this, kind);
    const at = this.position;
    const value = walkInteger(this, kind);
    if (isExact(as) && !hasExactly(as, value)) this.between(as, value, at);
    return numberOf(kind, value);
  }

  /** Reads a numeric row. A number that the reader's float does not have is an error when the row has been read. */
  numbers({ kind, as }: ScalarPlan, count: number, values?: unknown[]): void {
    const at = this.position;
    let between: number | bigint | undefined;
    const keep = isExact(as)
      ? { push: (value: number | bigint): void => void (between ??= hasExactly(as, BigInt(value)) ? undefined : value) }
      : values && { push: (value: number | bigint) => values.push(numberOf(kind as Numeric, value)) };
    this.parts.numbers!(this, kind as Numeric, count, this.aligned, keep);
    if (between !== undefined) this.between(as, between, at);
  }

  private between(as: string, value: number | bigint, at: number): never {
    return this.fail("bad_number", at, `${value} lies between two numbers of ${as}`);
  }

  private ranged(read: () => bigint, least: number, most: number, what: string): bigint {
    const at = this.position;
    const value = read();
    return value >= least && value <= most ? value : this.fail("bad_number", at, what);
  }

  private instant(plan: ScalarPlan): bigint {
    const start = this.position;
    const calendar = plan.kind === "timestamp";
    const seconds = calendar
      ? this.ranged(() => this.signed(64), SECONDS_MIN, SECONDS_MAX, "a timestamp outside the years 1 to 9999")
      : this.signed(64);
    const at = this.position;
    const raw = Number(this.varint(32));
    const unit = raw & 3;
    const nanoseconds = (raw >>> 2) * (unit === 0 ? 1 : unit === 1 ? 1_000 : 1_000_000);
    if (raw !== 0 && (unit === 3 || nanoseconds === 0 || nanoseconds >= 1_000_000_000)) {
      this.fail("bad_number", at, "no fraction of a second");
    }
    if (plan.as === "date" && nanoseconds % 1_000_000 !== 0 && !this.options.truncateTimes) {
      this.fail("type_mismatch", start, "a Date has milliseconds, this instant is finer; use timestamp, or { times: \"truncate\" }");
    }
    return seconds * 1_000_000_000n + BigInt(nanoseconds);
  }

  private decimal(): Decimal {
    const scale = Number(this.signed(32));
    return new Decimal(this.bigint(), scale);
  }

  private bigint(): bigint {
    const at = this.position;
    const length = this.count();
    if (length > BIGINT_BYTES) this.fail("limit_size", at, `an integer of ${length} bytes; the longest has ${BIGINT_BYTES}`);
    const bytes = this.take(length);
    const [first, second] = bytes;
    const redundant = length === 1 ? first === 0 : (first === 0 && second! < 0x80) || (first === 0xff && second! >= 0x80);
    if (length > 0 && redundant) this.fail("bad_number", at, "an integer that could be shorter");
    return length === 0 ? 0n : BigInt.asIntN(8 * length, BigInt(`0x${hexOf(bytes)}`));
  }
}

const NONE: Converters = [];
