import assert from "node:assert/strict";
import { test } from "node:test";
import { Metadata, connectivityState, experimental, status } from "../../src/grpc/index.js";
import { OutlierLoadBalancer } from "../../src/grpc/grpc-js/balancing/outlier-policy.js";
import { until } from "./serving.js";

type SubchannelInterface = experimental.SubchannelInterface;
const { PickResultType, registerLoadBalancerType, parseLoadBalancingConfig, statusOrFromValue } = experimental;

const nothing = (): void => undefined;

/** A connection that is ready, without a socket. */
class Ready implements Partial<SubchannelInterface> {
  references = 0;
  constructor(readonly address: string) {}
  getConnectivityState = (): connectivityState => connectivityState.READY;
  isHealthy = (): boolean => true;
  addHealthStateWatcher = nothing;
  getAddress = (): string => this.address;
  getRealSubchannel = (): SubchannelInterface => this as unknown as SubchannelInterface;
  ref(): void {
    this.references += 1;
  }
  unref(): void {
    this.references -= 1;
  }
}

/**
 * One subchannel for each endpoint; its picker takes the one that the metadata names. Records the changes of their
 * health.
 */
class Named implements experimental.LoadBalancer {
  static current: Named;
  readonly health: string[] = [];
  subchannels: SubchannelInterface[] = [];

  constructor(readonly helper: experimental.ChannelControlHelper) {
    Named.current = this;
  }

  updateAddressList(endpoints: Parameters<experimental.LoadBalancer["updateAddressList"]>[0]): boolean {
    for (const subchannel of this.subchannels) subchannel.unref();
    this.subchannels = (endpoints.ok ? endpoints.value : []).map((endpoint, at) => {
      const subchannel = this.helper.createSubchannel(endpoint.addresses[0]!, {});
      subchannel.ref();
      subchannel.addHealthStateWatcher((healthy) => this.health.push(`${at} ${healthy ? "well" : "ill"}`));
      return subchannel;
    });
    const pick = ({ metadata }: experimental.PickArgs): experimental.PickResult => ({
      pickResultType: PickResultType.COMPLETE,
      subchannel: this.subchannels[Number(metadata.get("to")[0])]!,
      status: null,
      onCallStarted: null,
      onCallEnded: (code) => this.health.push(`ended ${code}`),
    });
    this.helper.updateState(connectivityState.READY, { pick }, null);
    return true;
  }

  exitIdle = nothing;
  resetBackoff = nothing;
  destroy = nothing;
  getTypeName = (): string => "named";
}
registerLoadBalancerType("named", Named, class {
  getLoadBalancerName = (): string => "named";
  toJsonObject = (): object => ({ named: {} });
  static createFromJson() {
    return new this();
  }
});

const PORTS = [1, 2, 3, 4, 5];
const list = (ports: number[]) => statusOrFromValue(ports.map((port) => ({ addresses: [{ host: "127.0.0.1", port }] })));
const rule = { interval: "0.1s", baseEjectionTime: "0.1s", maxEjectionPercent: 100, childPolicy: [{ named: {} }] };
const FAILURES = { threshold: 50, minimumHosts: 3, requestVolume: 10 };

/** The policy with five endpoints, and calls over what it picks. */
function stage(options: object) {
  let picker: experimental.Picker | null = null;
  const made: Ready[] = [];
  const policy = new OutlierLoadBalancer({
    createSubchannel: (address) => {
      const ready = new Ready(experimental.subchannelAddressToString(address));
      made.push(ready);
      return ready as unknown as SubchannelInterface;
    },
    updateState: (_state, next) => { picker = next; },
    requestReresolution: nothing,
    addChannelzChild: nothing,
    removeChannelzChild: nothing,
  });
  const update = (other: object = options, ports = PORTS): void => {
    policy.updateAddressList(list(ports), parseLoadBalancingConfig({ outlier_detection: { ...rule, ...other } }), {}, "");
  };
  const call = (to: number, code: status): experimental.PickResult => {
    const metadata = new Metadata();
    metadata.set("to", String(to));
    const picked = picker!.pick({ metadata, extraPickInfo: {} });
    picked.onCallEnded!(code, "", new Metadata());
    return picked;
  };
  /** Ten calls to each endpoint, which fail at one. */
  const round = (failing: number): void => {
    for (const at of PORTS.keys()) for (let count = 0; count < 10; count += 1) call(at, at === failing ? status.UNAVAILABLE : status.OK);
  };
  update();
  const { current: child } = Named;
  child.health.length = 0;
  const told = (): string[] => child.health.filter((entry) => !entry.startsWith("ended"));
  return { policy, made, child, update, call, round, told };
}

test("the subchannels of an endpoint whose calls fail are unhealthy for a while, and no others", async () => {
  const { policy, child, round, told } = stage({ failurePercentageEjection: FAILURES });
  round(2);
  assert.deepEqual(told(), []);
  await until(() => told().length === 1);
  assert.deepEqual(told(), ["2 ill"]);
  assert.deepEqual(child.subchannels.map((subchannel) => subchannel.isHealthy()), [true, true, false, true, true]);
  await until(() => told().length === 2);
  assert.deepEqual(told(), ["2 ill", "2 well"]);
  policy.destroy();
});

test("an endpoint whose success rate is far below the others' is ejected", async () => {
  const { policy, round, told } = stage({ successRateEjection: { stdevFactor: 1000, minimumHosts: 5, requestVolume: 10 } });
  round(4);
  await until(() => told().length > 0);
  assert.equal(told()[0], "4 ill");
  policy.destroy();
});

test("calls go over the subchannel that was wrapped, and the child policy hears how they end", () => {
  const { policy, made, child, call } = stage({ failurePercentageEjection: FAILURES });
  const { subchannel } = call(3, status.NOT_FOUND);
  assert.equal(subchannel, made[3]);
  assert.deepEqual(child.health, ["ended 5"]);
  policy.destroy();
});

test("nothing is ejected where calls succeed, where too few were made, and without a rule", async () => {
  const quiet = [stage({ failurePercentageEjection: FAILURES }), stage({ failurePercentageEjection: { ...FAILURES, requestVolume: 100 } }), stage({})];
  quiet[0]!.round(-1);
  quiet[1]!.round(2);
  quiet[2]!.round(2);
  // A policy that ejects, begun after them, shows that their interval is over.
  const loud = stage({ failurePercentageEjection: FAILURES });
  loud.round(2);
  await until(() => loud.told().length > 0);
  for (const { told, policy } of quiet) {
    assert.deepEqual(told(), []);
    policy.destroy();
  }
  loud.policy.destroy();
});

test("other options begin anew; the same ones, and a list that keeps the endpoint, leave it ejected", async () => {
  const long = { baseEjectionTime: "60s", failurePercentageEjection: FAILURES };
  const { policy, child, update, round, told } = stage(long);
  round(1);
  await until(() => told().length === 1);
  update(long, [2, 3, 4, 5]);
  assert.deepEqual(child.subchannels.map((subchannel) => subchannel.isHealthy()), [false, true, true, true]);
  update({ ...long, baseEjectionTime: "50s" }, [2, 3, 4, 5]);
  assert.ok(child.subchannels.every((subchannel) => subchannel.isHealthy()));
  policy.destroy();
});

test("released subchannels get no health changes, and a destroyed policy ejects nothing", async () => {
  const { policy, update, round, told, made } = stage({ failurePercentageEjection: FAILURES });
  update();
  assert.deepEqual(made.map(({ references }) => references), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  round(0);
  policy.destroy();
  const loud = stage({ failurePercentageEjection: FAILURES });
  loud.round(2);
  await until(() => loud.told().length > 0);
  assert.deepEqual(told(), []);
  loud.policy.destroy();
});

test("an invalid configuration of outlier_detection is refused", () => {
  for (const [bad, message] of [
    [{}, /childPolicy must be an array/],
    [{ childPolicy: [{ unheard: {} }] }, /no known policy in childPolicy/],
    [{ childPolicy: [{ pick_first: {} }] }, /childPolicy cannot be pick_first/],
    [{ ...rule, interval: "soon" }, /interval/],
    [{ ...rule, maxEjectionPercent: 101 }, /maxEjectionPercent/],
    [{ ...rule, successRateEjection: 5 }, /successRateEjection must be an object/],
  ] as [object, RegExp][]) {
    assert.throws(() => parseLoadBalancingConfig({ outlier_detection: bad }), message);
  }
  const given = { ...rule, child_policy: rule.childPolicy, failurePercentageEjection: FAILURES };
  assert.deepEqual(parseLoadBalancingConfig({ outlier_detection: given }).toJsonObject(), { outlier_detection: given });
});
