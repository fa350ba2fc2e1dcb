/** Collects generated code. Only names quoted by {@link literal} and numbers are ever put into it. */
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

  /** Writes something else, once what is being written is finished. */
  defer(write: () => void): void {
    this.deferred.push(write);
  }

  /** Adds a line. */
  line(text: string): void {
    this.lines.push(text);
  }

  /** A name that no other variable has. */
  name(prefix: string): string {
    return `${prefix}${this.names++}`;
  }

  /** The name of a constant that the code sees. */
  constant(value: unknown): string {
    let name = this.constantNames.get(value);
    if (name === undefined) {
      name = `k${this.constants.length}`;
      this.constants.push(value);
      this.constantNames.set(value, name);
    }
    return name;
  }

  /** Compiles the code; `result` is the expression that it answers. */
  compile(result: string): unknown {
    for (let write = this.deferred.pop(); write !== undefined; write = this.deferred.pop()) write();
    const parameters = this.constants.map((_, i) => `k${i}`);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- this is what the file is for; closures do it where code from text is forbidden
    const make = new Function(...parameters, `"use strict";\n${this.heads.join("\n")}\n${this.lines.join("\n")}\nreturn ${result};`) as (...constants: unknown[]) => unknown;
    return make(...this.constants);
  }
}

/** A text as a literal of the language, safe to stand in code. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

/** A property of an object literal. `__proto__` would set the prototype if it were not computed. */
export function property(name: string, value: string): string {
  return name === "__proto__" ? `["__proto__"]: ${value}` : `${literal(name)}: ${value}`;
}
