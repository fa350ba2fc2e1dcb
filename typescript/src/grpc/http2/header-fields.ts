import { ErrorCode } from "./error-code.js";
import { Http2Error } from "./error.js";

/**
 * How a field is indexed (RFC 7541 section 6.2): `constant` in the peer's dynamic table, `once` not, `secret` never, by
 * no hop.
 */
export type Travel = "constant" | "once" | "secret";

/** A field to send: name in lower case, value of visible Latin-1 characters, space and tab. */
export type FieldPair = readonly [name: string, value: string];

const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^$|^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\t\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** The most bytes that two lengths and an index take. */
const FIELD_BYTES = 15;

let serial = 0;

/**
 * Header fields to send, checked once. A list that is sent many times (the head of a reply, its trailers)
 * should be one object: after its first use on a connection it costs a copy of a few bytes.
 */
export class HeaderFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly travel: Travel;
  /** A serial number: an encoder caches the list's bytes under it. */
  readonly serial: number;
  /** An upper bound for the encoded block: names, values and their lengths, in bytes. */
  readonly bound: number;
  /** The decoded size: 32 bytes a field counted in (RFC 9113 section 6.5.2). */
  readonly listBytes: number;

  /**
   * @param pairs pseudo fields first
   * @param travel `constant` for lists that are sent many times (the default), `once` for values of one call, `secret`
   * for credentials
   * @throws Http2Error `misuse` for a name or value that RFC 9113 section 8.2.1 forbids
   */
  constructor(pairs: Iterable<FieldPair>, travel: Travel = "constant") {
    const names: string[] = [];
    const values: string[] = [];
    let bound = 0;
    for (const [name, value] of pairs) {
      if (!NAME.test(name)) throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", `no field may be called ${JSON.stringify(name)}`);
      if (!VALUE.test(value)) throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", `${name} may not be ${JSON.stringify(value)}`);
      names.push(name);
      values.push(value);
      bound += name.length + value.length + FIELD_BYTES;
    }
    this.names = names;
    this.values = values;
    this.travel = travel;
    this.serial = serial++;
    this.bound = bound;
    this.listBytes = bound + names.length * (32 - FIELD_BYTES);
  }
}
