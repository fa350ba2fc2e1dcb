import type { ConnectionOptions } from "node:tls";
import type { Http2Options } from "../http2/options.js";
import type { SocketAddress } from "./address.js";
import type { Accept, Link } from "./link.js";

/** How a client connects. */
export interface DialOptions {
  readonly http2?: Partial<Http2Options>;
  /** Without it the client speaks plain text. ALPN is `h2` alone, and a server that does not choose it is refused. */
  readonly tls?: ConnectionOptions;
  /** Milliseconds for the socket and the TLS handshake. Default 20,000. */
  readonly connectMs?: number;
  /** Milliseconds a peer may leave written bytes unread before it is cut. Default 60,000. */
  readonly stallMs?: number;
  /** Gives up while connecting. */
  readonly signal?: AbortSignal;
}

/** Connects; the link is ready for streams, the peer's SETTINGS may still be on their way. Rejects with the system's or TLS's error. */
export type Dial = (address: SocketAddress, options: DialOptions, accept: Accept) => Promise<Link>;
