import { Alarm } from "../../transport/alarm.js";
import { clock } from "../../transport/clock.js";
import type { LoadReport } from "../orca/load-report.js";
import { Status } from "../protocol/status.js";
import { thrownText } from "../protocol/thrown.js";
import { addressToString, interleave, type Address } from "./address.js";
import type { Attempt } from "./attempt.js";
import type { Balancer, BalancerHost } from "./balancer.js";
import { makeBalancer } from "./balancing.js";
import { ConnectivityState } from "./connectivity.js";
import { controlPlaneStatus } from "./control-plane-status.js";
import { HealthChecking, type Checked } from "./health-checking.js";
import { loadSource, type Policy } from "./policy.js";
import type { Choice, ProgramBalancer, ProgramHost, Resolution } from "./program-balancer.js";
import type { ServiceConfig } from "./service-config.js";
import { Subchannel, type Reach, type SubchannelOwner } from "./subchannel.js";

/** The channel's side of its balance. */
export interface BalanceHost {
  /** The policy's state. @param failure why there is no connection; "" if nothing new is known */
  became(state: ConnectivityState, failure: string): void;
  /** Attempts that wait may find a connection now. */
  retry(): void;
  /** The addresses may be stale: resolve again. */
  reresolve(): void;
  /** There is no connection for the attempt: it waits, or fails if the channel does. */
  park(attempt: Attempt): void;
  /** The attempt waits in every state of the channel. */
  wait(attempt: Attempt): void;
}

/** The balancing policy in force, one of ours or of the program's own, and the connections it chooses among. */
export class Balance implements BalancerHost, SubchannelOwner {
  readonly #reach: Reach;
  readonly #origin: unknown;
  readonly #host: BalanceHost;
  /** Those of our policies, by address. */
  readonly #subchannels = new Map<string, Subchannel>();
  /** Set to the time at which the balancer is due. */
  readonly #alarm = new Alarm(() => {
    this.#balancer?.expire(clock.now());
    this.#arm();
  });
  #balancer: Balancer<Subchannel> | null = null;
  /** In place of `#balancer`, while a policy of the program's own is in force. */
  #program: ProgramBalancer | null = null;
  /** How often that policy has changed its state or its picks. */
  #updates = 0;

  /** @param origin the channel's description for policies of the program's own */
  constructor(reach: Reach, origin: unknown, host: BalanceHost) {
    this.#reach = reach;
    this.#origin = origin;
    this.#host = host;
  }

  /** One for each address of the present list. */
  get subchannels(): Subchannel[] {
    return [...this.#subchannels.values(), ...(this.#program?.subchannels ?? [])];
  }

  /** Leaves IDLE. Returns false if no policy is in force. */
  wake(): boolean {
    if (this.#program !== null) {
      this.#program.wake();
    } else if (this.#balancer !== null) {
      this.#balancer.wake(clock.now());
      this.#arm();
    } else {
      return false;
    }
    return true;
  }

  /** Starts the attempt on a connection that the policy chooses, fails it, or queues it. */
  place(attempt: Attempt): void {
    const session = this.#balancer?.pick()?.session;
    if (session?.usable === true) session.start(attempt);
    else if (this.#program !== null) this.#choose(attempt, this.#program);
    else this.#host.park(attempt);
  }

  /** Passes another list of addresses to the policy of `config`. */
  resolved({ policy, health: service }: ServiceConfig, addresses: readonly Address[], resolution: Resolution | null): void {
    if (policy?.name === "registered") {
      this.#balancer = null;
      this.#program ??= policy.type.make(this.#programHost());
      this.#program.resolved(resolution ?? { endpoints: addresses.map((address) => ({ addresses: [address] })), attributes: {}, note: "" }, policy.config);
      this.#closeSubchannels();
      return;
    }
    const program = this.#program;
    this.#program = null;
    const health = policy === null || policy.name === "pick_first" ? null : service;
    this.#balancer ??=
      health === null
        ? makeBalancer<Subchannel>(policy, this, Math.random)
        : new HealthChecking<Subchannel>((host) => makeBalancer<Checked<Subchannel>>(policy, host, Math.random), this);
    const order = interleave(policy?.name === "pick_first" && policy.shuffle ? shuffled(addresses) : addresses);
    const wanted = new Map(order.map((address) => [addressToString(address), address]));
    const unwanted: Subchannel[] = [];
    for (const [name, subchannel] of this.#subchannels) {
      if (wanted.has(name)) continue;
      this.#subchannels.delete(name);
      unwanted.push(subchannel);
    }
    const endpoints = [...wanted].map(([name, address]) => {
      const known = this.#subchannels.get(name);
      if (known !== undefined) return known;
      const made = new Subchannel(address, this.#reach, this);
      this.#subchannels.set(name, made);
      return made;
    });
    const load = loadSource(policy);
    for (const endpoint of endpoints) {
      endpoint.hear(load);
      endpoint.check(health);
    }
    this.#balancer.resolved(endpoints, clock.now());
    for (const subchannel of unwanted) subchannel.close();
    program?.close();
    this.#arm();
  }

  /**
   * Another configuration: `resolved` comes next with its policy, if that is another one. The connections stay: the
   * other policy finds them ready. Returns whether the policy is another one.
   */
  reconfigured(before: ServiceConfig, config: ServiceConfig): boolean {
    if (samePolicy(config.policy, before.policy) && config.health === before.health) return false;
    if (this.#program !== null && !sameProgram(config.policy, before.policy)) {
      this.#program.close();
      this.#program = null;
    }
    this.#balancer = null;
    return true;
  }

  /** Drops the policy and the connections; their calls go on. */
  close(): void {
    this.#alarm.clear();
    this.#balancer = null;
    this.#program?.close();
    this.#program = null;
    this.#closeSubchannels();
  }

  changed(subchannel: Subchannel): void {
    this.#program?.changed(subchannel);
    this.#balancer?.changed(subchannel, clock.now());
    this.#arm();
  }

  reported(subchannel: Subchannel, report: LoadReport): void {
    this.#balancer?.reported?.(subchannel, report, clock.now());
  }

  updated(): void {
    const balancer = this.#balancer;
    if (balancer === null) return;
    this.#host.became(balancer.state, balancer.failure);
  }

  reresolve(): void {
    this.#host.reresolve();
  }

  #closeSubchannels(): void {
    const subchannels = [...this.#subchannels.values()];
    this.#subchannels.clear();
    for (const subchannel of subchannels) subchannel.close();
  }

  #arm(): void {
    const due = this.#balancer?.due ?? Infinity;
    if (due === Infinity) this.#alarm.clear();
    else this.#alarm.set(Math.max(due - clock.now(), 0));
  }

  #programHost(): ProgramHost {
    return {
      origin: this.#origin,
      subchannel: (address) => new Subchannel(address, this.#reach, this),
      became: (state) => {
        this.#updates += 1;
        this.#host.became(state, "");
      },
      updated: () => {
        this.#host.retry();
      },
      reresolve: () => {
        this.#host.reresolve();
      },
    };
  }

  /** Asks a policy of the program's own. What it throws fails the call. */
  #choose(attempt: Attempt, program: ProgramBalancer): void {
    const updates = this.#updates;
    let choice: Choice;
    try {
      choice = program.choose(attempt);
    } catch (error) {
      choice = { kind: "fail", code: Status.INTERNAL, details: `The load balancing policy failed: ${thrownText(error)}`, final: true };
    }
    const session = choice.kind === "use" ? choice.subchannel.session : null;
    if (choice.kind === "use" && session?.usable === true) {
      attempt.over = choice.ended;
      session.start(attempt);
      choice.started?.();
    } else if (choice.kind === "fail" && (choice.final || !attempt.call.waitForReady)) {
      const code = controlPlaneStatus(choice.code);
      const details = code === choice.code ? choice.details : `Invalid status from control plane: ${choice.code} ${Status[choice.code]} ${choice.details}`;
      process.nextTick(() => {
        attempt.refuse(code, details);
      });
    } else {
      this.#host.wait(attempt);
      // A picker that connects may find a connection ready at once: that update came before the attempt was queued. A
      // later turn, so that a policy which updates with each pick does not hold up the thread.
      if (updates !== this.#updates) setImmediate(() => { this.#host.retry(); });
    }
  }
}

function samePolicy(left: Policy | null, right: Policy | null): boolean {
  /** The program's `parse` may return anything. */
  const shape = (policy: Policy | null): unknown => (policy?.name === "registered" ? [policy.policy, policy.options] : policy);
  return JSON.stringify(shape(left)) === JSON.stringify(shape(right));
}

/** Whether both name the same policy of the program: its balancer stays and gets the other configuration. */
function sameProgram(left: Policy | null, right: Policy | null): boolean {
  return left?.name === "registered" && right?.name === "registered" && left.type === right.type;
}

/** A copy in random order (gRFC A62). */
function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [copy[at], copy[other]] = [copy[other]!, copy[at]!];
  }
  return copy;
}
