import type { ServiceHost } from "../health/health.js";
import type { ServerWritableStream } from "../server/handler.js";
import { Alarm } from "../../transport/alarm.js";
import type { LoadReport } from "./load-report.js";
import { orcaService, type LoadReportRequest } from "./orca-messages.js";

/** The default milliseconds between two reports. */
const INTERVAL = 30_000;

/** The least milliseconds between two reports. */
const SHORTEST = 100;

/**
 * A server's own metrics, under grpc-js's names, reported to clients of `xds.service.orca.v3.OpenRcaService` (gRFC
 * A51): at once, and then at the client's interval.
 */
export class ServerMetricRecorder {
  readonly #report: LoadReport = {};

  /** The utilization of a resource, from 0 to 1. */
  putUtilizationMetric(name: string, value: number): void {
    (this.#report.utilization ??= new Map()).set(name, value);
  }

  /** Replaces all resources. */
  setAllUtilizationMetrics(metrics: Readonly<Record<string, number>>): void {
    this.#report.utilization = new Map(Object.entries(metrics));
  }

  deleteUtilizationMetric(name: string): void {
    this.#report.utilization?.delete(name);
  }

  setCpuUtilizationMetric(value: number): void {
    this.#report.cpuUtilization = value;
  }

  deleteCpuUtilizationMetric(): void {
    delete this.#report.cpuUtilization;
  }

  setMemoryUtilizationMetric(value: number): void {
    this.#report.memUtilization = value;
  }

  deleteMemoryUtilizationMetric(): void {
    delete this.#report.memUtilization;
  }

  setApplicationUtilizationMetric(value: number): void {
    this.#report.applicationUtilization = value;
  }

  deleteApplicationUtilizationMetric(): void {
    delete this.#report.applicationUtilization;
  }

  /** Queries a second. */
  setQpsMetric(value: number): void {
    this.#report.qps = value;
  }

  deleteQpsMetric(): void {
    delete this.#report.qps;
  }

  /** Errors a second. */
  setEpsMetric(value: number): void {
    this.#report.eps = value;
  }

  deleteEpsMetric(): void {
    delete this.#report.eps;
  }

  addToServer(server: ServiceHost): void {
    server.addService(orcaService, {
      StreamCoreMetrics: (call: ServerWritableStream<LoadReportRequest, LoadReport>) => {
        this.#stream(call);
      },
    });
  }

  /** Reports are current: they do not pile up for a client that does not read. */
  #stream(call: ServerWritableStream<LoadReportRequest, LoadReport>): void {
    const interval = Math.max(call.request.reportInterval ?? INTERVAL, SHORTEST);
    const alarm = new Alarm(() => {
      if (!call.writableNeedDrain) call.write(this.#report);
      alarm.set(interval);
    });
    call.once("cancelled", () => {
      alarm.clear();
    });
    call.write(this.#report);
    alarm.set(interval);
  }
}
