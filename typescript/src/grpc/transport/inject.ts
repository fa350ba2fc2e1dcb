import type { Socket } from "node:net";
import type { Accept } from "./link.js";
import { secure, serverLink } from "./listen.js";
import type { ListenOptions } from "./listen.js";
import { SocketLink } from "./socket-link.js";

/** Takes sockets that somebody else accepted, as `listen` takes its own: with TLS the handshake is still to come. */
export function inject(options: ListenOptions, accept: Accept): (socket: Socket) => void {
  const begin = (socket: Socket): void => {
    new SocketLink(socket, accept, serverLink(options, undefined, null));
  };
  if (options.tls === undefined) return begin;
  // A TLS server takes connections by its event, whether it listens itself or not.
  const server = secure(options.tls, options.renewal, begin);
  return (socket) => {
    server.emit("connection", socket);
  };
}
