import type { TLSSocket } from "node:tls";
import type { Machine } from "../core/machine.js";

/** One connection over one socket, as the layers above see it. */
export interface Link<M extends Machine = Machine> {
  /** The protocol that the socket carries. */
  readonly connection: M;
  /** `127.0.0.1:50051`, `[::1]:50051` or `unix:/path` of the other side. */
  readonly peer: string;
  /** The local address, written as `peer` is. */
  readonly local: string;
  /** The TLS socket, to ask about certificates; null in plain text. */
  readonly tls: TLSSocket | null;
  /** How often bytes have come from the other side. */
  readonly reads: number;
  /** Whether the open socket keeps the process alive: at first it does. */
  ref(): void;
  unref(): void;
  /** Ends the connection and closes the socket at once. */
  destroy(reason?: Error): void;
}

/**
 * Returns the protocol machine of a new connection. `link.connection` is set when the first of its methods is called.
 */
export type Protocol<M extends Machine> = (link: Link<M>) => M;
