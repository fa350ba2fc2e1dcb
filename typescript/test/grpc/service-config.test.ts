import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "../../src/grpc/client/policy.js";
import { methodConfig, parseServiceConfig } from "../../src/grpc/client/service-config.js";
import { isIpv4, isIpv6, parseTarget } from "../../src/grpc/protocol/target.js";

test("a service configuration is matched by method, then service, then default", () => {
  const config = parseServiceConfig(
    JSON.stringify({
      loadBalancingConfig: [{ ring_hash: {} }, { round_robin: {} }, { pick_first: {} }],
      methodConfig: [
        { name: [{ service: "a.B", method: "C" }], timeout: "1.5s", waitForReady: true, maxRequestBytes: 10, maxResponseBytes: 20 },
        { name: [{ service: "a.B" }, { service: "a.D", method: "" }], timeout: { seconds: 2, nanos: 500_000_000 } },
        { name: [{}], timeout: "3s" },
      ],
      retryThrottling: { maxTokens: 10.12345, tokenRatio: 0.1239 },
    }),
  );
  assert.deepEqual(config.policy, { name: "round_robin" });
  assert.deepEqual(config.throttling, { maxTokens: 10.123, tokenRatio: 0.123 });
  const exact = methodConfig(config, "/a.B/C");
  assert.deepEqual([exact.timeout, exact.waitForReady, exact.maxRequestBytes, exact.maxResponseBytes], [1_500, true, 10, 20]);
  assert.equal(methodConfig(config, "/a.B/X").timeout, 2_500);
  assert.equal(methodConfig(config, "/a.D/X").timeout, 2_500);
  assert.equal(methodConfig(config, "/z.Z/X").timeout, 3_000);
  assert.equal(methodConfig(parseServiceConfig({}), "/z.Z/X").timeout, Infinity);
});

test("policies are read by number and by name in any case", () => {
  const policy = { maxAttempts: 3, initialBackoff: "0.1s", maxBackoff: "1s", backoffMultiplier: 2, retryableStatusCodes: ["unavailable", 13, "DATA_LOSS"] };
  const config = parseServiceConfig({ methodConfig: [{ name: [{ service: "s" }], retryPolicy: policy }] });
  assert.deepEqual(methodConfig(config, "/s/m").retry, { maxAttempts: 3, initialBackoff: 100, maxBackoff: 1_000, backoffMultiplier: 2, codes: new Set([14, 13, 15]) });
  const hedging = parseServiceConfig({ methodConfig: [{ name: [{}], hedgingPolicy: { maxAttempts: 2, hedgingDelay: "0.5s", nonFatalStatusCodes: ["ABORTED"] } }] });
  assert.deepEqual(methodConfig(hedging, "/s/m").hedging, { maxAttempts: 2, delay: 500, nonFatal: new Set([10]) });
});

test("a wrong service configuration is refused with the field's name", () => {
  const good = { maxAttempts: 2, initialBackoff: "1s", maxBackoff: "1s", backoffMultiplier: 1, retryableStatusCodes: [14] };
  const method = (entry: object) => ({ methodConfig: [{ name: [{ service: "s" }], ...entry }] });
  const wrong: [unknown, RegExp][] = [
    [[], /object/],
    [{ methodConfig: {} }, /methodConfig must be an array/],
    [{ methodConfig: [{}] }, /name must be an array/],
    [{ methodConfig: [{ name: [{ method: "m" }] }] }, /unset service/],
    [{ methodConfig: [{ name: [{ service: "s" }, { service: "s" }] }] }, /duplicate name s/],
    [method({ waitForReady: "yes" }), /waitForReady/],
    [method({ timeout: "1m" }), /timeout/],
    ...[{ seconds: -1, nanos: 0 }, { seconds: NaN, nanos: 0 }, { seconds: 1, nanos: 1e9 }, { seconds: 1 }].map((timeout): [unknown, RegExp] => [method({ timeout }), /timeout/]),
    [method({ maxRequestBytes: "1" }), /maxRequestBytes/],
    [method({ retryPolicy: { ...good, maxAttempts: 1 } }), /maxAttempts/],
    [method({ retryPolicy: { ...good, initialBackoff: "0s" } }), /initialBackoff/],
    [method({ retryPolicy: { ...good, backoffMultiplier: 0 } }), /backoffMultiplier/],
    [method({ retryPolicy: { ...good, retryableStatusCodes: [] } }), /non-empty/],
    [method({ retryPolicy: { ...good, retryableStatusCodes: ["NOPE"] } }), /not a status code/],
    [method({ retryPolicy: good, hedgingPolicy: { maxAttempts: 2 } }), /cannot both/],
    [{ retryThrottling: { maxTokens: 0, tokenRatio: 1 } }, /maxTokens/],
    [{ retryThrottling: { maxTokens: 1, tokenRatio: 0 } }, /tokenRatio/],
    [{ loadBalancingConfig: [{ unknown: {} }] }, /no known policy/],
    [{ loadBalancingConfig: [{ a: {}, b: {} }] }, /one policy name/],
  ];
  for (const [config, text] of wrong) assert.throws(() => parseServiceConfig(config), text, JSON.stringify(config));
  assert.throws(() => parseServiceConfig("{"));
});

test("targets name what gRPC's naming says", () => {
  const fixed = (...addresses: object[]) => ({ scheme: "fixed", addresses });
  const cases: [string, object][] = [
    ["localhost:50051", { scheme: "dns", server: null, host: "localhost", port: 50_051, authority: "localhost:50051" }],
    ["example.com", { scheme: "dns", server: null, host: "example.com", port: 443, authority: "example.com" }],
    ["dns:example.com:1", { scheme: "dns", server: null, host: "example.com", port: 1, authority: "example.com:1" }],
    ["dns:///example.com:1", { scheme: "dns", server: null, host: "example.com", port: 1, authority: "example.com:1" }],
    ["dns://8.8.8.8:53/example.com", { scheme: "dns", server: "8.8.8.8:53", host: "example.com", port: 443, authority: "example.com" }],
    ["127.0.0.1:80", fixed({ host: "127.0.0.1", port: 80 })],
    ["[::1]:80", fixed({ host: "::1", port: 80 })],
    ["ipv4:1.2.3.4:5,6.7.8.9:10", fixed({ host: "1.2.3.4", port: 5 }, { host: "6.7.8.9", port: 10 })],
    ["ipv6:[::1]:5,[fe80::1%eth0]:6", fixed({ host: "::1", port: 5 }, { host: "fe80::1%eth0", port: 6 })],
    ["unix:relative.sock", fixed({ path: "relative.sock" })],
    ["unix:///tmp/a.sock", fixed({ path: "/tmp/a.sock" })],
  ];
  for (const [text, expected] of cases) {
    const target = parseTarget(text);
    for (const [key, value] of Object.entries(expected)) assert.deepEqual((target as unknown as Record<string, unknown>)[key], value, text);
  }
  for (const text of ["", "a:b", "host:99999", "ipv4:example.com:1", "ipv6:1.2.3.4:1", "unix:", "unix://host/x", "zookeeper://a/b", "dns://x", "[::1"]) {
    assert.throws(() => parseTarget(text), Error, text);
  }
});

test("IP literals are distinguished from names", () => {
  for (const host of ["0.0.0.0", "255.255.255.255"]) assert.ok(isIpv4(host), host);
  for (const host of ["1.2.3", "1.2.3.256", "01.2.3.4", "a.b.c.d", ""]) assert.ok(!isIpv4(host), host);
  for (const host of ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "fe80::1%1"]) assert.ok(isIpv6(host), host);
  for (const host of ["1:2:3:4:5:6:7", ":::", "1::2::3", "12345::", "::1%", "1:2:3:4:5:6:7:8:9", "::1.2.3"]) assert.ok(!isIpv6(host), host);
});

const policy = (...list: object[]): unknown => parseServiceConfig({ loadBalancingConfig: list }).policy;

test("the first policy that is known counts, with its options", () => {
  assert.deepEqual(policy({ unknown: {} }, { pick_first: { shuffleAddressList: true } }), { name: "pick_first", shuffle: true });
  assert.deepEqual(parseServiceConfig({ loadBalancingPolicy: "ROUND_ROBIN" }).policy, { name: "round_robin" });
  assert.equal(policy(), null);
  assert.deepEqual(policy({ weighted_round_robin: {} }), { name: "weighted_round_robin", load: "calls", options: { blackout: 10_000, expiration: 180_000, update: 1_000, errorPenalty: 1 } });
  const own = { blackoutPeriod: "0s", weight_expiration_period: "60s", weightUpdatePeriod: "0.01s", errorUtilizationPenalty: 0.5, enableOobLoadReport: true };
  assert.deepEqual(policy({ weighted_round_robin: own }), { name: "weighted_round_robin", load: 10_000, options: { blackout: 0, expiration: 60_000, update: 100, errorPenalty: 0.5 } });
});

test("load reports come with calls or by streams of their own, where a policy wants them", () => {
  const load = (entry: object): unknown => loadSource(parseServiceConfig({ loadBalancingConfig: [entry] }).policy);
  const streamed = { weighted_round_robin: { enable_oob_load_report: true, oob_reporting_period: "2s" } };
  assert.equal(load(streamed), 2_000);
  assert.equal(load({ weighted_round_robin: { enable_oob_load_report: true, oob_load_reporting_period: "3s" } }), 3_000, "as grpc-js has the name");
  assert.equal(load({ weighted_round_robin: { enableOobLoadReport: null, oobReportingPeriod: "2s" } }), "calls");
  assert.equal(load({ outlier_detection: { failurePercentageEjection: {}, childPolicy: [streamed] } }), 2_000);
  assert.equal(load({ outlier_detection: { failurePercentageEjection: {}, childPolicy: [{ round_robin: {} }] } }), "none");
  assert.equal(load({ pick_first: {} }), "none");
  assert.equal(loadSource(null), "none");
});

test("outlier detection has rules and a child, or is its child", () => {
  const child = { childPolicy: [{ unknown: {} }, { round_robin: {} }] };
  assert.deepEqual(policy({ outlier_detection: { interval: "1s", ...child } }), { name: "round_robin" });
  assert.deepEqual(policy({ outlier_detection: { ...child, failurePercentageEjection: {}, successRateEjection: {} } }), {
    name: "outlier_detection",
    child: { name: "round_robin" },
    options: {
      interval: 10_000,
      baseEjectionTime: 30_000,
      maxEjectionTime: 300_000,
      maxEjectionPercent: 10,
      successRate: { limit: 1_900, enforcement: 100, minimumHosts: 5, requestVolume: 100 },
      failurePercentage: { limit: 85, enforcement: 100, minimumHosts: 5, requestVolume: 50 },
    },
  });
  const eager = policy({ outlier_detection: { ...child, interval: "0s", baseEjectionTime: null, failurePercentageEjection: null, successRateEjection: {} } }) as { options: Record<string, unknown> };
  assert.deepEqual([eager.options["interval"], eager.options["baseEjectionTime"], eager.options["failurePercentage"]], [100, 30_000, null], "not without end; null is the default");
  // As grpc-js has the names.
  const snake = { base_ejection_time: { seconds: 2, nanos: 0 }, max_ejection_percent: 50, success_rate_ejection: { stdev_factor: 500, minimum_hosts: 3 }, child_policy: [{ round_robin: {} }] };
  const { options } = policy({ outlier_detection: snake }) as { options: Record<string, unknown> };
  assert.deepEqual([options["baseEjectionTime"], options["maxEjectionPercent"], options["failurePercentage"]], [2_000, 50, null]);
  assert.deepEqual(options["successRate"], { limit: 500, enforcement: 100, minimumHosts: 3, requestVolume: 100 });
});

test("a policy's options are refused with the field's name", () => {
  const outliers = (options: object): object => ({ outlier_detection: { childPolicy: [{ round_robin: {} }], ...options } });
  const wrong: [object, RegExp][] = [
    [{ outlier_detection: { childPolicy: [{ unknown: {} }] } }, /no known policy/],
    [{ outlier_detection: {} }, /childPolicy is missing/],
    [{ outlier_detection: { childPolicy: [{ pick_first: {} }] } }, /pick_first/],
    [outliers({ interval: 3 }), /interval/],
    [outliers({ maxEjectionPercent: 101 }), /maxEjectionPercent must be a number from 0 to 100/],
    [outliers({ successRateEjection: 1 }), /successRateEjection must be an object/],
    [outliers({ failurePercentageEjection: { threshold: -1 } }), /failurePercentageEjection: threshold/],
    [{ weighted_round_robin: { errorUtilizationPenalty: -1 } }, /errorUtilizationPenalty must be a number of at least 0/],
    [{ weighted_round_robin: { blackoutPeriod: "soon" } }, /blackoutPeriod/],
    [{ weighted_round_robin: { enableOobLoadReport: 1 } }, /enableOobLoadReport must be a boolean/],
    [{ pick_first: { shuffleAddressList: "yes" } }, /shuffleAddressList must be a boolean/],
  ];
  for (const [entry, text] of wrong) assert.throws(() => policy(entry), text, JSON.stringify(entry));
});
