/** HTTP/2 connections over sockets: TCP, TLS with ALPN, unix. */
export { addressText } from "../protocol/address.js";
export type { SocketAddress } from "../protocol/address.js";
export { dial } from "./dial.js";
export type { Dial, DialOptions } from "./dial.js";
export type { Accept, Link } from "./link.js";
export { listen } from "./listen.js";
export type { Listen, Listener, ListenOptions } from "./listen.js";
