import type { Metadata } from "../protocol/metadata.js";
import type { StatusObject } from "../protocol/status.js";
import type { FullListener, InterceptingListener, Listener, MetadataListener, MessageListener, StatusListener } from "./interceptor-types.js";

/** Collects the handlers of a `Listener`. */
export class ListenerBuilder {
  readonly #listener: Listener = {};

  withOnReceiveMetadata(handler: MetadataListener): this {
    this.#listener.onReceiveMetadata = handler;
    return this;
  }

  withOnReceiveMessage(handler: MessageListener): this {
    this.#listener.onReceiveMessage = handler;
    return this;
  }

  withOnReceiveStatus(handler: StatusListener): this {
    this.#listener.onReceiveStatus = handler;
    return this;
  }

  build(): Listener {
    return { ...this.#listener };
  }
}

/** Returns whether a listener's handlers take no `next`: it is the end of a chain. */
export function isInterceptingListener(listener: Listener | InterceptingListener): listener is InterceptingListener {
  return listener.onReceiveMetadata !== undefined && listener.onReceiveMetadata.length === 1;
}

/** Returns a listener with pass-through handlers for the missing ones. */
export function fullListener(listener: Listener): FullListener {
  return {
    onReceiveMetadata: listener.onReceiveMetadata?.bind(listener) ?? ((metadata, next) => { next(metadata); }),
    onReceiveMessage: listener.onReceiveMessage?.bind(listener) ?? ((message, next) => { next(message); }),
    onReceiveStatus: listener.onReceiveStatus?.bind(listener) ?? ((status, next) => { next(status); }),
  };
}

/**
 * Puts a listener with `next` before one without. However long its handlers take, metadata comes before messages and
 * the status last.
 */
export class ChainedListener implements InterceptingListener {
  readonly #listener: FullListener;
  readonly #following: InterceptingListener;
  #metadataPending = false;
  #messagesPending = 0;
  readonly #buffered: unknown[] = [];
  #status: StatusObject | null = null;

  constructor(listener: FullListener, following: InterceptingListener) {
    this.#listener = listener;
    this.#following = following;
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#metadataPending = true;
    this.#listener.onReceiveMetadata(metadata, (changed) => {
      this.#metadataPending = false;
      this.#following.onReceiveMetadata(changed);
      for (const message of this.#buffered.splice(0)) this.#following.onReceiveMessage(message);
      this.#finish();
    });
  }

  onReceiveMessage(message: unknown): void {
    this.#messagesPending += 1;
    this.#listener.onReceiveMessage(message, (changed: unknown) => {
      this.#messagesPending -= 1;
      if (this.#metadataPending) this.#buffered.push(changed);
      else this.#following.onReceiveMessage(changed);
      this.#finish();
    });
  }

  onReceiveStatus(status: StatusObject): void {
    this.#listener.onReceiveStatus(status, (changed) => {
      this.#status = changed;
      this.#finish();
    });
  }

  #finish(): void {
    if (this.#status === null || this.#metadataPending || this.#messagesPending > 0) return;
    const status = this.#status;
    this.#status = null;
    this.#following.onReceiveStatus(status);
  }
}
