import { Metadata } from "../../protocol/metadata.js";
import { Status, type StatusObject } from "../../protocol/status.js";
import type { SubchannelInterface } from "./subchannel-interface.js";

export enum PickResultType {
  COMPLETE,
  QUEUE,
  TRANSIENT_FAILURE,
  DROP,
}

/** Called once when a call's stream is over. */
export type OnCallEnded = (statusCode: Status, details: string, metadata: Metadata) => void;

/** What a policy answers for a call. */
export interface PickResult {
  pickResultType: PickResultType;
  /** Set for COMPLETE; null drops the call. */
  subchannel: SubchannelInterface | null;
  /** Set for TRANSIENT_FAILURE and DROP: how the call fails. */
  status: StatusObject | null;
  onCallStarted: (() => void) | null;
  onCallEnded: OnCallEnded | null;
}

export interface PickArgs {
  metadata: Metadata;
  extraPickInfo: Record<string, string>;
}

/** The present choice of a policy, which replaces it by another as things change. */
export interface Picker {
  pick(pickArgs: PickArgs): PickResult;
}

export const QUEUED: PickResult = { pickResultType: PickResultType.QUEUE, subchannel: null, status: null, onCallStarted: null, onCallEnded: null };

/** Fails calls that do not wait for a connection. */
export class UnavailablePicker implements Picker {
  readonly #status: StatusObject;

  constructor(status?: Partial<StatusObject>) {
    this.#status = { code: Status.UNAVAILABLE, details: "No connection established", metadata: new Metadata(), ...status };
  }

  pick(_pickArgs: PickArgs): PickResult {
    return { ...QUEUED, pickResultType: PickResultType.TRANSIENT_FAILURE, status: this.#status };
  }
}

/** Queues calls, or passes them to another picker. The first call makes the policy connect. */
export class QueuePicker implements Picker {
  readonly #loadBalancer: { exitIdle(): void };
  readonly #child: Picker | null;
  #asked = false;

  constructor(loadBalancer: { exitIdle(): void }, childPicker?: Picker) {
    this.#loadBalancer = loadBalancer;
    this.#child = childPicker ?? null;
  }

  pick(pickArgs: PickArgs): PickResult {
    if (!this.#asked) {
      this.#asked = true;
      process.nextTick(() => {
        this.#loadBalancer.exitIdle();
      });
    }
    return this.#child?.pick(pickArgs) ?? QUEUED;
  }
}
