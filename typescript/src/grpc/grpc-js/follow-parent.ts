import type { Call } from "../client/call.js";
import { Status } from "../protocol/status.js";
import type { CallOptions } from "./interceptor-types.js";
import { Propagate } from "./propagation.js";

/** Cancels `call` together with its parent call. @returns a function that undoes this once the call has ended */
export function followParent(call: Pick<Call, "cancel">, options: CallOptions): (() => void) | null {
  const { parent, propagate_flags: flags } = options;
  if (parent === undefined || ((flags ?? Propagate.DEFAULTS) & Propagate.CANCELLATION) === 0) return null;
  const cancel = (): void => {
    call.cancel(Status.CANCELLED, "Cancelled by parent call");
  };
  if (parent.cancelled === true) {
    cancel();
    return null;
  }
  parent.on("cancelled", cancel);
  return () => {
    parent.removeListener("cancelled", cancel);
  };
}
