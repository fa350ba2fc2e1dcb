import { isBytes, isDate, isMap, isSet } from "../../core/realm.js";
import type { Weights } from "../schema/cells.js";
import { isNumeric, overflowsF32 } from "../schema/numeric.js";
import type { Converters, EnumNode, ListNode, MapNode, ScalarNode, SchemaNode, SetNode, StructNode } from "../schema/tree.js";
import { bailOut } from "../wire/bail-out.js";
import { writeBits } from "../wire/columns/bits.js";
import { writeDoubles, writeSingles } from "../wire/columns/double-writer.js";
import { MARK } from "../wire/columns/form.js";
import { writeBetween, writeExact, writeLongs } from "../wire/columns/integer-writer.js";
import { doubles, ints, longs, withScratch } from "../wire/columns/scratch.js";
import { writeBytes, writeTexts } from "../wire/columns/text-writer.js";
import { writeMilliseconds, writeTimes } from "../wire/columns/time-writer.js";
import { isTyped } from "../wire/typed-arrays.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "../wire/time.js";
import { TOKEN_BYTES } from "../wire/writer.js";
import type { Writer } from "../wire/writer.js";
import { convertedKeys, convertedSet, encoderOf } from "../wire/converters.js";
import type { WriteColumns } from "./encode-column-closures.js";
import { distinctKeys, isEverywhere, mapSorter, own, sortedKeys } from "./encode-rules.js";
import { literal, Source } from "./source.js";

/** Types with more columns are written by closures: the engine does not optimize a function that is too long. */
export const MOST_COLUMNS = 200;
const NONE: Converters = [];
/** Enums of up to this many symbols use a `switch`, larger ones a `Map`. */
const SWITCH_SYMBOLS = 16;

/** The conditions under which a value is not of an integer type. */
const NOT_IN = {
  i8: (value: string) => `(${value} << 24) >> 24 !== ${value}`,
  i16: (value: string) => `(${value} << 16) >> 16 !== ${value}`,
  i32: (value: string) => `(${value} | 0) !== ${value}`,
  u8: (value: string) => `(${value} & 255) !== ${value}`,
  u16: (value: string) => `(${value} & 65535) !== ${value}`,
  u32: (value: string) => `${value} >>> 0 !== ${value}`,
};

/** A run of values whose columns grow together. */
interface Run {
  /** The index of the next value. */
  readonly index: string;
  /** Its scratch arrays, and the pool of each; undefined if the number of values is known before. */
  readonly arrays: [name: string, pool: string][] | undefined;
}

type Write = (w: Writer, p: number, depth: number, values: readonly unknown[], keys: readonly unknown[], m: number) => number;

/**
 * Generates the function that writes columns: one loop reads each part of the values once and puts it into the array of its
 * column; then the columns are written one after the other.
 */
export class EncodeColumnSource {
  private readonly bailOut: string;
  private readonly before: string[] = [];
  private loop: string[] = [];
  private readonly after: string[] = [];

  /** @param slotsFunction returns the name of a generated function `(w, values, p, d, m)` that writes a column of slots */
  constructor(
    private readonly code: Source,
    private readonly slotsFunction: (node: SchemaNode) => string,
    private readonly weights: Weights,
    private readonly sortKeys: boolean,
  ) {
    this.bailOut = code.constant(bailOut);
  }

  list(node: ListNode): WriteColumns {
    return this.compiled(this.weights.element(node), [[node.of, node.converters, "values"]]);
  }

  /** The keys are converted already. */
  map(node: MapNode): WriteColumns {
    return this.compiled(this.weights.element(node), [[node.key, NONE, "keys"], [node.value, node.valueConverters, "values"]]);
  }

  private compiled(cells: number, columns: [SchemaNode, Converters, string][]): WriteColumns {
    const run: Run = { index: "i", arrays: undefined };
    for (const [node, converters, array] of columns) {
      const value = this.let(this.converted(converters, `${array}[i]`));
      // The arrays of a map's keys are made for this: texts need no copy.
      if (array === "keys" && node.kind === "string") this.texts(node, value, "keys", "m");
      else this.value(node, value, run, "m");
    }
    const lines = ["function columns(w, p, d, values, keys, m) {", ...this.before, "for (let i = 0; i < m; i++) {", ...this.loop, "}", ...this.after, "return p; }"];
    for (const line of lines) this.code.line(line);
    const write = this.code.compile("columns") as Write;
    return (w, p, count, d, values, keys) =>
      withScratch(() => {
        w.claim(count, cells);
        w.ensure(p, TOKEN_BYTES);
        return write(w, w.varint(p, count + MARK), d, values, keys, count);
      });
  }

  private line(text: string): void {
    this.loop.push(text);
  }

  private let(value: string): string {
    const name = this.code.name("v");
    this.line(`const ${name} = ${value};`);
    return name;
  }

  /** The expression of the converted value. */
  private converted(converters: Converters, value: string): string {
    const encode = encoderOf(converters);
    return encode === undefined ? value : `${this.code.constant(encode)}(${value})`;
  }

  private refuse(condition: string): void {
    this.line(`if (${condition}) ${this.bailOut}();`);
  }

  /** A scratch array for a run. */
  private scratch(pool: unknown, run: Run): string {
    const name = this.code.name("a");
    const from = this.code.constant(pool);
    this.before.push(`let ${name} = ${from}.take(m);`);
    run.arrays?.push([name, from]);
    return name;
  }

  /** An array of other values. */
  private array(): string {
    const name = this.code.name("a");
    this.before.push(`const ${name} = new Array(m);`);
    return name;
  }

  private cursor(): string {
    const name = this.code.name("n");
    this.before.push(`let ${name} = 0;`);
    return name;
  }

  /** Writes a column of so many values, if there are any. */
  private write(writer: unknown, count: string, ...more: string[]): void {
    this.after.push(`if (${count} > 0) p = ${this.code.constant(writer)}(${["w", "p", ...more, count].join(", ")});`);
  }

  /** Takes an integer of up to 32 bits into a column, whose least and greatest are found on the way. */
  private integer(type: string, value: string, run: Run, m: string): void {
    const array = this.scratch(ints, run);
    const [least, most] = [this.code.name("l"), this.code.name("g")];
    this.before.push(`let ${least} = ${2 ** 32}, ${most} = ${-(2 ** 31)};`)
    this.line(`${array}[${run.index}] = ${value}; if (${value} < ${least}) ${least} = ${value}; if (${value} > ${most}) ${most} = ${value};`);
    this.write(writeBetween, m, literal(type), array, least, most);
  }

  /** Takes a value at the run's index, and writes its column, of `m` values, afterwards. */
  private value(node: SchemaNode, value: string, run: Run, m: string): void {
    switch (node.kind) {
      case "option": {
        const flags = this.scratch(ints, run);
        const inner: Run = { ...run, index: this.cursor() };
        this.write(writeBits, m, flags);
        const cells = this.weights.present(node.of);
        if (cells > 0) this.after.push(`w.charge(${inner.index} * ${cells});`);
        this.line(`if (${value} === null || ${value} === undefined) ${flags}[${run.index}] = 0; else {`);
        this.line(`${flags}[${run.index}] = 1;`);
        this.value(node.of, node.converters.length === 0 ? value : this.let(this.converted(node.converters, value)), inner, inner.index);
        this.line(`${inner.index}++; }`);
        return;
      }
      case "enum":
        this.enum(node, value, run, m);
        return;
      case "list":
      case "set":
      case "map":
        this.container(node, value, run, m);
        return;
      case "tuple":
        this.refuse(`!Array.isArray(${value}) || ${value}.length !== ${node.of.length}`);
        node.of.map((_, i) => this.let(this.converted(node.converters[i]!, `${value}[${i}]`))).forEach((part, i) => { this.value(node.of[i]!, part, run, m); });
        return;
      case "struct":
        if (node.recursive) this.slots(node, value, run, m);
        else this.struct(node, value, run, m);
        return;
      case "union":
      case "ref":
        this.slots(node, value, run, m);
        return;
      default:
        this.scalar(node, value, run, m);
    }
  }

  private struct(node: StructNode, value: string, run: Run, m: string): void {
    this.refuse(`typeof ${value} !== "object" || ${value} === null`);
    const own_ = this.code.constant(own);
    const parts = node.fields.map(({ name, converters }) =>
      this.let(this.converted(converters, isEverywhere(name) ? `${own_}(${value}, ${literal(name)})` : `${value}[${literal(name)}]`)),
    );
    node.fields.forEach((field, i) => { this.value(field.node, parts[i]!, run, m); });
  }

  private slots(node: SchemaNode, value: string, run: Run, m: string): void {
    const values = this.array();
    this.line(`${values}[${run.index}] = ${value};`);
    this.after.push(`if (${m} > 0) p = ${this.slotsFunction(node)}(w, ${values}, p, d, ${m});`);
  }

  private enum(node: EnumNode, value: string, run: Run, m: string): void {
    const index = this.code.name("v");
    if (node.symbols.length <= SWITCH_SYMBOLS) {
      const cases = node.symbols.map((symbol, i) => `case ${literal(symbol)}: ${index} = ${i}; break;`);
      this.line(`let ${index} = 0; switch (${value}) { ${cases.join(" ")} default: ${this.bailOut}(); }`);
    } else {
      const known = this.code.constant(new Map(node.symbols.map((symbol, i) => [symbol, i])));
      this.line(`const ${index} = ${known}.get(${value});`);
      this.refuse(`${index} === undefined`);
    }
    this.integer("u32", index, run, m);
  }

  private container(node: ListNode | SetNode | MapNode, value: string, run: Run, m: string): void {
    const next = this.cursor();
    const arrays: [name: string, pool: string][] = [];
    const inner: Run = { index: next, arrays };
    const parts: [SchemaNode, Converters, string][] = [];
    if (node.kind === "list") {
      const { kind } = node.of;
      if (node.typed && isNumeric(kind)) this.refuse(`!${this.code.constant(isTyped)}(${literal(kind)}, ${value})`);
      else this.refuse(`!Array.isArray(${value})`);
      parts.push([node.of, node.converters, value]);
    } else if (node.kind === "set") {
      this.refuse(`!${this.code.constant(isSet)}(${value})`);
      const encode = encoderOf(node.converters);
      const set = encode === undefined ? value : `${this.code.constant(convertedSet)}(${this.code.constant(encode)}, ${value})`;
      parts.push([node.of, NONE, this.let(`${this.code.constant(sortedKeys(node.of))}(${set})`)]);
    } else {
      this.refuse(`!${this.code.constant(isMap)}(${value})`);
      const encode = encoderOf(node.keyConverters);
      const converted = encode === undefined ? value : this.let(`${this.code.constant(convertedKeys)}(${this.code.constant(encode)}, ${value})`);
      const map = this.sortKeys ? this.let(`${this.code.constant(mapSorter(node.key))}(${converted})`) : converted;
      parts.push([node.key, NONE, this.let(`${this.code.constant(distinctKeys(node.key))}(${map})`)]);
      parts.push([node.value, node.valueConverters, this.let(`[...${map}.values()]`)]);
    }
    const count = this.let(`${parts[0]![2]}.length`);
    if (parts.length > 1) this.refuse(`${parts[1]![2]}.length !== ${count}`);
    this.line(`w.claim(${count}, ${this.weights.element(node)});`);
    this.integer("u32", count, run, m);
    const outer = this.loop;
    this.loop = [];
    const k = this.code.name("j");
    this.line(`for (let ${k} = 0; ${k} < ${count}; ${k}++, ${next}++) {`);
    for (const [part, converters, array] of parts) this.value(part, this.let(this.converted(converters, `${array}[${k}]`)), inner, next);
    this.line("}");
    const body = this.loop;
    this.loop = outer;
    // Each array has its own length: many that are long already were used for longer columns before.
    for (const [name, pool] of arrays) this.line(`if (${next} + ${count} > ${name}.length) ${name} = ${pool}.grown(${name}, ${next} + ${count});`);
    this.loop.push(...body);
  }

  /** Checks a text that stands in an array, or is put there. */
  private texts(node: ScalarNode, value: string, array: string, m: string): void {
    this.refuse(`typeof ${value} !== "string"`);
    this.after.push(`if (${m} > 0) p = ${this.code.constant(writeTexts)}(w, p, ${array}, ${m}, ${node.dedupSlot});`);
  }

  private scalar(node: ScalarNode, value: string, run: Run, m: string): void {
    const { kind, native } = node;
    const take = (array: string): void => { this.line(`${array}[${run.index}] = ${value};`); };
    const numbers = (pool: unknown, refused: string): string => {
      this.refuse(refused);
      const array = this.scratch(pool, run);
      take(array);
      return array;
    };
    if (native === "date") {
      this.refuse(`!${this.code.constant(isDate)}(${value})`);
      const time = this.let(`${value}.getTime()`);
      this.refuse(`!(${time} >= ${SECONDS_MIN * 1_000} && ${time} < ${(SECONDS_MAX + 1) * 1_000})`);
      const array = this.scratch(doubles, run);
      this.line(`${array}[${run.index}] = ${time};`);
      this.write(writeMilliseconds, m, array);
      return;
    }
    switch (kind) {
      case "bool": {
        const flags = this.scratch(ints, run);
        this.line(`${flags}[${run.index}] = ${value} === true || (${value} !== false && ${this.bailOut}()) ? 1 : 0;`);
        this.write(writeBits, m, flags);
        return;
      }
      case "i8":
      case "i16":
      case "i32":
      case "u8":
      case "u16":
      case "u32":
        this.refuse(NOT_IN[kind](value));
        this.integer(kind, value, run, m);
        return;
      case "date":
        this.refuse(`(${value} | 0) !== ${value} || ${value} < ${DATE_MIN} || ${value} > ${DATE_MAX}`);
        this.integer("i32", value, run, m);
        return;
      case "time":
        this.write(writeExact, m, '"u64"', numbers(doubles, `!(Number.isInteger(${value}) && ${value} >= 0 && ${value} <= ${TIME_MAX})`));
        return;
      case "i64":
      case "u64": {
        const fit = `BigInt.${kind === "i64" ? "asIntN" : "asUintN"}(64, ${value})`;
        this.write(writeLongs, m, literal(kind), numbers(longs, `typeof ${value} !== "bigint" || ${fit} !== ${value}`));
        return;
      }
      case "f64":
        this.write(writeDoubles, m, numbers(doubles, `typeof ${value} !== "number"`));
        return;
      case "f32":
        this.write(writeSingles, m, numbers(doubles, `typeof ${value} !== "number" || ${this.code.constant(overflowsF32)}(${value})`));
        return;
      case "timestamp":
      case "duration": {
        this.refuse(`typeof ${value} !== "bigint"`);
        const values = this.array();
        take(values);
        this.write(writeTimes, m, values, String(kind === "timestamp"));
        return;
      }
      case "string": {
        const texts = this.array();
        this.texts(node, value, texts, m);
        take(texts);
        return;
      }
      case "bytes": {
        this.refuse(`!${this.code.constant(isBytes)}(${value})`);
        const lengths = this.scratch(ints, run);
        this.line(`${lengths}[${run.index}] = ${value}.length;`);
        const values = this.array();
        take(values);
        this.write(writeBytes, m, values, lengths);
        return;
      }
      default:
        this.slots(node, value, run, m);
    }
  }
}
