/** Where to listen or connect: TCP, or a unix socket by its path. */
export type SocketAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** `127.0.0.1:50051`, `[::1]:50051`, `unix:/path`, or `unknown` for a socket that has none any more. */
export function addressText(host: string | undefined, port: number | undefined, path?: string): string {
  if (host === undefined || port === undefined) return path === undefined ? "unknown" : `unix:${path}`;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
