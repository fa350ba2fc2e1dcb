import { loadSync } from "@grpc/proto-loader";
import { fileURLToPath } from "node:url";
import type { PackageDefinition, ServiceDefinition } from "../../../src/grpc/index.js";

/** Where the build leaves this file is as deep as where it stands, one folder further. */
const PROTO = fileURLToPath(new URL("../../../../test/grpc/interop/testing.proto", import.meta.url));

export interface Payload {
  readonly type?: string;
  readonly body: Buffer;
}

export interface EchoStatus {
  readonly code: number;
  readonly message: string;
}

export interface BoolValue {
  readonly value: boolean;
}

export interface SimpleRequest {
  readonly response_size?: number;
  readonly payload?: Payload | null;
  readonly response_status?: EchoStatus | null;
  readonly fill_server_id?: boolean;
  readonly response_compressed?: BoolValue | null;
  readonly expect_compressed?: BoolValue | null;
}

export interface SimpleResponse {
  readonly payload: Payload | null;
  readonly server_id: string;
}

export interface InputRequest {
  readonly payload: Payload | null;
  readonly expect_compressed?: BoolValue | null;
}

export interface InputResponse {
  readonly aggregated_payload_size: number;
}

export interface ResponseParameters {
  readonly size: number;
  readonly interval_us?: number;
  readonly compressed?: BoolValue | null;
}

export interface OutputRequest {
  readonly response_parameters: readonly ResponseParameters[];
  readonly payload?: Payload | null;
  readonly response_status?: EchoStatus | null;
}

export interface OutputResponse {
  readonly payload: Payload | null;
}

export const PACKAGE = loadSync(PROTO, { keepCase: true, longs: String, enums: String, defaults: true }) as unknown as PackageDefinition;
const loaded = PACKAGE as Record<string, ServiceDefinition>;

export const TEST_SERVICE = loaded["grpc.testing.TestService"]!;
export const UNIMPLEMENTED_SERVICE = loaded["grpc.testing.UnimplementedService"]!;
