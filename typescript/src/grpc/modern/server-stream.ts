import type { Metadata } from "../protocol/metadata.js";
import type { PartialStatusObject } from "../protocol/status.js";
import { thrownStatus } from "../server/error-status.js";
import type { HandlerContext } from "./handler-context.js";

/** The writing side of a server's streaming call. */
export interface Answering {
  readonly cancelled: boolean;
  write(message: unknown): boolean;
  end(trailers?: Metadata): unknown;
  emit(event: "error", status: PartialStatusObject): boolean;
  once(event: "drain" | "cancelled", listener: () => void): unknown;
  removeListener(event: "drain" | "cancelled", listener: () => void): unknown;
}

/**
 * Writes the messages of a handler's iterable, as fast as the peer reads them. If the call ends early, the iterable is
 * stopped at its next step: a generator's `finally` runs.
 */
export async function sendMessages(call: Answering, handler: () => Promise<unknown>, context: HandlerContext): Promise<void> {
  try {
    const messages = (await handler()) as AsyncIterable<unknown> | Iterable<unknown>;
    for await (const message of messages) {
      if (call.cancelled) return;
      if (!call.write(message)) await room(call);
      // The generator does not produce a message that could not be sent.
      if (isOver(call)) return;
    }
    call.end(context.trailers);
  } catch (error) {
    if (!call.cancelled) call.emit("error", thrownStatus(error, context.path));
  }
}

/** Whether the call has ended meanwhile. */
function isOver(call: Answering): boolean {
  return call.cancelled;
}

/** Resolves when there is room for more, or when the call has ended. */
function room(call: Answering): Promise<void> {
  if (call.cancelled) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      call.removeListener("drain", done);
      call.removeListener("cancelled", done);
      resolve();
    };
    call.once("drain", done);
    call.once("cancelled", done);
  });
}
