import { EventEmitter } from "node:events";

function nothing(): void {
  // Leaves out the constructor of EventEmitter.
}
Object.setPrototypeOf(nothing.prototype, EventEmitter.prototype);

/**
 * An EventEmitter that makes its table of listeners when the first one is added, as Node supports for old-style
 * classes. Most unary calls never have one, and the table costs more than the rest of the call object.
 */
export const LazyEmitter = nothing as unknown as typeof EventEmitter;

// Compared, never called.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { emit } = EventEmitter.prototype;

/** Whether an event has a receiver: a listener, or an instrumentation that has put its own `emit` on the object. */
export function heard(emitter: EventEmitter, event: string): boolean {
  return emitter.listenerCount(event) > 0 || emitter.emit !== emit;
}
