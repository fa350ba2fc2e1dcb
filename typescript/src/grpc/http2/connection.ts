import { ErrorCode } from "./error-code.js";
import { Http2Error } from "./error.js";
import type { Handler, Outlet } from "./handler.js";
import type { HeaderFields } from "./header-fields.js";
import { http2Options } from "./options.js";
import type { Http2Options } from "./options.js";
import { Stream } from "./stream.js";

export type Role = "client" | "server";

/** What the peer has told about itself in SETTINGS. */
export interface PeerSettings {
  readonly headerTableBytes: number;
  readonly maxConcurrentStreams: number;
  readonly streamWindowBytes: number;
  readonly maxFrameBytes: number;
  readonly maxHeaderListBytes: number;
}

/** One HTTP/2 connection, without socket and clock (RFC 9113). After an error it is dead: `closed` is set and nothing more happens. */
export class Connection {
  readonly role: Role;
  readonly options: Http2Options;

  constructor(role: Role, handler: Handler, options: Partial<Http2Options> = {}) {
    this.role = role;
    this.options = http2Options(options);
    void handler;
  }

  /** Connects the transport; it flushes once right after, for the preface waits already. */
  attach(outlet: Outlet): void {
    void outlet;
  }

  /** Whether the connection is dead. */
  get closed(): boolean {
    return false;
  }

  /** Streams that are open, of both sides. */
  get openStreams(): number {
    return 0;
  }

  /** Whether the peer allows one more stream of ours now (its MAX_CONCURRENT_STREAMS, GOAWAY, stream ids left). */
  get canOpen(): boolean {
    return true;
  }

  get peer(): PeerSettings {
    throw new Http2Error(ErrorCode.INTERNAL_ERROR, "misuse", "no settings yet");
  }

  /** Bytes from the socket. They are read during the call only. */
  receive(bytes: Uint8Array, from?: number, to?: number): void {
    void [bytes, from, to];
  }

  /** The peer closed its side, or with `reason` the transport broke: open streams are reset, the connection is dead. */
  end(reason?: Error): void {
    void reason;
  }

  /** Bytes to write now, or null. They belong to the caller until `recycle`. */
  take(): Uint8Array | null {
    return null;
  }

  /** Gives bytes from `take` back for use again, once written. */
  recycle(bytes: Uint8Array): void {
    void bytes;
  }

  /**
   * Client: opens a stream with a request.
   *
   * @throws Http2Error `misuse` after GOAWAY, when the connection is dead or its stream ids are used up. More streams than the
   * peer allows are not refused here: ask `canOpen`.
   */
  open(fields: HeaderFields, end: boolean, context: unknown, extra?: HeaderFields): Stream {
    void [fields, end, extra];
    return new Stream(this, 1, context);
  }

  /** Sends a PING; `onPong` answers it with the same 8 bytes. Payloads that begin with 0xb5 0x57 are the connection's own. */
  ping(payload: Uint8Array): void {
    void payload;
  }

  /** Announces that no stream of the peer above `last` (default: the highest so far; 2^31 − 1 for a first warning) is handled. Open streams go on. */
  goaway(code: ErrorCode, last?: number, debug?: Uint8Array): void {
    void [code, last, debug];
  }

  /** GOAWAY with this code, and dead: open streams are reset. */
  close(code: ErrorCode = ErrorCode.NO_ERROR, text = ""): void {
    void [code, text];
  }
}
