import type { Channel } from "../client/channel.js";
import type { Endpoint } from "../server/endpoint.js";

let last = 0;
const ids = new WeakMap<object, number>();

/** Returns the channelz id of an object: the same for its whole life, never reused. */
export function channelzId(thing: object): number {
  let id = ids.get(thing);
  if (id === undefined) {
    last += 1;
    id = last;
    ids.set(thing, id);
  }
  return id;
}

/** The live objects of a kind, by weak references. */
export class Roll<T extends object> {
  readonly #entries = new Map<number, WeakRef<T>>();
  readonly #forgotten = new FinalizationRegistry<number>((id) => this.#entries.delete(id));

  add(thing: T): void {
    const id = channelzId(thing);
    this.#entries.set(id, new WeakRef(thing));
    this.#forgotten.register(thing, id, thing);
  }

  remove(thing: T): void {
    this.#entries.delete(channelzId(thing));
    this.#forgotten.unregister(thing);
  }

  get(id: number): T | undefined {
    return this.#entries.get(id)?.deref();
  }

  /** All of them, the oldest first. */
  all(): T[] {
    return [...this.#entries.values()].map((entry) => entry.deref()).filter((thing) => thing !== undefined);
  }
}

/** The channels and servers of this thread that have channelz on and are not closed. */
export const channels = new Roll<Channel>();
export const servers = new Roll<Endpoint>();
