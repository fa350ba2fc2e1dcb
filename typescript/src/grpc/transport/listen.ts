import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { SecureContextOptions, TlsOptions } from "node:tls";
import type { Http2Options } from "../http2/options.js";
import type { SocketAddress } from "../protocol/address.js";
import { takeOver } from "./intake.js";
import type { Intake } from "./intake.js";
import type { Accept } from "./link.js";
import { lookout } from "./lookout.js";
import { SocketLink } from "./socket-link.js";
import type { LinkOptions } from "./socket-link.js";

/** How a server listens. */
export interface ListenOptions {
  readonly http2?: Partial<Http2Options>;
  /** Certificates and keys; without them the server speaks plain text. ALPN is `h2` alone. */
  readonly tls?: TlsOptions;
  /** Where certificates and keys come from that are not in `tls`. */
  readonly renewal?: Renewal;
  /** Milliseconds a peer may leave written bytes unread before it is cut. Default 60,000. */
  readonly stallMs?: number;
  /** Milliseconds for a client's preface and SETTINGS, after TLS. Default 20,000. */
  readonly greetingMs?: number;
  /** False: the thread is not kept awake for answers. Default true. */
  readonly lookout?: boolean;
}

/** Calls `apply` with certificates and keys now or later, and whenever they change, until what it returns is called. */
export type Renewal = (apply: (options: SecureContextOptions) => void) => () => void;

/** A listening socket. */
export interface Listener {
  readonly address: SocketAddress;
  /** Links that are open now. */
  readonly links: number;
  /** Takes no more connections; those that are open go on. Resolves once the socket is closed to newcomers. */
  close(): Promise<void>;
}

/** What a TLS handshake may take. */
const HANDSHAKE_MS = 20_000;

/** Listens. Rejects with the system's error when the address cannot be had. */
export function listen(address: SocketAddress, options: ListenOptions, accept: Accept): Promise<Listener> {
  const path = "path" in address ? address.path : undefined;
  const open = new Set<Socket>();
  const begin = (accepted: Socket): void => {
    const { socket, intake } = options.tls === undefined ? takeOver(accepted) : { socket: accepted, intake: null };
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    new SocketLink(socket, accept, serverLink(options, path, intake));
  };
  const server = options.tls === undefined ? createServer(begin) : secure(options.tls, options.renewal, begin);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      resolve({
        address: "path" in address ? address : { host: (server.address() as AddressInfo).address, port: (server.address() as AddressInfo).port },
        get links() {
          return open.size;
        },
        close: () => close(server),
      });
    });
  });
}

/** What the link of an accepted socket needs. */
export function serverLink(options: ListenOptions, path: string | undefined, intake: Intake | null): LinkOptions {
  const { http2, stallMs, greetingMs } = options;
  return { role: "server", http2, stallMs, greetingMs, path, intake, lookout: options.lookout === false ? null : lookout };
}

/** A server that makes the TLS handshake and hands on what speaks HTTP/2. */
export function secure(tls: TlsOptions, renewal: Renewal | undefined, begin: (socket: Socket) => void): Server {
  const server = createTlsServer({ handshakeTimeout: HANDSHAKE_MS, minVersion: "TLSv1.2", ...tls, ALPNProtocols: ["h2"] });
  server.on("secureConnection", (socket) => {
    if (socket.alpnProtocol === "h2") begin(socket);
    else socket.destroy();
  });
  // A failed handshake has closed its socket.
  server.on("tlsClientError", () => undefined);
  if (renewal !== undefined) {
    const end = renewal((options) => {
      server.setSecureContext(options);
    });
    server.once("close", end);
  }
  return server;
}

/** `Server.close` would wait for the open connections, which are their owners' to end. */
function close(server: Server): Promise<void> {
  server.close();
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The function above, for those who put another in its place. */
export type Listen = typeof listen;
