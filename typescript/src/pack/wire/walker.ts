import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { pathField } from "../../core/path.js";
import { isNumeric } from "../schema/numeric.js";
import type { Numeric } from "../schema/type.js";
import { ANY_CELLS, OBJECT_CELLS } from "../schema/cells.js";
import type { MapPlan, ResolutionPlan, RefPlan, Resolution, ScalarPlan, SetPlan, StructPlan, TuplePlan, UnionPlan } from "../schema/resolution-plan.js";
import { leastBytes } from "./allocation-budget.js";
import { ANY_LISTS, Tag } from "./any-reader.js";
import { BIGINT_BYTES } from "./bigint.js";
import { isFlat, MARK } from "./columns/form.js";
import { ColumnWalker } from "./columns/strict.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS, MOST_UNITS } from "./engine.js";
import { hasFlag } from "./flags.js";
import { told } from "./foreign-format.js";
import { BOTH, CHECK_BYTES, Header, versionText } from "./header.js";
import type { ReaderOptions } from "./reader.js";
import { Cursor } from "./strict-reader.js";
import { walkNumber, walkNumbers, walkPadding } from "./strict-rows.js";
import { TextWalker } from "./strict-texts.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "./time.js";
import { hasExactly, isExact } from "./widening.js";

/** A key of a set or map, comparable by `Set`. */
type Key = string | bigint;

/** A row of different slots: the plan of each, its step in the path, and how many have a flag. */
interface Row {
  readonly slots: readonly { readonly plan: ResolutionPlan; readonly step: string }[];
  readonly flagged: number;
}

function rowOf(slots: Row["slots"]): Row {
  return { slots, flagged: slots.filter(({ plan }) => hasFlag(plan)).length };
}

/** What of a reader's options the validity of a message depends on. */
type WalkerOptions = Pick<ReaderOptions, "limits" | "digest" | "truncateTimes">;

/** A numbered struct. */
interface Shared {
  readonly name: string;
  /** Its position, if the reader has only skipped it so far. */
  begin: { readonly position: number; readonly text: TextWalker; readonly before: number } | undefined;
}

/**
 * Reads a message strictly by its plan, without making values, and throws the error that the specification prescribes.
 * The fast paths only bail out; this is the authority on errors. Takes time linear in the length of the message.
 */
export class Walker extends Cursor {
  private readonly limits: Limits;
  private items = 0;
  /** Cells charged so far; −Infinity while a struct is read again, which is not charged twice. */
  private cells = 0;
  private depth = 0;
  private aligned = false;
  private text = TextWalker.NONE;
  /** Whether the bytes may be in another format: nothing has told yet that they are a message of this schema. */
  private unknown = false;
  /** Rows by struct or tuple. */
  private readonly rows = new Map<StructPlan | TuplePlan, Row>();
  private readonly shared: Shared[] = [];
  /** How many of them are numbered at this position; fewer than all while a struct is read again. */
  private sharedCount = 0;

  private readonly columns = new ColumnWalker({
    cursor: this,
    inside: (step, walk) => this.inside(step, walk),
    add: (at, count) => { this.addItems(at, count); },
    charge: (at, cells) => { this.charge(at, cells); },
    text: () => this.text.read(this),
    slot: (plan) => this.slot(plan),
    truncatesTimes: () => this.options.truncateTimes,
  });

  /** @param stop the reader's position when the engine ran out of memory for a value that ends there or later */
  constructor(
    bytes: Uint8Array,
    private readonly options: WalkerOptions,
    private readonly stop = Infinity,
  ) {
    super(bytes);
    this.limits = options.limits;
  }

  /** Reads a message, in the order of checks of section 12. Returns if it is valid. */
  message({ plan, cells }: Resolution): void {
    const { length } = this.bytes;
    if (length > this.limits.frameBytes) this.fail("limit_size", 0, `a message of ${length} bytes, limits.frameBytes is ${this.limits.frameBytes}`);
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
    this.row(rowOf([{ plan, step: "" }]));
    if (this.position < length) this.fail("trailing", this.position, `${length - this.position} bytes are left after the value: a stream of messages needs frames (FrameScanner)`);
    const unused = this.text.unused();
    if (unused.latin > 0) this.fail("malformed", latinAt + latin - unused.latin, "characters that no text uses");
    if (unused.wide > 0) this.fail("malformed", latinAt + latin + wide - unused.wide, "wide characters that no text uses");
    if (unused.utf8 > 0) this.fail("malformed", latinAt + latin + wide + utf8 - unused.utf8, "bytes of UTF-8 that no text uses");
  }

  override fail(code: ErrorCode, at: number, text: string): never {
    return super.fail(code, at, this.unknown ? told(text, this.bytes) : text);
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
    if (size > this.limits.textBytes) this.fail("limit_size", at, `${size} bytes of text, limits.textBytes is ${this.limits.textBytes}`);
    return length;
  }

  /**
   * Reads a count of elements of so many cells, in rows of these types; one object of the engine holds at most `most`.
   */
  private elements(most: number, cells: number, ...rows: readonly { readonly kind: string }[]): number {
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
    if (this.items > this.limits.items) this.fail("limit_items", at, `${this.items} elements, limits.items is ${this.limits.items}`);
  }

  /** Walks the columns of a list or map if its count says that it is columnar (columns.md section 1). */
  private columnar(walk: (at: number, count: number) => void): boolean {
    const at = this.position;
    const count = Number(this.varint(32)) - MARK;
    if (count < 0) {
      this.position = at;
      return false;
    }
    if (count === 0) this.fail("bad_number", at, "columns of no elements");
    walk(at, count);
    return true;
  }

  /** Charges the cells of a value at that offset. */
  private charge(at: number, cells: number): void {
    this.cells += cells;
    if (this.cells > this.limits.cells) this.fail("limit_items", at, `values of ${this.cells} cells, limits.cells is ${this.limits.cells}`);
  }

  /** Throws `limit_size` if the reader ran out of memory for the value that ends here. */
  private fits(at: number): void {
    if (this.position >= this.stop) this.fail("limit_size", at, "larger than this engine has memory for");
  }

  private deeper(at: number, walk: () => void): void {
    if (++this.depth > this.limits.depth) this.fail("limit_depth", at, `nested deeper than limits.depth, ${this.limits.depth}`);
    walk();
    this.depth--;
  }

  private inside<T>(step: string, walk: () => T): T {
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

  private row({ slots, flagged }: Row): void {
    const flags = this.flags(flagged);
    let flag = 0;
    for (const { plan, step } of slots) {
      this.steps.push(step);
      this.flagged(plan, flags, flag);
      this.steps.pop();
      if (hasFlag(plan)) flag++;
    }
  }

  /**
   * Reads the row of a list, a set, or the keys or values of a map, and adds its values to `keys`, if given. Allocates
   * nothing for elements that have not been read.
   */
  private sameRow(plan: ResolutionPlan, count: number, after = "", keys?: Key[]): void {
    if (isNumeric(plan.kind)) {
      const at = this.position;
      this.numbers(plan as ScalarPlan, count, keys);
      this.fits(at);
      return;
    }
    const flags = this.flags(hasFlag(plan) ? count : 0);
    if (plan.kind === "bool" && keys === undefined) return;
    for (let i = 0; i < count; i++) {
      this.steps.push(`[${i}]${after}`);
      const key = this.flagged(plan, flags, i);
      keys?.push(key);
      this.steps.pop();
    }
  }

  /** Reads a slot. Its flag, if it has one, is number `flag` of those at offset `flags`. */
  private flagged(plan: ResolutionPlan, flags: number, flag: number): Key {
    if (!hasFlag(plan)) return this.slot(plan);
    const set = ((this.bytes[flags + (flag >> 3)]! >> (flag & 7)) & 1) === 1;
    if (plan.kind === "option") return set ? this.present(plan.of) : "";
    return set ? "true" : "false";
  }

  private known(plan: StructPlan | TuplePlan, slots: () => Row["slots"]): Row {
    let row = this.rows.get(plan);
    if (row === undefined) this.rows.set(plan, (row = rowOf(slots())));
    return row;
  }

  /** Reads the value of an option: a struct or tuple in it is charged when it is entered. */
  private present(plan: ResolutionPlan): Key {
    if (plan.kind === "struct") return this.struct(plan);
    if (plan.kind === "tuple") this.charge(this.position, plan.cells);
    return this.slot(plan);
  }

  private slot(plan: ResolutionPlan): Key {
    switch (plan.kind) {
      case "option":
        return this.present(plan.of);
      case "enum":
        return this.index(plan.symbols.length, `symbols of ${plan.name}`, (i) => plan.symbols[i] !== undefined);
      case "list": {
        if (isFlat(plan.of) && this.columnar((at, count) => { this.columns.list(plan, at, count); })) return "";
        const count = this.elements(plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS, plan.cells, plan.of);
        this.sameRow(plan.of, count);
        return "";
      }
      case "set":
        return this.set(plan);
      case "map":
        return this.map(plan);
      case "tuple":
        this.row(this.known(plan, () => plan.of.map((part, i) => ({ plan: part, step: `[${i}]` }))));
        return "";
      case "struct":
        return this.struct(plan, !plan.recursive);
      case "union":
        return this.union(plan);
      case "ref": {
        this.ref(plan);
        return "";
      }
      default:
        return this.scalar(plan);
    }
  }

  private ref(plan: RefPlan): void {
    const at = this.position;
    const number = Number(this.varint(32));
    const { name } = plan.of;
    if (number === 0) {
      const begin = plan.role === "skipped" ? { position: this.position, text: this.text.copy(), before: this.sharedCount } : undefined;
      this.struct(plan.of);
      if (this.sharedCount++ === this.shared.length) this.shared.push({ name, begin });
      return;
    }
    const shared = number <= this.sharedCount ? this.shared[number - 1] : undefined;
    if (shared?.name !== name) return this.fail("malformed", at, `no ${name} has been given the number ${number - 1}`);
    if (shared.begin === undefined || plan.role !== "wanted") return;
    // It is in a field that the reader lacks. What was valid there may be invalid by the reader's schema here, or too
    // deep.
    const { position, text, sharedCount, items, cells } = this;
    this.position = shared.begin.position;
    this.text = shared.begin.text;
    this.sharedCount = shared.begin.before;
    this.items = 0;
    this.cells = -Infinity;
    this.struct(plan.of);
    Object.assign(this, { position, text, sharedCount, items, cells });
    shared.begin = undefined;
  }

  private index(count: number, what: string, known: (index: number) => boolean): string {
    const at = this.position;
    const index = this.count();
    if (index >= count) this.fail("malformed", at, `index ${index}, but there are ${count} ${what}`);
    if (!known(index)) this.fail("schema_mismatch", at, `number ${index} of the writer's ${what} is not known to the reader`);
    return String(index);
  }

  private set(plan: SetPlan): Key {
    const at = this.position;
    const count = this.elements(MOST_KEYS, plan.cells, plan.of);
    const keys: Key[] = [];
    this.sameRow(plan.of, count, "", keys);
    this.distinct(keys, at);
    return "";
  }

  private map(plan: MapPlan): Key {
    if (isFlat(plan.value) && this.columnar((at, count) => { this.columns.map(plan, at, count); })) return "";
    const at = this.position;
    const count = this.elements(MOST_KEYS, plan.cells, plan.key, plan.value);
    const keys: Key[] = [];
    this.sameRow(plan.key, count, ".key", keys);
    this.distinct(keys, at);
    this.sameRow(plan.value, count, ".value");
    return "";
  }

  private distinct(keys: readonly Key[], at: number): void {
    if (new Set(keys).size < keys.length) this.fail("malformed", at, "a key occurs more than once");
  }

  /** @param inline whether its cells are charged with the value that contains it */
  private struct(plan: StructPlan, inline = false): Key {
    const row = this.known(plan, () => plan.slots.map(({ name, plan: part }) => ({ plan: part, step: pathField(name) })));
    const at = this.position;
    const walk = (): void => {
      if (!inline) this.charge(at, plan.cells);
      this.row(row);
    };
    if (plan.recursive) this.deeper(at, walk);
    else walk();
    return "";
  }

  private union(plan: UnionPlan): Key {
    const index = this.index(plan.members.length, "members of the union", (i) => plan.members[i]!.plan !== undefined);
    return this.struct(plan.members[Number(index)]!.plan!);
  }

  private scalar(plan: ScalarPlan): Key {
    const { kind } = plan;
    if (isNumeric(kind)) return this.number(plan, kind);
    switch (kind) {
      case "bool": {
        const at = this.position;
        const byte = this.byte();
        return byte < 2 ? String(byte) : this.fail("malformed", at, `a bool is 0 or 1, not ${byte}: the bytes were changed, or are of another schema`);
      }
      case "bigint":
        return this.bigint();
      case "decimal":
        this.signed(32);
        return this.bigint();
      case "string":
        return this.text.read(this);
      case "bytes": {
        const at = this.position;
        this.take(this.count());
        this.fits(at);
        return "";
      }
      case "uuid":
        return this.take(16).join();
      case "date":
        return this.ranged(() => this.signed(32), DATE_MIN, DATE_MAX, "a date outside the years 1 to 9999");
      case "time":
        return this.ranged(() => this.varint(64), 0, TIME_MAX, "a time of 24 hours or more");
      case "timestamp":
      case "duration":
        return this.instant(plan);
      default:
        this.any();
        return "";
    }
  }

  private number({ as }: ScalarPlan, kind: Numeric): bigint {
    const at = this.position;
    const value = walkNumber(this, kind);
    if (isExact(as) && !hasExactly(as, value)) this.between(as, value, at);
    return value;
  }

  /** Reads a numeric row. A number that the reader's float does not have is an error when the row has been read. */
  private numbers({ kind, as }: ScalarPlan, count: number, keys?: Key[]): void {
    const at = this.position;
    let between: bigint | undefined;
    const compare = isExact(as) ? { push: (value: bigint): void => void (between ??= hasExactly(as, value) ? undefined : value) } : keys;
    walkNumbers(this, kind as Numeric, count, this.aligned, compare);
    if (between !== undefined) this.between(as, between, at);
  }

  private between(as: string, value: bigint, at: number): never {
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

  private bigint(): bigint {
    const at = this.position;
    const length = this.count();
    if (length > BIGINT_BYTES) this.fail("limit_size", at, `an integer of ${length} bytes; the longest has ${BIGINT_BYTES}`);
    const bytes = this.take(length);
    const [first, second] = bytes;
    const redundant = length === 1 ? first === 0 : (first === 0 && second! < 0x80) || (first === 0xff && second! >= 0x80);
    if (length > 0 && redundant) this.fail("bad_number", at, "an integer that could be shorter");
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return length === 0 ? 0n : BigInt.asIntN(8 * length, BigInt(`0x${hex}`));
  }

  private any(): void {
    const at = this.position;
    const tag = this.byte();
    // Small integers, null and booleans are a tag alone.
    if (tag >= Tag.SMALL || tag <= Tag.TRUE) return;
    if (tag >= Tag.EXTENSION && tag < Tag.EXTENSION + EXTENSIONS) this.fail("unsupported", at, `the tag ${tag} is an extension of another part`);
    if (tag === Tag.LIST) {
      this.deeper(at, () => {
        const count = this.elements(MOST_ELEMENTS, ANY_CELLS.list, ANY);
        this.anyRow(count, "");
      });
      return;
    }
    if (tag === Tag.MAP) {
      this.deeper(at, () => {
        this.anyMap();
      });
      return;
    }
    if (tag === Tag.BYTES) this.charge(at, ANY_CELLS.bytes);
    if (tag === Tag.DECIMAL) this.charge(at, ANY_CELLS.decimal);
    const plain = ANY_PLAIN.get(tag);
    if (plain !== undefined) {
      this.scalar({ kind: plain, as: "plain" });
      return;
    }
    const kind = ANY_LISTS[tag - Tag.NUMBERS] ?? this.fail("malformed", at, `no value has the tag ${tag}`);
    const count = this.elements(MOST_NUMBERS, ANY_CELLS.numbers, { kind });
    const row = this.position;
    walkNumbers(this, kind, count, this.aligned);
    this.fits(row);
  }

  private anyKey(first: Key | undefined): Key {
    const at = this.position;
    const tag = this.byte();
    const text = tag === Tag.STRING;
    if (!text && tag !== Tag.INTEGER && tag < Tag.SMALL) this.fail("malformed", at, `the tag ${tag} cannot be a key: keys are texts and integers of 64 bits`);
    if (first !== undefined && (typeof first === "string") !== text) this.fail("malformed", at, "the keys of a map are all texts or all integers");
    if (text) return this.text.read(this);
    return tag === Tag.INTEGER ? this.signed(64) : BigInt(tag - Tag.SMALL);
  }

  private anyMap(): void {
    const at = this.position;
    const count = this.elements(MOST_KEYS, ANY_CELLS.map, ANY, ANY);
    const keys: Key[] = [];
    for (let i = 0; i < count; i++) keys.push(this.inside(`[${i}].key`, () => this.anyKey(keys[0])));
    this.distinct(keys, at);
    this.anyRow(count, ".value");
  }

  private anyRow(count: number, after: string): void {
    for (let i = 0; i < count; i++) this.inside(`[${i}]${after}`, () => { this.any(); });
  }
}

const ANY = { kind: "any" };
/** The number of tags reserved for extensions. */
const EXTENSIONS = 16;

/** The tags of values with the same form inside an `any` as in a slot. */
const ANY_PLAIN: ReadonlyMap<number, ScalarPlan["kind"]> = new Map([
  [Tag.INTEGER, "i64"],
  [Tag.BIGINT, "bigint"],
  [Tag.F64, "f64"],
  [Tag.STRING, "string"],
  [Tag.BYTES, "bytes"],
  [Tag.DECIMAL, "decimal"],
  [Tag.UUID, "uuid"],
  [Tag.DATE, "date"],
  [Tag.TIME, "time"],
  [Tag.TIMESTAMP, "timestamp"],
  [Tag.DURATION, "duration"],
] as const);
