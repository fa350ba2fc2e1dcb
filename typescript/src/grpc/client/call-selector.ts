import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import type { MethodConfig } from "./method-config.js";

/** What a resolver decides about one call (gRFC A31). */
export interface Selection {
  /** Any other than OK ends the call. */
  readonly code: Status;
  readonly details: string;
  /** Its timeout, its waiting for a connection and its attempts count; its sizes do not. */
  readonly config: MethodConfig;
  /** What pickers of a program's own policy are told. */
  readonly pickInformation: Record<string, string>;
  /** Makes the metadata to send, later; a rejection `{code, details}` ends the call. */
  readonly metadata: ((metadata: Metadata) => Promise<Metadata>) | null;
  /** Called once: when the call stays with one attempt, or has ended. */
  readonly committed: (() => void) | null;
}

/** A resolver's rules for calls. */
export interface CallSelector {
  select(path: string, metadata: Metadata): Selection;
  /** Another one takes its place. */
  release(): void;
}
