import type { PackageDefinition } from "../protocol/method.js";
import { readDescriptorFile, withDependencies } from "./descriptor-file.js";
import type { DescriptorFile } from "./descriptor-file.js";
import { withMapEntryNames } from "./map-entries.js";

/** A file as it is sent, and the files that it needs. */
interface Linked {
  readonly bytes: Uint8Array;
  readonly dependencies: readonly string[];
}

/**
 * Proto files by name, by what they declare, and by what they extend.
 *
 * proto-loader sorts declarations into one file a package and leaves the imports between these out; they are found
 * again from the types that are used.
 */
export class DescriptorIndex {
  readonly #files = new Map<string, DescriptorFile>();
  readonly #symbols = new Map<string, DescriptorFile>();
  readonly #extensions = new Map<string, Map<number, DescriptorFile>>();
  readonly #linked = new Map<string, Linked>();

  /**
   * Adds one `FileDescriptorProto`; of two with the same name, or that declare the same, the first stays.
   * @throws ProtobufError for other bytes
   */
  add(bytes: Uint8Array): void {
    const file = readDescriptorFile(withMapEntryNames(bytes));
    if (this.#files.has(file.name)) return;
    this.#files.set(file.name, file);
    for (const symbol of file.symbols) if (!this.#symbols.has(symbol)) this.#symbols.set(symbol, file);
    for (const { type, number } of file.extensions) {
      const numbers = this.#extensions.get(type) ?? new Map<number, DescriptorFile>();
      this.#extensions.set(type, numbers.set(number, file));
    }
    // Files linked before may need this one.
    this.#linked.clear();
  }

  /** Adds all files of a package definition. */
  addPackage(definition: PackageDefinition): void {
    for (const entry of Object.values(definition)) {
      const types: unknown[] = "format" in entry ? [entry] : Object.values(entry).flatMap(methodTypes);
      for (const type of types) for (const bytes of descriptorsOf(type)) this.add(bytes);
    }
  }

  get services(): string[] {
    return [...this.#files.values()].flatMap(({ services }) => services).sort();
  }

  /** Returns a file and all that it needs, itself first; null for an unknown file. */
  byName(name: string): Uint8Array[] | null {
    return this.#files.has(name) ? this.#closure(name) : null;
  }

  bySymbol(symbol: string): Uint8Array[] | null {
    const file = this.#symbols.get(symbol);
    return file === undefined ? null : this.#closure(file.name);
  }

  byExtension(type: string, number: number): Uint8Array[] | null {
    const file = this.#extensions.get(type)?.get(number);
    return file === undefined ? null : this.#closure(file.name);
  }

  /** Returns the numbers of a message type's extensions; null for an unknown type. */
  extensionNumbers(type: string): number[] | null {
    const numbers = this.#extensions.get(type);
    if (numbers !== undefined) return [...numbers.keys()].sort((a, b) => a - b);
    return this.#symbols.has(type) ? [] : null;
  }

  #closure(name: string): Uint8Array[] {
    const names = new Set([name]);
    const result: Uint8Array[] = [];
    // Iterating over a set includes entries that are added meanwhile.
    for (const each of names) {
      const linked = this.#link(each);
      if (linked === null) continue;
      result.push(linked.bytes);
      for (const dependency of linked.dependencies) names.add(dependency);
    }
    return result;
  }

  #link(name: string): Linked | null {
    const known = this.#linked.get(name);
    if (known !== undefined) return known;
    const file = this.#files.get(name);
    if (file === undefined) return null;
    const used = new Set(file.references.map((reference) => this.#resolve(reference.scope, reference.name)?.name));
    const missing = [...used].filter((each): each is string => each !== undefined && each !== name && !file.dependencies.includes(each));
    const linked = { bytes: withDependencies(file, missing), dependencies: [...file.dependencies, ...missing] };
    this.#linked.set(name, linked);
    return linked;
  }

  /**
   * The file of a type by its name: absolute with a dot before it, else looked up from the innermost scope outwards.
   */
  #resolve(scope: string, name: string): DescriptorFile | undefined {
    if (name.startsWith(".")) return this.#symbols.get(name.slice(1));
    for (let outer = scope; outer !== ""; outer = outer.slice(0, Math.max(outer.lastIndexOf("."), 0))) {
      const file = this.#symbols.get(`${outer}.${name}`);
      if (file !== undefined) return file;
    }
    return this.#symbols.get(name);
  }
}

function methodTypes(method: object): unknown[] {
  return ["requestType", "responseType"].map((key) => (method as Record<string, unknown>)[key]);
}

function descriptorsOf(type: unknown): Uint8Array[] {
  if (typeof type !== "object" || type === null || !("fileDescriptorProtos" in type) || !Array.isArray(type.fileDescriptorProtos)) return [];
  return type.fileDescriptorProtos.filter((bytes): bytes is Uint8Array => bytes instanceof Uint8Array);
}
