import { ConnectivityState } from "../../client/connectivity.js";
import type { ChannelOptions } from "../channel-options.js";
import type { Endpoint, StatusOr } from "../grpc-uri.js";
import { createChildChannelControlHelper, createLoadBalancer, type ChannelControlHelper, type LoadBalancer, type TypedLoadBalancingConfig } from "./load-balancer.js";

/** Runs one child policy, and replaces it by another one as soon as that reports another state than CONNECTING. */
export class ChildLoadBalancerHandler implements LoadBalancer {
  readonly #helper: ChannelControlHelper;
  #current: LoadBalancer | null = null;
  #pending: LoadBalancer | null = null;
  #config: TypedLoadBalancingConfig | null = null;

  constructor(channelControlHelper: ChannelControlHelper) {
    this.#helper = channelControlHelper;
  }

  protected configUpdateRequiresNewPolicyInstance(oldConfig: TypedLoadBalancingConfig, newConfig: TypedLoadBalancingConfig): boolean {
    return oldConfig.getLoadBalancerName() !== newConfig.getLoadBalancerName();
  }

  /** @throws Error for a policy that is not registered */
  updateAddressList(endpointList: StatusOr<Endpoint[]>, lbConfig: TypedLoadBalancingConfig, options: ChannelOptions, resolutionNote: string): boolean {
    if (this.#current === null || this.#config === null) {
      this.#make(lbConfig, (child) => { this.#current = child; });
    } else if (this.configUpdateRequiresNewPolicyInstance(this.#config, lbConfig)) {
      this.#pending?.destroy();
      this.#make(lbConfig, (child) => { this.#pending = child; });
    }
    this.#config = lbConfig;
    return (this.#pending ?? this.#current)!.updateAddressList(endpointList, lbConfig, options, resolutionNote);
  }

  exitIdle(): void {
    this.#current?.exitIdle();
    this.#pending?.exitIdle();
  }

  resetBackoff(): void {
    this.#current?.resetBackoff();
    this.#pending?.resetBackoff();
  }

  destroy(): void {
    const children = [this.#current, this.#pending];
    // Updates from them are ignored from now on.
    this.#current = this.#pending = null;
    for (const child of children) child?.destroy();
  }

  getTypeName(): string {
    return "child_load_balancer_helper";
  }

  /** @param keep called before the policy can report a state */
  #make(config: TypedLoadBalancingConfig, keep: (child: LoadBalancer) => void): void {
    let child: LoadBalancer | null = null;
    const helper = createChildChannelControlHelper(this.#helper, {
      updateState: (state, picker, errorMessage) => {
        if (child !== null && child === this.#pending) {
          if (state === ConnectivityState.CONNECTING) return;
          this.#current?.destroy();
          this.#current = child;
          this.#pending = null;
        } else if (child === null || child !== this.#current) {
          return;
        }
        this.#helper.updateState(state, picker, errorMessage);
      },
      requestReresolution: () => {
        if (child !== null && child === (this.#pending ?? this.#current)) this.#helper.requestReresolution();
      },
    });
    child = createLoadBalancer(config, helper);
    if (child === null) throw new Error(`No load balancing policy is registered as ${config.getLoadBalancerName()}`);
    keep(child);
  }
}
