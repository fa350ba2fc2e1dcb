import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { SecureContextOptions, TlsOptions, TLSSocket } from "node:tls";
import type { Machine } from "../core/machine.js";
import { adaptiveSpin } from "./adaptive-spin.js";
import { addressText } from "./address.js";
import { Alarm } from "./alarm.js";
import type { SocketAddress } from "./address.js";
import type { Protocol } from "./link.js";
import { withReadBuffer } from "./read-buffer.js";
import type { ReadBuffer } from "./read-buffer.js";
import { SocketLink } from "./socket-link.js";
import type { LinkOptions } from "./socket-link.js";

/** How a server listens. */
export interface ListenOptions {
  /** Certificates and keys. Without them the server speaks plain text. */
  readonly tls?: TlsOptions;
  /** The protocol that TLS must agree on (ALPN): a client that does not offer it is refused. Default: none. */
  readonly alpn?: string;
  /** The source of certificates and keys that are not in `tls`. */
  readonly renewal?: Renewal;
  /** TLS handshakes under way at a time; the oldest one makes room. Default 2,000. */
  readonly maxHandshakes?: number;
  /** Milliseconds for a TLS handshake. Default 20,000. */
  readonly handshakeMs?: number;
  /** Milliseconds a peer may leave written bytes unread before the socket is cut. Default 60,000. */
  readonly stallMs?: number;
  /** Whether the thread spins for replies. Default true. */
  readonly adaptiveSpin?: boolean;
}

/**
 * Calls `apply` with certificates and keys, now or later, and whenever they change. Returns a function that ends this.
 */
export type Renewal = (apply: (options: SecureContextOptions) => void) => () => void;

/** A listening socket. */
export interface Listener {
  readonly address: SocketAddress;
  /** Links that are open now. */
  readonly links: number;
  /** Accepts no more connections; those that are open go on. Resolves once the socket is closed. */
  close(): Promise<void>;
}

const HANDSHAKE_MS = 20_000;
/** Milliseconds of grace for a handshake whose time is up: a program that held the thread has yet to read what came. */
const GRACE_MS = 1_000;
const MAX_HANDSHAKES = 2_000;

/**
 * Listens, and starts `protocol` on every connection. Rejects with the system's error if the address is not available.
 */
export function listen<M extends Machine>(
  address: SocketAddress,
  options: ListenOptions,
  protocol: Protocol<M>,
): Promise<Listener> {
  const path = "path" in address ? address.path : undefined;
  const open = new Set<Socket>();
  const begin = (accepted: Socket): void => {
    const plain = options.tls === undefined;
    const { socket, readBuffer } = plain ? withReadBuffer(accepted) : { socket: accepted, readBuffer: null };
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    new SocketLink(socket, protocol, acceptedOptions(options, path, readBuffer));
  };
  const server = options.tls === undefined ? createServer(begin) : secureServer(options, options.tls, begin);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve({
        address: "path" in address ? address : tcpAddress(server),
        get links() {
          return open.size;
        },
        close: () => close(server),
      });
    });
  });
}

function tcpAddress(server: Server): SocketAddress {
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port };
}

/** The options of an accepted socket's link. */
export function acceptedOptions(options: ListenOptions, path: string | undefined, readBuffer: ReadBuffer | null): LinkOptions {
  const spin = options.adaptiveSpin === false ? null : adaptiveSpin;
  return { splitReads: false, stallMs: options.stallMs, spin, readBuffer, path };
}

/** A server that makes the TLS handshake and passes on the sockets that agreed on the protocol. */
export function secureServer({ alpn, renewal, handshakeMs = HANDSHAKE_MS, maxHandshakes = MAX_HANDSHAKES }: ListenOptions, tls: TlsOptions, begin: (socket: Socket) => void): Server {
  const protocols = alpn === undefined ? {} : { ALPNProtocols: [alpn] };
  const server = createTlsServer({ handshakeTimeout: handshakeMs, minVersion: "TLSv1.2", ...tls, ...protocols });
  // By the peer's address: the socket of a handshake and the one that follows it are two.
  const handshakes = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const peer = addressText(socket.remoteAddress, socket.remotePort, undefined);
    handshakes.set(peer, socket);
    socket.once("close", () => {
      if (handshakes.get(peer) === socket) handshakes.delete(peer);
    });
    if (handshakes.size <= maxHandshakes) return;
    // Removed at once: until its event `close` comes, more sockets may be accepted, each of which makes one room.
    for (const [first, oldest] of handshakes) {
      handshakes.delete(first);
      oldest.destroy();
      break;
    }
  });
  const late = new Map<TLSSocket, Alarm>();
  const inTime = (socket: TLSSocket): void => {
    late.get(socket)?.clear();
    late.delete(socket);
  };
  server.on("secureConnection", (socket) => {
    inTime(socket);
    handshakes.delete(addressText(socket.remoteAddress, socket.remotePort, undefined));
    if (alpn === undefined || socket.alpnProtocol === alpn) begin(socket);
    else socket.destroy();
  });
  // Node leaves the socket open after a timeout, and the handshake may go on.
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== "ERR_TLS_HANDSHAKE_TIMEOUT") {
      socket.destroy();
      return;
    }
    const end = new Alarm(() => { socket.destroy(); });
    late.set(socket, end);
    end.set(GRACE_MS);
    socket.once("close", () => { inTime(socket); });
  });
  if (renewal !== undefined) {
    const end = renewal((options) => {
      server.setSecureContext(options);
    });
    server.once("close", end);
  }
  return server;
}

/** `Server.close` calls back only when all connections are closed; they end on their own. */
function close(server: Server): Promise<void> {
  server.close();
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
