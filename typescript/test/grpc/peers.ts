import * as grpcJs from "@grpc/grpc-js";
import * as samewire from "../../src/grpc/index.js";

/* Two servers of one service, and ways to call it: what holds for grpc-js's server has to hold for ours. */
/* The two have one shape and two sets of types: it is the tests that find out whether they fit. */
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call */
/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return */

export interface Item {
  text?: string;
  number?: number;
  /** Instructions for the server. */
  code?: number;
  wait?: number;
  count?: number;
  size?: number;
}

export const serialize = (value: Item): Buffer => Buffer.from(JSON.stringify(value));
export const deserialize = (bytes: Buffer): Item => JSON.parse(bytes.toString()) as Item;

function method(name: string, requestStream: boolean, responseStream: boolean) {
  const path = `/test.Echo/${name}`;
  return { path, requestStream, responseStream, requestSerialize: serialize, requestDeserialize: deserialize, responseSerialize: serialize, responseDeserialize: deserialize };
}

export const service = {
  Unary: method("Unary", false, false),
  Up: method("Up", true, false),
  Down: method("Down", false, true),
  Both: method("Both", true, true),
};

type Answered = (error: samewire.ServiceError | null, value?: Item) => void;

/** A client of the service, with the types that a generated one has. */
export interface EchoClient extends samewire.Client {
  Unary(item: Item, callback: Answered): samewire.ClientUnaryCall;
  Unary(item: Item, first: unknown, callback: Answered): samewire.ClientUnaryCall;
  Unary(item: Item, metadata: samewire.Metadata, options: samewire.CallOptions, callback: Answered): samewire.ClientUnaryCall;
  Up(callback: Answered): samewire.ClientWritableStream<Item>;
  Down(item: Item, options?: samewire.CallOptions): samewire.ClientReadableStream<Item>;
  Both(options?: samewire.CallOptions): samewire.ClientDuplexStream<Item, Item>;
}

const Echo = samewire.makeClientConstructor(service, "test.Echo");

export interface Events {
  cancelled: number;
  handled: number;
  metadata: Record<string, unknown>[];
}

/** The service: echoes, with the behaviour that a request asks for. */
export function implementation(events: Events, library: any = samewire): any {
  const failing = (item: Item) => {
    const metadata = new library.Metadata();
    metadata.set("why", "because");
    return { code: item.code, details: `wänted ${item.code}`, metadata };
  };
  return {
    Unary(call: any, callback: any) {
      events.handled += 1;
      events.metadata.push(call.metadata.getMap());
      call.on("cancelled", () => (events.cancelled += 1));
      const item = call.request as Item;
      const answer = () => {
        if (item.code !== undefined) callback(failing(item));
        else callback(null, item.size === undefined ? item : { text: "x".repeat(item.size) });
      };
      if (item.wait === undefined) answer();
      else setTimeout(answer, item.wait);
    },
    Up(call: any, callback: any) {
      events.handled += 1;
      let number = 0;
      call.on("cancelled", () => (events.cancelled += 1));
      call.on("data", (item: Item) => {
        number += item.number ?? 0;
        if (item.code !== undefined) callback(failing(item));
      });
      call.on("end", () => callback(null, { number }));
      call.on("error", () => undefined);
    },
    async Down(call: any) {
      events.handled += 1;
      const item = call.request as Item;
      let cancelled = false;
      let go = (): void => undefined;
      call.on("drain", () => { go(); });
      call.on("cancelled", () => {
        events.cancelled += 1;
        cancelled = true;
        go();
      });
      const gone = () => cancelled;
      for (let number = 0; number < (item.count ?? 0) && !gone(); number += 1) {
        if (!call.write({ number, text: "x".repeat(item.size ?? 0) })) await new Promise<void>((resolve) => { go = resolve; });
      }
      if (item.code !== undefined) call.emit("error", failing(item));
      else if (item.wait === undefined) call.end();
    },
    Both(call: any) {
      events.handled += 1;
      call.on("cancelled", () => (events.cancelled += 1));
      call.on("data", (item: Item) => {
        if (item.code !== undefined) call.emit("error", failing(item));
        else call.write(item);
      });
      call.on("end", () => call.end());
      call.on("error", () => undefined);
    },
  };
}

export interface Peer {
  readonly address: string;
  readonly events: Events;
  readonly server: { tryShutdown(callback: () => void): void };
  stop(): void;
}

export type Maker = "grpc-js" | "samewire";
export const makers: readonly Maker[] = ["grpc-js", "samewire"];

/** Starts a server of either maker, by default on a free port. */
export async function startPeer(maker: Maker, where = "127.0.0.1:0", tls?: { ca: Buffer; cert: Buffer; key: Buffer; mutual: boolean }, options = {}): Promise<Peer> {
  const library: any = maker === "grpc-js" ? grpcJs : samewire;
  const events: Events = { cancelled: 0, handled: 0, metadata: [] };
  const server = new library.Server(options);
  server.addService(service, implementation(events, library));
  const credentials = tls === undefined
    ? library.ServerCredentials.createInsecure()
    : library.ServerCredentials.createSsl(tls.ca, [{ private_key: tls.key, cert_chain: tls.cert }], tls.mutual);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(where, credentials, (error: Error | null, bound: number) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const address = where.startsWith("unix:") ? where : `127.0.0.1:${port}`;
  return { address, events, server, stop: () => server.forceShutdown() };
}

export function connect(peer: { address: string }, options: samewire.ClientOptions = {}, credentials = samewire.credentials.createInsecure()): EchoClient {
  return new Echo(peer.address, credentials, options) as unknown as EchoClient;
}

/** A unary call as a promise of the answer or the error. */
export function unary(client: any, item: Item, ...rest: unknown[]): Promise<Item> {
  return new Promise((resolve, reject) => {
    client.Unary(item, ...rest, (error: samewire.ServiceError | null, value: Item) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}

/** The code a promise is rejected with, or 0. */
export async function codeOf(promise: Promise<unknown>): Promise<number> {
  try {
    await promise;
    return 0;
  } catch (error) {
    return (error as samewire.ServiceError).code;
  }
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean, what: string, milliseconds = 60_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
