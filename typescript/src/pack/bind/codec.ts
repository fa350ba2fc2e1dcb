import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import { limits as limitsOf } from "../../core/limits.js";
import type { Limits } from "../../core/limits.js";
import { Output } from "../../core/output.js";
import { isBytes } from "../../core/realm.js";
import { Weights } from "../schema/cells.js";
import { digestBytes } from "../schema/digest.js";
import type { Resolution } from "../schema/resolution-plan.js";
import { resolve } from "../schema/resolve.js";
import { Schema } from "../schema/schema.js";
import { schemaTree } from "../schema/tree-builder.js";
import type { SchemaNode, SchemaTree } from "../schema/tree.js";
import { Type, notType } from "../schema/type.js";
import type { Infer } from "../schema/type.js";
import { walkAny } from "../wire/any-walker.js";
import { ColumnWalker } from "../wire/columns/strict.js";
import { Fallback, bailOut } from "../wire/bail-out.js";
import { isOverflow, isTooMuch, overflow } from "../wire/engine.js";
import { told } from "../wire/foreign-format.js";
import { CHECK_BYTES, lacksDigest, noDigest, notBytes } from "../wire/header.js";
import { mayEvaluate, primitives } from "../wire/primitives.js";
import { Reader } from "../wire/reader.js";
import type { ReaderOptions } from "../wire/reader.js";
import { walkNumbers } from "../wire/strict-rows.js";
import { Walker } from "../wire/walker.js";
import type { WalkerParts } from "../wire/walker.js";
import { NOT_LATIN1, tooLong, Writer } from "../wire/writer.js";
import type { Profile, WriterOptions } from "../wire/writer.js";
import { checkAny } from "./any-check.js";
import { adaptersOf } from "./adapters.js";
import type { Adapters } from "./adapters.js";
import { profileOf } from "./codec-options.js";
import { checkDefaults } from "./default-check.js";
import { closeDecode } from "./decode-closures.js";
import type { Decode } from "./decode-closures.js";
import { generateDecode, rootCells } from "./decode-source.js";
import { closeEncode } from "./encode-closures.js";
import { generateEncode } from "./encode-source.js";
import type { Encode } from "./encode-rules.js";
import { ValueWalker } from "./value-walker.js";

const OPTIONS: readonly string[] = ["profile", "limits", "times", "check", "digest", "requireDigest", "sortKeys", "eval", "detach", "views", "objects"];

/** How a codec works; everything has a default. */
export interface CodecOptions {
  /** What {@link Codec.encode} writes. Default `compact`. */
  readonly profile?: Profile;
  /**
   * Whether messages that carry no digest carry a check, the first 2 bytes of it. Default true. Readers refuse a message whose
   * check is not that of their schema, with `schema_mismatch` at 1, and read one without a check as it is. A message
   * without both does not name its schema: a reader whose type has changed reads wrong values without an error, for
   * instance if two fields of one type have changed places.
   */
  readonly check?: boolean;
  /**
   * Whether messages carry the schema's digest, which costs 8 bytes, instead of a check. Default false. One pair of schemas in
   * 65,536 has the same check, and a check does not say which schema a message is of. Turn it on wherever types change, and
   * where messages are kept.
   */
  readonly digest?: boolean;
  /** Whether messages that carry no digest, or only a check, are refused, with `schema_mismatch` at 0. Default false. */
  readonly requireDigest?: boolean;
  /**
   * Whether maps, also those in an `any`, are written in ascending order of their keys, the order of sets (`spec/pack.md`,
   * section 8): equal maps then have equal bytes, independent of the order in which their entries were added. Sorting may take several
   * times as long as writing. Readers accept any order. Default false.
   */
  readonly sortKeys?: boolean;
  /** Those limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether to generate code, and in browsers to make short texts by WebAssembly. Default: if the platform allows it.
   * `false` uses closures, which a strict content security policy permits.
   */
  readonly eval?: boolean;
  /**
   * Whether decoded texts are copies. By default they are slices of the message's text, and engines make slices of 13
   * characters and more without copying: one that lives long keeps all text of its message alive, up to 100,000
   * characters. A copy costs some 50 ns. Default false.
   */
  readonly detach?: boolean;
  /**
   * Whether decoded `bytes` and typed arrays are views into the message, where they are aligned, instead of copies. The
   * message must not change while they are in use. Default false.
   */
  readonly views?: boolean;
  /**
   * How an instant between two milliseconds is read as a `Date` (`pack.jsDate`): `"exact"` refuses it with
   * `type_mismatch`, `"truncate"` reads the millisecond that it lies in. Default `"exact"`.
   */
  readonly times?: "exact" | "truncate";
  /**
   * Whether a map inside an `any` whose keys are texts is read as a plain object instead of a `Map`. Either is written.
   * Default false.
   */
  readonly objects?: boolean;
}

/** Turns bytes into values. */
export interface Decoder<T> {
  /**
   * Returns the value of one message.
   *
   * @throws SamewireError with code, offset and path if the bytes are not a valid message; see `spec/errors.md`.
   */
  decode(bytes: Uint8Array): T;
}

/** Turns values into bytes. */
export interface Encoder<T> {
  /**
   * Returns the message of a value. In Node its `buffer` may hold other messages too.
   *
   * @throws SamewireError `type_mismatch`, `bad_utf8`, `limit_depth`, `limit_size` or `limit_items`, with a path and no offset.
   */
  encode(value: T): Uint8Array;
}

const WALKER_PARTS: WalkerParts = { columns: (walk) => new ColumnWalker(walk), numbers: walkNumbers, any: walkAny };

const CHUNK_BYTES = 1 << 16;
/** Messages of up to this many bytes are copied by a loop. */
const LOOPED_BYTES = 64;

/** How many codecs are in {@link repeated}. */
let repeating = 0;

/**
 * Repeats a call with the separate pass. Codecs that functions of `as` call meanwhile begin with that pass: if they
 * tried the fast one first, each level of messages within messages would double the time, and forty levels would never
 * end.
 */
function repeated<R>(call: () => R): R {
  repeating++;
  try {
    return call();
  } finally {
    repeating--;
  }
}

/** A compiled plan, with the reader that its decodes share. */
class CompiledDecoder<T> implements Decoder<T> {
  private readonly read: Decode;
  private readonly reader: Reader;
  private readonly options: ReaderOptions;
  private made: Decoder<T> | undefined;

  constructor(
    private readonly resolution: Resolution,
    options: Omit<ReaderOptions, "rootCells">,
    evaluate: boolean,
    private readonly digestRequired: boolean,
    private readonly adapters: Adapters | undefined,
    /**
     * Makes the decoder that runs again where this one fails, and throws the right error; undefined if this one does.
     */
    private readonly makeApart: (() => Decoder<T>) | undefined,
    /** Makes the reader of the root; undefined for values of the type. */
    compile?: (resolution: Resolution) => Decode,
  ) {
    const generated = evaluate && compile === undefined;
    const charged = generated ? rootCells(resolution) : resolution.cells;
    this.options = { ...options, rootCells: charged };
    const read = generated ? generateDecode(resolution, options.limits) : (compile ?? closeDecode)(resolution);
    this.read = charged > options.limits.cells ? bailOut : read;
    this.reader = new Reader(this.options);
  }

  decode(bytes: Uint8Array): T {
    const { makeApart } = this;
    if (makeApart !== undefined && repeating > 0) return this.apart(makeApart).decode(bytes);
    if (this.digestRequired) this.checkDigest(bytes);
    // A default or a setter of a user's class may decode with this codec.
    const reader = this.reader.busy ? new Reader(this.options) : this.reader;
    reader.busy = true;
    try {
      reader.open(bytes);
      const value = this.read(reader, 0) as T;
      reader.finish();
      return this.adapters === undefined ? value : (this.adapters.decode(value, reader.cells) as T);
    } catch (error) {
      if (makeApart === undefined) throw this.explained(bytes, error, reader.p);
    } finally {
      reader.close();
    }
    return repeated(() => this.apart(makeApart).decode(bytes));
  }

  /** Made once: compiling takes long, and any peer may send messages that need it. */
  private apart(make: () => Decoder<T>): Decoder<T> {
    return (this.made ??= make());
  }

  private checkDigest(bytes: Uint8Array): void {
    if (!isBytes(bytes) || bytes.length > this.options.limits.frameBytes || !lacksDigest(bytes)) return;
    throw noDigest();
  }

  /** @param stop the position of the reader */
  private explained(bytes: Uint8Array, error: unknown, stop: number): unknown {
    if (!isBytes(bytes)) return new SamewireError("misuse", notBytes(bytes));
    if (isOverflow(error)) return overflow();
    const tooMuch = isTooMuch(error);
    if (!(tooMuch || error instanceof Fallback)) return error;
    try {
      new Walker(bytes, { ...this.options, told }, WALKER_PARTS, tooMuch ? stop : Infinity).message(this.resolution);
    } catch (walked) {
      return isOverflow(walked) ? overflow() : walked;
    }
    // The error came from a user's class.
    if (tooMuch) return error;
    return new SamewireError("malformed", "the bytes changed while they were read", { at: 0, path: "$" });
  }
}

/**
 * Encodes and decodes one type. {@link codec} compiles it, once for each type. It keeps no state between messages.
 */
export class Codec<T> implements Encoder<T>, Decoder<T> {
  /** The schema of the type. */
  readonly schema: Schema;
  /** What {@link encode} writes. */
  readonly profile: Profile;
  /** All limits, the defaults filled in. */
  readonly limits: Limits;
  /** Calls the functions of `as`, before a value is written and after it is read; undefined where generated code calls them. */
  private readonly adapters: Adapters | undefined;
  /** Whether generated code calls the functions of `as`. What it fails at is done by {@link apart}, which knows the path. */
  private readonly inPlace: boolean;
  private made: Codec<T> | undefined;
  private readonly tree: SchemaTree;
  private readonly write: Encode;
  private readonly writer: Writer;
  /** The one of messages without digest and check, made on first use. */
  private bareWriter: Writer | undefined;
  private readonly decoder: CompiledDecoder<T>;
  /** Those given, limits and `eval` filled in. @internal */
  protected readonly options: CodecOptions;
  private readonly evaluate: boolean;
  private readonly digestRequired: boolean;
  private readonly writerOptions: WriterOptions;
  private readonly readerOptions: Omit<ReaderOptions, "digest" | "rootCells">;

  /** @param apart whether the functions of `as` are called apart from what is written and read; for this class alone */
  constructor(private readonly type: Type<T>, options: CodecOptions = {}, apart = false) {
    if (!((type as unknown) instanceof Type)) throw new SamewireError("misuse", notType("a codec is made of a type", type));
    this.schema = new Schema(type);
    const adapters = adaptersOf(type);
    this.inPlace = adapters !== undefined && !apart;
    this.adapters = this.inPlace ? undefined : adapters;
    this.tree = this.adapters === undefined ? this.schema.tree : schemaTree(this.adapters.wire);
    this.profile = profileOf(options, OPTIONS);
    this.limits = limitsOf(options.limits);
    this.evaluate = options.eval ?? mayEvaluate();
    this.digestRequired = options.requireDigest ?? false;
    const { tree } = this;
    const { root, dedupSlots } = tree;
    // With `apart`, the codec that made this one has checked them.
    if (!apart) checkDefaults(adapters === undefined ? root : schemaTree(adapters.wire).root);
    const digest = digestBytes(this.schema.digest);
    const fast = this.profile === "fast";
    this.readerOptions = {
      limits: this.limits,
      detach: options.detach ?? false,
      views: options.views ?? false,
      truncateTimes: options.times === "truncate",
      objects: options.objects ?? false,
    };
    this.options = { ...options, limits: this.limits, eval: this.evaluate };
    this.decoder = this.compiledDecoder(root, { ...this.readerOptions, digest }, () => this.apart());
    const weights = new Weights(root);
    const { depth, frameBytes, items, cells } = this.limits;
    const left = cells - compiled(() => weights.slot(root));
    const sortKeys = options.sortKeys ?? false;
    const write = compiled(() => (this.evaluate ? generateEncode(tree, this.profile, weights, this.limits, sortKeys) : closeEncode(tree, this.profile, weights, sortKeys)));
    this.write = left < 0 ? bailOut : write;
    const carried = options.digest === true ? digest : digest.subarray(0, options.check === false ? 0 : CHECK_BYTES);
    this.writerOptions = { fast, digest: carried, depth, frameBytes, items, cells: left, dedupSlots, sortKeys };
    this.writer = new Writer(this.writerOptions);
  }

  /** The digest of the schema, as 16 hexadecimal digits. */
  get digest(): string {
    return this.schema.digest;
  }

  /**
   * Returns the value of one message, which must be all of `bytes`.
   *
   * @throws SamewireError with code, offset and path if the bytes are not a valid message; `misuse` for anything but a
   *   `Uint8Array`.
   */
  decode(bytes: Uint8Array): T {
    return this.decoder.decode(bytes);
  }

  encode(given: T): Uint8Array {
    return this.message(given, this.writer);
  }

  /**
   * As {@link encode}, with neither digest nor check: for containers that name the schema of their messages themselves.
   *
   * @internal
   */
  encodeBare(given: T): Uint8Array {
    return this.message(given, this.writerOfBare());
  }

  private writerOfBare(): Writer {
    const { writerOptions } = this;
    if (writerOptions.digest.length === 0) return this.writer;
    return (this.bareWriter ??= new Writer({ ...writerOptions, digest: writerOptions.digest.subarray(0, 0) }));
  }

  private message(given: T, kept: Writer): Uint8Array {
    if (this.inPlace && repeating > 0) return this.messageApart(given, kept);
    const value = this.prepared(given);
    const w = idle(kept);
    try {
      const p = this.written(w, value, w.scratch, 0);
      const at = w.valuesAt();
      const size = p - w.values;
      const message = primitives.allocate(this.checked(at + size));
      const { b, values } = w;
      w.front(message, 0, at);
      if (size <= LOOPED_BYTES) for (let i = 0; i < size; i++) message[at + i] = b[values + i]!;
      else message.set(b.subarray(values, p), at);
      return message;
    } catch (error) {
      if (!this.inPlace) throw this.explained(value, error);
    } finally {
      w.end(true);
    }
    return repeated(() => this.messageApart(given, kept));
  }

  private messageApart(given: T, kept: Writer): Uint8Array {
    return kept === this.writer ? this.apart().encode(given) : this.apart().encodeBare(given);
  }

  /**
   * Appends the message of a value to an output; returns its length. Allocates nothing while the output's buffer is
   * long enough.
   *
   * @throws SamewireError as {@link encode}; `misuse` if a message is being written to the output. The output is then
   *   unchanged.
   */
  encodeInto(given: T, output: Output): number {
    if (this.inPlace && repeating > 0) return this.apart().encodeInto(given, output);
    output.intact();
    output.busy = true;
    try {
      const value = this.prepared(given);
      const w = idle(this.writer);
      try {
        const p = this.written(w, value, output.buffer, output.length);
        const at = w.valuesAt();
        const size = p - w.values;
        const length = this.checked(at + size);
        w.ensure(p, length - size);
        const buffer = w.b;
        if (w.start + at !== w.values) buffer.copyWithin(w.start + at, w.values, p);
        w.front(buffer, w.start, at);
        output.buffer = buffer;
        output.length = w.start + length;
        return length;
      } catch (error) {
        if (!this.inPlace) throw this.explained(value, error);
      } finally {
        w.end(false);
      }
    } finally {
      output.busy = false;
    }
    return repeated(() => this.apart().encodeInto(given, output));
  }

  /**
   * Returns the message of a value in pieces, for messages too large for one array. The value is read before the first
   * piece. All pieces have `size` bytes, except the last one of text and the last one of values.
   *
   * @throws SamewireError as {@link encode}; `misuse` for a size below 64.
   */
  encodeChunks(given: T, size: number = CHUNK_BYTES): Iterable<Uint8Array> {
    if (!Number.isSafeInteger(size) || size < 64) throw new SamewireError("misuse", "a piece has at least 64 bytes");
    if (this.inPlace && repeating > 0) return this.apart().encodeChunks(given, size);
    const value = this.prepared(given);
    const w = idle(this.writer);
    try {
      const p = this.written(w, value, w.scratch, 0);
      const at = w.valuesAt();
      this.checked(at + p - w.values);
      const head = new Uint8Array(32);
      const { b, values, t, blocks } = w;
      const headEnd = w.head(head, 0);
      const latin = blocks.latin.slice(0, blocks.latinLength);
      const padding = new Uint8Array(at - headEnd - t.length - blocks.length);
      return pieces(head.subarray(0, headEnd), latin, t, [blocks.wide.slice(), blocks.utf8.slice(), padding, b.slice(values, p)], size);
    } catch (error) {
      if (!this.inPlace) throw this.explained(value, error);
    } finally {
      w.end(true);
    }
    return repeated(() => this.apart().encodeChunks(given, size));
  }

  /**
   * Returns a decoder for messages of a writer with another schema, compiled once (section 13).
   *
   * @param writer the writer's schema, or its text
   * @throws SamewireError `schema_mismatch` with the path of the first difference that resolution does not allow;
   *   errors of the text; `misuse` for anything but a schema or text; `unsupported` for structs nested deeper than the
   *   engine's stack.
   */
  resolve(writer: Schema | string): Decoder<T> {
    if (typeof writer !== "string" && !((writer as unknown) instanceof Schema)) throw new SamewireError("misuse", "the writer's schema is a Schema or its text");
    // Parsed again: the tree is changed, since it takes the names that this reader has aliases for.
    const theirs = Schema.parse(typeof writer === "string" ? writer : writer.text);
    const options = { ...this.readerOptions, digest: digestBytes(theirs.digest) };
    return this.compiledDecoder(theirs.tree.root, options, () => this.apart().resolve(writer));
  }

  private compiledDecoder(writer: SchemaNode, options: Omit<ReaderOptions, "rootCells">, apart: () => Decoder<T>): CompiledDecoder<T> {
    return compiled(() => new CompiledDecoder(resolve(writer, this.tree), options, this.evaluate, this.digestRequired, this.adapters, this.inPlace ? apart : undefined));
  }

  /**
   * Returns a decoder of this schema's messages with another reader of the root, without the functions of `as`.
   *
   * @internal
   */
  protected decoderBy<R>(compile: (resolution: Resolution) => (r: Reader, depth: number) => R): Decoder<R> {
    const adapters = adaptersOf(this.type);
    const tree = adapters === undefined ? this.schema.tree : schemaTree(adapters.wire);
    const options = { ...this.readerOptions, digest: digestBytes(this.schema.digest) };
    const plan = (): Resolution => resolve(tree.root, tree);
    return compiled(() => new CompiledDecoder<R>(plan(), options, false, this.digestRequired, undefined, undefined, compile));
  }

  /** The codec that calls the functions of `as` in a pass of its own. It says exactly what is wrong, and is slower. */
  private apart(): Codec<T> {
    return (this.made ??= new Codec(this.type, this.options, true));
  }

  private prepared(value: T): T {
    return this.adapters === undefined ? value : adapted(this.adapters, value);
  }

  private checked(length: number): number {
    if (length <= this.limits.frameBytes) return length;
    throw tooLong(length, this.limits.frameBytes);
  }

  /** Writes a value to a buffer; returns the end. The rest of the message is in the writer. */
  private written(w: Writer, value: T, buffer: Uint8Array, start: number): number {
    try {
      const p = this.write(w, value, w.begin(buffer, start), 0);
      if (w.wasLatin1()) {
        w.learn();
        return p;
      }
    } catch (error) {
      if (error !== NOT_LATIN1) throw error;
    }
    w.forget();
    w.checkAll();
    const p = this.write(w, value, w.begin(buffer, start), 0);
    w.learn();
    return p;
  }

  private explained(value: T, error: unknown): unknown {
    if (isOverflow(error)) return overflow();
    if (isTooMuch(error)) return tooLong(this.limits.frameBytes, this.limits.frameBytes);
    // The engine throws a TypeError for arithmetic on a bigint, a symbol or an object without a prototype.
    if (!(error instanceof Fallback || error instanceof TypeError)) return error;
    try {
      const { root } = this.tree;
      new ValueWalker(this.limits, new Weights(root), checkAny).root(root, value);
    } catch (checked) {
      return isOverflow(checked) ? overflow() : checked;
    }
    return error instanceof TypeError ? error : new SamewireError("type_mismatch", "the value changed while it was written", { path: "$" });
  }
}

/**
 * Checks an argument that must be a codec: by its parts, since a program may hold two copies of the package.
 *
 * @throws SamewireError `misuse`.
 */
export function checkCodec(codec: unknown): void {
  const { encode, decode, schema } = (codec ?? {}) as Partial<Codec<unknown>>;
  if (typeof encode === "function" && typeof decode === "function" && typeof schema?.text === "string") return;
  throw new SamewireError("misuse", `expected a codec, got ${described(codec)}${codec instanceof Type ? ": pack.codec(…) makes one of a type" : ""}`);
}

/** Converts a value whose type holds types of the program's own to the value that is written. */
function adapted<T>(adapters: Adapters, value: T): T {
  try {
    return adapters.encode(value) as T;
  } catch (error) {
    throw isOverflow(error) ? overflow() : error;
  }
}

/** Returns a writer that is not in use: a getter of a user's object may encode with the same codec. */
function idle(kept: Writer): Writer {
  const w = kept.busy ? new Writer(kept.options) : kept;
  w.busy = true;
  return w;
}

/** Runs a compilation. Untrusted schema text can hold a chain of 20,000 structs, deeper than the stack. */
function compiled<R>(compile: () => R): R {
  try {
    return compile();
  } catch (error) {
    throw isOverflow(error) ? new SamewireError("unsupported", "structs inside one another deeper than the engine's stack") : error;
  }
}

/** The parts of a message in pieces of `size` bytes: its Latin-1 block, whose end may be a string, and the others. */
function* pieces(head: Uint8Array, latin: Uint8Array, t: string, blocks: readonly Uint8Array[], size: number): Generator<Uint8Array> {
  yield head;
  for (let i = 0; i < latin.length; i += size) yield latin.subarray(i, i + size);
  for (let i = 0; i < t.length; i += size) {
    const text = t.slice(i, i + size);
    const piece = new Uint8Array(text.length);
    primitives.writeLatin1(piece, text, 0);
    yield piece;
  }
  for (const block of blocks) for (let i = 0; i < block.length; i += size) yield block.subarray(i, i + size);
}

/**
 * Returns the codec of a type, compiled.
 *
 * ```ts
 * const Book = pack.struct("Book", { id: pack.string, name: pack.string, author: pack.string, year: pack.i32 });
 * type Book = pack.Infer<typeof Book>;
 * const codec = pack.codec(pack.list(Book));
 * const books = codec.decode(codec.encode([{ id: "1001", name: "Carrie", author: "Stephen King", year: 1974 }]));
 * ```
 *
 * @throws SamewireError `misuse` for an invalid type or option.
 */
export function codec<D extends Type>(type: D, options: CodecOptions = {}): Codec<Infer<D>> {
  return new Codec(type as unknown as Type<Infer<D>>, options);
}
