import { EventEmitter } from "node:events";

function nothing(): void {
  // The constructor of EventEmitter is what is left out.
}
Object.setPrototypeOf(nothing.prototype, EventEmitter.prototype);

/**
 * An EventEmitter that makes its table of listeners when the first one is added, as Node supports for old-style
 * classes. Most unary calls never have one, and the table costs more than the rest of the call object.
 */
export const LazyEmitter = nothing as unknown as typeof EventEmitter;
