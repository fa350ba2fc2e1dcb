import type { TlsOptions } from "node:tls";
import type { Http2Options } from "../http2/options.js";
import type { SocketAddress } from "./address.js";
import type { Accept } from "./link.js";

/** How a server listens. */
export interface ListenOptions {
  readonly http2?: Partial<Http2Options>;
  /** Certificates and keys; without them the server speaks plain text. ALPN is `h2` alone. */
  readonly tls?: TlsOptions;
  /** Milliseconds a peer may leave written bytes unread before it is cut. Default 60,000. */
  readonly stallMs?: number;
}

/** A listening socket. */
export interface Listener {
  readonly address: SocketAddress;
  /** Links that are open now. */
  readonly links: number;
  /** Takes no more connections; those that are open go on. Resolves when the socket is closed. */
  close(): Promise<void>;
}

/** Listens. Rejects with the system's error when the address cannot be had. */
export type Listen = (address: SocketAddress, options: ListenOptions, accept: Accept) => Promise<Listener>;
