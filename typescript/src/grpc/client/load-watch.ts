import type { HeaderFields } from "../http2/index.js";
import { log, LogVerbosity } from "../logging.js";
import { decodeLoadReport, type LoadReport } from "../orca/load-report.js";
import { orcaService } from "../orca/orca-messages.js";
import type { Trace } from "../protocol/trace.js";
import { ServerWatch } from "./server-watch.js";
import type { Session } from "./session.js";

/** The path of the load reporting service's `StreamCoreMetrics`. */
export const LOAD_METHOD = orcaService.StreamCoreMetrics.path;

/** Receives the load reports of one connection's server (gRFC A51). */
export class LoadWatch extends ServerWatch {
  readonly #report: (report: LoadReport) => void;
  readonly #trace: Trace;

  /**
   * @param fields the head of a request for `LOAD_METHOD`
   * @param period milliseconds between two reports, as requested of the server
   */
  constructor(session: Session, fields: HeaderFields, period: number, report: (report: LoadReport) => void, trace: Trace) {
    super(session, fields, orcaService.StreamCoreMetrics.requestSerialize({ reportInterval: period }));
    this.#report = report;
    this.#trace = trace;
    this.expire();
  }

  protected told(message: Uint8Array): void {
    this.#report(decodeLoadReport(message));
  }

  protected refused(): void {
    const text = `${this.session.link.peer} does not report its load: it has no ${LOAD_METHOD}`;
    this.#trace.add(text, true);
    log(LogVerbosity.ERROR, text);
  }

  protected paused(): void {
    // The reports so far stay valid.
  }
}
