import type { CallCredentials } from "./call-credentials.js";
import type { ClientMethodDefinition } from "../protocol/method.js";
import type { Metadata } from "../protocol/metadata.js";
import type { Status, StatusObject } from "../protocol/status.js";
import type { Deadline } from "../protocol/timeout.js";
import type { AuthContext } from "./auth-context.js";
import type { ParentCall } from "./propagation.js";

/* The interfaces between client interceptors, with grpc-js's names (gRFC L5). Messages are of any type: an
   interceptor serves methods of many. */
/* eslint-disable @typescript-eslint/no-explicit-any */

export type MetadataListener = (metadata: Metadata, next: (metadata: Metadata) => void) => void;
export type MessageListener = (message: any, next: (message: any) => void) => void;
export type StatusListener = (status: StatusObject, next: (status: StatusObject) => void) => void;

/** Handles incoming events, and passes them on with `next`. */
export interface FullListener {
  onReceiveMetadata: MetadataListener;
  onReceiveMessage: MessageListener;
  onReceiveStatus: StatusListener;
}

export type Listener = Partial<FullListener>;

/** The end of a chain: receives incoming events. */
export interface InterceptingListener {
  onReceiveMetadata(metadata: Metadata): void;
  onReceiveMessage(message: any): void;
  onReceiveStatus(status: StatusObject): void;
}

export type MetadataRequester = (
  metadata: Metadata,
  listener: InterceptingListener,
  next: (metadata: Metadata, listener: InterceptingListener | Listener) => void,
) => void;
export type MessageRequester = (message: any, next: (message: any) => void) => void;
export type CloseRequester = (next: () => void) => void;
export type CancelRequester = (next: () => void) => void;

/** Handles outgoing events, and passes them on with `next`. */
export interface FullRequester {
  start: MetadataRequester;
  sendMessage: MessageRequester;
  halfClose: CloseRequester;
  cancel: CancelRequester;
}

export type Requester = Partial<FullRequester>;

/** How one message is sent. */
export interface MessageContext {
  callback?: (error?: Error | null) => void;
  flags?: number;
}

/** Bits of `MessageContext.flags`. */
export const WriteFlags = { BufferHint: 1, NoCompress: 2, WriteThrough: 4 } as const;

/** What one call is made with. */
export interface CallOptions {
  /** The deadline: a date, or milliseconds since 1970. */
  deadline?: Deadline;
  /** Replaces the channel's authority. */
  host?: string;
  /** The server call on whose behalf it is made: its deadline and cancellation apply, subject to `propagate_flags`. */
  parent?: ParentCall;
  propagate_flags?: number;
  credentials?: CallCredentials;
  interceptors?: Interceptor[];
  interceptor_providers?: InterceptorProvider[];
}

export interface InterceptorOptions extends CallOptions {
  method_definition: ClientMethodDefinition<any, any>;
}

/** A call as interceptors see it. */
export interface InterceptingCallInterface {
  cancelWithStatus(status: Status, details: string): void;
  getPeer(): string;
  start(metadata: Metadata, listener?: Partial<InterceptingListener>): void;
  sendMessageWithContext(context: MessageContext, message: any): void;
  sendMessage(message: any): void;
  startRead(): void;
  halfClose(): void;
  getAuthContext(): AuthContext | null;
}

/** A call on a channel, whose messages are bytes. */
export interface CallInterface {
  cancelWithStatus(status: Status, details: string): void;
  getPeer(): string;
  start(metadata: Metadata, listener: InterceptingListener): void;
  sendMessageWithContext(context: MessageContext, message: Buffer): void;
  startRead(): void;
  halfClose(): void;
  getCallNumber(): number;
  setCredentials(credentials: CallCredentials): void;
  getAuthContext(): AuthContext | null;
}

export type NextCall = (options: InterceptorOptions) => InterceptingCallInterface;
export type Interceptor = (options: InterceptorOptions, nextCall: NextCall) => InterceptingCallInterface;
export type InterceptorProvider = (methodDefinition: ClientMethodDefinition<any, any>) => Interceptor | null | undefined;
