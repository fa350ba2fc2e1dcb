import type { TLSSocket } from "node:tls";
import type { Handler } from "../http2/handler.js";
import type { Connection } from "../http2/connection.js";

/** One connection over one socket, as the layers above see it. */
export interface Link {
  readonly connection: Connection;
  /** `127.0.0.1:50051`, `[::1]:50051` or `unix:/path` of the other side. */
  readonly peer: string;
  /** The same of our side. */
  readonly local: string;
  /** The TLS socket, to ask about certificates; null in plain text. */
  readonly tls: TLSSocket | null;
  /** Whether the open socket keeps the process alive: at first it does. */
  ref(): void;
  unref(): void;
  /** Cuts the socket at once; `onClosed` follows, if it has not come yet. */
  destroy(reason?: Error): void;
}

/** Makes the layer above one new connection. `link.connection` exists when the first of its methods is called. */
export type Accept = (link: Link) => Handler;
