import { Writable } from "node:stream";

/* How a stream behaves once its call has ended and its writer has not: it sends nothing more. */

const writable = Object.getOwnPropertyDescriptor(Writable.prototype, "writable")!;

/** Makes `writable` of a class's streams false as soon as their call has ended, and not only once they are destroyed. */
export function tellWritable<S extends Writable>(prototype: S, over: (stream: S) => boolean): void {
  Object.defineProperty(prototype, "writable", {
    configurable: true,
    get(this: S): boolean {
      return (writable.get!.call(this) as boolean) && !over(this);
    },
    set(this: S, value: boolean): void {
      writable.set!.call(this, value);
    },
  });
}

/**
 * Refuses a message of a call that has ended. Its callback runs in a later turn of the event loop: a callback that
 * writes the next message must not keep the program from the call's status.
 *
 * @param rest the other arguments of `write`
 * @returns false, for `write`: a writer stops there
 */
export function refuseWrite(rest: readonly unknown[]): false {
  const callback = rest.find((argument) => typeof argument === "function") as ((error: Error) => void) | undefined;
  if (callback !== undefined) setImmediate(callback, new Error("The call has ended: the message was not sent"));
  return false;
}

type Emit = (event: string | symbol, ...values: unknown[]) => boolean;

/** Suppresses 'drain' from now on. Dropping the messages that waited would emit it, and writers would go on. */
export function silenceDrain(stream: { emit: Emit }): void {
  const emit = stream.emit.bind(stream);
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => event !== "drain" && emit(event, ...values);
}
