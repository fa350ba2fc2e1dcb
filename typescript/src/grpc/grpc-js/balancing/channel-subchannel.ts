import { channelzId } from "../../channelz/roll.js";
import { ConnectivityState } from "../../client/connectivity.js";
import { addressToString } from "../../client/address.js";
import type { Subchannel } from "../../client/subchannel.js";
import { CallCredentials } from "../call-credentials.js";
import type { Channel } from "../channel.js";
import type { ConnectivityStateListener, DataWatcher, SubchannelInterface, SubchannelRef } from "./subchannel-interface.js";

const { IDLE, CONNECTING, TRANSIENT_FAILURE } = ConnectivityState;

/** What a subchannel takes from the policy that it belongs to. */
export interface SubchannelSource {
  readonly callCredentials: CallCredentials | null;
  /** The last reference to the subchannel is gone. */
  released(subchannel: ChannelSubchannel): void;
  /** A channel to an address alone. */
  channel(target: string): Channel;
}

/** A connection of a channel to one address, under grpc-js's names. All policies of the channel share it. */
export class ChannelSubchannel implements SubchannelInterface {
  readonly core: Subchannel;
  readonly #source: SubchannelSource;
  readonly #listeners = new Set<ConnectivityStateListener>();
  readonly #watchers = new Set<DataWatcher>();
  #state: ConnectivityState;
  #references = 0;
  /** Connects as soon as its back-off has ended. */
  #eager = false;
  #channel: Channel | null = null;

  constructor(core: Subchannel, source: SubchannelSource) {
    this.core = core;
    this.#source = source;
    this.#state = core.state;
  }

  getConnectivityState(): ConnectivityState {
    return this.#state;
  }

  addConnectivityStateListener(listener: ConnectivityStateListener): void {
    this.#listeners.add(listener);
  }

  removeConnectivityStateListener(listener: ConnectivityStateListener): void {
    this.#listeners.delete(listener);
  }

  startConnecting(): void {
    if (this.#state === TRANSIENT_FAILURE) this.#eager = true;
    else this.core.connect();
  }

  getAddress(): string {
    return addressToString(this.core.address).replace(/^unix:/, "");
  }

  /** Nothing: the connection slows down its PINGs itself. */
  throttleKeepalive(): void {
    // The session handles a server's `too_many_pings`.
  }

  ref(): void {
    this.#references += 1;
  }

  /** The last one lets go of the connection in the next turn, unless it is taken up before. */
  unref(): void {
    this.#references -= 1;
    if (this.#references > 0) return;
    process.nextTick(() => {
      if (this.#references > 0) return;
      for (const watcher of this.#watchers) watcher.destroy();
      this.#watchers.clear();
      this.#source.released(this);
      this.core.disconnect();
    });
  }

  getChannelzRef(): SubchannelRef {
    return { kind: "subchannel", id: channelzId(this.core), name: this.getAddress() };
  }

  isHealthy(): boolean {
    return true;
  }

  addHealthStateWatcher(): void {
    // Only wrappers can be unhealthy: `healthCheckConfig` is for our own policies.
  }

  removeHealthStateWatcher(): void {
    // As above.
  }

  addDataWatcher(dataWatcher: DataWatcher): void {
    dataWatcher.setSubchannel(this);
    this.#watchers.add(dataWatcher);
  }

  getRealSubchannel(): this {
    return this;
  }

  realSubchannelEquals(other: SubchannelInterface): boolean {
    return other.getRealSubchannel() === this;
  }

  getCallCredentials(): CallCredentials {
    return this.#source.callCredentials ?? CallCredentials.createEmpty();
  }

  getChannel(): Channel {
    return (this.#channel ??= this.#source.channel("path" in this.core.address ? `unix:${this.core.address.path}` : this.getAddress()));
  }

  /** The connection has changed. */
  changed(): void {
    const before = this.#state;
    const { state, failure } = this.core;
    if (state === before) return;
    this.#state = state;
    const eager = this.#eager && before === TRANSIENT_FAILURE && state === IDLE;
    if (state === CONNECTING) this.#eager = false;
    if (eager) {
      this.core.connect();
      return;
    }
    for (const listener of [...this.#listeners]) listener(this, before, state, -1, state === TRANSIENT_FAILURE ? failure : undefined);
  }

  /** The channel drops the subchannel: its calls go on. */
  close(): void {
    this.#listeners.clear();
    this.#channel?.close();
    this.core.close();
  }
}
