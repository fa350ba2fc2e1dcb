import { promises, readFileSync } from "node:fs";
import { createSecureContext, type ConnectionOptions, type PeerCertificate, type SecureContext } from "node:tls";

export type { ConnectionOptions, PeerCertificate, SecureContext };

/** PEM texts of a client; null for those that it does not use. */
export interface ClientCertificates {
  readonly roots: Buffer | null;
  readonly key: Buffer | null;
  readonly chain: Buffer | null;
}

/**
 * Returns a client's TLS context. Missing roots and cipher suites come from the environment variables that all gRPC
 * libraries read.
 *
 * @throws Error of the system or of TLS for files and certificates that cannot be read
 */
export function clientContext({ roots, key, chain }: ClientCertificates): SecureContext {
  const file = process.env["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"];
  const ca = roots ?? (file ? readFileSync(file) : null);
  const ciphers = process.env["GRPC_SSL_CIPHER_SUITES"];
  return createSecureContext({
    ...(ca === null ? {} : { ca }),
    ...(key === null || chain === null ? {} : { key, cert: chain }),
    ...(ciphers ? { ciphers } : {}),
  });
}

/** Returns the content of a file; null if it cannot be read. */
export async function readPem(path: string): Promise<Buffer | null> {
  try {
    return await promises.readFile(path);
  } catch {
    return null;
  }
}
