import { Alarm } from "../../../transport/alarm.js";
import { clock } from "../../../transport/clock.js";
import type { Balancer } from "../../client/balancer.js";
import { ConnectivityState } from "../../client/connectivity.js";
import { OutlierDetection, type CountedEndpoint, type Guarded } from "../../client/outlier-detection.js";
import { ejects, parseOutlierOptions, type OutlierOptions } from "../../client/policy.js";
import { Status } from "../../protocol/status.js";
import type { ChannelOptions } from "../channel-options.js";
import type { Endpoint, StatusOr, SubchannelAddress } from "../grpc-uri.js";
import type { LoadBalancingConfig } from "../service-config.js";
import { ChildLoadBalancerHandler } from "./child-handler.js";
import { EndpointMap } from "./endpoint-map.js";
import { createChildChannelControlHelper, selectLbConfigFromList, type ChannelControlHelper, type LoadBalancer, type TypedLoadBalancingConfig } from "./load-balancer.js";
import type { Picker, PickArgs, PickResult } from "./picker.js";
import { BaseSubchannelWrapper, type SubchannelInterface } from "./subchannel-interface.js";

/** The calls of one endpoint, and the subchannels that are unhealthy while it is ejected. */
class WatchedEndpoint implements CountedEndpoint {
  readonly statistics = { callsSucceeded: 0, callsFailed: 0 };
  readonly state = ConnectivityState.READY;
  readonly failure = "";
  readonly #subchannels = new Set<WatchedSubchannel>();
  #ejected = false;

  get ejected(): boolean {
    return this.#ejected;
  }

  add(subchannel: WatchedSubchannel): void {
    this.#subchannels.add(subchannel);
  }

  remove(subchannel: WatchedSubchannel): void {
    this.#subchannels.delete(subchannel);
  }

  eject(ejected: boolean): void {
    this.#ejected = ejected;
    for (const subchannel of this.#subchannels) subchannel.eject(ejected);
  }

  connect(): void {
    // The child policy connects.
  }

  disconnect(): void {
    // As above.
  }
}

/** A subchannel that knows its endpoint; null for an address outside the list. */
class WatchedSubchannel extends BaseSubchannelWrapper {
  constructor(
    child: SubchannelInterface,
    readonly endpoint: WatchedEndpoint | null,
  ) {
    super(child);
    endpoint?.add(this);
    if (endpoint?.ejected === true) this.setHealthy(false);
  }

  get wrapped(): SubchannelInterface {
    return this.child;
  }

  eject(ejected: boolean): void {
    this.setHealthy(!ejected);
  }

  protected override destroy(): void {
    this.endpoint?.remove(this);
    super.destroy();
  }
}

/** The child of `OutlierDetection` here: it chooses no endpoint, and passes ejections on to the endpoints. */
const EJECTION: Balancer<Guarded<WatchedEndpoint>> = {
  state: ConnectivityState.READY,
  failure: "",
  due: Infinity,
  resolved: () => undefined,
  changed: ({ inner, ejected }) => {
    inner.eject(ejected !== null);
  },
  expire: () => undefined,
  wake: () => undefined,
  pick: () => null,
};

const SILENT = { updated: (): void => undefined, reresolve: (): void => undefined };

/** The configuration of `outlier_detection`. */
export class OutlierConfig implements TypedLoadBalancingConfig {
  constructor(
    readonly json: object,
    readonly options: OutlierOptions,
    readonly child: TypedLoadBalancingConfig,
  ) {}

  getLoadBalancerName(): string {
    return "outlier_detection";
  }

  toJsonObject(): object {
    return { outlier_detection: this.json };
  }

  static createFromJson(json: Record<string, unknown>): OutlierConfig {
    const options = parseOutlierOptions(json);
    const children = json["childPolicy"] ?? json["child_policy"];
    if (!Array.isArray(children)) throw new Error("Invalid outlier_detection: childPolicy must be an array");
    const child = selectLbConfigFromList(children as LoadBalancingConfig[]);
    if (child === null) throw new Error("Invalid outlier_detection: no known policy in childPolicy");
    if (child.getLoadBalancerName() === "pick_first") throw new Error("Invalid outlier_detection: childPolicy cannot be pick_first");
    return new OutlierConfig(json, options, child);
  }
}

/** `outlier_detection` (gRFC A50) with any policy as its child: subchannels of ejected endpoints are unhealthy. */
export class OutlierLoadBalancer implements LoadBalancer {
  readonly #child: ChildLoadBalancerHandler;
  readonly #alarm = new Alarm(() => {
    this.#judge?.expire(clock.now());
    this.#arm();
  });
  readonly #endpoints = new EndpointMap<WatchedEndpoint>();
  #judge: OutlierDetection<WatchedEndpoint> | null = null;
  #options = "";

  constructor(helper: ChannelControlHelper) {
    this.#child = new ChildLoadBalancerHandler(
      createChildChannelControlHelper(helper, {
        createSubchannel: (address, options) => this.#subchannel(helper.createSubchannel(address, options), address),
        updateState: (state, picker, errorMessage) => {
          helper.updateState(state, state === ConnectivityState.READY ? new CountingPicker(picker) : picker, errorMessage);
        },
      }),
    );
  }

  updateAddressList(endpointList: StatusOr<Endpoint[]>, lbConfig: TypedLoadBalancingConfig, options: ChannelOptions, resolutionNote: string): boolean {
    if (!(lbConfig instanceof OutlierConfig)) throw new TypeError("the configuration must be one that parseLoadBalancingConfig returned");
    if (endpointList.ok) {
      for (const endpoint of endpointList.value) if (!this.#endpoints.has(endpoint)) this.#endpoints.set(endpoint, new WatchedEndpoint());
      this.#endpoints.deleteMissing(endpointList.value);
      this.#watch(lbConfig.options);
    }
    return this.#child.updateAddressList(endpointList, lbConfig.child, options, resolutionNote);
  }

  exitIdle(): void {
    this.#child.exitIdle();
  }

  resetBackoff(): void {
    this.#child.resetBackoff();
  }

  destroy(): void {
    this.#alarm.clear();
    this.#judge = null;
    this.#child.destroy();
    this.#endpoints.clear();
  }

  getTypeName(): string {
    return "outlier_detection";
  }

  /** Other options begin anew: nothing is ejected. */
  #watch(options: OutlierOptions): void {
    const text = JSON.stringify(options);
    if (text !== this.#options) {
      for (const endpoint of this.#endpoints.values()) if (endpoint.ejected) endpoint.eject(false);
      this.#judge = ejects(options) ? new OutlierDetection(options, () => EJECTION, SILENT, Math.random) : null;
      this.#options = text;
    }
    this.#judge?.resolved([...this.#endpoints.values()], clock.now());
    this.#arm();
  }

  #arm(): void {
    const due = this.#judge?.due ?? Infinity;
    if (due === Infinity) this.#alarm.clear();
    else this.#alarm.set(Math.max(due - clock.now(), 0));
  }

  #subchannel(child: SubchannelInterface, address: SubchannelAddress): SubchannelInterface {
    return new WatchedSubchannel(child, this.#endpoints.getForSubchannelAddress(address) ?? null);
  }
}

/** Unwraps subchannels, and counts how their calls end. */
class CountingPicker implements Picker {
  readonly #child: Picker;

  constructor(child: Picker) {
    this.#child = child;
  }

  pick(pickArgs: PickArgs): PickResult {
    const picked = this.#child.pick(pickArgs);
    const { subchannel, onCallEnded } = picked;
    if (!(subchannel instanceof WatchedSubchannel)) return picked;
    const statistics = subchannel.endpoint?.statistics;
    if (statistics === undefined) return { ...picked, subchannel: subchannel.wrapped };
    return {
      ...picked,
      subchannel: subchannel.wrapped,
      onCallEnded: (code, details, metadata) => {
        if (code === Status.OK) statistics.callsSucceeded += 1;
        else statistics.callsFailed += 1;
        onCallEnded?.(code, details, metadata);
      },
    };
  }
}
