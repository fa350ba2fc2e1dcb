import type { Socket } from "node:net";
import type { Machine } from "../core/machine.js";
import type { Protocol } from "./link.js";
import { acceptedOptions, secureServer } from "./listen.js";
import type { ListenOptions } from "./listen.js";
import { SocketLink } from "./socket-link.js";

/** Returns a function that takes over sockets that the program has accepted. With TLS, the handshake follows. */
export function inject<M extends Machine>(options: ListenOptions, protocol: Protocol<M>): (socket: Socket) => void {
  const begin = (socket: Socket): void => {
    new SocketLink(socket, protocol, acceptedOptions(options, undefined, null));
  };
  if (options.tls === undefined) return begin;
  // A TLS server takes connections by its event, whether it listens itself or not.
  const server = secureServer(options, options.tls, begin);
  return (socket) => {
    server.emit("connection", socket);
  };
}
