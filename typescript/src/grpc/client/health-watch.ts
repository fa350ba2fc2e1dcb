import { healthService } from "../health/health-messages.js";
import type { HeaderFields } from "../http2/index.js";
import { log, LogVerbosity } from "../logging.js";
import type { Trace } from "../protocol/trace.js";
import { ServerWatch } from "./server-watch.js";
import type { Session } from "./session.js";

/** The path of the health service's `Watch`. */
export const HEALTH_METHOD = healthService.Watch.path;

/** What is known of the health of a connection's server. */
export enum Health {
  /** The server has not reported yet. */
  UNKNOWN,
  SERVING,
  FAILING,
}

/** Asks the server of one connection whether a service is served (gRFC A17). A server without the method is healthy. */
export class HealthWatch extends ServerWatch {
  readonly #changed: (health: Health) => void;
  readonly #trace: Trace;

  /** @param fields the head of a request for `HEALTH_METHOD` */
  constructor(session: Session, fields: HeaderFields, service: string, changed: (health: Health) => void, trace: Trace) {
    super(session, fields, healthService.Watch.requestSerialize({ service }));
    this.#changed = changed;
    this.#trace = trace;
    this.expire();
  }

  protected told(message: Uint8Array): void {
    const { status } = healthService.Watch.responseDeserialize(message as Buffer);
    this.#changed(status === "SERVING" ? Health.SERVING : Health.FAILING);
  }

  protected refused(): void {
    const text = `${this.session.link.peer} does not tell its health: it has no ${HEALTH_METHOD}`;
    this.#trace.add(text, true);
    log(LogVerbosity.ERROR, text);
    this.#changed(Health.SERVING);
  }

  protected paused(): void {
    this.#changed(Health.FAILING);
  }
}
