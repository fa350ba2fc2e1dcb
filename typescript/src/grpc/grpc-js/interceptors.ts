import type { ClientMethodDefinition } from "../protocol/method.js";
import type { CallOptions } from "./interceptor-types.js";
import type { ChannelInterface } from "./channel.js";
import type { InterceptingCallInterface, Interceptor, InterceptorProvider, NextCall } from "./interceptor-types.js";
import { MessageCall } from "./message-call.js";

/** Thrown if both interceptors and interceptor providers are given in one place. */
export class InterceptorConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InterceptorConfigurationError";
    Error.captureStackTrace(this, InterceptorConfigurationError);
  }
}

/** Interceptors and providers of one place: a client or a call. */
export interface InterceptorSource {
  readonly interceptors: readonly Interceptor[];
  readonly providers: readonly InterceptorProvider[];
}

/** @throws InterceptorConfigurationError when both are given */
export function checkSource(source: InterceptorSource, place: string): void {
  if (source.interceptors.length > 0 && source.providers.length > 0) {
    throw new InterceptorConfigurationError(
      `Both interceptors and interceptor_providers were passed as ${place}. Only one of these is allowed.`,
    );
  }
}

/** The chain of interceptors of one call: those of the call replace those of the client. The first is the outermost. */
export function interceptedCall(
  client: InterceptorSource,
  options: CallOptions,
  definition: ClientMethodDefinition<unknown, unknown>,
  channel: ChannelInterface,
): InterceptingCallInterface {
  const own: InterceptorSource = { interceptors: options.interceptors ?? [], providers: options.interceptor_providers ?? [] };
  checkSource(client, "options to the client constructor");
  checkSource(own, "call options");
  const source = own.interceptors.length + own.providers.length > 0 ? own : client;
  const provided = source.providers.map((provider) => provider(definition)).filter((each) => each != null);
  const innermost: NextCall = (final) => {
    const call = channel.createCall(definition.path, final.deadline ?? Infinity, final.host, final.parent ?? null, final.propagate_flags);
    if (final.credentials !== undefined) call.setCredentials(final.credentials);
    return new MessageCall(call, definition);
  };
  const outermost = [...source.interceptors, ...provided].reduceRight<NextCall>(
    (next, interceptor) => (final) => interceptor(final, next),
    innermost,
  );
  return outermost({ ...options, method_definition: definition });
}
