import type { HeaderBlock } from "../http2/index.js";
import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import type { Method } from "./method.js";
import type { RetryPlan } from "./retry-plan.js";

/**
 * Receives the events of a call. `onStatus` comes last, exactly once, and never from inside `start`, `send` or
 * `cancel`.
 */
export interface CallListener {
  onHeaders(block: HeaderBlock): void;
  /** The bytes are the listener's own. */
  onMessage(bytes: Buffer): void;
  /** @param trailers null when the server did not send any */
  onStatus(code: Status, details: string, trailers: HeaderBlock | null): void;
}

/** Makes the metadata that authenticates one attempt. */
export type CredentialSource = (method: Method) => Promise<Metadata>;

/** How a call shall be made. */
export interface CallSettings {
  readonly method: Method;
  readonly metadata: Metadata | null;
  /** Milliseconds from now; Infinity for none. */
  readonly timeout: number;
  readonly waitForReady: boolean;
  readonly credentials: CredentialSource | null;
  /** null if only transparent retries are allowed. */
  readonly plan: RetryPlan | null;
}
