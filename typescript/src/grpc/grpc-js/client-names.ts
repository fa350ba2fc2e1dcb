/** What a client needs, under grpc-js's names. */
import type { Deadline } from "../protocol/timeout.js";
import type { ChannelInterface } from "./channel.js";
import type { Client } from "./client.js";
import type { ClientDuplexStream, ClientReadableStream, ClientWritableStream } from "./client-streams.js";
import type { ClientUnaryCall } from "./unary-call.js";

export { ConnectivityState as connectivityState } from "../client/connectivity.js";
export type { AuthContext } from "./auth-context.js";
export { CallCredentials } from "./call-credentials.js";
export type { CallMetadataGenerator, CallMetadataOptions, OAuth2Client } from "./call-credentials.js";
export type { CallOptions } from "./interceptor-types.js";
export { ChannelCredentials } from "./channel-credentials.js";
export type { CheckServerIdentityCallback, VerifyOptions } from "./channel-credentials.js";
export type { ChannelOptions } from "./channel-options.js";
export { Channel } from "./channel.js";
export type { ChannelInterface } from "./channel.js";
export { Client } from "./client.js";
export type { CallInvocationTransformer, CallProperties, ClientOptions } from "./client.js";
export type { ClientDuplexStream, ClientReadableStream, ClientWritableStream } from "./client-streams.js";
export { credentials } from "./credentials.js";
export { InterceptingCall, RequesterBuilder } from "./intercepting-call.js";
export { ListenerBuilder } from "./intercepting-listener.js";
export type {
  InterceptingCallInterface,
  InterceptingListener,
  Interceptor,
  InterceptorOptions,
  InterceptorProvider,
  Listener,
  NextCall,
  Requester,
} from "./interceptor-types.js";
export { InterceptorConfigurationError } from "./interceptors.js";
export { LogVerbosity as logVerbosity, setLogger, setLogVerbosity } from "../logging.js";
export { makeClientConstructor, makeClientConstructor as makeGenericClientConstructor } from "./make-client.js";
export type { ServiceClient, ServiceClientConstructor } from "./make-client.js";
export { Propagate as propagate } from "./propagation.js";
export type { LoadBalancingConfig, MethodConfig, RetryPolicy, ServiceConfig } from "./service-config.js";
export type { ServiceError } from "./service-error.js";
export type { ClientUnaryCall, SurfaceCall, UnaryCallback as requestCallback } from "./unary-call.js";

/** A call of any kind. */
// grpc-js's type: messages of any call.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Call = ClientUnaryCall | ClientReadableStream<any> | ClientWritableStream<any> | ClientDuplexStream<any, any>;

/** Ends a client's channel: calls under way go on. */
export function closeClient(client: Client): void {
  client.close();
}

export function waitForClientReady(client: Client, deadline: Deadline, callback: (error?: Error) => void): void {
  client.waitForReady(deadline, callback);
}

export function getClientChannel(client: Client): ChannelInterface {
  return client.getChannel();
}

/** @throws Error always: proto files are loaded by `@grpc/proto-loader` and `loadPackageDefinition` */
export function load(): never {
  throw new Error("Not available in this library. Use @grpc/proto-loader and loadPackageDefinition instead");
}

/** @throws Error always: proto files are loaded by `@grpc/proto-loader` and `loadPackageDefinition` */
export function loadObject(): never {
  throw new Error("Not available in this library. Use @grpc/proto-loader and loadPackageDefinition instead");
}
