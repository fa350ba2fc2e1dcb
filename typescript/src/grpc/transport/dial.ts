import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import type { Http2Options } from "../http2/options.js";
import type { SocketAddress } from "../protocol/address.js";
import { Intake } from "./intake.js";
import type { Accept, Link } from "./link.js";
import { lookout } from "./lookout.js";
import { SocketLink } from "./socket-link.js";
import { openTunnel, type Tunnel } from "./tunnel.js";

/** How a client connects. */
export interface DialOptions {
  readonly http2?: Partial<Http2Options>;
  /** Without it the client speaks plain text. ALPN is `h2` alone, and a server that does not choose it is refused. */
  readonly tls?: ConnectionOptions;
  /** Milliseconds for the socket and the TLS handshake. Default 20,000. */
  readonly connectMs?: number;
  /** Milliseconds a peer may leave written bytes unread before it is cut. Default 60,000. */
  readonly stallMs?: number;
  /** False: the thread is not kept awake for answers. Default true. */
  readonly lookout?: boolean;
  /** Gives up while connecting. */
  readonly signal?: AbortSignal;
  /** The address is a proxy's, and this is what it shall connect to. */
  readonly tunnel?: Tunnel;
}

const CONNECT_MS = 20_000;

/** Connects; the link is ready for streams, the peer's SETTINGS may still be on their way. Rejects with the system's or TLS's error. */
export async function dial(address: SocketAddress, options: DialOptions, accept: Accept): Promise<Link> {
  const { tunnel, signal } = options;
  if (tunnel === undefined) return begin(address, null, options, accept);
  const through = await openTunnel(address, tunnel, signal ?? AbortSignal.timeout(options.connectMs ?? CONNECT_MS));
  return begin(address, through, options, accept);
}

/** @param through a tunnel that stands already; null to connect to the address */
function begin(address: SocketAddress, through: Socket | null, options: DialOptions, accept: Accept): Promise<Link> {
  const { tls, signal } = options;
  const connectMs = options.connectMs ?? CONNECT_MS;
  return new Promise((resolve, reject) => {
    const secure = tls === undefined ? null : connectTls({ minVersion: "TLSv1.2", ...(through === null ? address : { socket: through }), ...tls, ALPNProtocols: ["h2"] });
    // A tunnel's socket has been read from, and keeps its own way of reading.
    const intake = secure === null && through === null ? new Intake() : null;
    const socket: Socket = secure ?? through ?? connect({ ...address, onread: intake! });
    const fail = (error: Error): void => {
      settle();
      socket.on("error", () => undefined);
      socket.destroy();
      reject(error);
    };
    const abort = (): void => {
      fail(signal?.reason instanceof Error ? signal.reason : new Error("connecting was given up"));
    };
    const late = setTimeout(() => {
      fail(new Error(`no connection within ${connectMs} ms`));
    }, connectMs);
    const cut = (): void => {
      fail(new Error("the connection was closed while connecting"));
    };
    const ready = (): void => {
      if (secure !== null && secure.alpnProtocol !== "h2") {
        fail(new Error("the server does not speak HTTP/2 (no h2 in ALPN)"));
        return;
      }
      settle();
      const path = "path" in address ? address.path : undefined;
      resolve(new SocketLink(socket, accept, { role: "client", http2: options.http2, stallMs: options.stallMs, path, intake, lookout: options.lookout === false ? null : lookout }));
    };
    const event = secure === null ? "connect" : "secureConnect";
    const settle = (): void => {
      clearTimeout(late);
      signal?.removeEventListener("abort", abort);
      socket.off("error", fail).off("close", cut).off(event, ready);
    };
    socket.once("error", fail).once("close", cut).once(event, ready);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    else if (socket === through) ready();
  });
}

/** The function above, for those who put another in its place. */
export type Dial = typeof dial;
