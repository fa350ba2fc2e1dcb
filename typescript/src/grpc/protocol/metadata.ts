const LEGAL_KEY = /^[:0-9a-z_.-]+$/;
const LEGAL_TEXT = /^[ -~]*$/;

/**
 * Fields that gRPC itself or HTTP/2 owns: metadata never sends them. The others of the reserved prefix `grpc-`, such as
 * `grpc-status-details-bin`, pass.
 */
const OWNED: ReadonlySet<string> = new Set([
  "content-type",
  "te",
  "grpc-status",
  "grpc-message",
  "grpc-encoding",
  "grpc-accept-encoding",
  "grpc-message-type",
  "grpc-internal-encoding-request",
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "content-length",
  "host",
]);

/** Text, or bytes for keys that end in `-bin`. */
export type MetadataValue = string | Buffer;

/** Options of a call, as in grpc-js. */
export interface MetadataOptions {
  idempotentRequest?: boolean;
  waitForReady?: boolean;
  cacheableRequest?: boolean;
  corked?: boolean;
}

/** Header fields in the order of the wire: what an HTTP/2 header block looks like to metadata. */
export interface HeaderList {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** Header fields as in Node's `http2` module. */
export type HttpHeaders = Record<string, string | string[] | number | undefined>;

function isBinary(key: string): boolean {
  return key.endsWith("-bin");
}

/**
 * Returns the value as metadata stores it; undefined, which is never stored, stays undefined. What plain JavaScript gives
 * for text (numbers, booleans, null) becomes the text that grpc-js sends for it.
 *
 * @throws Error if key and value do not fit, with grpc-js's texts
 * @throws TypeError for a symbol and for objects without a text
 */
function checked(key: string, value: unknown): MetadataValue | undefined {
  if (!LEGAL_KEY.test(key)) throw new Error(`Metadata key "${key}" contains illegal characters`);
  if (value === undefined) return undefined;
  if (isBinary(key)) {
    if (Buffer.isBuffer(value)) return value;
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    throw new Error("keys that end with '-bin' must have Buffer values");
  }
  if (value instanceof Uint8Array) throw new Error("keys that don't end with '-bin' must have String values");
  // Converted once, unlike String(value) with a TypeError for symbols.
  const text = typeof value === "string" ? value : "".concat(value as string);
  if (!LEGAL_TEXT.test(text)) throw new Error(`Metadata string value "${text}" contains illegal characters`);
  return text;
}

function copied(value: MetadataValue): MetadataValue {
  return typeof value === "string" ? value : Buffer.from(value);
}

function padded(value: MetadataValue): string {
  return typeof value === "string" ? value : value.toString("base64");
}

/** Base64 as a field on the wire: padded or not is accepted, not padded is sent (gRPC over HTTP/2, "Binary-Header"). */
function base64(bytes: Buffer): string {
  const text = bytes.toString("base64");
  return bytes.length % 3 === 0 ? text : text.slice(0, bytes.length % 3 - 3);
}

/**
 * The most binary values joined by commas, in all fields of a block together. The field that has more and those after
 * it are left out: a comma costs the peer a byte, or with HPACK almost nothing, and us a Buffer.
 */
const MOST_JOINED = 1_024;

/**
 * Adds the values of one received field; those of a `-bin` key may be joined, at most `room`. Returns the number of
 * joined values.
 */
function receive(into: MetadataValue[], key: string, text: string, room: number): number {
  if (!isBinary(key)) {
    if (LEGAL_TEXT.test(text)) into.push(text);
    return 0;
  }
  if (!text.includes(",")) {
    into.push(Buffer.from(text, "base64"));
    return 0;
  }
  const pieces = text.split(",", room + 1);
  if (pieces.length > room) return room;
  for (const piece of pieces) into.push(Buffer.from(piece.trim(), "base64"));
  return pieces.length;
}

/**
 * Keys with lists of values, as grpc-js's `Metadata`. Keys are lower case; those that end in `-bin` have Buffers, all
 * others printable ASCII.
 *
 * Metadata of a header block is parsed on first use: until then it costs one object. A field of a received block whose
 * name or value is illegal is left out.
 */
export class Metadata {
  #map: Map<string, MetadataValue[]> | null;
  #block: HeaderList | null = null;
  #hidden: ReadonlySet<string> | null = null;
  #options: MetadataOptions;
  #opaque: Map<string, unknown> | null = null;

  constructor(options: MetadataOptions = NO_OPTIONS) {
    this.#options = options;
    this.#map = null;
  }

  /** The metadata of a received block, without pseudo-header fields and those in `hidden`. */
  static fromBlock(block: HeaderList, hidden: ReadonlySet<string>): Metadata {
    const metadata = new Metadata();
    metadata.#block = block;
    metadata.#hidden = hidden;
    return metadata;
  }

  /** The metadata of header fields as node's `http2` has them. */
  static fromHttp2Headers(headers: HttpHeaders): Metadata {
    const metadata = new Metadata();
    let room = MOST_JOINED;
    for (const [key, value] of Object.entries(headers)) {
      if (value === undefined || !LEGAL_KEY.test(key) || key.startsWith(":")) continue;
      const values: MetadataValue[] = [];
      for (const text of Array.isArray(value) ? value : [String(value)]) room -= receive(values, key, text, room);
      if (values.length > 0) metadata.#entries().set(key, values);
    }
    return metadata;
  }

  /** The values, made from the block if there is one. */
  #entries(): Map<string, MetadataValue[]> {
    if (this.#map !== null) return this.#map;
    const map = (this.#map = new Map<string, MetadataValue[]>());
    const block = this.#block;
    if (block === null) return map;
    this.#block = null;
    let room = MOST_JOINED;
    for (let at = 0; at < block.names.length; at += 1) {
      const key = block.names[at]!;
      if (key.startsWith(":") || this.#hidden!.has(key) || !LEGAL_KEY.test(key)) continue;
      const known = map.get(key);
      const values = known ?? [];
      room -= receive(values, key, block.values[at]!, room);
      if (known === undefined && values.length > 0) map.set(key, values);
    }
    return map;
  }

  /** By what instrumentations know metadata among the arguments of a call. */
  protected get internalRepr(): ReadonlyMap<string, MetadataValue[]> {
    return this.#entries();
  }

  /** Replaces all values of a key; undefined removes them. @throws Error for an illegal key or value */
  set(key: string, value: MetadataValue): void {
    const name = key.toLowerCase();
    const legal = checked(name, value);
    if (legal === undefined) this.#entries().delete(name);
    else this.#entries().set(name, [legal]);
  }

  /** Appends a value to those of a key; undefined is left out. @throws Error for an illegal key or value */
  add(key: string, value: MetadataValue): void {
    const name = key.toLowerCase();
    const legal = checked(name, value);
    if (legal === undefined) return;
    const values = this.#entries().get(name);
    if (values === undefined) this.#entries().set(name, [legal]);
    else values.push(legal);
  }

  /** Removes a key and all its values. */
  remove(key: string): void {
    this.#entries().delete(key.toLowerCase());
  }

  /** Returns all values of a key; none for a missing key. */
  get(key: string): MetadataValue[] {
    const name = key.toLowerCase();
    const block = this.#block;
    if (block === null) return this.#map?.get(name) ?? [];
    const at = block.names.indexOf(name);
    // Most look-ups in a request's metadata miss or want one value; neither needs the map.
    if (at < 0) return [];
    return this.#entries().get(name) ?? [];
  }

  /** The first value of each key; bytes are copies. */
  getMap(): Record<string, MetadataValue> {
    const result: Record<string, MetadataValue> = {};
    for (const [key, values] of this.#entries()) {
      if (values.length > 0) result[key] = copied(values[0]!);
    }
    return result;
  }

  /**
   * Converts metadata of another class with grpc-js's `toJSON`; returns null for anything else.
   *
   * @throws Error for keys and values that cannot be sent
   */
  static adopt(other: unknown): Metadata | null {
    if (other instanceof Metadata) return other;
    if (typeof other !== "object" || other === null || !("toJSON" in other) || typeof other.toJSON !== "function") return null;
    const made = new Metadata();
    for (const [key, values] of Object.entries((other as Metadata).toJSON())) for (const value of values) made.add(key, value);
    return made;
  }

  /** Returns a deep copy without opaque data. */
  clone(): Metadata {
    const clone = new Metadata(this.#options);
    const entries = clone.#entries();
    for (const [key, values] of this.#entries()) entries.set(key, values.map(copied));
    return clone;
  }

  /** Appends all values of `other`. */
  merge(other: Metadata): void {
    const entries = this.#entries();
    for (const [key, values] of other.#entries()) entries.set(key, (entries.get(key) ?? []).concat(values));
  }

  setOptions(options: MetadataOptions): void {
    this.#options = options;
  }

  getOptions(): MetadataOptions {
    return this.#options;
  }

  /** Keeps a value beside the metadata that is never sent. */
  setOpaque(key: string, value: unknown): void {
    (this.#opaque ??= new Map()).set(key, value);
  }

  getOpaque(key: string): unknown {
    return this.#opaque?.get(key);
  }

  /** True if there are no keys. */
  get isEmpty(): boolean {
    return this.#block === null ? this.#map === null || this.#map.size === 0 : this.#entries().size === 0;
  }

  /** Appends name, value, name, value … of the header block to `into`, without fields of gRPC and HTTP/2. */
  appendFields(into: string[]): void {
    for (const [key, values] of this.#entries()) {
      if (key.includes(":") || OWNED.has(key)) continue;
      for (const value of values) into.push(key, typeof value === "string" ? value.trim() : base64(value));
    }
  }

  /** Header fields as node's `http2` wants them. */
  toHttp2Headers(): Record<string, string | string[]> {
    const result: Record<string, string | string[]> = {};
    for (const [key, values] of this.#entries()) {
      if (!key.startsWith(":")) result[key] = values.length === 1 ? padded(values[0]!) : values.map(padded);
    }
    return result;
  }

  toJSON(): Record<string, MetadataValue[]> {
    return Object.fromEntries(this.#entries());
  }

  /** What `console.log` and `util.inspect` show: the entries, which are private to the class. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return `Metadata ${inspect(this.toJSON(), options)}`;
  }
}

const NO_OPTIONS: MetadataOptions = Object.freeze({});
