import { encodeLoadReport, type LoadReport } from "./load-report.js";

/** The metrics of one call, under grpc-js's names: sent in the call's trailers. */
export class PerRequestMetricRecorder {
  readonly #report: LoadReport = {};
  #isEmpty = true;

  /** Whether nothing was recorded: then nothing is sent. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** The cost of the call in a resource, as an absolute number. */
  recordRequestCostMetric(name: string, value: number): void {
    this.#put("requestCost", name, value);
  }

  /** The utilization of a resource, from 0 to 1. */
  recordUtilizationMetric(name: string, value: number): void {
    this.#put("utilization", name, value);
  }

  recordNamedMetric(name: string, value: number): void {
    this.#put("namedMetrics", name, value);
  }

  recordCPUUtilizationMetric(value: number): void {
    this.#set("cpuUtilization", value);
  }

  recordMemoryUtilizationMetric(value: number): void {
    this.#set("memUtilization", value);
  }

  recordApplicationUtilizationMetric(value: number): void {
    this.#set("applicationUtilization", value);
  }

  /** Queries a second. */
  recordQpsMetric(value: number): void {
    this.#set("qps", value);
  }

  /** Errors a second. */
  recordEpsMetric(value: number): void {
    this.#set("eps", value);
  }

  /** The bytes of an `OrcaLoadReport`. */
  serialize(): Buffer {
    return encodeLoadReport(this.#report);
  }

  #set(name: "cpuUtilization" | "memUtilization" | "applicationUtilization" | "qps" | "eps", value: number): void {
    this.#report[name] = value;
    this.#isEmpty = false;
  }

  #put(map: "requestCost" | "utilization" | "namedMetrics", name: string, value: number): void {
    (this.#report[map] ??= new Map()).set(name, value);
    this.#isEmpty = false;
  }
}
