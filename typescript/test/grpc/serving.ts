import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import type { ClientHttp2Session, IncomingHttpHeaders } from "node:http2";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { Server, ServerCredentials, Metadata, setLogger } from "../../src/grpc/index.js";
import type { MethodDefinition, ServerOptions, ServiceDefinition, UntypedServiceImplementation } from "../../src/grpc/index.js";

/** The message of the tests' service, as JSON on the wire. */
export interface Note {
  text: string;
  number?: number;
}

/** A text that cannot be written, and one that cannot be read. */
export const UNWRITABLE = "unwritable";

function bytes(note: Note | undefined): Buffer {
  if (note === undefined || note.text === UNWRITABLE) throw new Error("cannot write this");
  return Buffer.from(JSON.stringify(note));
}

function method(name: string, requestStream: boolean, responseStream: boolean): MethodDefinition<Note, Note> {
  const parse = (data: Buffer): Note => JSON.parse(data.toString()) as Note;
  return {
    path: `/notes.Notes/${name}`,
    requestStream,
    responseStream,
    requestSerialize: bytes,
    requestDeserialize: parse,
    responseSerialize: bytes,
    responseDeserialize: parse,
    originalName: name.toLowerCase(),
  };
}

export const notes = {
  Unary: method("Unary", false, false),
  Server: method("Server", false, true),
  Client: method("Client", true, false),
  Bidi: method("Bidi", true, true),
} satisfies ServiceDefinition;

/** grpc-js's client of the service. */
export interface NotesClient extends grpcJs.Client {
  Unary(note: Note, metadata: grpcJs.Metadata, options: grpcJs.CallOptions, done: grpcJs.requestCallback<Note>): grpcJs.ClientUnaryCall;
  Server(note: Note, metadata?: grpcJs.Metadata, options?: grpcJs.CallOptions): grpcJs.ClientReadableStream<Note>;
  Client(metadata: grpcJs.Metadata, options: grpcJs.CallOptions, done: grpcJs.requestCallback<Note>): grpcJs.ClientWritableStream<Note>;
  Bidi(metadata?: grpcJs.Metadata, options?: grpcJs.CallOptions): grpcJs.ClientDuplexStream<Note, Note>;
}

const Constructor = grpcJs.makeClientConstructor(notes, "notes.Notes") as unknown as new (
  address: string,
  credentials: grpcJs.ChannelCredentials,
  options: grpcJs.ClientOptions,
) => NotesClient;

export interface Serving {
  server: Server;
  port: number;
  address: string;
  client(options?: grpcJs.ClientOptions, credentials?: grpcJs.ChannelCredentials): NotesClient;
  /** A bare HTTP/2 session, for requests that no gRPC client would make. */
  session(): Promise<ClientHttp2Session>;
}

export function bind(server: Server, address: string, credentials = ServerCredentials.createInsecure()): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

/** Serves an implementation until the test ends. */
export async function serve(
  context: TestContext,
  implementation: UntypedServiceImplementation,
  options: ServerOptions = {},
  credentials = ServerCredentials.createInsecure(),
  address = "127.0.0.1:0",
): Promise<Serving> {
  const server = new Server(options);
  server.addService(notes, implementation);
  const port = await bind(server, address, credentials);
  const target = address.startsWith("unix:") ? address : `localhost:${port}`;
  const closing: (() => void)[] = [];
  context.after(() => {
    for (const close of closing) close();
    server.forceShutdown();
  });
  return {
    server,
    port,
    address: target,
    client(clientOptions = {}, clientCredentials = grpcJs.credentials.createInsecure()) {
      // grpc-js would share channels between tests.
      const client = new Constructor(target, clientCredentials, { "grpc.use_local_subchannel_pool": 1, ...clientOptions });
      closing.push(() => { client.close(); });
      return client;
    },
    async session() {
      const session = connectHttp2(`http://127.0.0.1:${port}`);
      session.on("error", () => undefined);
      closing.push(() => { session.destroy(); });
      await once(session, "connect");
      return session;
    },
  };
}

/** The library's log entries until the test ends. */
export function logging(context: TestContext): unknown[][] {
  const logged: unknown[][] = [];
  setLogger({ error: (...text: unknown[]) => logged.push(text) });
  context.after(() => { setLogger(console); });
  return logged;
}

export interface Outcome {
  note: Note | null;
  code: number;
  details: string;
  headers: grpcJs.Metadata | null;
  trailers: grpcJs.Metadata | null;
}

/** A unary call to its end. */
export function unary(client: NotesClient, note: Note, metadata = new grpcJs.Metadata(), options: grpcJs.CallOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const outcome: Outcome = { note: null, code: -1, details: "", headers: null, trailers: null };
    const call = client.Unary(note, metadata, options, (_error, reply) => {
      outcome.note = reply ?? null;
    });
    follow(call, outcome, resolve);
  });
}

/** Hears the rest of a call into `outcome`. */
export function follow(call: grpcJs.ClientUnaryCall | grpcJs.ClientWritableStream<Note>, outcome: Outcome, resolve: (outcome: Outcome) => void): void {
  call.on("metadata", (headers: grpcJs.Metadata) => {
    outcome.headers = headers;
  });
  call.on("status", ({ code, details, metadata }: grpcJs.StatusObject) => {
    Object.assign(outcome, { code, details, trailers: metadata });
    setImmediate(() => { resolve(outcome); });
  });
}

/** A client-streaming call to its end. */
export function clientStream(client: NotesClient, sent: Note[], options: grpcJs.CallOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const outcome: Outcome = { note: null, code: -1, details: "", headers: null, trailers: null };
    const call = client.Client(new grpcJs.Metadata(), options, (_error, reply) => {
      outcome.note = reply ?? null;
    });
    follow(call, outcome, resolve);
    call.on("error", () => undefined);
    for (const note of sent) call.write(note);
    call.end();
  });
}

export interface StreamOutcome {
  notes: Note[];
  code: number;
  details: string;
  headers: grpcJs.Metadata | null;
  trailers: grpcJs.Metadata | null;
}

/** All that a streaming response brings. */
export function collect(call: grpcJs.ClientReadableStream<Note> | grpcJs.ClientDuplexStream<Note, Note>): Promise<StreamOutcome> {
  return new Promise((resolve) => {
    const outcome: StreamOutcome = { notes: [], code: -1, details: "", headers: null, trailers: null };
    call.on("data", (note: Note) => outcome.notes.push(note));
    call.on("metadata", (headers: grpcJs.Metadata) => {
      outcome.headers = headers;
    });
    call.on("error", () => undefined);
    call.on("status", ({ code, details, metadata }: grpcJs.StatusObject) => {
      Object.assign(outcome, { code, details, trailers: metadata });
      resolve(outcome);
    });
  });
}

export interface RawReply {
  headers: IncomingHttpHeaders | null;
  trailers: IncomingHttpHeaders | null;
  body: Buffer;
  /** The code of a reset, 0 for none. */
  reset: number;
}

/**
 * One request by hand; an empty value leaves a field out. `chunks` are written one by one, and the request ends after
 * them unless `open`.
 */
export function raw(session: ClientHttp2Session, headers: Record<string, string>, chunks: Uint8Array[] = [], open = false): Promise<RawReply> {
  return new Promise((resolve) => {
    const fields = { ":method": "POST", ":path": "/notes.Notes/Unary", "content-type": "application/grpc", te: "trailers", ...headers };
    const request = session.request(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")), {
      endStream: chunks.length === 0 && !open,
    });
    const reply: RawReply = { headers: null, trailers: null, body: Buffer.alloc(0), reset: 0 };
    request.on("response", (fields) => {
      reply.headers = fields;
    });
    request.on("trailers", (fields: IncomingHttpHeaders) => {
      reply.trailers = fields;
    });
    request.on("data", (data: Buffer) => {
      reply.body = Buffer.concat([reply.body, data]);
    });
    request.on("error", () => undefined);
    request.on("close", () => {
      reply.reset = request.rstCode;
      resolve(reply);
    });
    for (const chunk of chunks) request.write(chunk);
    if (chunks.length > 0 && !open) request.end();
  });
}

/** A message with its prefix. */
export function framed(text: string, flag = 0): Buffer {
  const body = Buffer.from(text);
  const prefix = Buffer.alloc(5, flag);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

/** Resolves when `check` holds; fails the test's time limit otherwise. */
export async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export { Metadata };
