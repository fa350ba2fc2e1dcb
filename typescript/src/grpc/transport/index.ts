/** HTTP/2 connections over sockets: TCP, TLS with ALPN, unix. */
export { dial } from "./dial.js";
export type { Dial, DialOptions } from "./dial.js";
export type { Accept, Link } from "./link.js";
export { inject, listen } from "./listen.js";
export type { ListenOptions } from "./listen.js";
