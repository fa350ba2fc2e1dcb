import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";

/** A call's own asynchronous context: what its handler enters does not concern the connection's other calls. */
export function callContext(): AsyncResource {
  return new AsyncResource("GrpcServerCall");
}

/**
 * Whether an AsyncResource keeps what is entered (`AsyncLocalStorage.enterWith`) while it runs a function. It does up
 * to Node 22. Since Node 24 it holds an immutable context (`AsyncContextFrame`), which must be captured again.
 */
export const KEEPS_ENTERED = keepsEntered();

function keepsEntered(): boolean {
  const storage = new AsyncLocalStorage<boolean>();
  const resource = new AsyncResource("GrpcProbe");
  resource.runInAsyncScope(() => {
    storage.enterWith(true);
  });
  const kept = resource.runInAsyncScope(() => storage.getStore() === true);
  storage.disable();
  return kept;
}

/**
 * Runs what begins a handler, and returns the context for the later events of the call: it holds what the handler has
 * entered.
 */
export function enter(context: AsyncResource, begin: () => void): AsyncResource {
  if (KEEPS_ENTERED) {
    context.runInAsyncScope(begin);
    return context;
  }
  return context.runInAsyncScope(() => {
    begin();
    return callContext();
  });
}
