import { HeaderFields } from "../http2/header-fields.js";
import type { FieldPair } from "../http2/header-fields.js";
import type { Metadata } from "../protocol/metadata.js";
import { percentEncode } from "../protocol/percent.js";
import { Status } from "../protocol/status.js";
import { Timer } from "../../transport/timer-wheel.js";

/**
 * Content types that a reply repeats. Replies to other subtypes have `application/grpc`, so that a peer cannot fill the
 * table.
 */
const SUBTYPES: ReadonlySet<string> = new Set(["application/grpc", "application/grpc+proto", "application/grpc+json", "application/grpc+pack"]);

const CODES = Object.values(Status).filter((code): code is Status => typeof code === "number");

/** The details of a call that succeeds, unless an interceptor says otherwise. */
export const OK_DETAILS = "OK";

/**
 * The trailers of each status code without a message. As the objects never change, each takes one byte on a connection.
 */
const TRAILERS: readonly HeaderFields[] = CODES.map((code) => new HeaderFields([["grpc-status", String(code)]]));

const OK_PAIRS: readonly FieldPair[] = [["grpc-status", String(Status.OK)], ["grpc-message", OK_DETAILS]];

/** The trailers of a call that ended with OK, two bytes on a connection. */
export const OK_TRAILERS = new HeaderFields(OK_PAIRS);

/** Whether the text of a status is among its prepared fields. */
function prepared(code: Status, details: string): boolean {
  return code === Status.OK && details === OK_DETAILS;
}

/** Returns the trailers of a code, known or not, as far as they are prepared: `ownFields` has the rest. */
export function statusFields(code: Status, details: string): HeaderFields {
  if (prepared(code, details)) return OK_TRAILERS;
  return TRAILERS[code] ?? new HeaderFields([["grpc-status", String(code)]], "once");
}

/** Returns the fields of one call beside the prepared ones, or undefined. */
export function ownFields(code: Status, details: string, metadata: Metadata | null | undefined): HeaderFields | undefined {
  const hasText = details !== "" && !prepared(code, details);
  if (!hasText && (metadata === null || metadata === undefined || metadata.isEmpty)) return undefined;
  const flat: string[] = [];
  metadata?.appendFields(flat);
  const pairs: FieldPair[] = [];
  const text = hasText ? percentEncode(details).trim() : "";
  if (text !== "") pairs.push(["grpc-message", text]);
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at]!, flat[at + 1]!]);
  return new HeaderFields(pairs, "once");
}

/**
 * The `date` of replies (RFC 9110 section 6.6.1), one string for each second. A look at the clock costs 75 ns, 3 % of a
 * unary call: so the text is kept until a timer ends its second, which is set only when a reply asks.
 */
export class ReplyDate extends Timer {
  readonly #now: () => number;
  readonly #set: (timer: Timer, delay: number) => void;
  #text = "";

  /**
   * @param now the time in milliseconds since 1970, which may go back
   * @param set has the timer expire in so many milliseconds; it must not keep the process alive
   */
  constructor(now: () => number, set: (timer: Timer, delay: number) => void) {
    super();
    this.#now = now;
    this.#set = set;
  }

  get text(): string {
    if (this.#text === "") {
      const now = this.#now();
      this.#text = new Date(now).toUTCString();
      this.#set(this, 1_000 - (now % 1_000));
    }
    return this.#text;
  }

  expire(): void {
    this.#text = "";
  }
}

/**
 * The heads of replies of one content type. They are made anew when their `date` changes, so that within a second each
 * is one object, which takes a few bytes on a connection.
 */
export class ReplyHeads {
  readonly #contentType: string;
  readonly #acceptEncoding: string;
  readonly #date: ReplyDate | null;
  readonly #encoded = new Map<string, HeaderFields>();
  /** For calls without a message: by their code, and for OK with its text. */
  readonly #ends = new Map<Status, HeaderFields>();
  #success: HeaderFields | null = null;
  #made = "";
  #pairs: readonly FieldPair[];
  #plain: HeaderFields;
  #undated: ReplyHeads | null = null;

  /** @param date null for replies without one */
  constructor(contentType: string, acceptEncoding: string, date: ReplyDate | null) {
    this.#contentType = contentType;
    this.#acceptEncoding = acceptEncoding;
    this.#date = date;
    this.#pairs = [
      [":status", "200"],
      ["content-type", contentType],
      ["grpc-accept-encoding", acceptEncoding],
    ];
    this.#plain = new HeaderFields(this.#pairs);
  }

  /** The heads without `date`, for replies whose handler sends one. */
  get undated(): ReplyHeads {
    return (this.#undated ??= new ReplyHeads(this.#contentType, this.#acceptEncoding, null));
  }

  /** For messages that are not compressed. */
  get plain(): HeaderFields {
    this.#renew();
    return this.#plain;
  }

  /** For messages in one of our encodings. */
  encoded(name: string): HeaderFields {
    this.#renew();
    let head = this.#encoded.get(name);
    if (head === undefined) {
      head = new HeaderFields([...this.#pairs, ["grpc-encoding", name]]);
      this.#encoded.set(name, head);
    }
    return head;
  }

  /** Head and trailers in one, for a call that ends without a message ("Trailers-Only"). */
  trailersOnly(code: Status, details: string): HeaderFields {
    this.#renew();
    if (prepared(code, details)) return (this.#success ??= new HeaderFields([...this.#pairs, ...OK_PAIRS]));
    const known = this.#ends.get(code);
    if (known !== undefined) return known;
    const isNamed = code in TRAILERS;
    const fields = new HeaderFields([...this.#pairs, ["grpc-status", String(code)]], isNamed ? "constant" : "once");
    // Only the named codes are cached: a program may use any number of others.
    if (isNamed) this.#ends.set(code, fields);
    return fields;
  }

  #renew(): void {
    const date = this.#date === null ? "" : this.#date.text;
    if (date === this.#made) return;
    this.#made = date;
    this.#pairs = [...this.#pairs.slice(0, 3), ["date", date]];
    this.#plain = new HeaderFields(this.#pairs);
    this.#encoded.clear();
    this.#ends.clear();
    this.#success = null;
  }
}

/** The heads of a server's replies, by the request's content type. */
export class ReplyTable {
  readonly #heads = new Map<string, ReplyHeads>();
  readonly #acceptEncoding: string;
  readonly #date: ReplyDate;

  /** @param acceptEncoding what the server decompresses, for `grpc-accept-encoding` */
  constructor(acceptEncoding: string, date: ReplyDate) {
    this.#acceptEncoding = acceptEncoding;
    this.#date = date;
  }

  of(requestType: string): ReplyHeads {
    const type = SUBTYPES.has(requestType) ? requestType : "application/grpc";
    let heads = this.#heads.get(type);
    if (heads === undefined) {
      heads = new ReplyHeads(type, this.#acceptEncoding, this.#date);
      this.#heads.set(type, heads);
    }
    return heads;
  }
}
