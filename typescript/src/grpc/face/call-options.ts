import type { Deadline } from "../protocol/timeout.js";
import type { CallCredentials } from "./call-credentials.js";
import type { Interceptor, InterceptorProvider } from "./interceptor-types.js";
import type { ParentCall } from "./propagation.js";

/** What one call is made with. */
export interface CallOptions {
  /** When it has to be over: a date, or milliseconds since 1970. */
  deadline?: Deadline;
  /** Takes the place of the channel's authority. */
  host?: string;
  /** The server call it is made for: its deadline and cancellation are taken over, as `propagate_flags` says. */
  parent?: ParentCall;
  propagate_flags?: number;
  credentials?: CallCredentials;
  interceptors?: Interceptor[];
  interceptor_providers?: InterceptorProvider[];
}
