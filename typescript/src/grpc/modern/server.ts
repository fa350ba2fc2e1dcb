import type { Metadata } from "../protocol/metadata.js";
import { Status, type PartialStatusObject } from "../protocol/status.js";
import { parseListenAddress } from "../protocol/target.js";
import { Server } from "../grpc-js/server.js";
import { ServerCredentials } from "../server/credentials.js";
import { thrownStatus } from "../server/error-status.js";
import type { ServerOptions } from "../server/settings.js";
import type { ServerSurfaceCall } from "../server/handler.js";
import { checkDefinition, handlersOf } from "./definition-check.js";
import type { AnyMethod, Definition, RequestOf, ResponseOf } from "./definition.js";
import { GrpcError } from "./error.js";
import { HandlerContext } from "./handler-context.js";
import { sendMessages, type Answering } from "./server-stream.js";

type Awaitable<T> = T | Promise<T>;
type Given<M> = M extends { requestStream: true } ? AsyncIterable<RequestOf<M>> : RequestOf<M>;
type Answers<M> = M extends { responseStream: true }
  ? AsyncIterable<ResponseOf<M>> | Iterable<ResponseOf<M>>
  : M extends { responseStream: false }
    ? Awaitable<ResponseOf<M>>
    : unknown;

/** A handler for each method, or for some: the others return UNIMPLEMENTED. */
export type Handlers<D extends Definition> = {
  // A definition read at run time (proto-loader) has no message types.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [Name in keyof D]?: (request: boolean extends D[Name]["requestStream"] ? any : Given<D[Name]>, context: HandlerContext) => boolean extends D[Name]["responseStream"] ? unknown : Answers<D[Name]>;
};

type Handler = (request: unknown, context: HandlerContext) => unknown;

/** A server: methods are added, then it listens. */
export class ModernServer implements AsyncDisposable {
  readonly #server: Server;

  constructor(options?: ServerOptions) {
    this.#server = new Server(options);
  }

  /**
   * Adds a service: async functions for single responses, async generators for streams.
   * Methods without a handler return UNIMPLEMENTED.
   * @throws Error for a path that has a handler; TypeError for what is not a definition, and for handlers of no method
   */
  add<D extends Definition>(definition: D, handlers: Handlers<D>): this {
    checkDefinition(definition, "add");
    const implementation: Record<string, unknown> = {};
    for (const [name, handler] of handlersOf(definition, handlers)) implementation[name] = adapted(definition[name]!, (handler as Handler).bind(handlers));
    this.#server.addService(definition, implementation as never);
    return this;
  }

  /**
   * Listens on `host:port` or `unix:path`, and resolves to the port (1 for a unix socket). May be called for several
   * addresses.
   *
   * @throws Error for an address without a port; Error of the system if the address is not available
   */
  serve(address: string, credentials: ServerCredentials = ServerCredentials.createInsecure()): Promise<number> {
    return new Promise((resolve, reject) => {
      parseListenAddress(address);
      this.#server.bindAsync(address, credentials, (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  }

  /** Accepts no more calls and resolves when those under way have ended; cuts them after `grace` milliseconds. */
  close(grace = Infinity): Promise<void> {
    return new Promise((resolve) => {
      const cut = grace === Infinity ? undefined : setTimeout(() => { this.#server.forceShutdown(); }, grace);
      this.#server.tryShutdown(() => {
        clearTimeout(cut);
        resolve();
      });
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A server with async handlers: `createServer().add(definition, handlers)`, then `serve(address)`. */
export function createServer(options?: ServerOptions): ModernServer {
  return new ModernServer(options);
}

/** The reading side of a server's call. */
interface Asking {
  readonly request: unknown;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterableIterator<unknown>;
}

type Callback = (error: PartialStatusObject | null, value?: unknown, trailers?: Metadata) => void;

/** Wraps an async handler as a callback handler. */
function adapted(method: AnyMethod, handler: Handler): (call: never, callback: Callback) => void {
  const { schemaCheck, requestStream, responseStream } = method;
  const checkSchemas = (context: HandlerContext): void => {
    const complaint = schemaCheck?.refuse((name) => context.metadata.get(name)[0]?.toString()) ?? null;
    if (complaint !== null) throw new GrpcError(Status.FAILED_PRECONDITION, complaint);
  };
  return (given: never, callback: Callback) => {
    const call = given as ServerSurfaceCall & Answering & Asking;
    const context = new HandlerContext(call);
    const answer = async (): Promise<unknown> => {
      checkSchemas(context);
      // A handler that leaves the loop over the requests must not end the response's side of the stream.
      return await handler(requestStream ? call.iterator({ destroyOnReturn: false }) : call.request, context);
    };
    if (responseStream) {
      void sendMessages(call, answer, context);
      return;
    }
    answer().then(
      (value) => {
        callback(null, value, context.trailers);
      },
      (error: unknown) => {
        if (!context.cancelled) callback(thrownStatus(error, context.path));
      },
    );
  };
}
