import { addressToString } from "../../client/address.js";
import { registerProgramPolicy, type Candidate, type Choice, type ProgramBalancer, type ProgramHost, type Resolution } from "../../client/program-balancer.js";
import { responseMetadata } from "../../client/response.js";
import type { Subchannel } from "../../client/subchannel.js";
import { Metadata } from "../../protocol/metadata.js";
import { Status } from "../../protocol/status.js";
import type { CallCredentials } from "../call-credentials.js";
import type { Channel } from "../channel.js";
import type { ChannelOptions } from "../channel-options.js";
import { statusOrFromValue, type SubchannelAddress } from "../grpc-uri.js";
import { ChannelSubchannel, type SubchannelSource } from "./channel-subchannel.js";
import { ChildLoadBalancerHandler } from "./child-handler.js";
import {
  addLoadBalancerType,
  parseLoadBalancingConfig,
  type ChannelControlHelper,
  type LoadBalancerConstructor,
  type TypedLoadBalancingConfig,
  type TypedLoadBalancingConfigConstructor,
} from "./load-balancer.js";
import { PickResultType, QUEUED, type Picker } from "./picker.js";

/** The channel that a policy works for. */
export interface PolicyOrigin {
  readonly options: ChannelOptions;
  readonly callCredentials: CallCredentials | null;
  /** Makes a channel to an address alone, with the options and credentials of this one. */
  channel(target: string): Channel;
}

/** From now on service configurations and other policies may name the policy. */
export function registerLoadBalancerType(typeName: string, loadBalancerType: LoadBalancerConstructor, loadBalancingConfigType: TypedLoadBalancingConfigConstructor): void {
  addLoadBalancerType(typeName, { LoadBalancer: loadBalancerType, LoadBalancingConfig: loadBalancingConfigType });
  registerProgramPolicy(typeName, {
    parse: (options) => parseLoadBalancingConfig({ [typeName]: options as object }),
    parseParent: (name, options) => parseLoadBalancingConfig({ [name]: options as object }),
    make: (host) => new ChannelPolicy(host),
  });
}

/** A program's policy at work for a channel: its subchannels and its picker. */
class ChannelPolicy implements ProgramBalancer, SubchannelSource {
  readonly #host: ProgramHost;
  readonly #origin: PolicyOrigin;
  readonly #child: ChildLoadBalancerHandler;
  readonly #byAddress = new Map<string, ChannelSubchannel>();
  readonly #byCore = new Map<Subchannel, ChannelSubchannel>();
  #picker: Picker = { pick: () => QUEUED };

  constructor(host: ProgramHost) {
    this.#host = host;
    this.#origin = host.origin as PolicyOrigin;
    const helper: ChannelControlHelper = {
      createSubchannel: (address) => this.#subchannel(address),
      updateState: (state, picker) => {
        this.#picker = picker;
        host.became(state);
      },
      requestReresolution: () => {
        host.reresolve();
      },
      addChannelzChild: () => undefined,
      removeChannelzChild: () => undefined,
    };
    this.#child = new ChildLoadBalancerHandler(helper);
  }

  get callCredentials(): CallCredentials | null {
    return this.#origin.callCredentials;
  }

  get subchannels(): readonly Subchannel[] {
    return [...this.#byCore.keys()];
  }

  channel(target: string): Channel {
    return this.#origin.channel(target);
  }

  released(subchannel: ChannelSubchannel): void {
    this.#byAddress.delete(addressToString(subchannel.core.address));
  }

  resolved({ endpoints, attributes, note }: Resolution, config: unknown): void {
    const list = endpoints.map(({ addresses }) => ({ addresses: [...addresses] }));
    this.#child.updateAddressList(statusOrFromValue(list), config as TypedLoadBalancingConfig, { ...this.#origin.options, ...attributes }, note);
  }

  choose(candidate: Candidate): Choice {
    const { metadata, selection } = candidate.call;
    const args = { metadata: metadata ?? new Metadata(), extraPickInfo: selection?.pickInformation ?? {} };
    const { pickResultType, subchannel, status, onCallStarted, onCallEnded } = this.#picker.pick(args);
    if (pickResultType === PickResultType.QUEUE) return { kind: "wait" };
    if (pickResultType !== PickResultType.COMPLETE) {
      const { code, details } = status ?? { code: Status.UNAVAILABLE, details: "No connection established" };
      return { kind: "fail", code, details, final: pickResultType === PickResultType.DROP };
    }
    if (subchannel === null) return { kind: "fail", code: Status.UNAVAILABLE, details: "Request dropped by load balancing policy", final: true };
    const real = subchannel.getRealSubchannel();
    if (!(real instanceof ChannelSubchannel)) throw new Error("the policy picked a subchannel that `createSubchannel` did not make");
    const ended: Extract<Choice, { kind: "use" }>["ended"] =
      onCallEnded === null
        ? null
        : (code, details, trailers) => {
            onCallEnded(code, details, responseMetadata(trailers, 0));
          };
    return { kind: "use", subchannel: real.core, started: onCallStarted, ended };
  }

  changed(subchannel: Subchannel): void {
    this.#byCore.get(subchannel)?.changed();
  }

  wake(): void {
    this.#child.exitIdle();
  }

  close(): void {
    this.#child.destroy();
    for (const subchannel of this.#byCore.values()) subchannel.close();
    this.#byCore.clear();
    this.#byAddress.clear();
  }

  #subchannel(address: SubchannelAddress): ChannelSubchannel {
    const name = addressToString(address);
    const known = this.#byAddress.get(name);
    if (known !== undefined) return known;
    const core = this.#host.subchannel(address);
    const made = new ChannelSubchannel(core, this);
    this.#byAddress.set(name, made);
    this.#byCore.set(core, made);
    return made;
  }
}
