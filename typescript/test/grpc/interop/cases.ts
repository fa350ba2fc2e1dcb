// The client's side of gRPC's interoperability tests, by the names that all implementations give them.

import assert from "node:assert/strict";
import { Metadata, makeClientConstructor, status } from "../../../src/grpc/index.js";
import type { CallOptions, ChannelCredentials, ClientDuplexStream, ClientWritableStream, ServiceError } from "../../../src/grpc/index.js";
import { TEST_SERVICE, UNIMPLEMENTED_SERVICE } from "./definition.js";
import type { InputRequest, InputResponse, OutputRequest, OutputResponse, SimpleRequest, SimpleResponse } from "./definition.js";

const TestClient = makeClientConstructor(TEST_SERVICE, "TestService");
const UnimplementedClient = makeClientConstructor(UNIMPLEMENTED_SERVICE, "UnimplementedService");
type Client = InstanceType<typeof TestClient>;
type Starter<Call> = (...values: unknown[]) => Call;

/** Returns the function that starts calls of a method, by its name. */
const starter = (client: Client, method: string): unknown => (client[method] as () => unknown).bind(client);

const REQUEST_SIZES = [27182, 8, 1828, 45904];
const RESPONSE_SIZES = [31415, 9, 2653, 58979];
const LARGE_REQUEST = 271828;
const LARGE_RESPONSE = 314159;
const INITIAL = "x-grpc-test-echo-initial";
const TRAILING = "x-grpc-test-echo-trailing-bin";
const SOAK_CALLS = 1000;

const payload = (size: number) => ({ type: "COMPRESSABLE", body: Buffer.alloc(size) });

interface Answer<Response> {
  readonly error: ServiceError | null;
  readonly response: Response | undefined;
  readonly metadata: Metadata;
  readonly trailing: Metadata;
}

/** A unary call with everything that came of it. */
function unary<Response>(client: Client, method: string, request: object, metadata = new Metadata(), options: CallOptions = {}): Promise<Answer<Response>> {
  return new Promise((resolve) => {
    let error: ServiceError | null = null;
    let response: Response | undefined;
    let initial = new Metadata();
    const done = (failed: ServiceError | null, value?: Response): void => {
      error = failed;
      response = value;
    };
    const call = (starter(client, method) as Starter<NodeJS.EventEmitter>)(request, metadata, options, done);
    call.on("metadata", (value: Metadata) => {
      initial = value;
    });
    call.on("status", ({ metadata: trailing }: { metadata: Metadata }) => {
      setImmediate(() => {
        resolve({ error, response, metadata: initial, trailing });
      });
    });
  });
}

async function largeUnary(client: Client, extra: SimpleRequest = {}, metadata?: Metadata): Promise<Answer<SimpleResponse>> {
  const request = { response_type: "COMPRESSABLE", response_size: LARGE_RESPONSE, payload: payload(LARGE_REQUEST), ...extra };
  const answer = await unary<SimpleResponse>(client, "UnaryCall", request, metadata);
  assert.equal(answer.error, null);
  assert.deepEqual(answer.response?.payload, payload(LARGE_RESPONSE));
  return answer;
}

type Duplex = ClientDuplexStream<OutputRequest, OutputResponse>;
const duplex = (client: Client, metadata = new Metadata(), options: CallOptions = {}) => (starter(client, "FullDuplexCall") as Starter<Duplex>)(metadata, options);
const asking = (size: number, request: number) => ({
  response_type: "COMPRESSABLE",
  response_parameters: [{ size }],
  payload: payload(request),
});

/** The status of a stream, which comes as an event whether it is an error or not. */
function ended(call: NodeJS.EventEmitter): Promise<{ code: status; details: string; metadata: Metadata }> {
  call.on("error", () => undefined);
  return new Promise((resolve) => call.once("status", resolve));
}

async function pingPong(call: Duplex): Promise<void> {
  const replies = call[Symbol.asyncIterator]();
  for (const [round, size] of RESPONSE_SIZES.entries()) {
    call.write(asking(size, REQUEST_SIZES[round]!));
    const reply = await replies.next();
    assert.equal(reply.done, false);
    assert.equal((reply.value as OutputResponse).payload?.body.length, size);
  }
  call.end();
  assert.equal((await replies.next()).done, true);
}

async function soak(connect: () => Client, fresh: boolean): Promise<void> {
  let client = connect();
  for (let i = 0; i < SOAK_CALLS / (fresh ? 10 : 1); i++) {
    await largeUnary(client);
    if (fresh) {
      client.close();
      client = connect();
    }
  }
  client.close();
}

async function withStatus(client: Client, message: string): Promise<void> {
  const response_status = { code: status.UNKNOWN, message };
  const { error } = await unary(client, "UnaryCall", { response_status });
  assert.deepEqual([error?.code, error?.details], [status.UNKNOWN, message]);
  const call = duplex(client);
  const end = ended(call);
  call.write({ response_parameters: [], response_status });
  call.end();
  call.resume();
  const { code, details } = await end;
  assert.deepEqual([code, details], [status.UNKNOWN, message]);
}

/** Every case by its name: it returns, or throws what was wrong. */
export const CASES: Readonly<Record<string, (client: Client, connect: () => Client) => Promise<void>>> = {
  async empty_unary(client) {
    const { error, response } = await unary(client, "EmptyCall", {});
    assert.deepEqual([error, response], [null, {}]);
  },
  async large_unary(client) {
    await largeUnary(client);
  },
  async client_streaming(client) {
    const total = await new Promise<number>((resolve, reject) => {
      const call = (starter(client, "StreamingInputCall") as Starter<ClientWritableStream<InputRequest>>)((error: ServiceError | null, response?: InputResponse) => {
        if (error !== null) reject(error);
        else resolve(response!.aggregated_payload_size);
      });
      for (const size of REQUEST_SIZES) call.write({ payload: payload(size) });
      call.end();
    });
    assert.equal(total, 74922);
  },
  async server_streaming(client) {
    const request = { response_type: "COMPRESSABLE", response_parameters: RESPONSE_SIZES.map((size) => ({ size })) };
    const call = (starter(client, "StreamingOutputCall") as Starter<Duplex>)(request);
    const end = ended(call);
    const sizes: number[] = [];
    for await (const response of call) sizes.push((response as OutputResponse).payload!.body.length);
    assert.deepEqual(sizes, RESPONSE_SIZES);
    assert.equal((await end).code, status.OK);
  },
  async ping_pong(client) {
    const call = duplex(client);
    const end = ended(call);
    await pingPong(call);
    assert.equal((await end).code, status.OK);
  },
  async empty_stream(client) {
    const call = duplex(client);
    const end = ended(call);
    call.end();
    for await (const response of call) assert.fail(`a response: ${JSON.stringify(response)}`);
    assert.equal((await end).code, status.OK);
  },
  async timeout_on_sleeping_server(client) {
    const call = duplex(client, new Metadata(), { deadline: Date.now() + 1 });
    const end = ended(call);
    call.write({ response_parameters: [], payload: payload(27182) });
    call.resume();
    assert.equal((await end).code, status.DEADLINE_EXCEEDED);
  },
  async cancel_after_begin(client) {
    const answered = new Promise<ServiceError | null>((resolve) => {
      const call = (starter(client, "StreamingInputCall") as Starter<Duplex>)(resolve);
      setImmediate(() => {
        call.cancel();
      });
    });
    assert.equal((await answered)?.code, status.CANCELLED);
  },
  async cancel_after_first_response(client) {
    const call = duplex(client);
    const end = ended(call);
    call.write(asking(31415, 27182));
    call.once("data", () => {
      call.cancel();
    });
    assert.equal((await end).code, status.CANCELLED);
  },
  status_code_and_message: (client) => withStatus(client, "test status message"),
  special_status_message: (client) => withStatus(client, "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \u{1f608}\t\n"),
  async custom_metadata(client) {
    const metadata = new Metadata();
    metadata.set(INITIAL, "test_initial_metadata_value");
    metadata.set(TRAILING, Buffer.from("ababab", "hex"));
    const check = (initial: Metadata, trailing: Metadata): void => {
      assert.deepEqual(initial.get(INITIAL), ["test_initial_metadata_value"]);
      assert.deepEqual(trailing.get(TRAILING), [Buffer.from("ababab", "hex")]);
    };
    const answer = await largeUnary(client, {}, metadata);
    check(answer.metadata, answer.trailing);
    const call = duplex(client, metadata);
    const end = ended(call);
    const initial = new Promise<Metadata>((resolve) => call.once("metadata", resolve));
    call.write(asking(LARGE_RESPONSE, LARGE_REQUEST));
    call.end();
    call.resume();
    check(await initial, (await end).metadata);
  },
  async unimplemented_method(client) {
    const { error } = await unary(client, "UnimplementedCall", {});
    assert.equal(error?.code, status.UNIMPLEMENTED);
  },
  async unimplemented_service(client) {
    const other = new UnimplementedClient("unused:1", undefined as unknown as ChannelCredentials, { channelOverride: client.getChannel() });
    const { error } = await unary(other, "UnimplementedCall", {});
    assert.equal(error?.code, status.UNIMPLEMENTED);
  },
  async pick_first_unary(client) {
    const ids = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const { response } = await unary<SimpleResponse>(client, "UnaryCall", { fill_server_id: true });
      ids.add(response!.server_id);
    }
    assert.equal(ids.size, 1);
    assert.ok(!ids.has(""));
  },
  rpc_soak: (_, connect) => soak(connect, false),
  channel_soak: (_, connect) => soak(connect, true),
};

/** Runs one case over a channel of its own. */
export async function runCase(name: string, address: string, credentials: ChannelCredentials, options: object = {}): Promise<void> {
  const connect = (): Client => new TestClient(address, credentials, options);
  const client = connect();
  try {
    await CASES[name]!(client, connect);
  } finally {
    client.close();
  }
}
