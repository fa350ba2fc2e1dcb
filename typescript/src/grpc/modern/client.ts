import { described } from "../../core/described.js";
import type { Call } from "../client/call.js";
import { Metadata } from "../protocol/metadata.js";
import { Status } from "../protocol/status.js";
import { thrownText } from "../protocol/thrown.js";
import { deadlineMillis, type Deadline } from "../protocol/timeout.js";
import type { ChannelOptions } from "../grpc-js/channel-options.js";
import type { CallCredentials } from "../grpc-js/call-credentials.js";
import { ChannelCredentials } from "../grpc-js/channel-credentials.js";
import { Channel } from "../grpc-js/channel.js";
import { AnswerCall, AnswersCall, sendAll, type Watch } from "./client-call.js";
import { checkDefinition } from "./definition-check.js";
import type { AnyMethod, Definition, RequestOf, ResponseOf } from "./definition.js";

/** How one call is made. */
export interface CallControls extends Watch {
  /** The deadline; `timeout` is the same in milliseconds from now. The earlier one counts. */
  readonly deadline?: Deadline;
  readonly timeout?: number;
  readonly metadata?: Metadata | Readonly<Record<string, string | Uint8Array>>;
  /** Waits for a connection instead of failing while there is none. */
  readonly waitForReady?: boolean;
  readonly credentials?: CallCredentials;
}

type Requests<T> = AsyncIterable<T> | Iterable<T>;
type Ask<M> = M extends { requestStream: true } ? Requests<RequestOf<M>> : M extends { requestStream: false } ? RequestOf<M> : unknown;
// A definition read at run time (proto-loader) does not tell its type which sides are streams.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Answer<M> = M extends { responseStream: true } ? AsyncIterableIterator<ResponseOf<M>> : M extends { responseStream: false } ? Promise<ResponseOf<M>> : any;

/** A function for each method of the definition. */
export type ClientOf<D extends Definition> = {
  readonly [Name in keyof D]: (request: boolean extends D[Name]["requestStream"] ? unknown : Ask<D[Name]>, controls?: CallControls) => boolean extends D[Name]["responseStream"] ? Answer<{ responseStream: boolean }> : Answer<D[Name]>;
} & AsyncDisposable;

export interface ClientSettings extends ChannelOptions {
  /** How the channel is secured. Default: plain text. */
  credentials?: ChannelCredentials;
}

/**
 * Calls of a service: promises for single responses, async iterables for streams. Disposing of it closes the channel,
 * if it was made here from a target.
 *
 * @throws Error for an invalid target; TypeError for what is not a definition. Calls throw TypeError for a `timeout` that is not a
 *   number and a `deadline` that is neither a Date nor a number
 */
export function createClient<D extends Definition>(definition: D, target: string | Channel, settings: ClientSettings = {}): ClientOf<D> {
  checkDefinition(definition, "createClient");
  const { credentials = ChannelCredentials.createInsecure(), ...options } = settings;
  const channel = typeof target === "string" ? new Channel(target, credentials, options) : target;
  const client: Record<string | symbol, unknown> = {};
  for (const [name, method] of Object.entries(definition)) client[name] = caller(channel, method);
  client[Symbol.asyncDispose] = (): Promise<void> => {
    if (typeof target === "string") channel.close();
    return Promise.resolve();
  };
  return client as ClientOf<D>;
}

function caller(channel: Channel, definition: AnyMethod): (request: unknown, controls?: CallControls) => unknown {
  const { path, contentType, requestStream, responseStream, responseDeserialize, requestSerialize, schemaCheck } = definition;
  /** Set once the server has accepted the schema check: it is not repeated. */
  let checked = schemaCheck === undefined;
  return (request, controls = {}) => {
    const method = channel.core.method(path, null, contentType);
    const metadata = requestMetadata(controls, checked ? [] : schemaCheck!.fields);
    const watch = checked
      ? controls
      : { ...controls, onHeader: (header: Metadata) => { checked = true; controls.onHeader?.(header); } };
    const call = responseStream ? new AnswersCall(responseDeserialize, watch) : new AnswerCall(responseDeserialize, watch);
    const core = channel.open(method, call, metadata, callOptions(controls));
    if (!responseStream) core.flow(true);
    if (call.follow(core)) {
      if (requestStream) {
        core.start();
        void sendAll(call, core, requestSerialize, request as Requests<unknown>);
      } else {
        sendOne(core, () => requestSerialize(request));
      }
    }
    return call instanceof AnswerCall ? call.promise : call;
  };
}

function sendOne(core: Call, serialize: () => Buffer): void {
  let bytes: Buffer;
  try {
    bytes = serialize();
  } catch (error) {
    core.cancel(Status.INTERNAL, `Request message serialization failure: ${thrownText(error)}`);
    return;
  }
  core.send(bytes, true, null);
  core.finish();
  core.start();
}

function callOptions({ deadline, timeout, credentials }: CallControls): { deadline?: Deadline; credentials?: CallCredentials } {
  if (timeout !== undefined && (typeof timeout !== "number" || Number.isNaN(timeout))) {
    throw new TypeError(`timeout: expected a number of milliseconds, such as 1_000 for a second, got ${described(timeout)}`);
  }
  if (deadline !== undefined && typeof deadline !== "number" && typeof (deadline as Partial<Date>).getTime !== "function") {
    throw new TypeError(`deadline: expected a Date or milliseconds since 1970, got ${described(deadline)}`);
  }
  const ends = Math.min(deadline === undefined ? Infinity : deadlineMillis(deadline), timeout === undefined ? Infinity : Date.now() + timeout);
  return { ...(ends === Infinity ? {} : { deadline: ends }), ...(credentials === undefined ? {} : { credentials }) };
}

function requestMetadata({ metadata, waitForReady }: CallControls, schemaCheck: readonly (readonly [string, string])[]): Metadata | null {
  if (metadata === undefined && waitForReady !== true && schemaCheck.length === 0) return null;
  const made = metadata instanceof Metadata ? metadata.clone() : new Metadata();
  if (metadata !== undefined && !(metadata instanceof Metadata)) {
    for (const [name, value] of Object.entries(metadata)) made.set(name, typeof value === "string" ? value : Buffer.from(value));
  }
  if (waitForReady === true) made.setOptions({ ...made.getOptions(), waitForReady });
  for (const [name, value] of schemaCheck) made.set(name, value);
  return made;
}
