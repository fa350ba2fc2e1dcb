import { DEFAULT_METHOD_CONFIG, methodNames, object, parseMethodConfig, type MethodConfig } from "./method-config.js";

/** Balancing policies this client knows. */
export type PolicyName = "pick_first" | "round_robin";

/** A validated service configuration (gRPC "Service Config", gRFC A2, A6). */
export interface ServiceConfig {
  /** null where the configuration names none. */
  readonly policy: PolicyName | null;
  /** gRFC A62: shuffle the list before connecting in order. */
  readonly shuffle: boolean;
  /** Keys are `/service/method`, `/service/` and `/`. */
  readonly methods: ReadonlyMap<string, MethodConfig>;
  readonly throttling: { readonly maxTokens: number; readonly tokenRatio: number } | null;
}

export const EMPTY_SERVICE_CONFIG: ServiceConfig = { policy: null, shuffle: false, methods: new Map(), throttling: null };

/** Validates a configuration given as JSON text or as the object parsed from it. @throws Error that names the field */
export function parseServiceConfig(source: unknown): ServiceConfig {
  const config = object(typeof source === "string" ? JSON.parse(source) : source, "Invalid service config: an object is expected");
  const methods = new Map<string, MethodConfig>();
  const { methodConfig, retryThrottling } = config;
  if (methodConfig !== undefined) {
    if (!Array.isArray(methodConfig)) throw new Error("Invalid service config: methodConfig must be an array");
    for (const entry of methodConfig) {
      const checked = object(entry, "Invalid method config: an object is expected");
      const parsed = parseMethodConfig(checked);
      for (const name of methodNames(checked)) {
        if (methods.has(name)) throw new Error(`Invalid service config: duplicate name ${name.slice(1)}`);
        methods.set(name, parsed);
      }
    }
  }
  return { ...parsePolicy(config), methods, throttling: retryThrottling === undefined ? null : parseThrottling(retryThrottling) };
}

/** The entry for `/service/method`: exact, else of its service, else the default one. */
export function methodConfig(config: ServiceConfig, path: string): MethodConfig {
  const { methods } = config;
  if (methods.size === 0) return DEFAULT_METHOD_CONFIG;
  return methods.get(path) ?? methods.get(path.slice(0, path.lastIndexOf("/") + 1)) ?? methods.get("/") ?? DEFAULT_METHOD_CONFIG;
}

/** The first policy of the list that is known here counts; naming only unknown ones is an error. */
function parsePolicy(config: Record<string, unknown>): Pick<ServiceConfig, "policy" | "shuffle"> {
  const { loadBalancingPolicy, loadBalancingConfig } = config;
  if (loadBalancingConfig !== undefined) {
    const found = firstKnown(loadBalancingConfig);
    if (found !== null) return found;
  }
  if (loadBalancingPolicy === undefined) return { policy: null, shuffle: false };
  if (typeof loadBalancingPolicy !== "string") throw new Error("Invalid service config: loadBalancingPolicy must be a string");
  return { policy: policyName(loadBalancingPolicy), shuffle: false };
}

/** Null for an empty list. */
function firstKnown(list: unknown): Pick<ServiceConfig, "policy" | "shuffle"> | null {
  if (!Array.isArray(list)) throw new Error("Invalid service config: loadBalancingConfig must be an array");
  for (const entry of list) {
    const checked = object(entry, "Invalid loadBalancingConfig: an object is expected");
    const names = Object.keys(checked);
    if (names.length !== 1) throw new Error(`Invalid loadBalancingConfig: one policy name is expected, not ${names.length}`);
    const options = object(checked[names[0]!], "Invalid loadBalancingConfig: a policy's options must be an object");
    // It only puts bad addresses aside for a while: without that, what it stands around chooses among all.
    if (names[0] === "outlier_detection") return firstKnown(options["childPolicy"] ?? []);
    const policy = policyName(names[0]!);
    if (policy !== null) return { policy, shuffle: options["shuffleAddressList"] === true };
  }
  if (list.length > 0) throw new Error("Invalid service config: no known policy in loadBalancingConfig");
  return null;
}

function policyName(name: string): PolicyName | null {
  const lower = name.toLowerCase();
  // Without load reports all weights are the same.
  if (lower === "weighted_round_robin") return "round_robin";
  return lower === "pick_first" || lower === "round_robin" ? lower : null;
}

function parseThrottling(value: unknown): NonNullable<ServiceConfig["throttling"]> {
  const { maxTokens, tokenRatio } = object(value, "Invalid retryThrottling: an object is expected");
  if (typeof maxTokens !== "number" || !(maxTokens > 0 && maxTokens <= 1_000)) {
    throw new Error("Invalid retryThrottling: maxTokens must be a number in (0, 1000]");
  }
  if (typeof tokenRatio !== "number" || !(tokenRatio > 0)) {
    throw new Error("Invalid retryThrottling: tokenRatio must be a number greater than 0");
  }
  // gRFC A6: decimals beyond the third are ignored.
  return { maxTokens: Math.floor(maxTokens * 1_000) / 1_000, tokenRatio: Math.floor(tokenRatio * 1_000) / 1_000 };
}
