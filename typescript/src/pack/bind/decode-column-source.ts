import { isNumeric } from "../schema/numeric.js";
import type { EnumPlan, ListPlan, MapPlan, OptionPlan, ResolutionPlan, ScalarPlan, SetPlan, StructPlan } from "../schema/resolution-plan.js";
import type { Converters } from "../schema/tree.js";
import { OBJECT_CELLS } from "../schema/cells.js";
import { bailOut } from "../wire/bail-out.js";
import { bitsAt, countBits } from "../wire/columns/bits.js";
import { readDoubles, readSingles } from "../wire/columns/doubles.js";
import { isFlat } from "../wire/columns/form.js";
import { indices, integersOf, readExact, readInts, readLongs } from "../wire/columns/integers.js";
import { claim, DATES, readCounts, TIMES, total, type ReadColumns } from "../wire/columns/reader.js";
import { withScratch } from "../wire/columns/scratch.js";
import { readBytes, readTexts, readUuids, textIndices } from "../wire/columns/texts.js";
import { readMilliseconds, readTimes } from "../wire/columns/times.js";
import { decoderOf, madeKeys, madeSet } from "../wire/converters.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../wire/engine.js";
import type { Reader } from "../wire/reader.js";
import { ARRAYS } from "../wire/typed-arrays.js";
import { EXACT, isExact } from "../wire/widening.js";
import { made, Source } from "./source.js";

const NONE: Converters = [];

/** The code for the value of a column at an index, as an expression; it may add lines before. */
type At = (index: string) => string;

/** Types with more columns are read by closures, one for each column: the engine does not optimize a function that is too long. */
export const MOST_COLUMNS = 200;

/** How many columns a plan has, counted up to the most that are generated. */
export function columnsOf(plan: ResolutionPlan): number {
  switch (plan.kind) {
    case "option":
    case "list":
    case "set":
      return 1 + columnsOf(plan.of);
    case "map":
      return 1 + columnsOf(plan.key) + columnsOf(plan.value);
    case "tuple":
      return columnsOfAll(plan.of);
    case "struct":
      return plan.recursive ? 1 : columnsOfAll(plan.slots.map((slot) => slot.plan));
    default:
      return 1;
  }
}

function columnsOfAll(plans: readonly ResolutionPlan[]): number {
  let sum = 0;
  for (const plan of plans) if (sum <= MOST_COLUMNS) sum += columnsOf(plan);
  return sum;
}

/**
 * Generates the function that reads columns: it reads them one after the other into scratch arrays, and then makes all values in
 * one loop, from the arrays of all columns. So an object comes into being with all its fields, and no array holds parts of
 * values that are put together later.
 */
export class DecodeColumnSource {
  private readonly bailOut: string;
  /** The lines that make the values, in the loop. */
  private loop: string[] = [];
  /** Declarations of the indices in columns with a number of values of their own. */
  private readonly cursors: string[] = [];

  /** @param slotsFunction returns the name of a generated function `(r, d, m)` that reads a column of slots */
  constructor(
    private readonly code: Source,
    private readonly slotsFunction: (plan: ResolutionPlan) => string,
  ) {
    this.bailOut = code.constant(bailOut);
  }

  list(plan: ListPlan): ReadColumns {
    this.code.line("function columns(r, d, m) { const b = r.b;");
    const at = this.column(plan.of, plan.converters, "m");
    const value = at("i");
    return this.compiled(`const list = new Array(m);`, `list[i] = ${value};`, "list", (r, count) => {
      claim(r, count, MOST_ELEMENTS, Math.ceil(count / 8), OBJECT_CELLS + count * plan.cells);
    });
  }

  map(plan: MapPlan): ReadColumns {
    this.code.line("function columns(r, d, m) { const b = r.b;");
    const key = this.column(plan.key, NONE, "m");
    const held = this.column(plan.value, plan.valueConverters, "m");
    const entry = `map.set(${key("i")}, ${held("i")});`;
    const decode = decoderOf(plan.keyConverters);
    const made = decode === undefined ? "map" : `${this.code.constant(madeKeys)}(r, ${this.code.constant(decode)}, map)`;
    return this.compiled("const map = new Map();", entry, `map.size === m ? ${made} : ${this.bailOut}()`, (r, count) => {
      claim(r, count, MOST_KEYS, 2 * Math.ceil(count / 8), OBJECT_CELLS + count * plan.cells);
    });
  }

  private compiled(before: string, last: string, result: string, check: (r: Reader, count: number) => void): ReadColumns {
    const { code } = this;
    for (const line of [...this.cursors, before, "for (let i = 0; i < m; i++) {", ...this.loop, last, "}", `return ${result}; }`]) code.line(line);
    const read = code.compile("columns") as ReadColumns;
    return (r, depth, count) => {
      check(r, count);
      return withScratch(() => read(r, depth, count));
    };
  }

  /** Declares a constant for a value that is read from the bytes; returns its name. */
  private read(value: string): string {
    const name = this.code.name("c");
    this.code.line(`const ${name} = ${value};`);
    return name;
  }

  private call(read: unknown, ...more: (string | number)[]): string {
    return this.read(`${this.code.constant(read)}(${["r", ...more].join(", ")})`);
  }

  /** Declares an index that goes on over all values. */
  private cursor(): string {
    const name = this.code.name("n");
    this.cursors.push(`let ${name} = 0;`);
    return name;
  }

  private line(text: string): void {
    this.loop.push(text);
  }

  private let(value: string): string {
    const name = this.code.name("v");
    this.line(`let ${name} = ${value};`);
    return name;
  }

  /** Reads a column of `m` values. */
  private column(plan: ResolutionPlan, converters: Converters, m: string): At {
    const read = this.filled(plan, m);
    if (converters.length === 0) return read;
    return (i) => {
      let value = read(i);
      for (const { decode } of [...converters].reverse()) {
        value = this.let(value);
        this.line("r.convert();");
        value = this.let(`${this.code.constant(decode)}(${value})`);
      }
      return value;
    };
  }

  private filled(plan: ResolutionPlan, m: string): At {
    switch (plan.kind) {
      case "option":
        return this.option(plan, m);
      case "enum":
        return this.enum(plan, m);
      case "list":
        return this.elements(plan, m);
      case "set":
        return this.set(plan, m);
      case "map":
        return this.entries(plan, m);
      case "tuple": {
        const parts = plan.of.map((part, i) => this.column(part, plan.converters[i]!, m));
        return (i) => `[${parts.map((at) => at(i)).join(", ")}]`;
      }
      case "struct":
        return plan.recursive ? this.slots(plan, m) : this.struct(plan, m);
      case "union":
      case "ref":
        return this.slots(plan, m);
      default:
        return this.scalar(plan, m);
    }
  }

  private bit(at: string, i: string): string {
    return `(b[${at} + (${i} >> 3)] & (1 << (${i} & 7))) !== 0`;
  }

  private option({ of, converters, fallback }: OptionPlan, m: string): At {
    const bits = this.call(bitsAt, m);
    const count = this.call(countBits, bits, m);
    if (isFlat(of)) this.code.line(`r.charge(${count} * ${of.cells});`);
    const inner = this.column(of, converters, count);
    return (i) => {
      const next = this.cursor();
      const value = this.let("null");
      this.line(`if (${this.bit(bits, i)}) {`);
      const absent = fallback === undefined ? "" : ` else ${value} = ${this.code.constant(fallback)}();`;
      this.line(`${value} = ${inner(next)}; ${next}++; }${absent}`);
      return value;
    };
  }

  private enum({ symbols }: EnumPlan, m: string): At {
    const indexes = this.call(readInts, this.code.constant(indices(symbols.length)), m);
    const names = this.code.constant(symbols);
    if (!symbols.includes(undefined)) return (i) => `${names}[${indexes}[${i}]]`;
    return (i) => {
      const symbol = this.let(`${names}[${indexes}[${i}]]`);
      this.line(`if (${symbol} === undefined) ${this.bailOut}();`);
      return symbol;
    };
  }

  private struct(plan: StructPlan, m: string): At {
    const slots = plan.slots.map((slot) => this.column(slot.plan, slot.converters, m));
    // Skipped values are checked, too.
    return (i) => made(this.code, plan, slots.map((at) => at(i)));
  }

  private slots(plan: ResolutionPlan, m: string): At {
    const values = this.read(`${m} === 0 ? [] : ${this.slotsFunction(plan)}(r, d, ${m})`);
    return (i) => `${values}[${i}]`;
  }

  /** Reads the counts of containers; returns them and the name of their sum. */
  private counts(m: string, most: number, columns: number, cells: number): [string, string] {
    const counts = this.call(readCounts, m, most, columns, cells);
    return [counts, this.read(`${this.code.constant(total)}(${counts}, ${m})`)];
  }

  /** A loop over the elements of the container at an index; `take` is the code for one of them. */
  private each(counts: string, i: string, before: (count: string) => string, take: (next: string, k: string, container: string) => string): [string, string] {
    const next = this.cursor();
    const count = this.let(`${counts}[${i}]`);
    const container = this.let(before(count));
    const k = this.code.name("j");
    this.line(`for (let ${k} = 0; ${k} < ${count}; ${k}++, ${next}++) {`);
    this.line(`${take(next, k, container)} }`);
    return [container, count];
  }

  private elements(plan: ListPlan, m: string): At {
    const { typed } = plan;
    const [counts, sum] = this.counts(m, typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS, 1, plan.cells);
    const inner = this.column(plan.of, plan.converters, sum);
    const make = typed === undefined ? (count: string) => `${count} === 0 ? [] : new Array(${count})` : (count: string) => `new ${this.code.constant(ARRAYS[typed])}(${count})`;
    const wide = typed === "i64" || typed === "u64";
    const widened = wide && isNumeric(plan.of.kind) && plan.of.kind !== "i64" && plan.of.kind !== "u64" && (plan.of as ScalarPlan).as !== "bigint";
    return (i) => this.each(counts, i, make, (next, k, list) => {
      const value = inner(next);
      return `${list}[${k}] = ${widened ? `BigInt(${value})` : value};`;
    })[0];
  }

  private set(plan: SetPlan, m: string): At {
    const [counts, sum] = this.counts(m, MOST_KEYS, 1, plan.cells);
    const inner = this.column(plan.of, NONE, sum);
    return (i) => this.distinct(this.each(counts, i, () => "new Set()", (next, _, set) => `${set}.add(${inner(next)});`), plan.converters, madeSet);
  }

  private entries(plan: MapPlan, m: string): At {
    const [counts, sum] = this.counts(m, MOST_KEYS, 2, plan.cells);
    const key = this.column(plan.key, NONE, sum);
    const held = this.column(plan.value, plan.valueConverters, sum);
    return (i) => this.distinct(this.each(counts, i, () => "new Map()", (next, _, map) => {
      const name = key(next);
      return `${map}.set(${name}, ${held(next)});`;
    }), plan.keyConverters, madeKeys);
  }

  private distinct([keys, count]: [string, string], converters: Converters, make: typeof madeSet | typeof madeKeys): string {
    this.line(`if (${keys}.size !== ${count}) ${this.bailOut}();`);
    const decode = decoderOf(converters);
    return decode === undefined ? keys : this.let(`${this.code.constant(make)}(r, ${this.code.constant(decode)}, ${keys})`);
  }

  private scalar(plan: ScalarPlan, m: string): At {
    const { kind, as } = plan;
    const element = (array: string): At => (i) => `${array}[${i}]`;
    if (as === "date") {
      const milliseconds = this.call(readMilliseconds, m);
      return (i) => `new Date(${milliseconds}[${i}])`;
    }
    if (isExact(as)) {
      const read = this.scalar({ kind, as: "plain" }, m);
      const convert = this.code.constant(EXACT[as]);
      return (i) => `${convert}(${read(i)})`;
    }
    switch (kind) {
      case "bool": {
        const bits = this.call(bitsAt, m);
        return (i) => this.bit(bits, i);
      }
      case "i8":
      case "i16":
      case "i32":
      case "u8":
      case "u16":
      case "u32": {
        const numbers = this.call(readInts, this.code.constant(integersOf(kind)), m);
        const number = (i: string): string => (kind === "u32" ? `(${numbers}[${i}] >>> 0)` : `${numbers}[${i}]`);
        return as === "bigint" ? (i) => `BigInt(${number(i)})` : number;
      }
      case "date":
        return element(this.call(readInts, this.code.constant(DATES), m));
      case "time":
        return element(this.call(readExact, this.code.constant(TIMES), m));
      case "i64":
        return element(this.call(readLongs, '"i64"', m));
      case "u64": {
        const numbers = this.call(readLongs, '"u64"', m);
        return (i) => `BigInt.asUintN(64, ${numbers}[${i}])`;
      }
      case "timestamp":
      case "duration":
        return element(this.call(readTimes, String(kind === "timestamp"), m));
      case "f64":
        return element(this.call(readDoubles, m));
      case "f32":
        return element(this.call(readSingles, m));
      case "string": {
        const texts = this.call(readTexts, m);
        const indexes = this.read(`${this.code.constant(textIndices)}()`);
        return (i) => `${texts}[${indexes}[${i}]]`;
      }
      case "bytes":
        return element(this.call(readBytes, m));
      case "uuid":
        return element(this.call(readUuids, m));
      default:
        return this.slots(plan, m);
    }
  }
}
