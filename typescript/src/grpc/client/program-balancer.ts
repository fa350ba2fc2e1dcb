import type { HeaderBlock } from "../http2/index.js";
import type { Metadata } from "../protocol/metadata.js";
import type { Status } from "../protocol/status.js";
import type { Address } from "./address.js";
import type { CallSelector, Selection } from "./call-selector.js";
import type { BalancerHost } from "./balancer.js";
import type { ConnectivityState } from "./connectivity.js";
import type { Subchannel } from "./subchannel.js";

/** The choice of a program's own policy for one attempt of a call. */
export type Choice =
  | {
      readonly kind: "use";
      readonly subchannel: Subchannel;
      readonly started: (() => void) | null;
      /** Called once when the attempt's stream is over. */
      readonly ended: ((code: Status, details: string, trailers: HeaderBlock | null) => void) | null;
    }
  /** The attempt waits for the next update. */
  | { readonly kind: "wait" }
  /** `final`: also for calls that wait for a connection, and without another attempt. */
  | { readonly kind: "fail"; readonly code: Status; readonly details: string; readonly final: boolean };

/** A resolver's result: servers with all their addresses, and settings. */
export interface Resolution {
  readonly endpoints: readonly { readonly addresses: readonly Address[] }[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly note: string;
  /** Configures each call. */
  readonly selector?: CallSelector | null;
}

/** An attempt of a call that has no connection yet. */
export interface Candidate {
  readonly call: { readonly metadata: Metadata | null; readonly selection: Pick<Selection, "pickInformation"> | null };
}

/** A channel, as a program's policy sees it. */
export interface ProgramHost extends BalancerHost {
  /** What the channel's settings have as `origin`. */
  readonly origin: unknown;
  /** A connection of the policy's own to an address. Its changes come to `changed`. */
  subchannel(address: Address): Subchannel;
  /** The state or the picks have changed: queued calls are tried again. */
  became(state: ConnectivityState): void;
}

/** A policy that a program has registered, at work for one channel. It makes its own connections, and chooses by call. */
export interface ProgramBalancer {
  /** Its present connections. */
  readonly subchannels: readonly Subchannel[];
  /** @param config what the policy's `parse` returned */
  resolved(resolution: Resolution, config: unknown): void;
  choose(candidate: Candidate): Choice;
  changed(subchannel: Subchannel): void;
  /** Leaves IDLE. */
  wake(): void;
  /** Drops the connections; their calls go on. */
  close(): void;
}

/** A policy as a program has registered it. */
export interface ProgramPolicyType {
  /** @throws Error for an invalid configuration */
  parse(options: unknown): unknown;
  /**
   * The configuration of a policy of ours with this one as its child, in place of what `parse` returned.
   * @throws Error for an invalid configuration
   */
  parseParent(name: string, options: unknown): unknown;
  make(host: ProgramHost): ProgramBalancer;
}

const registered = new Map<string, ProgramPolicyType>();

/** From now on service configurations may name the policy. */
export function registerProgramPolicy(name: string, type: ProgramPolicyType): void {
  registered.set(name, type);
}

export function programPolicy(name: string): ProgramPolicyType | null {
  return registered.get(name) ?? null;
}
