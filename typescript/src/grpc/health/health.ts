import type { ServiceDefinition } from "../protocol/method.js";
import { Status } from "../protocol/status.js";
import type { ServerUnaryCall, ServerWritableStream, UntypedServiceImplementation, sendUnaryData } from "../server/handler.js";
import { healthService } from "./health-messages.js";
import type { HealthCheckRequest, HealthCheckResponse, HealthListResponse, ServingStatus } from "./health-messages.js";

/** Statuses by the full names of services; the empty name is the whole server. */
export type ServingStatusMap = Record<string, ServingStatus>;

/** The server that a health service is added to. */
export interface ServiceHost {
  addService(service: ServiceDefinition, implementation: UntypedServiceImplementation): void;
}

type Watcher = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;

/**
 * The service `grpc.health.v1.Health`: `new HealthImplementation({ "": "SERVING" }).addToServer(server)`, under the
 * names of the package `grpc-health-check`.
 */
export class HealthImplementation {
  readonly #statuses = new Map<string, ServingStatus>();
  readonly #watchers = new Map<string, Set<Watcher>>();

  constructor(initial: ServingStatusMap = {}) {
    for (const [service, status] of Object.entries(initial)) this.#statuses.set(service, status);
  }

  /** Sets a service's status, and sends it to its watchers if it has changed. */
  setStatus(service: string, status: ServingStatus): void {
    if (this.#statuses.get(service) === status) return;
    this.#statuses.set(service, status);
    for (const watcher of this.#watchers.get(service) ?? []) this.#tell(watcher, service);
  }

  addToServer(server: ServiceHost): void {
    server.addService(healthService, {
      Check: (call: ServerUnaryCall<HealthCheckRequest, HealthCheckResponse>, callback: sendUnaryData<HealthCheckResponse>) => {
        const { service } = call.request;
        const status = this.#statuses.get(service);
        if (status === undefined) callback({ code: Status.NOT_FOUND, details: `Health status unknown for service ${service}` });
        else callback(null, { status });
      },
      List: (_call: ServerUnaryCall<object, HealthListResponse>, callback: sendUnaryData<HealthListResponse>) => {
        callback(null, { statuses: Object.fromEntries([...this.#statuses].map(([service, status]) => [service, { status }])) });
      },
      Watch: (call: Watcher) => {
        this.#watch(call, call.request.service);
      },
    });
  }

  /** A watch lasts until the client ends it: an unknown service may be added later. */
  #watch(call: Watcher, service: string): void {
    const watchers = this.#watchers.get(service) ?? new Set();
    this.#watchers.set(service, watchers.add(call));
    call.once("cancelled", () => {
      watchers.delete(call);
      if (watchers.size === 0) this.#watchers.delete(service);
    });
    this.#tell(call, service);
  }

  /** A slow client skips statuses: it gets the latest one once there is room. */
  #tell(watcher: Watcher, service: string): void {
    if (!watcher.writableNeedDrain) {
      watcher.write({ status: this.#statuses.get(service) ?? "SERVICE_UNKNOWN" });
    } else if (watcher.listenerCount("drain") === 0) {
      watcher.once("drain", () => {
        this.#tell(watcher, service);
      });
    }
  }
}
