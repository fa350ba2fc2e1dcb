// The server's side of gRPC's interoperability tests.

import { setTimeout as after } from "node:timers/promises";
import { Metadata, Server } from "../../../src/grpc/index.js";
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../../src/grpc/index.js";
import { TEST_SERVICE } from "./definition.js";
import type { EchoStatus, InputRequest, InputResponse, OutputRequest, OutputResponse, SimpleRequest, SimpleResponse } from "./definition.js";

const INITIAL = "x-grpc-test-echo-initial";
const TRAILING = "x-grpc-test-echo-trailing-bin";
const SERVER_ID = `samewire-${process.pid}`;

interface Call {
  readonly metadata: Metadata;
  sendMetadata(metadata: Metadata): void;
}

/** Sends back the metadata that a test asks for at the start; returns what belongs at the end. */
function echo(call: Call): Metadata {
  const initial = new Metadata();
  for (const value of call.metadata.get(INITIAL)) initial.add(INITIAL, value);
  if (Object.keys(initial.getMap()).length > 0) call.sendMetadata(initial);
  const trailing = new Metadata();
  for (const value of call.metadata.get(TRAILING)) trailing.add(TRAILING, value);
  return trailing;
}

const payload = (size: number) => ({ type: "COMPRESSABLE", body: Buffer.alloc(size) });

function failure(wanted: EchoStatus | null | undefined, metadata: Metadata) {
  if (wanted === null || wanted === undefined || wanted.code === 0) return null;
  return Object.assign(new Error(wanted.message), { code: wanted.code, details: wanted.message, metadata });
}

function emptyCall(call: ServerUnaryCall<object, object>, callback: sendUnaryData<object>): void {
  callback(null, {}, echo(call));
}

function unaryCall(call: ServerUnaryCall<SimpleRequest, SimpleResponse>, callback: sendUnaryData<SimpleResponse>): void {
  const { request } = call;
  const trailing = echo(call);
  const failed = failure(request.response_status, trailing);
  if (failed !== null) callback(failed);
  else callback(null, { payload: payload(request.response_size ?? 0), server_id: request.fill_server_id === true ? SERVER_ID : "" }, trailing);
}

function streamingInputCall(call: ServerReadableStream<InputRequest, InputResponse>, callback: sendUnaryData<InputResponse>): void {
  const trailing = echo(call);
  let total = 0;
  call.on("data", (request: InputRequest) => {
    total += request.payload?.body.length ?? 0;
  });
  call.on("end", () => {
    callback(null, { aggregated_payload_size: total }, trailing);
  });
}

/** Writes what one request asks for; returns false where it asks for an error. */
async function answer(
  call: ServerWritableStream<OutputRequest, OutputResponse> | ServerDuplexStream<OutputRequest, OutputResponse>,
  request: OutputRequest,
  trailing: Metadata,
): Promise<boolean> {
  const failed = failure(request.response_status, trailing);
  if (failed !== null) {
    call.emit("error", failed);
    return false;
  }
  for (const { size, interval_us: interval } of request.response_parameters) {
    if (interval !== undefined && interval > 0) await after(interval / 1000);
    if (call.cancelled) return false;
    call.write({ payload: payload(size) });
  }
  return true;
}

async function streamingOutputCall(call: ServerWritableStream<OutputRequest, OutputResponse>): Promise<void> {
  const trailing = echo(call);
  if (await answer(call, call.request, trailing)) call.end(trailing);
}

async function fullDuplexCall(call: ServerDuplexStream<OutputRequest, OutputResponse>): Promise<void> {
  const trailing = echo(call);
  for await (const request of call.iterator({ destroyOnReturn: false })) if (!(await answer(call, request as OutputRequest, trailing))) return;
  call.end(trailing);
}

async function halfDuplexCall(call: ServerDuplexStream<OutputRequest, OutputResponse>): Promise<void> {
  const trailing = echo(call);
  const requests: OutputRequest[] = [];
  for await (const request of call.iterator({ destroyOnReturn: false })) requests.push(request as OutputRequest);
  for (const request of requests) if (!(await answer(call, request, trailing))) return;
  call.end(trailing);
}

/** The peer may end a stream, too: that is not a failure of the handler. */
const quietly =
  <C>(handler: (call: C) => Promise<void>) =>
  (call: C): void => {
    handler(call).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== "ERR_STREAM_PREMATURE_CLOSE" && !(call as { cancelled?: boolean }).cancelled) throw error;
    });
  };

/** A server of the test service. */
export function interopServer(options?: ConstructorParameters<typeof Server>[0]): Server {
  const server = new Server(options);
  server.addService(TEST_SERVICE, {
    EmptyCall: emptyCall,
    UnaryCall: unaryCall,
    StreamingInputCall: streamingInputCall,
    StreamingOutputCall: quietly(streamingOutputCall),
    FullDuplexCall: quietly(fullDuplexCall),
    HalfDuplexCall: quietly(halfDuplexCall),
  });
  return server;
}

