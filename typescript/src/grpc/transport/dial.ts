import type { SocketAddress } from "../../transport/address.js";
import { dial as connect } from "../../transport/dial.js";
import type { DialOptions as ConnectOptions } from "../../transport/dial.js";
import type { Http2Options } from "../http2/options.js";
import { ALPN, http2 } from "./link.js";
import type { Accept, Link } from "./link.js";

/** How a client connects. With TLS, a server that does not choose `h2` in ALPN is refused. */
export interface DialOptions extends Omit<ConnectOptions, "alpn"> {
  readonly http2?: Partial<Http2Options>;
}

/**
 * Connects. The link is ready for streams; the peer's SETTINGS may still be on their way. Rejects with the system's or
 * TLS's error.
 */
export function dial(address: SocketAddress, options: DialOptions, accept: Accept): Promise<Link> {
  return connect(address, { ...options, alpn: ALPN }, http2("client", options.http2, accept));
}

/** The type of `dial`, for replacements. */
export type Dial = typeof dial;
