import { promises, readFileSync } from "node:fs";
import { createSecureContext, type ConnectionOptions, type PeerCertificate, type SecureContext } from "node:tls";

export type { ConnectionOptions, PeerCertificate, SecureContext };

/** PEM texts of a client; null for those it does without. */
export interface ClientCertificates {
  readonly roots: Buffer | null;
  readonly key: Buffer | null;
  readonly chain: Buffer | null;
}

/**
 * A client's TLS context. Roots and cipher suites that are not given come from the environment variables that all gRPC libraries
 * read.
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

/** The content of a file; null for one that cannot be read (now). */
export async function readPem(path: string): Promise<Buffer | null> {
  try {
    return await promises.readFile(path);
  } catch {
    return null;
  }
}
