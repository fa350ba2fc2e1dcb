import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import * as samewire from "../../src/grpc/index.js";
import { notes } from "./serving.js";
import type { Note } from "./serving.js";

/* One program on two libraries, whose types are two sets of one shape. */

export type Library = typeof samewire;

/** Either library's client of the notes. */
export interface EitherClient extends samewire.Client {
  Unary(note: Note, metadata: samewire.Metadata, options: samewire.CallOptions, done: samewire.requestCallback<Note>): samewire.ClientUnaryCall;
  Server(note: Note, metadata?: samewire.Metadata): samewire.ClientReadableStream<Note>;
  Bidi(metadata?: samewire.Metadata): samewire.ClientDuplexStream<Note, Note>;
}

/** One library's servers and clients of the notes, closed after the test. */
export class Stage {
  constructor(
    readonly grpc: Library,
    private readonly context: TestContext,
  ) {}

  /** Serves an implementation. Returns the address. */
  async serve(implementation: samewire.UntypedServiceImplementation, options: samewire.ServerOptions = {}): Promise<string> {
    const server = new this.grpc.Server(options);
    server.addService(notes, implementation);
    this.context.after(() => { server.forceShutdown(); });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", this.grpc.ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    return `127.0.0.1:${port}`;
  }

  /** @throws what the constructor throws */
  client(address: string, options: samewire.ClientOptions = {}): EitherClient {
    const Notes = this.grpc.makeClientConstructor(notes, "notes.Notes");
    const client = new Notes(address, this.grpc.credentials.createInsecure(), options);
    this.context.after(() => { client.close(); });
    return client as unknown as EitherClient;
  }

  /** The outcome of a unary call: the reply's text, or `code details`. */
  unary(client: EitherClient, note: Note, metadata = new this.grpc.Metadata(), options: samewire.CallOptions = {}): Promise<string> {
    return new Promise((resolve) => {
      client.Unary(note, metadata, options, (error, reply) => {
        resolve(error === null ? `reply ${reply!.text}` : `${error.code} ${error.details}`);
      });
    });
  }
}

/** A test that a program says the same on grpc-js and here. It returns what can be compared by `deepEqual`. */
export function same(name: string, program: (stage: Stage) => Promise<unknown>): void {
  test(`as with grpc-js: ${name}`, { timeout: 60_000 }, async (context) => {
    const said = await program(new Stage(samewire, context));
    const expected = await program(new Stage(grpcJs as unknown as Library, context));
    assert.deepEqual(said, expected);
  });
}
