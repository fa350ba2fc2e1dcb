import { ConnectivityState } from "../../client/connectivity.js";
import type { ChannelOptions } from "../channel-options.js";
import { statusOrFromValue, type Endpoint } from "../grpc-uri.js";
import { createChildChannelControlHelper, type ChannelControlHelper } from "./load-balancer.js";
import { OwnConfig, OwnLoadBalancer } from "./own-policies.js";
import { QueuePicker, type Picker } from "./picker.js";

const PICK_FIRST = new OwnConfig({ name: "pick_first", shuffle: false }, "pick_first", {});

/** `pick_first` for one endpoint, for policies that choose among endpoints. It connects on request. */
export class LeafLoadBalancer {
  readonly #policy: OwnLoadBalancer;
  readonly #note: string;
  #endpoint: Endpoint;
  #options: ChannelOptions;
  #state: ConnectivityState = ConnectivityState.IDLE;
  #picker: Picker;

  constructor(endpoint: Endpoint, channelControlHelper: ChannelControlHelper, options: ChannelOptions, resolutionNote: string) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#note = resolutionNote;
    const helper = createChildChannelControlHelper(channelControlHelper, {
      updateState: (state, picker, errorMessage) => {
        this.#state = state;
        this.#picker = picker;
        channelControlHelper.updateState(state, picker, errorMessage);
      },
    });
    this.#policy = new OwnLoadBalancer(helper);
    this.#picker = new QueuePicker(this);
  }

  startConnecting(): void {
    this.#policy.updateAddressList(statusOrFromValue([this.#endpoint]), PICK_FIRST, this.#options, this.#note);
  }

  /** Connects to the other endpoint if it has connected before. */
  updateEndpoint(newEndpoint: Endpoint, newOptions: ChannelOptions): void {
    this.#endpoint = newEndpoint;
    this.#options = newOptions;
    if (this.#state !== ConnectivityState.IDLE) this.startConnecting();
  }

  getConnectivityState(): ConnectivityState {
    return this.#state;
  }

  getPicker(): Picker {
    return this.#picker;
  }

  getEndpoint(): Endpoint {
    return this.#endpoint;
  }

  exitIdle(): void {
    this.#policy.exitIdle();
  }

  destroy(): void {
    this.#policy.destroy();
  }
}
