import { SamewireError } from "../../core/error.js";
import { Schema } from "../schema/schema.js";
import type { Type } from "../schema/type.js";
import { digestOf } from "../wire/header.js";
import { Codec, codec } from "./codec.js";
import type { CodecOptions, Decoder } from "./codec.js";

/** Decoders that are kept: each is compiled once. A program that meets more schemas compiles some again. */
const MOST_DECODERS = 256;

/** Keeps schemas by their digest. Programs implement it for a store of their own: a folder, a database, a service. */
export interface SchemaStore {
  /** Returns the canonical text of the schema with this digest, 16 hexadecimal digits, or undefined if it is not there. */
  get(digest: string): string | undefined;
  /** Keeps a schema. Does nothing if it is there. */
  put(schema: Schema): void;
}

/** Schemas of one process, say of all the versions that a program knows. */
export class MemorySchemas implements SchemaStore {
  private readonly texts = new Map<string, string>();

  constructor(...schemas: Schema[]) {
    for (const schema of schemas) this.put(schema);
  }

  get(digest: string): string | undefined {
    return this.texts.get(digest);
  }

  put(schema: Schema): void {
    this.texts.set(schema.digest, schema.text);
  }
}

/**
 * Writes messages that carry the digest of their schema, and reads those of every schema that a store has. A message of
 * another version of the type is resolved; its decoder is compiled once.
 */
export class VersionedCodec<T> {
  private readonly codec: Codec<T>;
  /** Decoders of other versions by the digests of their schemas, the one that was compiled longest ago first. */
  private readonly decoders = new Map<string, Decoder<T>>();
  private kept = false;

  /** @throws SamewireError as `codec` does */
  constructor(type: Type<T>, private readonly store: SchemaStore, options: CodecOptions = {}) {
    this.codec = codec(type, { ...options, digest: true });
  }

  /** The schema of the messages that it writes. */
  get schema(): Schema {
    return this.codec.schema;
  }

  /**
   * Returns the message, with its digest. The schema is put into the store before the first one.
   *
   * @throws SamewireError as `Codec.encode` does, and what the store throws
   */
  encode(value: T): Uint8Array {
    if (!this.kept) {
      this.store.put(this.schema);
      this.kept = true;
    }
    return this.codec.encode(value);
  }

  /**
   * Returns the value of one whole message.
   *
   * @throws SamewireError as `decoderFor` and `Codec.decode` do
   */
  decode(message: Uint8Array): T {
    return this.decoderFor(message).decode(message);
  }

  /**
   * Returns the decoder of a message's schema, by the message's first nine bytes.
   *
   * @throws SamewireError `schema_mismatch` at 0 for a message without a digest, at 1 for a digest that is not in the store,
   *   with the path if the schemas do not resolve; `malformed` for a text in the store that is not the canonical one of this
   *   digest; as `digestOf` does, and what the store throws
   */
  decoderFor(message: Uint8Array): Decoder<T> {
    const digest = digestOf(message);
    if (digest === undefined) {
      const text = "the message carries no digest, so its schema is unknown: encode with { digest: true }";
      throw new SamewireError("schema_mismatch", text, { at: 0, path: "$" });
    }
    if (digest === this.codec.digest) return this.codec;
    const known = this.decoders.get(digest);
    if (known !== undefined) return known;
    const made = this.codec.resolve(this.writer(digest));
    if (this.decoders.size >= MOST_DECODERS) this.decoders.delete(this.decoders.keys().next().value!);
    this.decoders.set(digest, made);
    return made;
  }

  private writer(digest: string): Schema {
    const text = this.store.get(digest);
    if (text === undefined) {
      throw new SamewireError("schema_mismatch", `no schema of digest ${digest} is in the store: put its writer's there`, { at: 1, path: "$" });
    }
    const writer = Schema.parse(text);
    if (writer.digest !== digest || writer.text !== text) {
      throw new SamewireError("malformed", `the store's text for digest ${digest} is that of another schema`);
    }
    return writer;
  }
}
