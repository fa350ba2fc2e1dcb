import { Writable } from "node:stream";

/* What a stream owes its writer once its call has ended, though the writer has not: nothing that is written goes out. */

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
 * Refuses a message: its call has ended. Its callback comes in a later turn of the event loop: one that writes the next
 * message, whatever became of this one, must not keep the program from learning of the end.
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

/** No 'drain' from now on: the messages that waited are dropped, which leaves no room for others. */
export function silenceDrain(stream: { emit: Emit }): void {
  const emit = stream.emit.bind(stream);
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => event !== "drain" && emit(event, ...values);
}
