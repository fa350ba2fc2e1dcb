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

/** Adds the values of one received field of a `-bin` key, at most `room` joined ones. Returns the number of joined values. */
function receiveBinary(into: MetadataValue[], text: string, room: number): number {
  if (!text.includes(",")) {
    into.push(Buffer.from(text, "base64"));
    return 0;
  }
  const pieces = text.split(",", room + 1);
  if (pieces.length > room) return room;
  for (const piece of pieces) into.push(Buffer.from(piece.trim(), "base64"));
  return pieces.length;
}

/** The most names remembered of those that peers send, and the longest. */
const MOST_NAMES = 1_024;
const LONGEST_NAME = 64;

/** Which fields of received blocks are metadata: those with legal names, without those that the layer above uses. */
export class KeyFilter {
  readonly #hidden: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

  constructor(hidden: Iterable<string>) {
    this.#hidden = new Set(hidden);
  }

  /** The positions of those fields. */
  positions(block: HeaderList): readonly number[] {
    const positions: number[] = [];
    const { names } = block;
    for (let at = 0; at < names.length; at += 1) {
      if (this.#known.get(names[at]!) ?? this.#learn(names[at]!)) positions.push(at);
    }
    return positions;
  }

  /** Checks a name; once for most names, since peers send few. */
  #learn(name: string): boolean {
    const key = LEGAL_KEY.test(name) && !name.startsWith(":") && !this.#hidden.has(name);
    if (name.length > LONGEST_NAME) return key;
    if (this.#known.size >= MOST_NAMES) this.#known.clear();
    this.#known.set(name, key);
    return key;
  }
}

/**
 * Keys with lists of values, as grpc-js's `Metadata`. Keys are lower case; those that end in `-bin` have Buffers, all
 * others printable ASCII.
 *
 * State is in grpc-js's fields, not in private ones: `assert.deepStrictEqual`, Jest and the like compare those, and
 * programs read `internalRepr`. An empty map costs more than the rest of the object, so receivers of a block make its
 * metadata on first use.
 */
export class Metadata {
  protected internalRepr = new Map<string, MetadataValue[]>();
  private options: MetadataOptions;
  private opaqueData: Map<string, unknown> | undefined = undefined;

  constructor(options: MetadataOptions = NO_OPTIONS) {
    this.options = options;
  }

  /**
   * The metadata of a received block, from the fields at `positions` (`KeyFilter`). A field whose value is illegal is
   * left out.
   */
  static fromBlock(block: HeaderList, positions: readonly number[]): Metadata {
    const metadata = new Metadata();
    const entries = metadata.internalRepr;
    let room = MOST_JOINED;
    for (const at of positions) {
      const name = block.names[at]!;
      const text = block.values[at]!;
      const known = entries.get(name);
      if (isBinary(name)) {
        const received = known ?? [];
        room -= receiveBinary(received, text, room);
        if (known === undefined && received.length > 0) entries.set(name, received);
      } else if (LEGAL_TEXT.test(text)) {
        if (known === undefined) entries.set(name, [text]);
        else known.push(text);
      }
    }
    return metadata;
  }

  /** The metadata of header fields as node's `http2` has them. */
  static fromHttp2Headers(headers: HttpHeaders): Metadata {
    const names: string[] = [];
    const values: string[] = [];
    for (const [key, value] of Object.entries(headers)) {
      if (value === undefined) continue;
      for (const text of Array.isArray(value) ? value : [String(value)]) {
        names.push(key);
        values.push(text);
      }
    }
    const block = { names, values };
    return Metadata.fromBlock(block, ALL_KEYS.positions(block));
  }

  /** Replaces all values of a key; undefined removes them. @throws Error for an illegal key or value */
  set(key: string, value: MetadataValue): void {
    const name = key.toLowerCase();
    const legal = checked(name, value);
    if (legal === undefined) this.internalRepr.delete(name);
    else this.internalRepr.set(name, [legal]);
  }

  /** Appends a value to those of a key; undefined is left out. @throws Error for an illegal key or value */
  add(key: string, value: MetadataValue): void {
    const name = key.toLowerCase();
    const legal = checked(name, value);
    if (legal === undefined) return;
    const values = this.internalRepr.get(name);
    if (values === undefined) this.internalRepr.set(name, [legal]);
    else values.push(legal);
  }

  /** Removes a key and all its values. */
  remove(key: string): void {
    this.internalRepr.delete(key.toLowerCase());
  }

  /** Returns all values of a key; none for a missing key. */
  get(key: string): MetadataValue[] {
    return this.internalRepr.get(key.toLowerCase()) ?? [];
  }

  /** The first value of each key; bytes are copies. */
  getMap(): Record<string, MetadataValue> {
    const result: Record<string, MetadataValue> = {};
    for (const [key, values] of this.internalRepr) {
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
    const clone = new Metadata(this.options);
    const entries = clone.internalRepr;
    for (const [key, values] of this.internalRepr) entries.set(key, values.map(copied));
    return clone;
  }

  /** Appends all values of `other`. */
  merge(other: Metadata): void {
    const entries = this.internalRepr;
    for (const [key, values] of other.internalRepr) entries.set(key, (entries.get(key) ?? []).concat(values));
  }

  setOptions(options: MetadataOptions): void {
    this.options = options;
  }

  getOptions(): MetadataOptions {
    return this.options;
  }

  /** Keeps a value beside the metadata that is never sent. */
  setOpaque(key: string, value: unknown): void {
    (this.opaqueData ??= new Map()).set(key, value);
  }

  getOpaque(key: string): unknown {
    return this.opaqueData?.get(key);
  }

  /** True if there are no keys. */
  get isEmpty(): boolean {
    return this.internalRepr.size === 0;
  }

  /** Appends name, value, name, value … of the header block to `into`, without fields of gRPC and HTTP/2. */
  appendFields(into: string[]): void {
    for (const [key, values] of this.internalRepr) {
      if (key.includes(":") || OWNED.has(key)) continue;
      for (const value of values) into.push(key, typeof value === "string" ? value.trim() : base64(value));
    }
  }

  /** Header fields as node's `http2` wants them. */
  toHttp2Headers(): Record<string, string | string[]> {
    const result: Record<string, string | string[]> = {};
    for (const [key, values] of this.internalRepr) {
      if (!key.startsWith(":")) result[key] = values.length === 1 ? padded(values[0]!) : values.map(padded);
    }
    return result;
  }

  toJSON(): Record<string, MetadataValue[]> {
    return Object.fromEntries(this.internalRepr);
  }

  /** What `console.log` and `util.inspect` show: the entries. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return `Metadata ${inspect(this.toJSON(), options)}`;
  }
}

const NO_OPTIONS: MetadataOptions = Object.freeze({});
const ALL_KEYS = new KeyFilter([]);
