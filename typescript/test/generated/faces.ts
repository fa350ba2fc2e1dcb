import { Server, ServerCredentials, createClient, createServer } from "samewire/grpc";
import type {
  ClientDuplexStream,
  ClientReadableStream,
  ClientUnaryCall,
  ClientWritableStream,
  ServiceDefinition,
  TypedMethod,
  UntypedServiceImplementation,
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  requestCallback,
} from "samewire/grpc";

/** The tests' message as no generator has it. */
export interface Plain {
  text: string;
  numbers: number[];
  weights: Record<string, number>;
  tone: number;
  raw?: string;
  inner?: Plain;
}

/** A generator's messages, there and back. */
export interface Messages<M> {
  readonly make: (plain: Plain) => M;
  readonly plain: (message: M) => Plain;
}

/** Calls that every generator and face must serve. */
export interface Caller {
  echo(note: Plain): Promise<Plain>;
  gather(notes: Plain[]): Promise<Plain>;
  scatter(note: Plain): Promise<Plain[]>;
  converse(notes: Plain[]): Promise<Plain[]>;
  close(): void;
}

export interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/** One generator's code in one face, as server and as client. */
export interface Side {
  readonly name: string;
  serve(): Promise<Served>;
  call(target: string): Caller;
}

/** All texts and numbers, the last weights and tone, and the first note within. */
export function gathered(notes: readonly Plain[]): Plain {
  const last = notes.at(-1)!;
  return { text: notes.map(({ text }) => text).join(" "), numbers: notes.flatMap(({ numbers }) => numbers), weights: last.weights, tone: last.tone, inner: notes[0]! };
}

/** One note a number, with that number. */
export function scattered(note: Plain): Plain[] {
  return note.numbers.map((number) => ({ ...note, numbers: [number] }));
}

/** The handlers that `addService` takes for this service, with any type of messages. */
export interface ClassicHandlers<M> {
  echo: handleUnaryCall<M, M>;
  gather: handleClientStreamingCall<M, M>;
  scatter: handleServerStreamingCall<M, M>;
  converse: handleBidiStreamingCall<M, M>;
}

export function classicHandlers<M>({ make, plain }: Messages<M>): ClassicHandlers<M> {
  return {
    echo(call, callback) {
      callback(null, make(plain(call.request)));
    },
    gather(call, callback) {
      const notes: Plain[] = [];
      call.on("data", (note: M) => notes.push(plain(note)));
      call.on("end", () => {
        callback(null, make(gathered(notes)));
      });
    },
    scatter(call) {
      for (const note of scattered(plain(call.request))) call.write(make(note));
      call.end();
    },
    converse(call) {
      call.on("data", (note: M) => call.write(make(plain(note))));
      call.on("end", () => {
        call.end();
      });
    },
  };
}

/** A client of grpc-js's kind: what generated classes and interfaces must fit. */
export interface ClassicClient<M> {
  echo(note: M, callback: requestCallback<M>): ClientUnaryCall;
  gather(callback: requestCallback<M>): ClientWritableStream<M>;
  scatter(note: M): ClientReadableStream<M>;
  converse(): ClientDuplexStream<M, M>;
  close(): void;
}

export function classicCaller<M>(client: ClassicClient<M>, { make, plain }: Messages<M>): Caller {
  const answer = (start: (callback: requestCallback<M>) => void): Promise<Plain> =>
    new Promise((resolve, reject) => {
      start((error, note) => {
        if (error === null) resolve(plain(note!));
        else reject(error);
      });
    });
  const read = async (call: ClientReadableStream<M> | ClientDuplexStream<M, M>): Promise<Plain[]> => {
    const notes: Plain[] = [];
    for await (const note of call) notes.push(plain(note as M));
    return notes;
  };
  const write = (call: ClientWritableStream<M> | ClientDuplexStream<M, M>, notes: Plain[]): void => {
    for (const note of notes) call.write(make(note));
    call.end();
  };
  return {
    echo: (note) => answer((callback) => client.echo(make(note), callback)),
    gather: (notes) =>
      answer((callback) => {
        write(client.gather(callback), notes);
      }),
    scatter: (note) => read(client.scatter(make(note))),
    converse(notes) {
      const call = client.converse();
      write(call, notes);
      return read(call);
    },
    close() {
      client.close();
    },
  };
}

/** Serves in the face of grpc-js. */
export async function classicServer(definition: ServiceDefinition, handlers: UntypedServiceImplementation): Promise<Served> {
  const server = new Server();
  server.addService(definition, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.tryShutdown(() => {
          resolve();
        });
      }),
  };
}

/** The service's definition in the modern face, with any type of messages. */
export type ModernDefinition<M> = Readonly<{
  echo: TypedMethod<M, M, false, false>;
  gather: TypedMethod<M, M, true, false>;
  scatter: TypedMethod<M, M, false, true>;
  converse: TypedMethod<M, M, true, true>;
}>;

/** Serves with async handlers. */
export async function modernServer<M>(definition: ModernDefinition<M>, { make, plain }: Messages<M>): Promise<Served> {
  const server = createServer().add<ModernDefinition<M>>(definition, {
    echo: (note: M) => Promise.resolve(make(plain(note))),
    async gather(notes: AsyncIterable<M>) {
      const all: Plain[] = [];
      for await (const note of notes) all.push(plain(note));
      return make(gathered(all));
    },
    *scatter(note: M) {
      for (const each of scattered(plain(note))) yield make(each);
    },
    async *converse(notes: AsyncIterable<M>) {
      for await (const note of notes) yield make(plain(note));
    },
  });
  const port = await server.serve("127.0.0.1:0");
  return { port, close: () => server.close(1_000) };
}

/** Calls with promises and async iterables. */
export function modernCaller<M>(definition: ModernDefinition<M>, { make, plain }: Messages<M>, target: string): Caller {
  const client = createClient<ModernDefinition<M>>(definition, target);
  const read = async (messages: AsyncIterable<M>): Promise<Plain[]> => {
    const notes: Plain[] = [];
    for await (const note of messages) notes.push(plain(note));
    return notes;
  };
  return {
    echo: async (note) => plain(await client.echo(make(note))),
    gather: async (notes) => plain(await client.gather(notes.map(make))),
    scatter: (note) => read(client.scatter(make(note))),
    converse: (notes) => read(client.converse(notes.map(make))),
    close() {
      void client[Symbol.asyncDispose]();
    },
  };
}
