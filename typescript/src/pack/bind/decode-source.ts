import type { Limits } from "../../core/limits.js";
import { CONVERSION_CELLS, OBJECT_CELLS } from "../schema/cells.js";
import { BITS, isNumeric, isSigned } from "../schema/numeric.js";
import type { EnumPlan, ListPlan, MapPlan, OptionPlan, Place, ResolutionPlan, RefPlan, Resolution, ScalarPlan, SetPlan, StructPlan, TuplePlan, UnionPlan } from "../schema/resolution-plan.js";
import type { Converters } from "../schema/tree.js";
import { silentBytes } from "../wire/allocation-budget.js";
import { readAny } from "../wire/any-reader.js";
import { bailOut } from "../wire/bail-out.js";
import { isFlat, MARK } from "../wire/columns/form.js";
import { ColumnReaders, type MakeObjects, type ReadColumns } from "../wire/columns/reader.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../wire/engine.js";
import { hasFlag } from "../wire/flags.js";
import { asBigints, readBigints, readNumbers, readTyped, readWidened } from "../wire/numeric-row-reader.js";
import { primitives } from "../wire/primitives.js";
import { FEW } from "../wire/row-form.js";
import { asFloats, EXACT, isExact } from "../wire/widening.js";
import { decoderOf, madeKeys, madeSet, sharedDecoderOf } from "../wire/converters.js";
import { DecodeClosures, type Decode } from "./decode-closures.js";
import { columnsOf, DecodeColumnSource, MOST_COLUMNS } from "./decode-column-source.js";
import { literal, made, Source } from "./source.js";

const NONE: Converters = [];
/**
 * Structs with more slots than this are read by calls, not by inline code: the engine does not optimize a function that
 * is too long.
 */
const INLINE_SLOTS = 48;
/**
 * A recursive struct of up to this many slots that occurs once outside itself and once inside is unrolled once in its
 * own function. That halves the calls: a tree is read about 5 % faster.
 */
const UNROLLED_SLOTS = 8;

/**
 * Generates the code that decodes one plan: straight-line code over local variables `b` (the bytes), `p` (the position)
 * and `tp` (the position in the text). They are stored in the reader before a call and loaded after it. A struct has a
 * function of its own if it is recursive or occurs more than once.
 */
class DecodeSource {
  private readonly functions = new Map<StructPlan, string>();
  private readonly uses = new Map<StructPlan, number>();
  private readonly bailOut: string;
  /** The struct whose function is being generated, until it has been unrolled. */
  private unrolled: StructPlan | undefined;
  /** The depth, as an expression. */
  private depth = "d";
  /** Closures read the columns whose values have the form of slots. */
  private readonly closures = new DecodeClosures();
  private readonly columns = new ColumnReaders({ slot: (plan) => this.closures.slot(plan), objects: generateObjects });

  /**
   * @param countsItems whether items are counted besides cells
   * @param code where the code is put
   */
  constructor(
    private readonly countsItems: boolean,
    private readonly code = new Source(),
  ) {
    this.bailOut = code.constant(bailOut);
  }

  compile(root: Place): Decode {
    this.count(root.plan);
    this.function("root(r, d)", () => this.row([root])[0]!);
    return this.code.compile("root") as Decode;
  }

  /** Returns the name of a function that reads a column of slots (columns.md section 2): `(r, d, m)`. */
  slots(plan: ResolutionPlan): string {
    const name = this.code.name("s");
    this.count(plan);
    this.code.defer(() => {
      this.function(`${name}(r, d, m)`, () => {
        this.line(`if (m > end - p) ${this.bailOut}();`);
        const cells = certainCells(plan);
        if (cells > 0) this.line(`if ((r.cells -= m * ${cells}) < 0) ${this.bailOut}();`);
        this.line("const values = new Array(m); for (let i = 0; i < m; i++) {");
        this.line(`values[i] = ${this.slot(plan, false)};`);
        this.within();
        this.line("}");
        return "values";
      });
    });
    return name;
  }

  private count(plan: ResolutionPlan): void {
    switch (plan.kind) {
      case "option":
      case "list":
      case "set":
      case "ref":
        this.count(plan.of);
        break;
      case "map":
        this.count(plan.key);
        this.count(plan.value);
        break;
      case "tuple":
        plan.of.forEach((part) => { this.count(part); });
        break;
      case "union":
        for (const { plan: member } of plan.members) if (member !== undefined) this.count(member);
        break;
      case "struct": {
        const uses = this.uses.get(plan) ?? 0;
        this.uses.set(plan, uses + 1);
        if (uses === 0) for (const slot of plan.slots) this.count(slot.plan);
        break;
      }
    }
  }

  private line(text: string): void {
    this.code.line(text);
  }

  /** Declares a variable with this value; returns its name. */
  private let(value: string): string {
    const name = this.code.name("v");
    this.line(`let ${name} = ${value};`);
    return name;
  }

  private function(head: string, body: () => string): void {
    this.line(`function ${head} {`);
    this.line("const b = r.b, end = r.end, text = r.text, refs = r.refs, cut = r.cut, given = r.given; let p = r.p, tp = r.tp;");
    const value = body();
    this.line(`r.p = p; r.tp = tp; return ${value}; }`);
  }

  /** The value of a call that moves the position in the bytes. */
  private call(call: string): string {
    this.line("r.p = p;");
    const value = this.let(call);
    this.line("p = r.p;");
    return value;
  }

  /** The value of a call that moves both positions. */
  private textCall(call: string): string {
    this.line("r.tp = tp;");
    const value = this.call(call);
    this.line("tp = r.tp;");
    return value;
  }

  /** The program's value of one that was read, as an expression. It is not called for bytes past the end. */
  private converted(converters: Converters, read: string): string {
    let value = read;
    for (const { decode } of [...converters].reverse()) {
      value = this.let(value);
      this.line(`if (p > end || ((r.free -= ${CONVERSION_CELLS}) < 0 && r.free + r.cells < 0)) ${this.bailOut}();`);
      value = this.let(`${this.code.constant(decode)}(${value})`);
    }
    return value;
  }

  /** A row of different slots: the expressions of their values. */
  private row(places: readonly Place[]): string[] {
    const flags = places.filter(({ plan }) => hasFlag(plan)).length;
    const bytes: string[] = [];
    for (let i = 0; i < flags; i += 8) {
      const byte = this.let("b[p++]");
      this.line(`if (!(${byte} <= ${flags - i >= 8 ? 0xff : (1 << (flags - i)) - 1})) ${this.bailOut}();`);
      bytes.push(byte);
    }
    const terse = places.length > INLINE_SLOTS;
    let flag = 0;
    return places.map(({ plan, converters }) => {
      if (!hasFlag(plan)) return this.converted(converters, this.slot(plan, terse));
      const set = `(${bytes[flag >> 3]!} & ${1 << (flag & 7)}) !== 0`;
      flag++;
      return this.converted(converters, plan.kind === "option" ? this.optional(set, plan, terse) : this.let(set));
    });
  }

  /** Bails out past the end. */
  private within(): void {
    this.line(`if (p > end) ${this.bailOut}();`);
  }

  private optional(set: string, { of, converters, fallback }: OptionPlan, terse: boolean): string {
    const value = this.let("null");
    this.line(`if (${set}) {`);
    const read = this.converted(converters, of.kind === "struct" || of.kind === "tuple" ? this.entered(of, terse) : this.slot(of, terse));
    this.line(`${value} = ${read}; }${fallback === undefined ? "" : ` else ${value} = ${this.code.constant(fallback)}();`}`);
    return value;
  }

  private slot(plan: ResolutionPlan, terse: boolean): string {
    switch (plan.kind) {
      case "option":
        return this.slot(plan.of, terse);
      case "enum":
        return this.enum(plan);
      case "list":
        return this.list(plan);
      case "set":
        return this.set(plan);
      case "map":
        return this.map(plan);
      case "tuple":
        return `[${this.row(plan.of.map((part, i) => ({ plan: part, converters: plan.converters[i]! }))).join(", ")}]`;
      case "struct":
        return this.struct(plan);
      case "union":
        return this.union(plan);
      case "ref":
        return this.ref(plan);
      default:
        return this.scalar(plan, terse);
    }
  }

  private scalar(plan: ScalarPlan, terse: boolean): string {
    const { kind, as } = plan;
    if (as === "bigint") return `BigInt(${this.scalar({ kind, as: "plain" }, terse)} ${isSigned(kind) ? "|" : ">>>"} 0)`;
    if (isExact(as)) return this.let(`${this.code.constant(EXACT[as])}(${this.scalar({ kind, as: "plain" }, terse)})`);
    switch (kind) {
      case "u8":
        return this.let("b[p++]");
      case "i8":
        return this.let("(b[p++] << 24) >> 24");
      case "u16":
      case "u32":
      case "i16":
      case "i32":
        return terse ? this.call(`r.${kind}()`) : this.integer(kind);
      case "string":
        return terse ? this.textCall("r.string()") : this.string();
      case "timestamp":
        return this.call(as === "date" ? "r.jsDate()" : "r.timestamp()");
      case "any":
        return this.textCall(`${this.code.constant(readAny)}(r, ${this.depth})`);
      default:
        return this.call(`r.${kind}()`);
    }
  }

  /** A varint of up to 32 bits: one and two bytes inline. */
  private varint(): string {
    const value = this.let("b[p++]");
    const next = this.code.name("v");
    this.line(`if (${value} > 127) { const ${next} = b[p++];`);
    this.line(`if (${next} > 127 || ${next} === 0) { r.p = p - 2; ${value} = r.u32(); p = r.p; } else ${value} += (${next} << 7) - 128; }`);
    return value;
  }

  private integer(kind: "u16" | "u32" | "i16" | "i32"): string {
    const value = this.varint();
    if (BITS[kind] === 16) this.line(`if (${value} > 65535) ${this.bailOut}();`);
    return isSigned(kind) ? this.let(`(${value} >>> 1) ^ -(${value} & 1)`) : value;
  }

  /** A text: new ones of up to 223 Latin-1 characters, and back references of one and two bytes, inline. */
  private string(): string {
    const token = this.let("b[p++]");
    const value = this.code.name("v");
    this.line(`let ${value}; if (${token} < cut) {`);
    this.line(`${value} = text.substring(tp, tp += ${token}); if (refs && ${token} > 1) given[r.n++] = ${value};`);
    this.line(`} else if (${token} > 127) {`);
    this.line(`const n = ${token} < 224 ? ${token} - 128 : (${token} << 8) - ${(0xe0 << 8) - 96} + b[p++];`);
    this.line(`if (n < r.n) ${value} = given[n]; else ${this.bailOut}();`);
    this.line(`} else if (${token} === 96 && b[p] < 128 && cut === 96) ${value} = text.substring(tp, tp += 96 + b[p++]);`);
    this.line(`else { r.p = p; r.tp = tp; ${value} = r.token(${token}); p = r.p; tp = r.tp; }`);
    return value;
  }

  private enum(plan: EnumPlan): string {
    const value = this.let(`${this.code.constant(plan.symbols)}[${this.varint()}]`);
    this.line(`if (${value} === undefined) ${this.bailOut}();`);
    return value;
  }

  /** A count of elements of so many cells, at most `most`, checked against the bytes that remain and charged. */
  private elements(most: number, cells: number, ...rows: ResolutionPlan[]): string {
    const count = this.varint();
    this.counted(count, most, cells, ...rows);
    return count;
  }

  /** Checks and charges a count that has been read. */
  private counted(count: string, most: number, cells: number, ...rows: ResolutionPlan[]): void {
    const charge = this.charge(rows.reduce((sum, plan) => sum + certainCells(plan), cells), count);
    const least = rows.map((plan) => leastExpression(plan, count)).join(" + ");
    const fits = `${count} <= ${most} && ${least} <= end - p`;
    const items = this.countsItems ? `(r.items -= ${count}) < 0 || ` : "";
    this.line(`if (!(${fits}) || ${items}${charge} || (r.unclaimed -= ${least}) < 0) ${this.bailOut}();`);
  }

  /** A list or map as rows, or as columns if its count says so. */
  private either(columns: ReadColumns, rows: (count: string) => string): string {
    const count = this.varint();
    const value = this.let("undefined");
    this.line(`if (${count} >= ${MARK}) {`);
    this.line(`${value} = ${this.textCall(`${this.code.constant(columns)}(r, ${this.depth}, ${count} - ${MARK})`)};`);
    this.line("} else {");
    this.line(`${value} = ${rows(count)}; }`);
    return value;
  }

  /** Charges a container and `count` elements of so many cells: an expression that is true beyond the limit. */
  private charge(cells: number, count: string): string {
    return `(r.cells -= ${OBJECT_CELLS} + ${cells === 1 ? count : `${count} * ${cells}`}) < 0`;
  }

  /** A struct or tuple that does not lie inline: it is charged when it is entered. */
  private entered(plan: StructPlan | TuplePlan, terse = false): string {
    this.line(`if ((r.cells -= ${rowCells(plan)}) < 0) ${this.bailOut}();`);
    return this.slot(plan, terse);
  }

  private list(plan: ListPlan): string {
    if (isFlat(plan.of)) {
      return this.either(this.later(() => (columnsOf(plan) > MOST_COLUMNS ? this.columns.list(plan) : this.columnSource().list(plan))), (count) => {
        this.counted(count, MOST_ELEMENTS, plan.cells, plan.of);
        return this.rows(plan, count);
      });
    }
    const count = this.elements(plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS, plan.cells, plan.of);
    const { kind } = plan.of;
    if (plan.typed !== undefined && isNumeric(kind)) {
      const read = kind === plan.typed ? readTyped : readWidened;
      return this.call(`${this.code.constant(read)}(r, ${literal(kind)}, ${count}, ${literal(plan.typed)})`);
    }
    if (isNumeric(kind) && plan.converters.length === 0) return this.numbers(plan.of as ScalarPlan, count);
    return this.rows(plan, count);
  }

  /** Readers of columns are compiled when columns first come. */
  private later(columns: () => ReadColumns): ReadColumns {
    let read: ReadColumns | undefined;
    return (r, depth, count) => (read ??= columns())(r, depth, count);
  }

  private columnSource(): DecodeColumnSource {
    const code = new Source();
    const slots = new DecodeSource(this.countsItems, code);
    return new DecodeColumnSource(code, (plan) => slots.slots(plan));
  }

  private rows(plan: ListPlan, count: string): string {
    const list = this.let(`${count} === 0 ? [] : new Array(${count})`);
    this.each(plan.of, plan.converters, count, (value, i) => `${list}[${i}] = ${value};`);
    return list;
  }

  /** A numeric row as an array. */
  private numbers(plan: ScalarPlan, count: string): string {
    const long = plan.kind === "i64" || plan.kind === "u64";
    const read = this.call(`${this.code.constant(long ? readBigints : readNumbers)}(r, ${literal(plan.kind)}, ${count})`);
    if (isExact(plan.as)) return `${this.code.constant(asFloats)}(${read}, ${literal(plan.as)})`;
    return plan.as === "bigint" ? `${this.code.constant(asBigints)}(${read})` : read;
  }

  /** A row of `count` slots of one type; `take` is the code for one value and its index. */
  private each(plan: ResolutionPlan, converters: Converters, count: string, take: (value: string, i: string) => string): void {
    const i = this.code.name("i");
    const loop = `for (let ${i} = 0; ${i} < ${count}; ${i}++) {`;
    if (isNumeric(plan.kind)) {
      const numbers = this.let(this.numbers(plan as ScalarPlan, count));
      this.line(loop);
      this.line(`${take(this.converted(converters, `${numbers}[${i}]`), i)} }`);
      return;
    }
    let flags = "";
    if (hasFlag(plan)) {
      flags = this.let("p");
      this.line(`p += (${count} + 7) >> 3; if ((${count} & 7) !== 0 && b[p - 1] >> (${count} & 7) !== 0) ${this.bailOut}();`);
    }
    this.line(loop);
    const set = `(b[${flags} + (${i} >> 3)] & (1 << (${i} & 7))) !== 0`;
    const value = plan.kind === "bool" ? set : plan.kind === "option" ? this.optional(set, plan, false) : this.slot(plan, false);
    if (plan.kind === "option" && silentBytes(plan.of) > 0) this.within();
    this.line(`${take(this.converted(converters, value), i)} }`);
  }

  private set(plan: SetPlan): string {
    const count = this.elements(MOST_KEYS, plan.cells, plan.of);
    const set = this.let("new Set()");
    this.each(plan.of, NONE, count, (value) => `${set}.add(${value});`);
    return this.distinct(set, count, plan.converters, madeSet);
  }

  private map(plan: MapPlan): string {
    if (isFlat(plan.value)) {
      return this.either(this.later(() => (columnsOf(plan) > MOST_COLUMNS ? this.columns.map(plan) : this.columnSource().map(plan))), (count) => {
        this.counted(count, MOST_KEYS, plan.cells, plan.key, plan.value);
        return this.entries(plan, count);
      });
    }
    return this.entries(plan, this.elements(MOST_KEYS, plan.cells, plan.key, plan.value));
  }

  private entries(plan: MapPlan, count: string): string {
    const keys = this.let(`new Array(${count})`);
    const map = this.let("new Map()");
    this.each(plan.key, NONE, count, (value, i) => `${keys}[${i}] = ${value};`);
    this.each(plan.value, plan.valueConverters, count, (value, i) => `${map}.set(${keys}[${i}], ${value});`);
    return this.distinct(map, count, plan.keyConverters, madeKeys);
  }

  /** Checks that the keys of a set or map are distinct, before they become the program's. */
  private distinct(keys: string, count: string, converters: Converters, make: typeof madeSet | typeof madeKeys): string {
    this.line(`if (${keys}.size !== ${count}) ${this.bailOut}();`);
    const decode = decoderOf(converters);
    if (decode === undefined) return keys;
    this.within();
    return this.let(`${this.code.constant(make)}(r, ${this.code.constant(decode)}, ${keys})`);
  }

  private struct(plan: StructPlan): string {
    if (!plan.recursive && this.uses.get(plan) === 1) return this.object(plan);
    return plan === this.unrolled ? this.unroll(plan) : this.textCall(`${this.structFunction(plan)}(r, ${this.depth})`);
  }

  /** The function of a struct, generated after the function that calls it. */
  private structFunction(plan: StructPlan): string {
    let name = this.functions.get(plan);
    if (name === undefined) {
      name = this.code.name("f");
      this.functions.set(plan, name);
      this.code.defer(() => {
        this.function(`${name!}(r, d)`, () => {
          if (plan.recursive) this.line(`if (++d > r.maxDepth) ${this.bailOut}();`);
          this.unrolled = plan.recursive && plan.slots.length <= UNROLLED_SLOTS && this.uses.get(plan) === 2 ? plan : undefined;
          const value = this.object(plan);
          if (silentBytes(plan) > 0) this.within();
          return value;
        });
      });
    }
    return name;
  }

  /** A recursive struct unrolled in its own function. */
  private unroll(plan: StructPlan): string {
    this.unrolled = undefined;
    this.line(`if (d >= r.maxDepth) ${this.bailOut}();`);
    this.depth = "d + 1";
    const value = this.object(plan);
    this.depth = "d";
    return value;
  }

  private object(plan: StructPlan): string {
    const read = this.row(plan.slots);
    return this.let(made(this.code, plan, read));
  }

  private union(plan: UnionPlan): string {
    const index = this.varint();
    const value = this.let("undefined");
    this.line(`switch (${index}) {`);
    plan.members.forEach((member, i) => {
      if (member.plan === undefined) return;
      this.line(`case ${i}: {`);
      this.line(`${value} = ${this.entered(member.plan)}; break; }`);
    });
    this.line(`default: ${this.bailOut}(); }`);
    return value;
  }

  private ref(plan: RefPlan): string {
    const number = this.varint();
    const value = this.let("undefined");
    const name = literal(plan.of.name);
    this.line(`if (${number} === 0) {`);
    if (plan.role === "skipped") {
      this.line("r.p = p; r.tp = tp;");
      const begin = this.let("r.skipped()");
      this.entered(plan.of);
      this.line(`r.share(${begin}, ${name});`);
    } else {
      this.line(`${value} = r.share(${this.entered(plan.of)}, ${name});`);
    }
    this.line("} else {");
    if (plan.role === "wanted") this.line(`${value} = ${this.textCall(`r.wanted(${number}, ${name}, ${this.structFunction(plan.of)}, ${this.depth})`)};`);
    else this.line(`${value} = r.referred(${number}, ${name});`);
    this.line("}");
    const decode = sharedDecoderOf(plan.converters);
    if (decode === undefined) return value;
    this.line("r.p = p;");
    return this.let(`${this.code.constant(decode)}(r, ${value})`);
  }
}

/** Generates the loop that makes objects of columns. */
function generateObjects(plan: StructPlan): MakeObjects {
  const code = new Source();
  const wanted = plan.fields.flatMap(({ slot }) => slot ?? []);
  code.line("function objects(columns, m) {");
  for (const slot of wanted) code.line(`const c${slot} = columns[${slot}];`);
  const object = made(code, plan, plan.slots.map((_, slot) => `c${slot}[i]`));
  code.line(`const list = new Array(m); for (let i = 0; i < m; i++) list[i] = ${object}; return list; }`);
  return code.compile("objects") as MakeObjects;
}

const certain = new WeakMap<StructPlan, number>();

/**
 * Cells that are always charged for a value of the type besides its slot: those of the recursive structs in it, except
 * inside options, containers, unions and refs. Generated code charges them in advance with the value around them, so
 * that a list of recursive structs takes one charge. If that bails out too early, the walker still finds the right
 * error.
 */
function certainCells(plan: ResolutionPlan): number {
  if (plan.kind === "tuple") return sumOf(plan.of);
  if (plan.kind !== "struct") return 0;
  const known = certain.get(plan);
  if (known !== undefined) return known;
  // No message holds a struct that contains itself without an option between: it exceeds the limit on depth.
  certain.set(plan, 0);
  const inside = sumOf(plan.slots.map((slot) => slot.plan));
  const cells = plan.recursive ? plan.cells + inside : inside;
  certain.set(plan, cells);
  return cells;
}

function sumOf(plans: readonly ResolutionPlan[]): number {
  return plans.reduce((sum, plan) => sum + certainCells(plan), 0);
}

/** Cells that the reader has charged before generated code runs: the root and what is always charged for it. */
export function rootCells({ plan, cells }: Resolution): number {
  return cells + certainCells(plan);
}

/** Cells that are always charged when a struct or tuple is entered. */
function rowCells(plan: StructPlan | TuplePlan): number {
  const inside = certainCells(plan);
  return plan.kind === "struct" && plan.recursive ? inside : plan.cells + inside;
}

/**
 * R of section 12 as an expression; more for elements whose missing bytes would be read as integers, see {@link
 * silentBytes}.
 */
function leastExpression(plan: ResolutionPlan, count: string): string {
  const { kind } = plan;
  if (kind === "struct" || kind === "tuple") return silentBytes(plan) > 1 ? `${silentBytes(plan)} * ${count}` : count;
  if (hasFlag(plan)) return `((${count} + 7) >>> 3)`;
  if (kind === "f32") return `4 * ${count}`;
  if (kind === "f64") return `8 * ${count}`;
  if (isNumeric(kind) && BITS[kind] > 8) return `(${count} < ${FEW} ? ${count} : 1 + ((${count} + 7) >>> 3))`;
  return count;
}

/**
 * Generates and compiles a decoder. Needs a platform that allows code from strings.
 *
 * Values take at least as many cells as items. So items are counted only if their limit is lower.
 */
export function generateDecode(resolution: Resolution, limits: Limits): Decode {
  const decode = new DecodeSource(limits.items < limits.cells).compile(resolution);
  primitives.allowCode();
  return decode;
}
