import type { Link as AnyLink, Protocol } from "../../transport/link.js";
import { Connection } from "../http2/connection.js";
import type { Role } from "../http2/connection-states.js";
import type { Handler } from "../http2/handler.js";
import type { Http2Options } from "../http2/options.js";

/** One HTTP/2 connection over one socket, as the layers above see it. */
export type Link = AnyLink<Connection>;

/** Returns the layer above one new connection. `link.connection` is set when the first of its methods is called. */
export type Accept = (link: Link) => Handler;

/** What TLS must agree on (RFC 9113 section 3.2). */
export const ALPN = "h2";

const clock = (): number => performance.now();

/** HTTP/2 for a transport. */
export function http2(role: Role, options: Partial<Http2Options> | undefined, accept: Accept): Protocol<Connection> {
  return (link) => new Connection(role, accept(link), { clock, ...options });
}
