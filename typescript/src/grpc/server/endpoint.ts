import { QueueBudget } from "../http2/queue-budget.js";
import { parseTarget } from "../protocol/target.js";
import { acceptEncoding } from "../protocol/compression.js";
import { Status } from "../protocol/status.js";
import type { SocketAddress } from "../../transport/address.js";
import type { Accept } from "../transport/link.js";
import { inject, listen } from "../transport/listen.js";
import type { Listener } from "../../transport/listen.js";
import type { ListenOptions } from "../transport/listen.js";
import { clock } from "../../transport/clock.js";
import { lookupHost } from "../../transport/lookup.js";
import { Trace } from "../protocol/trace.js";
import { InflateTurns } from "../transport/inflate-turns.js";
import { zlibEncodings } from "../transport/zlib.js";
import type { ServerContext } from "./context.js";
import type { ServerCredentials } from "./credentials.js";
import { ReplyDate, ReplyTable } from "./reply-fields.js";
import { Routes } from "./routes.js";
import { ServerConnection } from "./server-connection.js";
import { serverSettings } from "./settings.js";
import type { ServerOptions, ServerSettings } from "./settings.js";
import { Counters } from "../protocol/statistics.js";
import type { Statistics } from "../protocol/statistics.js";

/** One bound address. A host name may have several sockets. */
interface Binding {
  readonly credentials: ServerCredentials;
  readonly connections: Set<ServerConnection>;
  listeners: Listener[];
  port: Promise<number>;
  /** `unbind` was called while the sockets were being made. */
  cancelled: boolean;
}

function newBinding(credentials: ServerCredentials): Binding {
  return { credentials, connections: new Set(), listeners: [], port: Promise.resolve(0), cancelled: false };
}

/** Connections from a program's own listener. */
export interface ConnectionInjector {
  /** Takes over a socket that nothing has been read from; with TLS credentials the handshake follows. */
  injectConnection(socket: Parameters<ReturnType<typeof inject>>[0]): void;
  /** Drains the connections, and cuts those that are left after so many milliseconds. */
  drain(graceTimeMs: number): void;
  /** Accepts no more sockets, and drains the connections. */
  destroy(): void;
}

/** A server without grpc-js's names: listening sockets, connections, methods, and shutdown. */
export class Endpoint {
  readonly routes = new Routes();
  readonly settings: ServerSettings;
  readonly trace = new Trace("server");
  readonly #counters = new Counters();
  readonly #replies = new ReplyTable(
    acceptEncoding(zlibEncodings),
    new ReplyDate(() => Date.now(), (timer, delay) => { clock.set(timer, delay); }),
  );
  readonly #inflateTurns: InflateTurns;
  readonly #queueBudget: QueueBudget;
  readonly #requestBudget: QueueBudget;
  readonly #interceptors: ServerOptions["interceptors"];
  readonly #bindings = new Map<string, Binding>();
  /** Connections of all bindings, unbound ones too, until their last byte is written. */
  readonly #connections = new Set<ServerConnection>();
  /** Connections whose preface may not have come yet, the oldest first. */
  readonly #greeting = new Set<ServerConnection>();
  readonly #closing = new Set<Promise<unknown>>();
  #emptied: (() => void)[] = [];
  #closed = false;

  constructor(options: ServerOptions = {}) {
    this.settings = serverSettings(options);
    this.#queueBudget = new QueueBudget(this.settings.maxQueuedBytes, () => clock.now(), queueMicrotask);
    this.#requestBudget = new QueueBudget(this.settings.maxRequestBytes, () => clock.now(), queueMicrotask);
    this.#inflateTurns = new InflateTurns(this.settings.inflateThreads);
    this.#interceptors = options.interceptors;
  }

  /** After a shutdown nothing can be bound. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Sockets that listen. */
  get listeners(): Listener[] {
    return [...this.#bindings.values()].flatMap(({ listeners }) => listeners);
  }

  /** Connections that are open. */
  get connections(): ServerConnection[] {
    return [...this.#connections];
  }

  /** Whether a socket listens. */
  get listening(): boolean {
    return this.listeners.length > 0;
  }

  /**
   * Listens on `host:port`, `[v6]:port`, `dns:…`, `ipv4:…`, `ipv6:…` or `unix:path`; all addresses of a host name. Port
   * 0 takes a free one.
   *
   * @returns the port, 1 for a unix socket
   * @throws Error if the address is invalid, cannot be resolved or is not available
   */
  bind(address: string, credentials: ServerCredentials): Promise<number> {
    if (this.#closed) return Promise.reject(new Error("bindAsync called after shutdown"));
    let key: string;
    try {
      key = bindingKey(address);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const known = this.#bindings.get(key);
    if (known !== undefined) {
      if (!known.credentials._equals(credentials)) {
        return Promise.reject(new Error(`${address} already bound with incompatible credentials`));
      }
      known.cancelled = false;
      return known.port;
    }
    const binding = newBinding(credentials);
    const fixed = !key.endsWith(":0");
    if (fixed) this.#bindings.set(key, binding);
    binding.port = this.#listen(address, binding).then(
      (port) => {
        if (!fixed) this.#bindings.set(`${key.slice(0, -1)}${port}`, binding);
        return port;
      },
      (error: unknown) => {
        if (this.#bindings.get(key) === binding) this.#bindings.delete(key);
        throw error;
      },
    );
    return binding.port;
  }

  async #listen(address: string, binding: Binding): Promise<number> {
    const addresses = await bindAddresses(address);
    const options = this.#listenOptions(binding);
    const accept = this.#accept(binding);
    const errors: string[] = [];
    let port = 0;
    for (const each of addresses) {
      // The first address chooses a free port; the other addresses of the name use the same.
      const wanted = "port" in each && each.port === 0 ? { ...each, port } : each;
      try {
        const listener = await listen(wanted, options, accept);
        binding.listeners.push(listener);
        if (port === 0) port = "port" in listener.address ? listener.address.port : 1;
      } catch (error) {
        errors.push((error as Error).message);
      }
    }
    if (binding.listeners.length === 0) {
      throw new Error(`No address added out of total ${addresses.length} resolved errors: [${errors.join(",")}]`);
    }
    if (binding.cancelled || this.#closed) {
      this.#release(binding);
      throw new Error("bindAsync operation cancelled by unbind call");
    }
    return port;
  }

  #listenOptions({ credentials: { tls, renewal } }: Binding): ListenOptions {
    const { adaptiveSpin, traceTls, maxHandshakes } = this.settings;
    const http2 = { ...this.settings.http2, queueBudget: this.#queueBudget };
    return { http2, adaptiveSpin, maxHandshakes, ...(tls === null ? {} : { tls: traceTls ? { ...tls, enableTrace: true } : tls }), ...(renewal === null ? {} : { renewal }) };
  }

  #accept(binding: Binding): Accept {
    const context: ServerContext = {
      routes: this.routes,
      settings: this.settings,
      encodings: zlibEncodings,
      replies: this.#replies,
      interceptors: [...binding.credentials.interceptors, ...(this.#interceptors ?? [])],
      counters: this.#counters,
      inflateTurns: this.#inflateTurns,
      requestBudget: this.#requestBudget,
    };
    return (link) => {
      const connection = new ServerConnection(context, link, (gone) => {
        this.#forget(gone, binding);
      });
      binding.connections.add(connection);
      this.#connections.add(connection);
      this.#greet(connection);
      return connection;
    };
  }

  /** Waits for a connection's preface: with too many of them, the one that has waited for longest makes room. */
  #greet(connection: ServerConnection): void {
    const waiting = this.#greeting;
    waiting.add(connection);
    if (waiting.size <= this.settings.maxHandshakes) return;
    for (const oldest of waiting) {
      waiting.delete(oldest);
      if (!oldest.link.connection.prefaceReceived) {
        oldest.link.destroy(new Error("too many connections have not sent the preface of HTTP/2: over samewire.max_handshakes"));
        return;
      }
    }
  }

  /** Returns an injector for sockets that the program has accepted. */
  injector(credentials: ServerCredentials): ConnectionInjector {
    const binding = newBinding(credentials);
    const take = inject(this.#listenOptions(binding), this.#accept(binding));
    const drain = (grace: number): void => {
      for (const connection of binding.connections) connection.drain(grace);
    };
    return {
      injectConnection: (socket) => {
        if (binding.cancelled || this.#closed) socket.destroy();
        else take(socket);
      },
      drain,
      destroy() {
        binding.cancelled = true;
        drain(Infinity);
      },
    };
  }

  #forget(connection: ServerConnection, binding: Binding): void {
    binding.connections.delete(connection);
    this.#connections.delete(connection);
    this.#greeting.delete(connection);
    this.#counters.add(connection.counters);
    if (this.#connections.size > 0) return;
    const emptied = this.#emptied;
    this.#emptied = [];
    for (const each of emptied) each();
  }

  /** Stops listening; connections that are open go on. */
  #release(binding: Binding): void {
    for (const listener of binding.listeners) {
      const closed: Promise<unknown> = listener.close().finally(() => this.#closing.delete(closed));
      this.#closing.add(closed);
    }
    binding.listeners = [];
  }

  /** Stops listening on an address and drains its connections. A bind that is under way fails. */
  unbind(address: string): void {
    const key = bindingKey(address);
    const binding = this.#bindings.get(key);
    if (binding === undefined) return;
    binding.cancelled = true;
    if (binding.listeners.length === 0) return;
    this.#bindings.delete(key);
    this.#release(binding);
    for (const connection of binding.connections) connection.drain(Infinity);
  }

  /**
   * Drains the connections of an address, and cuts those that are left after `grace` milliseconds. New ones are still
   * accepted.
   */
  drain(address: string, grace: number): void {
    const binding = this.#bindings.get(bindingKey(address));
    if (binding === undefined) return;
    for (const connection of binding.connections) connection.drain(grace);
  }

  /** Stops listening and drains all connections. Resolves when the last one is closed. */
  async shutdown(): Promise<void> {
    this.#stop();
    for (const connection of this.#connections) connection.drain(Infinity);
    await this.#empty();
    await Promise.all(this.#closing);
  }

  /** Stops listening and ends all calls with UNAVAILABLE, at once. */
  destroy(): void {
    this.#stop();
    for (const connection of [...this.#connections]) connection.destroy(Status.UNAVAILABLE, "The server is shutting down");
  }

  #stop(): void {
    this.#closed = true;
    for (const binding of this.#bindings.values()) {
      binding.cancelled = true;
      this.#release(binding);
    }
    this.#bindings.clear();
  }

  #empty(): Promise<void> {
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#emptied.push(resolve);
    });
  }

  /** Returns the counters over all connections so far. */
  statistics(): Statistics & { readonly connections: number } {
    const sum = new Counters();
    sum.add(this.#counters);
    for (const connection of this.#connections) sum.add(connection.counters);
    return { ...sum.snapshot(), connections: this.#connections.size };
  }
}

/** Returns the same text for each way to write an address. The default port is 443. */
function bindingKey(address: string): string {
  const target = parseTarget(address);
  if (target.scheme === "dns") return `${target.host}:${target.port}`;
  return target.addresses.map((each) => ("path" in each ? `unix:${each.path}` : `${each.host}:${each.port}`)).join(",");
}

async function bindAddresses(address: string): Promise<readonly SocketAddress[]> {
  const target = parseTarget(address);
  if (target.scheme === "fixed") return target.addresses;
  const hosts = [...new Set(await lookupHost(target.host, target.server))];
  return hosts.map((host) => ({ host, port: target.port }));
}
