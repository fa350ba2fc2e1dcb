import type { ServiceDefinition } from "../protocol/method.js";
import type { CallOptions } from "./interceptor-types.js";
import type { ChannelCredentials } from "./channel-credentials.js";
import { Client, type ClientOptions } from "./client.js";
import type { Metadata } from "../protocol/metadata.js";
import type { UnaryCallback } from "./unary-call.js";

/** A client with a method for each of its service. */
export interface ServiceClient extends Client {
  // A client's methods are known by name only at run time.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [method: string]: any;
}

export interface ServiceClientConstructor {
  new (address: string, credentials: ChannelCredentials, options?: ClientOptions): ServiceClient;
  service: ServiceDefinition;
  serviceName: string;
}

/** `[metadata], [options], callback`, parsed by `Client`. */
type Rest = [Metadata, CallOptions, UnaryCallback<unknown>];
type Extra = Metadata | CallOptions | null;

/**
 * The methods of clients call these originals. An instrumentation that replaces both the client's methods and these on
 * the prototype would otherwise see each call twice.
 */
// eslint-disable-next-line @typescript-eslint/unbound-method
const { makeBidiStreamRequest, makeClientStreamRequest, makeServerStreamRequest, makeUnaryRequest } = Client.prototype;

const POLLUTING: readonly string[] = ["__proto__", "prototype", "constructor"];

/**
 * A class of clients with a method for each of the service, under its name and its original name.
 *
 * @throws Error for a method whose name starts with `$`
 */
export function makeClientConstructor(methods: ServiceDefinition, serviceName: string, _classOptions?: object): ServiceClientConstructor {
  class ServiceClientClass extends Client {
    static readonly service = methods;
    static readonly serviceName = serviceName;
  }
  const prototype = ServiceClientClass.prototype as unknown as Record<string, unknown>;
  for (const name of Object.keys(methods)) {
    if (POLLUTING.includes(name)) continue;
    if (name.startsWith("$")) throw new Error("Method names cannot start with $");
    const definition = methods[name]!;
    const caller = Object.assign(makeMethod(definition), definition);
    prototype[name] = caller;
    const { originalName } = definition;
    if (originalName !== undefined && !POLLUTING.includes(originalName)) prototype[originalName] = caller;
  }
  return ServiceClientClass;
}

/** The method of a client's class that makes calls of one method of its service. */
function makeMethod(definition: ServiceDefinition[string]): object {
  const { path, requestStream, responseStream, requestSerialize, responseDeserialize } = definition;
  if (requestStream && responseStream) {
    return function (this: Client, metadata?: Extra, options?: CallOptions) {
      return makeBidiStreamRequest.call(this, path, requestSerialize, responseDeserialize, metadata, options);
    };
  }
  if (requestStream) {
    return function (this: Client, ...rest: Rest) {
      return makeClientStreamRequest.call(this, path, requestSerialize, responseDeserialize as never, ...rest);
    };
  }
  if (responseStream) {
    return function (this: Client, argument: unknown, metadata?: Extra, options?: CallOptions) {
      return makeServerStreamRequest.call(this, path, requestSerialize, responseDeserialize, argument, metadata, options);
    };
  }
  return function (this: Client, argument: unknown, first: Rest[0], second: Rest[1], third: Rest[2]) {
    return makeUnaryRequest.call(this, path, requestSerialize, responseDeserialize, argument, first, second, third);
  };
}
