import { log, LogVerbosity } from "../../logging.js";
import type { ConnectivityState } from "../../client/connectivity.js";
import { thrownText } from "../../protocol/thrown.js";
import type { ChannelRef } from "../channel.js";
import type { ChannelOptions } from "../channel-options.js";
import type { Endpoint, StatusOr, SubchannelAddress } from "../grpc-uri.js";
import type { LoadBalancingConfig } from "../service-config.js";
import type { Picker } from "./picker.js";
import type { SubchannelInterface, SubchannelRef } from "./subchannel-interface.js";

/** A channel, or a policy's parent, as the policy sees it. */
export interface ChannelControlHelper {
  createSubchannel(subchannelAddress: SubchannelAddress, subchannelArgs: ChannelOptions): SubchannelInterface;
  /** The state or the picker has changed. */
  updateState(connectivityState: ConnectivityState, picker: Picker, errorMessage: string | null): void;
  requestReresolution(): void;
  addChannelzChild(child: ChannelRef | SubchannelRef): void;
  removeChannelzChild(child: ChannelRef | SubchannelRef): void;
}

/** A policy at work for one channel, or for the policy that made it. */
export interface LoadBalancer {
  /**
   * @param channelOptions those of the channel, with the resolver's attributes
   * @returns whether it takes the list
   */
  updateAddressList(endpointList: StatusOr<Endpoint[]>, lbConfig: TypedLoadBalancingConfig, channelOptions: ChannelOptions, resolutionNote: string): boolean;
  exitIdle(): void;
  resetBackoff(): void;
  destroy(): void;
  getTypeName(): string;
}

export type LoadBalancerConstructor = new (channelControlHelper: ChannelControlHelper) => LoadBalancer;

export interface TypedLoadBalancingConfig {
  getLoadBalancerName(): string;
  toJsonObject(): object;
}

/** `createFromJson` throws an Error for an invalid configuration. */
export interface TypedLoadBalancingConfigConstructor {
  // Each class has arguments of its own, and reads JSON of any form.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  new (...args: any[]): TypedLoadBalancingConfig;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  createFromJson(obj: any): TypedLoadBalancingConfig;
}

interface LoadBalancerType {
  readonly LoadBalancer: LoadBalancerConstructor;
  readonly LoadBalancingConfig: TypedLoadBalancingConfigConstructor;
}

const types = new Map<string, LoadBalancerType>();

/** Makes a policy known to other policies. */
export function addLoadBalancerType(name: string, type: LoadBalancerType): void {
  types.set(name, type);
}

export function isLoadBalancerNameRegistered(typeName: string): boolean {
  return types.has(typeName);
}

/** A policy for a configuration; null if its name is not registered. */
export function createLoadBalancer(config: TypedLoadBalancingConfig, helper: ChannelControlHelper): LoadBalancer | null {
  const type = types.get(config.getLoadBalancerName());
  return type === undefined ? null : new type.LoadBalancer(helper);
}

/** @throws Error for anything but one known name with a valid configuration */
export function parseLoadBalancingConfig(rawConfig: LoadBalancingConfig): TypedLoadBalancingConfig {
  const [name, ...others] = Object.keys(rawConfig);
  if (name === undefined || others.length > 0) throw new Error("Provided load balancing config has multiple conflicting entries");
  const type = types.get(name);
  if (type === undefined) throw new Error(`Unrecognized load balancing config name ${name}`);
  try {
    return type.LoadBalancingConfig.createFromJson(rawConfig[name]);
  } catch (error) {
    throw new Error(`${name}: ${thrownText(error)}`);
  }
}

/** The first configuration that can be parsed; without one that of `pick_first`, or null. */
export function selectLbConfigFromList(configs: LoadBalancingConfig[], fallbackToDefault = false): TypedLoadBalancingConfig | null {
  for (const config of configs) {
    try {
      return parseLoadBalancingConfig(config);
    } catch (error) {
      log(LogVerbosity.DEBUG, "Config parsing failed with error", error instanceof Error ? error.message : error);
    }
  }
  return fallbackToDefault ? parseLoadBalancingConfig({ pick_first: {} }) : null;
}

/** Returns a helper that passes calls on to its parent, except for those in `overrides`. */
export function createChildChannelControlHelper(parent: ChannelControlHelper, overrides: Partial<ChannelControlHelper>): ChannelControlHelper {
  const from = <Name extends keyof ChannelControlHelper>(name: Name): ChannelControlHelper[Name] =>
    (overrides[name]?.bind(overrides) ?? parent[name].bind(parent)) as ChannelControlHelper[Name];
  return {
    createSubchannel: from("createSubchannel"),
    updateState: from("updateState"),
    requestReresolution: from("requestReresolution"),
    addChannelzChild: from("addChannelzChild"),
    removeChannelzChild: from("removeChannelzChild"),
  };
}
