import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import type { Machine } from "../core/machine.js";
import { adaptiveSpin } from "./adaptive-spin.js";
import type { SocketAddress } from "./address.js";
import type { Link, Protocol } from "./link.js";
import { ReadBuffer } from "./read-buffer.js";
import { SocketLink } from "./socket-link.js";
import { openTunnel, type Tunnel } from "./tunnel.js";

/** How a client connects. */
export interface DialOptions {
  /** Without it the client speaks plain text. */
  readonly tls?: ConnectionOptions;
  /** The protocol that TLS must agree on (ALPN): a server that does not choose it is refused. Default: none. */
  readonly alpn?: string;
  /** Milliseconds for the socket and the TLS handshake. Default 20,000. */
  readonly connectMs?: number;
  /** Milliseconds a peer may leave written bytes unread before the socket is cut. Default 60,000. */
  readonly stallMs?: number;
  /** Whether the thread spins for replies. Default true. */
  readonly adaptiveSpin?: boolean;
  /** Gives up while connecting. */
  readonly signal?: AbortSignal;
  /** `address` is a proxy's; this is what the proxy connects to. */
  readonly tunnel?: Tunnel;
}

const CONNECT_MS = 20_000;

/** Connects, and starts `protocol` on the connection. Rejects with the system's or TLS's error. */
export async function dial<M extends Machine>(
  address: SocketAddress,
  options: DialOptions,
  protocol: Protocol<M>,
): Promise<Link<M>> {
  const { tunnel, signal } = options;
  if (tunnel === undefined) return open(address, null, options, protocol);
  const through = await openTunnel(address, tunnel, signal ?? AbortSignal.timeout(options.connectMs ?? CONNECT_MS));
  return open(address, through, options, protocol);
}

/** Whether the peer answered a TLS handshake in another protocol, by any of OpenSSL's errors for it. */
function answersPlain(error: Error): boolean {
  return "code" in error && (error.code === "EPROTO" || String(error.code).startsWith("ERR_SSL_")) && /wrong version number|packet length too long|unknown protocol|http request|record layer failure/i.test(error.message);
}

/** @param through an open tunnel; null to connect to the address */
function open<M extends Machine>(
  address: SocketAddress,
  through: Socket | null,
  options: DialOptions,
  protocol: Protocol<M>,
): Promise<Link<M>> {
  const { tls, alpn, signal } = options;
  const connectMs = options.connectMs ?? CONNECT_MS;
  return new Promise((resolve, reject) => {
    const place = through === null ? address : { socket: through };
    const protocols = alpn === undefined ? {} : { ALPNProtocols: [alpn] };
    const secure = tls === undefined ? null : connectTls({ minVersion: "TLSv1.2", ...place, ...tls, ...protocols });
    // A tunnel's socket has been read from, and keeps its own way of reading.
    const readBuffer = secure === null && through === null ? new ReadBuffer() : null;
    const socket: Socket = secure ?? through ?? connect({ ...address, onread: readBuffer! });
    const fail = (error: Error): void => {
      settle();
      socket.on("error", () => undefined);
      socket.destroy();
      reject(secure !== null && answersPlain(error) ? new Error(`the server does not speak TLS: connect without TLS, or to its port for TLS (${error.message.trim()})`, { cause: error }) : error);
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
      if (secure !== null && alpn !== undefined && secure.alpnProtocol !== alpn) {
        fail(new Error(`the server does not speak ${alpn}: ALPN chose ${secure.alpnProtocol || "nothing"}`));
        return;
      }
      settle();
      const path = "path" in address ? address.path : undefined;
      const spin = options.adaptiveSpin === false ? null : adaptiveSpin;
      resolve(new SocketLink(socket, protocol, { splitReads: true, stallMs: options.stallMs, spin, readBuffer, path }));
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
