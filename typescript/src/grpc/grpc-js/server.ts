import { channelzId, servers } from "../channelz/roll.js";
import { parseTarget } from "../protocol/target.js";
import type { Deserialize, Serialize, ServiceDefinition } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import { ServerCredentials } from "../server/credentials.js";
import { Endpoint } from "../server/endpoint.js";
import type { ConnectionInjector } from "../server/endpoint.js";
import type { HandleCall, HandlerType, Route, UntypedServiceImplementation } from "../server/handler.js";
import type { ServerOptions } from "../server/settings.js";
import { subchannelAddressToString, type SubchannelAddress } from "./grpc-uri.js";
import type { Statistics } from "../protocol/statistics.js";

const TYPES: ReadonlySet<string> = new Set<HandlerType>(["unary", "clientStream", "serverStream", "bidi"]);

function handlerType(method: { requestStream: boolean; responseStream: boolean }): HandlerType {
  if (method.requestStream) return method.responseStream ? "bidi" : "clientStream";
  return method.responseStream ? "serverStream" : "unary";
}

/** The handler of a method that the service has and the implementation has not. */
function missing(name: string): Route["func"] {
  const status: PartialStatusObject = { code: Status.UNIMPLEMENTED, details: `The server does not implement the method ${name}` };
  return (call, callback) => {
    if (callback === undefined) (call as { emit(event: string, error: unknown): void }).emit("error", status);
    else callback(status as { code: Status; details: string });
  };
}

/** How channelz names a server. */
export interface ServerRef {
  kind: "server";
  id: number;
  name: string;
}

/** How channelz names a listener of a program's own. */
export interface SocketRef {
  kind: "socket";
  id: number;
  name: string;
}

/** The names of grpc-js's `Server` over an `Endpoint`. */
export class Server {
  readonly #endpoint: Endpoint;
  #started = false;

  constructor(options?: ServerOptions) {
    this.#endpoint = new Endpoint(options);
    if (options?.["grpc.enable_channelz"] !== 0) servers.add(this.#endpoint);
  }

  /** The methods by path. A program may replace a method's `func`, which then handles the next calls. */
  get handlers(): ReadonlyMap<string, Route> {
    return this.#endpoint.routes.byPath;
  }

  addProtoService(): never {
    throw new Error("Not implemented. Use addService() instead");
  }

  /**
   * Adds the methods of a service. Handlers are looked up by the method's name and by its original one; a method
   * without a handler returns UNIMPLEMENTED.
   *
   * @throws Error for a path that has a handler, and for a service without methods
   */
  addService(service: ServiceDefinition, implementation: UntypedServiceImplementation): void {
    if (!isObject(service) || !isObject(implementation)) throw new Error("addService() requires two objects as arguments");
    const names = Object.keys(service);
    if (names.length === 0) throw new Error("Cannot add an empty service to a server");
    for (const name of names) {
      const method = service[name]!;
      const { originalName } = method;
      const handler = implementation[name] ?? (typeof originalName === "string" ? implementation[originalName] : undefined);
      const handle = handler === undefined ? (missing(name) as HandleCall<unknown, unknown>) : (handler.bind(implementation) as HandleCall<unknown, unknown>);
      const { path, responseSerialize, requestDeserialize } = method;
      // Instrumentations wrap `register`, and expect every method to go through it.
      if (!this.register(path, handle, responseSerialize, requestDeserialize, handlerType(method))) {
        throw new Error(`Method handler for ${path} already provided.`);
      }
    }
  }

  /** Removes the methods of a service; calls that run go on. */
  removeService(service: ServiceDefinition): void {
    if (!isObject(service)) throw new Error("removeService() requires object as argument");
    for (const method of Object.values(service)) this.unregister(method.path);
  }

  /** @returns false when the path has a handler already */
  register<Request, Response>(
    name: string,
    handler: HandleCall<Request, Response>,
    serialize: Serialize<Response>,
    deserialize: Deserialize<Request>,
    type: string,
  ): boolean {
    if (!TYPES.has(type)) throw new Error(`Unknown handler type: ${type}`);
    return this.#endpoint.routes.add({
      path: name,
      type: type as HandlerType,
      func: handler as Route["func"],
      serialize: serialize as Serialize<unknown>,
      deserialize,
    });
  }

  /** @returns whether there was such a method */
  unregister(name: string): boolean {
    return this.#endpoint.routes.remove(name);
  }

  bind(): never {
    throw new Error("Not implemented. Use bindAsync() instead");
  }

  /**
   * Listens. The callback gets the port, 1 for a unix socket.
   *
   * @throws Error after a shutdown, and for an empty address; TypeError for arguments of other types
   */
  bindAsync(port: string, creds: ServerCredentials, callback: (error: Error | null, port: number) => void): void {
    if (this.#endpoint.closed) throw new Error("bindAsync called after shutdown");
    if (typeof port !== "string") throw new TypeError("port must be a string");
    if (!(creds instanceof ServerCredentials)) throw new TypeError("creds must be a ServerCredentials object");
    if (typeof callback !== "function") throw new TypeError("callback must be a function");
    if (port === "") throw new Error('Could not parse port ""');
    this.#endpoint.bind(port, creds).then(
      (bound) => {
        process.nextTick(callback, null, bound);
      },
      (error: unknown) => {
        process.nextTick(callback, error, 0);
      },
    );
  }

  /** Stops listening on an address and drains its connections. @throws Error for port 0 */
  unbind(port: string): void {
    if (checkAddress(port) === 0) throw new Error("Cannot unbind port 0");
    this.#endpoint.unbind(port);
  }

  /** Drains the connections of an address, and cuts them after a time. @throws Error for port 0 */
  drain(port: string, graceTimeMs: number): void {
    if (checkAddress(port) === 0) throw new Error("Cannot drain port 0");
    this.#endpoint.drain(port, graceTimeMs);
  }

  /** For programs that accept connections themselves. @throws TypeError for other arguments */
  createConnectionInjector(credentials: ServerCredentials): ConnectionInjector {
    if (!(credentials instanceof ServerCredentials)) throw new TypeError("creds must be a ServerCredentials object");
    return this.#endpoint.injector(credentials);
  }

  /*
   * The server of `@grpc/grpc-js-xds` extends this class, listens by itself, and calls these three. Its listeners have a
   * number, but channelz does not show them.
   */

  protected experimentalRegisterListenerToChannelz(boundAddress: SubchannelAddress): SocketRef {
    return { kind: "socket", id: channelzId(boundAddress), name: subchannelAddressToString(boundAddress) };
  }

  protected experimentalUnregisterListenerFromChannelz(_channelzRef: SocketRef): void {
    // Nothing is kept.
  }

  protected experimentalCreateConnectionInjectorWithChannelzRef(credentials: ServerCredentials, _channelzRef: SocketRef): ConnectionInjector {
    return this.createConnectionInjector(credentials);
  }

  /** Since `bindAsync` is enough, this only checks that something is bound, once. */
  start(): void {
    if (!this.#endpoint.listening) throw new Error("server must be bound in order to start");
    if (this.#started) throw new Error("server is already started");
    this.#started = true;
  }

  /** Accepts no more connections and calls, and calls back when the last call has ended. */
  tryShutdown(callback: (error?: Error) => void): void {
    servers.remove(this.#endpoint);
    this.#endpoint.shutdown().then(
      () => {
        process.nextTick(callback);
      },
      (error: unknown) => {
        process.nextTick(callback, error);
      },
    );
  }

  /** Ends all calls with UNAVAILABLE and closes everything. */
  forceShutdown(): void {
    servers.remove(this.#endpoint);
    this.#endpoint.destroy();
  }

  addHttp2Port(): never {
    throw new Error("Not yet implemented");
  }

  getChannelzRef(): ServerRef {
    const id = channelzId(this.#endpoint);
    return { kind: "server", id, name: `server ${id}` };
  }

  /** Figures over all connections so far. */
  getStatistics(): Statistics & { readonly connections: number } {
    return this.#endpoint.statistics();
  }

  /** Figures of each open connection. */
  getConnectionStatistics(): { peer: string; local: string; statistics: Statistics }[] {
    return this.#endpoint.connections.map(({ link, counters }) => ({ peer: link.peer, local: link.local, statistics: counters.snapshot() }));
  }
}

/**
 * The port that an address names, undefined for a unix socket.
 * @throws Error for an address that cannot be understood
 */
function checkAddress(address: string): number | undefined {
  const target = parseTarget(address);
  if (target.scheme === "dns") return target.port;
  const [first] = target.addresses;
  return first !== undefined && "port" in first ? first.port : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
