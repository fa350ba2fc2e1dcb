import type { StructPlan } from "../schema/resolution-plan.js";

/** Collects generated code. Of untrusted input it only ever holds numbers, and names quoted by {@link literal}. */
export class Source {
  private readonly lines: string[] = [];
  private readonly constants: unknown[] = [];
  private readonly constantNames = new Map<unknown, string>();
  private readonly heads: string[] = [];
  private readonly deferred: (() => void)[] = [];
  private names = 0;

  /** Adds a line before all others. */
  head(text: string): void {
    this.heads.push(text);
  }

  /** Generates another part after the current one. */
  defer(write: () => void): void {
    this.deferred.push(write);
  }

  /** Adds a line. */
  line(text: string): void {
    this.lines.push(text);
  }

  /** Returns a unique name. */
  name(prefix: string): string {
    return `${prefix}${this.names++}`;
  }

  /** Adds a constant for the code to use; returns its name. */
  constant(value: unknown): string {
    let name = this.constantNames.get(value);
    if (name === undefined) {
      name = `k${this.constants.length}`;
      this.constants.push(value);
      this.constantNames.set(value, name);
    }
    return name;
  }

  /** Compiles the code; returns the value of the expression `result`. */
  compile(result: string): unknown {
    for (let write = this.deferred.pop(); write !== undefined; write = this.deferred.pop()) write();
    const parameters = this.constants.map((_, i) => `k${i}`);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the purpose of this file
    const make = new Function(...parameters, `"use strict";\n${this.heads.join("\n")}\n${this.lines.join("\n")}\nreturn ${result};`) as (...constants: unknown[]) => unknown;
    return make(...this.constants);
  }
}

/** A text as a string literal. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

/** A property of an object literal. `__proto__` is computed, since otherwise it would set the prototype. */
export function property(name: string, value: string): string {
  return name === "__proto__" ? `["__proto__"]: ${value}` : `${literal(name)}: ${value}`;
}

/** An object of a struct, as an expression of the values of its slots. */
export function made(code: Source, plan: StructPlan, read: readonly string[]): string {
  const values = plan.fields.map(({ slot, fallback }) => (slot === undefined ? `${code.constant(fallback)}()` : read[slot]!));
  const names = plan.fields.map(({ name }) => name);
  if (plan.discriminator !== undefined) {
    names.unshift(plan.discriminator);
    values.unshift(literal(plan.name));
  }
  if (plan.prototype === undefined) return `{ ${names.map((name, i) => property(name, values[i]!)).join(", ")} }`;
  return `new ${constructorOf(code, plan.prototype, names)}(${values.join(", ")})`;
}

/** A constructor that only assigns fields, with the prototype of the user's class. */
function constructorOf(code: Source, prototype: object, names: readonly string[]): string {
  const name = code.name("C");
  const parameters = names.map((_, i) => `a${i}`);
  const assigned = names.map((field, i) =>
    field === "__proto__"
      ? `Object.defineProperty(this, "__proto__", { value: a${i}, writable: true, enumerable: true, configurable: true });`
      : `this[${literal(field)}] = a${i};`,
  );
  code.head(`function ${name}(${parameters.join(", ")}) { ${assigned.join(" ")} } ${name}.prototype = ${code.constant(prototype)};`);
  return name;
}
