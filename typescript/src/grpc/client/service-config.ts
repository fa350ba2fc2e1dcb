import { DEFAULT_METHOD_CONFIG, methodNames, object, parseMethodConfig, type MethodConfig } from "./method-config.js";
import { parsePolicy, type Policy } from "./policy.js";

/** A validated service configuration (gRPC "Service Config", gRFC A2, A6). */
export interface ServiceConfig {
  /** null where the configuration names none. */
  readonly policy: Policy | null;
  /** Keys are `/service/method`, `/service/` and `/`. */
  readonly methods: ReadonlyMap<string, MethodConfig>;
  readonly throttling: { readonly maxTokens: number; readonly tokenRatio: number } | null;
  /** The service whose health servers are asked for (gRFC A17); null for none. */
  readonly health: string | null;
}

export const EMPTY_SERVICE_CONFIG: ServiceConfig = { policy: null, methods: new Map(), throttling: null, health: null };

/** Validates a configuration given as JSON text or as the object parsed from it. @throws Error that names the field */
export function parseServiceConfig(source: unknown): ServiceConfig {
  const config = object(typeof source === "string" ? JSON.parse(source) : source, "Invalid service config: an object is expected");
  const methods = new Map<string, MethodConfig>();
  const { methodConfig, retryThrottling, healthCheckConfig } = config;
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
  return {
    policy: parsePolicy(config),
    methods,
    throttling: retryThrottling === undefined ? null : parseThrottling(retryThrottling),
    health: healthCheckConfig === undefined ? null : parseHealth(healthCheckConfig),
  };
}

/** The entry for `/service/method`: exact, else of its service, else the default one. */
export function methodConfig(config: ServiceConfig, path: string): MethodConfig {
  const { methods } = config;
  if (methods.size === 0) return DEFAULT_METHOD_CONFIG;
  return methods.get(path) ?? methods.get(path.slice(0, path.lastIndexOf("/") + 1)) ?? methods.get("/") ?? DEFAULT_METHOD_CONFIG;
}

/** Without a service's name there are no checks; the empty name is the server as a whole. */
function parseHealth(value: unknown): string | null {
  const { serviceName } = object(value, "Invalid healthCheckConfig: an object is expected");
  if (serviceName === undefined || serviceName === null) return null;
  if (typeof serviceName !== "string") throw new Error("Invalid healthCheckConfig: serviceName must be a string");
  return serviceName;
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
