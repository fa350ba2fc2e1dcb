import { Alarm } from "../../../transport/alarm.js";
import { clock } from "../../../transport/clock.js";
import { addressToString, interleave, type Address } from "../../client/address.js";
import type { Balancer } from "../../client/balancer.js";
import { makeBalancer } from "../../client/balancing.js";
import { ConnectivityState } from "../../client/connectivity.js";
import type { CountedEndpoint } from "../../client/outlier-detection.js";
import { loadSource, parsePolicy, type Policy } from "../../client/policy.js";
import { loadReport } from "../../orca/load-report.js";
import type { ChannelOptions } from "../channel-options.js";
import type { Endpoint, StatusOr } from "../grpc-uri.js";
import { addLoadBalancerType, type ChannelControlHelper, type LoadBalancer, type TypedLoadBalancingConfig } from "./load-balancer.js";
import { OutlierConfig, OutlierLoadBalancer } from "./outlier-policy.js";
import { PickResultType, QUEUED, QueuePicker, UnavailablePicker, type OnCallEnded, type PickResult } from "./picker.js";
import type { ConnectivityStateListener, HealthListener, SubchannelInterface } from "./subchannel-interface.js";

const { IDLE, READY, TRANSIENT_FAILURE } = ConnectivityState;

/** One address of a policy of ours that works for a program's policy: its subchannel comes from there. */
class PolicyEndpoint implements CountedEndpoint {
  readonly statistics = { callsSucceeded: 0, callsFailed: 0 };
  failure = "";
  readonly #make: () => SubchannelInterface;
  readonly #changed: (endpoint: PolicyEndpoint) => void;
  readonly #heedsHealth: boolean;
  #subchannel: SubchannelInterface | null = null;

  /** @param heedsHealth `pick_first` keeps an unhealthy connection: it has no other (gRFC A50) */
  constructor(make: () => SubchannelInterface, changed: (endpoint: PolicyEndpoint) => void, heedsHealth: boolean) {
    this.#make = make;
    this.#changed = changed;
    this.#heedsHealth = heedsHealth;
  }

  get subchannel(): SubchannelInterface | null {
    return this.#subchannel;
  }

  /** An unhealthy connection is as good as none. */
  get state(): ConnectivityState {
    const state = this.#subchannel?.getConnectivityState() ?? IDLE;
    return state === READY && this.#heedsHealth && this.#subchannel?.isHealthy() === false ? TRANSIENT_FAILURE : state;
  }

  connect(): void {
    if (this.#subchannel === null) {
      this.#subchannel = this.#make();
      this.#subchannel.ref();
      this.#subchannel.addConnectivityStateListener(this.#listener);
      this.#subchannel.addHealthStateWatcher(this.#judged);
      // A shared subchannel may have left IDLE already.
      if (this.state !== IDLE) this.#changed(this);
    }
    if (this.state === IDLE) this.#subchannel.startConnecting();
  }

  disconnect(): void {
    const subchannel = this.#subchannel;
    this.#subchannel = null;
    subchannel?.removeConnectivityStateListener(this.#listener);
    subchannel?.removeHealthStateWatcher(this.#judged);
    subchannel?.unref();
  }

  readonly #judged: HealthListener = (healthy) => {
    if (!healthy) this.failure = "put aside by outlier detection";
    this.#changed(this);
  };

  readonly #listener: ConnectivityStateListener = (_subchannel, _before, _state, _keepalive, message) => {
    if (message !== undefined) this.failure = message;
    this.#changed(this);
  };
}

/** The configuration of a policy of ours. */
export class OwnConfig implements TypedLoadBalancingConfig {
  constructor(
    readonly policy: Policy,
    readonly name: string,
    readonly json: object,
  ) {}

  getLoadBalancerName(): string {
    return this.name;
  }

  toJsonObject(): object {
    return { [this.name]: this.json };
  }
}

/** A policy of ours under grpc-js's interface, for policies of programs that have it as a child. */
export class OwnLoadBalancer implements LoadBalancer {
  readonly #helper: ChannelControlHelper;
  readonly #alarm = new Alarm(() => {
    this.#balancer?.expire(clock.now());
    this.#arm();
  });
  #balancer: Balancer<PolicyEndpoint> | null = null;
  #config: OwnConfig | null = null;
  #endpoints = new Map<string, PolicyEndpoint>();
  /** The reports of calls are read. */
  #watched = false;

  constructor(channelControlHelper: ChannelControlHelper) {
    this.#helper = channelControlHelper;
  }

  updateAddressList(endpointList: StatusOr<Endpoint[]>, lbConfig: TypedLoadBalancingConfig, options: ChannelOptions, resolutionNote: string): boolean {
    if (!(lbConfig instanceof OwnConfig)) throw new TypeError("the configuration must be one that parseLoadBalancingConfig returned");
    if (!endpointList.ok) {
      const { code, details } = endpointList.error;
      if (this.#balancer === null) this.#helper.updateState(TRANSIENT_FAILURE, new UnavailablePicker({ code, details }), details);
      return true;
    }
    const addresses = endpointList.value.flatMap((endpoint) => endpoint.addresses);
    if (JSON.stringify(lbConfig.json) !== JSON.stringify(this.#config?.json)) this.#balancer = null;
    this.#config = lbConfig;
    this.#watched = loadSource(lbConfig.policy) !== "none";
    this.#balancer ??= makeBalancer<PolicyEndpoint>(lbConfig.policy, this.#host, Math.random);
    const before = this.#endpoints;
    this.#endpoints = new Map(interleave(addresses).map((address) => [addressToString(address), before.get(addressToString(address)) ?? this.#endpoint(address, options)]));
    this.#balancer.resolved([...this.#endpoints.values()], clock.now());
    for (const [name, endpoint] of before) if (!this.#endpoints.has(name)) endpoint.disconnect();
    if (addresses.length === 0) {
      const details = `No addresses resolved${resolutionNote === "" ? "" : `. Resolution note: ${resolutionNote}`}`;
      this.#helper.updateState(TRANSIENT_FAILURE, new UnavailablePicker({ details }), details);
    }
    this.#arm();
    return addresses.length > 0;
  }

  exitIdle(): void {
    this.#balancer?.wake(clock.now());
    this.#arm();
  }

  resetBackoff(): void {
    // Connections keep their back-off: a policy cannot shorten it.
  }

  destroy(): void {
    this.#alarm.clear();
    this.#balancer = null;
    for (const endpoint of this.#endpoints.values()) endpoint.disconnect();
    this.#endpoints.clear();
  }

  getTypeName(): string {
    return this.#config?.name ?? "pick_first";
  }

  readonly #host = {
    updated: (): void => {
      this.#update();
    },
    reresolve: (): void => {
      this.#helper.requestReresolution();
    },
  };

  #endpoint(address: Address, options: ChannelOptions): PolicyEndpoint {
    return new PolicyEndpoint(
      () => this.#helper.createSubchannel(address, options),
      (endpoint) => {
        this.#balancer?.changed(endpoint, clock.now());
        this.#arm();
      },
      this.#config?.policy.name !== "pick_first",
    );
  }

  #arm(): void {
    const due = this.#balancer?.due ?? Infinity;
    if (due === Infinity) this.#alarm.clear();
    else this.#alarm.set(Math.max(due - clock.now(), 0));
  }

  #update(): void {
    const balancer = this.#balancer;
    if (balancer === null) return;
    const { state, failure } = balancer;
    if (state === READY) {
      this.#helper.updateState(state, { pick: () => this.#pick() }, null);
    } else if (state === TRANSIENT_FAILURE) {
      const details = `No connection established. Last error: ${failure}`;
      this.#helper.updateState(state, new UnavailablePicker({ details }), details);
    } else {
      this.#helper.updateState(state, new QueuePicker(this), null);
    }
  }

  #pick(): PickResult {
    const endpoint = this.#balancer?.pick() ?? null;
    const subchannel = endpoint?.subchannel ?? null;
    if (endpoint === null || subchannel === null) return QUEUED;
    return { ...QUEUED, pickResultType: PickResultType.COMPLETE, subchannel, onCallEnded: this.#watched ? this.#ended(endpoint) : null };
  }

  #ended(endpoint: PolicyEndpoint): OnCallEnded {
    return (_code, _details, metadata) => {
      const report = this.#balancer?.reported === undefined ? null : loadReport(metadata);
      if (report !== null) this.#balancer?.reported?.(endpoint, report, clock.now());
    };
  }
}

addLoadBalancerType("outlier_detection", { LoadBalancer: OutlierLoadBalancer, LoadBalancingConfig: OutlierConfig });
for (const name of ["pick_first", "round_robin", "weighted_round_robin"]) {
  addLoadBalancerType(name, {
    LoadBalancer: OwnLoadBalancer,
    LoadBalancingConfig: class extends OwnConfig {
      static createFromJson(json: object): OwnConfig {
        return new OwnConfig(parsePolicy({ loadBalancingConfig: [{ [name]: json }] })!, name, json);
      }
    },
  });
}
