import { addressText, type SocketAddress } from "../../transport/address.js";
import { Metadata } from "../protocol/metadata.js";
import type { PartialStatusObject, StatusObject } from "../protocol/status.js";

/** A target in its parts, under grpc-js's names: `scheme://authority/path`. */
export interface GrpcUri {
  scheme?: string | undefined;
  authority?: string | undefined;
  path: string;
}

export interface HostPort {
  host: string;
  port?: number;
}

/** Where one connection can be made to. */
export type SubchannelAddress = SocketAddress;

/** One server by all its addresses. */
export interface Endpoint {
  addresses: SubchannelAddress[];
}

/** A value, or why there is none. */
export type StatusOr<T> = { ok: true; value: T } | { ok: false; error: StatusObject };

export function statusOrFromValue<T>(value: T): StatusOr<T> {
  return { ok: true, value };
}

export function statusOrFromError<T>(error: PartialStatusObject): StatusOr<T> {
  return { ok: false, error: { ...error, metadata: error.metadata ?? new Metadata() } };
}

/** The parts of a target; without a scheme all of it is the path. */
export function parseUri(target: string): GrpcUri {
  const colon = target.indexOf(":");
  if (colon < 1) return { path: target };
  const scheme = target.slice(0, colon);
  const rest = target.slice(colon + 1);
  const slash = rest.startsWith("//") ? rest.indexOf("/", 2) : -1;
  return slash < 0 ? { scheme, path: rest } : { scheme, authority: rest.slice(2, slash), path: rest.slice(slash + 1) };
}

export function uriToString({ scheme, authority, path }: GrpcUri): string {
  return `${scheme === undefined ? "" : `${scheme}:`}${authority === undefined ? "" : `//${authority}/`}${path}`;
}

/** Cuts `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 literal; null for anything else. */
export function splitHostPort(path: string): HostPort | null {
  const match = /^\[([^\]]*:[^\]]*)\](?::(\d+))?$/.exec(path) ?? /^([^:[]*)(?::(\d+))?$/.exec(path);
  if (match !== null) return match[2] === undefined ? { host: match[1]! } : { host: match[1]!, port: Number(match[2]) };
  return !path.startsWith("[") && path.split(":").length > 2 ? { host: path } : null;
}

/** `1.2.3.4:80`, `[::1]:80`, or the path of a unix socket. */
export function subchannelAddressToString(address: SubchannelAddress): string {
  return "path" in address ? address.path : addressText(address.host, address.port);
}

export function endpointToString({ addresses }: Endpoint): string {
  return `[${addresses.map(subchannelAddressToString).join(", ")}]`;
}

export function endpointHasAddress({ addresses }: Endpoint, expected: SubchannelAddress): boolean {
  return addresses.some((address) => subchannelAddressToString(address) === subchannelAddressToString(expected));
}
