/** Carries protocol machines (`core/machine`) over sockets: TCP, TLS with ALPN, unix. Knows no protocol. */
export { addressText } from "./address.js";
export type { SocketAddress } from "./address.js";
export { dial } from "./dial.js";
export type { DialOptions } from "./dial.js";
export { inject } from "./inject.js";
export type { Link, Protocol } from "./link.js";
export { listen } from "./listen.js";
export type { Listener, ListenOptions, Renewal } from "./listen.js";
