import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import type { MethodConfig } from "./method-config.js";

/** What a resolver decides about one call (gRFC A31). */
export interface Selection {
  /** Every code but OK ends the call. */
  readonly code: Status;
  readonly details: string;
  /** Its timeout, wait-for-ready and attempts apply; its message sizes do not. */
  readonly config: MethodConfig;
  /** Passed to the pickers of a program's own policy. */
  readonly pickInformation: Record<string, string>;
  /** Makes the metadata to send, asynchronously; a rejection `{code, details}` ends the call. */
  readonly metadata: ((metadata: Metadata) => Promise<Metadata>) | null;
  /** Called once: when the call is committed to one attempt, or has ended. */
  readonly committed: (() => void) | null;
}

/** A resolver's rules for calls. */
export interface CallSelector {
  select(path: string, metadata: Metadata): Selection;
  /** Another selector replaces this one. */
  release(): void;
}
