import { request } from "node:http";
import type { Socket } from "node:net";
import type { SocketAddress } from "./address.js";

/** What a proxy connects to. */
export interface Tunnel {
  /** The destination, as `host:port`. */
  readonly destination: string;
  /** `user:password` for the proxy; null for none. */
  readonly credentials: string | null;
}

/**
 * Connects to a proxy and opens a tunnel (HTTP CONNECT). Bytes that the destination has sent by then are put back into
 * the socket.
 *
 * Rejects with the system's error, or with what the proxy answered; `signal` gives up.
 */
export function openTunnel(proxy: SocketAddress, { destination, credentials }: Tunnel, signal: AbortSignal): Promise<Socket> {
  const place = "path" in proxy ? { socketPath: proxy.path } : { host: proxy.host, port: proxy.port };
  const authorization = credentials === null ? {} : { "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
  const asked = request({ ...place, method: "CONNECT", path: destination, headers: { Host: destination, ...authorization }, agent: false, signal });
  return new Promise((resolve, reject) => {
    asked.once("connect", ({ statusCode, statusMessage }, socket: Socket, head) => {
      if (statusCode === undefined || statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new Error(`the proxy refuses ${destination}: ${statusCode} ${statusMessage}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    // The proxy responded without a tunnel.
    asked.once("response", (response) => {
      response.destroy();
      reject(new Error(`the proxy refuses ${destination}: ${response.statusCode} ${response.statusMessage}`));
    });
    asked.once("error", reject);
    asked.end();
  });
}
