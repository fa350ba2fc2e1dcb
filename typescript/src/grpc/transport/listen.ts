import type { Socket } from "node:net";
import type { SocketAddress } from "../../transport/address.js";
import { inject as injectInto } from "../../transport/inject.js";
import { listen as listenOn } from "../../transport/listen.js";
import type { Listener, ListenOptions as BindOptions } from "../../transport/listen.js";
import { http2Options } from "../http2/options.js";
import type { Http2Options } from "../http2/options.js";
import { ALPN, http2 } from "./link.js";
import type { Accept } from "./link.js";

/** How a server listens. With TLS, a client that does not offer `h2` in ALPN is refused. */
export interface ListenOptions extends Omit<BindOptions, "alpn" | "handshakeMs"> {
  /** `prefaceMs` is the time for the TLS handshake, too. */
  readonly http2?: Partial<Http2Options>;
}

function bindOptions(options: ListenOptions): BindOptions {
  return { ...options, alpn: ALPN, handshakeMs: http2Options(options.http2).prefaceMs };
}

/** Listens. Rejects with the system's error if the address is not available. */
export function listen(address: SocketAddress, options: ListenOptions, accept: Accept): Promise<Listener> {
  return listenOn(address, bindOptions(options), http2("server", options.http2, accept));
}

/** Returns a function that takes over sockets that the program has accepted. With TLS, the handshake follows. */
export function inject(options: ListenOptions, accept: Accept): (socket: Socket) => void {
  return injectInto(bindOptions(options), http2("server", options.http2, accept));
}
