import type { Status } from "../protocol/status.js";

/* A service configuration as its JSON text has it (gRFC A2): `JSON.stringify` of one is what the option
   `grpc.service_config` takes. */

export interface MethodConfigName {
  service?: string;
  method?: string;
}

/** Times are texts of seconds, like `0.1s`. */
export interface RetryPolicy {
  maxAttempts: number;
  initialBackoff: string;
  maxBackoff: string;
  backoffMultiplier: number;
  retryableStatusCodes: (Status | string)[];
}

export interface HedgingPolicy {
  maxAttempts: number;
  hedgingDelay?: string;
  nonFatalStatusCodes?: (Status | string)[];
}

export interface MethodConfig {
  name: MethodConfigName[];
  waitForReady?: boolean;
  timeout?: string | { seconds: number; nanos: number };
  maxRequestBytes?: number;
  maxResponseBytes?: number;
  retryPolicy?: RetryPolicy;
  hedgingPolicy?: HedgingPolicy;
}

/** One policy by its name, with its options. */
export type LoadBalancingConfig = Record<string, object>;

export interface ServiceConfig {
  loadBalancingPolicy?: string;
  loadBalancingConfig: LoadBalancingConfig[];
  methodConfig: MethodConfig[];
  healthCheckConfig?: { serviceName?: string };
  retryThrottling?: { maxTokens: number; tokenRatio: number };
}
