import type { LoadSource } from "./load-source.js";
import { object, parseDuration } from "./method-config.js";
import { programPolicy, type ProgramPolicyType } from "./program-balancer.js";

/**
 * One of the two rules by which gRFC A50 finds outliers: `limit` is the factor of the standard deviation in
 * thousandths, or a percentage.
 */
export interface EjectionRule {
  readonly limit: number;
  /** The probability, in per cent, that an outlier is ejected. */
  readonly enforcement: number;
  /** The least number of addresses with the least number of calls in an interval; with fewer the rule does nothing. */
  readonly minimumHosts: number;
  readonly requestVolume: number;
}

/** gRFC A50. Times in milliseconds. */
export interface OutlierOptions {
  readonly interval: number;
  readonly baseEjectionTime: number;
  readonly maxEjectionTime: number;
  /** The percentage of addresses that may be ejected. The last ejection may exceed it. */
  readonly maxEjectionPercent: number;
  readonly successRate: EjectionRule | null;
  readonly failurePercentage: EjectionRule | null;
}

/** gRFC A58. Times in milliseconds. */
export interface WeightOptions {
  /** How long reports must have come before they count. */
  readonly blackout: number;
  /** How long a weight holds without a new report. */
  readonly expiration: number;
  readonly update: number;
  readonly errorPenalty: number;
}

/** How a channel chooses among addresses. */
export type Policy =
  | { readonly name: "pick_first"; /** gRFC A62: shuffle the list before connecting in order. */ readonly shuffle: boolean }
  | { readonly name: "round_robin" }
  | { readonly name: "weighted_round_robin"; readonly options: WeightOptions; readonly load: LoadSource }
  | { readonly name: "outlier_detection"; readonly options: OutlierOptions; readonly child: Policy }
  | { readonly name: "registered"; readonly policy: string; readonly options: unknown; readonly type: ProgramPolicyType; readonly config: unknown };

const SUCCESS_RATE: EjectionRule = { limit: 1_900, enforcement: 100, minimumHosts: 5, requestVolume: 100 };
const FAILURE_PERCENTAGE: EjectionRule = { limit: 85, enforcement: 100, minimumHosts: 5, requestVolume: 50 };
/**
 * The least milliseconds between two updates of weights (gRFC A58) or two checks for outliers: a configuration must not
 * keep the thread busy.
 */
const LEAST_PERIOD = 100;

/**
 * The policy of a service configuration, null where it names none. The first of its list that is known here counts.
 * @throws Error that names the field
 */
export function parsePolicy(config: Record<string, unknown>): Policy | null {
  const { loadBalancingPolicy, loadBalancingConfig } = config;
  if (loadBalancingConfig !== undefined) {
    const found = firstKnown(loadBalancingConfig, "loadBalancingConfig");
    if (found !== null) return found;
  }
  if (loadBalancingPolicy === undefined) return null;
  if (typeof loadBalancingPolicy !== "string") throw new Error("Invalid service config: loadBalancingPolicy must be a string");
  // Outlier detection needs options.
  return /^outlier_detection$/i.test(loadBalancingPolicy) ? null : parseNamed(loadBalancingPolicy, {});
}

/** Returns how `policy`, or its child, gets load reports. */
export function loadSource(policy: Policy | null): LoadSource {
  if (policy?.name === "outlier_detection") return loadSource(policy.child);
  return policy?.name === "weighted_round_robin" ? policy.load : "none";
}

/** Returns null for an empty list. @throws Error if all its policies are unknown */
function firstKnown(list: unknown, where: string): Policy | null {
  if (!Array.isArray(list)) throw new Error(`Invalid service config: ${where} must be an array`);
  for (const entry of list) {
    const checked = object(entry, `Invalid ${where}: an object is expected`);
    const names = Object.keys(checked);
    if (names.length !== 1) throw new Error(`Invalid ${where}: one policy name is expected, not ${names.length}`);
    const policy = parseNamed(names[0]!, object(checked[names[0]!], `Invalid ${where}: a policy's options must be an object`));
    if (policy !== null) return policy;
  }
  if (list.length > 0) throw new Error(`Invalid service config: no known policy in ${where}`);
  return null;
}

function parseNamed(given: string, options: Record<string, unknown>): Policy | null {
  const type = programPolicy(given);
  if (type !== null) return { name: "registered", policy: given, options, type, config: type.parse(options) };
  const name = given.toLowerCase();
  const fields = new Fields(options, name);
  switch (name) {
    case "pick_first":
      return { name, shuffle: fields.flag("shuffleAddressList") };
    case "round_robin":
      return { name };
    case "weighted_round_robin":
      return { name, options: parseWeights(fields), load: parseLoad(fields) };
    case "outlier_detection":
      return parseOutliers(fields);
    default:
      return null;
  }
}

/** Without rules, ejection is off and the child is used alone. */
function parseOutliers(fields: Fields): Policy {
  const child = firstKnown(fields.get("childPolicy") ?? [], "outlier_detection childPolicy");
  if (child === null) throw new Error("Invalid outlier_detection: childPolicy is missing");
  if (child.name === "registered") return { ...child, policy: "outlier_detection", options: fields.options, config: child.type.parseParent("outlier_detection", fields.options) };
  if (child.name === "pick_first") throw new Error("Invalid outlier_detection: childPolicy cannot be pick_first");
  const options = outlierOptions(fields);
  return ejects(options) ? { name: "outlier_detection", options, child } : child;
}

/** The options of `outlier_detection` without its child. @throws Error that names the field */
export function parseOutlierOptions(options: Record<string, unknown>): OutlierOptions {
  return outlierOptions(new Fields(options, "outlier_detection"));
}

/** Whether there is a rule to eject by. */
export function ejects({ successRate, failurePercentage }: OutlierOptions): boolean {
  return successRate !== null || failurePercentage !== null;
}

function outlierOptions(fields: Fields): OutlierOptions {
  return {
    interval: Math.max(fields.duration("interval", 10_000), LEAST_PERIOD),
    baseEjectionTime: fields.duration("baseEjectionTime", 30_000),
    maxEjectionTime: fields.duration("maxEjectionTime", 300_000),
    maxEjectionPercent: fields.number("maxEjectionPercent", 10, 100),
    successRate: parseRule(fields, "successRateEjection", "stdevFactor", Infinity, SUCCESS_RATE),
    failurePercentage: parseRule(fields, "failurePercentageEjection", "threshold", 100, FAILURE_PERCENTAGE),
  };
}

function parseRule(fields: Fields, name: string, limit: string, most: number, defaults: EjectionRule): EjectionRule | null {
  const value = fields.get(name);
  if (value === undefined) return null;
  const rule = new Fields(object(value, `Invalid outlier_detection: ${name} must be an object`), `outlier_detection ${name}`);
  return {
    limit: rule.number(limit, defaults.limit, most),
    enforcement: rule.number("enforcementPercentage", defaults.enforcement, 100),
    minimumHosts: rule.number("minimumHosts", defaults.minimumHosts, Infinity),
    requestVolume: rule.number("requestVolume", defaults.requestVolume, Infinity),
  };
}

function parseWeights(fields: Fields): WeightOptions {
  return {
    blackout: fields.duration("blackoutPeriod", 10_000),
    expiration: fields.duration("weightExpirationPeriod", 180_000),
    update: Math.max(fields.duration("weightUpdatePeriod", 1_000), LEAST_PERIOD),
    errorPenalty: fields.number("errorUtilizationPenalty", 1, Infinity),
  };
}

/** The period has gRFC A58's name, or the one that grpc-js reads. */
function parseLoad(fields: Fields): LoadSource {
  const period = fields.duration("oobReportingPeriod", fields.duration("oobLoadReportingPeriod", 10_000));
  return fields.flag("enableOobLoadReport") ? period : "calls";
}

/**
 * The options of a policy. Names are of protobuf's JSON, or as they stand in a .proto file, which is what grpc-js
 * reads.
 */
class Fields {
  constructor(
    readonly options: Record<string, unknown>,
    private readonly where: string,
  ) {}

  /** Undefined also for null, by which protobuf's JSON means the default. */
  get(name: string): unknown {
    return this.options[name] ?? this.options[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined;
  }

  flag(name: string): boolean {
    const value = this.get(name) ?? false;
    if (typeof value === "boolean") return value;
    throw new Error(`Invalid ${this.where}: ${name} must be a boolean`);
  }

  duration(name: string, otherwise: number): number {
    const value = this.get(name);
    return value === undefined ? otherwise : parseDuration(value, `${this.where}: ${name}`);
  }

  number(name: string, otherwise: number, most: number): number {
    const value = this.get(name) ?? otherwise;
    if (typeof value === "number" && value >= 0 && value <= most) return value;
    throw new Error(`Invalid ${this.where}: ${name} must be a number ${most === Infinity ? "of at least 0" : `from 0 to ${most}`}`);
  }
}
