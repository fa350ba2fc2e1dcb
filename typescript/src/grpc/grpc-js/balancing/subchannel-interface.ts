import type { ConnectivityState } from "../../client/connectivity.js";
import type { CallCredentials } from "../call-credentials.js";
import type { Channel } from "../channel.js";

/** How channelz names one address of a channel. */
export interface SubchannelRef {
  kind: "subchannel";
  id: number;
  name: string;
}

export type ConnectivityStateListener = (
  subchannel: SubchannelInterface,
  previousState: ConnectivityState,
  newState: ConnectivityState,
  keepaliveTime: number,
  errorMessage?: string,
) => void;

export type HealthListener = (healthy: boolean) => void;

/** Watches a connection beside its calls; it is destroyed with the wrapper that it was added to. */
export interface DataWatcher {
  setSubchannel(subchannel: SubchannelInterface): void;
  destroy(): void;
}

/** A connection to one address, as policies see it; some wrap it, and unwrap it in their pickers. */
export interface SubchannelInterface {
  getConnectivityState(): ConnectivityState;
  addConnectivityStateListener(listener: ConnectivityStateListener): void;
  removeConnectivityStateListener(listener: ConnectivityStateListener): void;
  startConnecting(): void;
  getAddress(): string;
  throttleKeepalive(newKeepaliveTime: number): void;
  ref(): void;
  unref(): void;
  getChannelzRef(): SubchannelRef;
  isHealthy(): boolean;
  addHealthStateWatcher(listener: HealthListener): void;
  removeHealthStateWatcher(listener: HealthListener): void;
  addDataWatcher(dataWatcher: DataWatcher): void;
  /** What all wrappers wrap. */
  getRealSubchannel(): SubchannelInterface;
  realSubchannelEquals(other: SubchannelInterface): boolean;
  /** Those of the channel. */
  getCallCredentials(): CallCredentials;
  /** A channel to this address alone. Here it has a connection of its own. */
  getChannel(): Channel;
}

/** Passes all calls on to the wrapped subchannel. It is healthy while both are. */
export abstract class BaseSubchannelWrapper implements SubchannelInterface {
  readonly #healthListeners = new Set<HealthListener>();
  readonly #watchers = new Set<DataWatcher>();
  #healthy = true;
  #references = 0;

  constructor(protected child: SubchannelInterface) {
    child.addHealthStateWatcher(() => {
      if (this.#healthy) this.#tellHealth();
    });
  }

  getConnectivityState(): ConnectivityState {
    return this.child.getConnectivityState();
  }

  addConnectivityStateListener(listener: ConnectivityStateListener): void {
    this.child.addConnectivityStateListener(listener);
  }

  removeConnectivityStateListener(listener: ConnectivityStateListener): void {
    this.child.removeConnectivityStateListener(listener);
  }

  startConnecting(): void {
    this.child.startConnecting();
  }

  getAddress(): string {
    return this.child.getAddress();
  }

  throttleKeepalive(newKeepaliveTime: number): void {
    this.child.throttleKeepalive(newKeepaliveTime);
  }

  ref(): void {
    this.child.ref();
    this.#references += 1;
  }

  unref(): void {
    this.child.unref();
    this.#references -= 1;
    if (this.#references === 0) this.destroy();
  }

  protected destroy(): void {
    for (const watcher of this.#watchers) watcher.destroy();
  }

  getChannelzRef(): SubchannelRef {
    return this.child.getChannelzRef();
  }

  isHealthy(): boolean {
    return this.#healthy && this.child.isHealthy();
  }

  addHealthStateWatcher(listener: HealthListener): void {
    this.#healthListeners.add(listener);
  }

  removeHealthStateWatcher(listener: HealthListener): void {
    this.#healthListeners.delete(listener);
  }

  addDataWatcher(dataWatcher: DataWatcher): void {
    dataWatcher.setSubchannel(this.getRealSubchannel());
    this.#watchers.add(dataWatcher);
  }

  protected setHealthy(healthy: boolean): void {
    if (healthy === this.#healthy) return;
    this.#healthy = healthy;
    if (this.child.isHealthy()) this.#tellHealth();
  }

  getRealSubchannel(): SubchannelInterface {
    return this.child.getRealSubchannel();
  }

  realSubchannelEquals(other: SubchannelInterface): boolean {
    return this.getRealSubchannel() === other.getRealSubchannel();
  }

  getCallCredentials(): CallCredentials {
    return this.child.getCallCredentials();
  }

  getChannel(): Channel {
    return this.child.getChannel();
  }

  #tellHealth(): void {
    for (const listener of this.#healthListeners) listener(this.isHealthy());
  }
}
