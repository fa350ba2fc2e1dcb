import type { ListenOptions, Renewal } from "../../transport/listen.js";
import type { ServerInterceptor } from "./intercepting.js";

/** A private key and the chain of certificates that goes with it, in PEM. */
export interface KeyCertPair {
  private_key: Buffer;
  cert_chain: Buffer;
}

/** Node's options for a TLS server. */
export type TlsOptions = NonNullable<ListenOptions["tls"]>;

/** gRPC requires at least TLS 1.2 with an ephemeral key exchange, as does RFC 9113 section 9.2. */
const MINIMUM = "TLSv1.2";

function sameBytes(left: unknown, right: unknown): boolean {
  if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return left.equals(right);
  if (Array.isArray(left) && Array.isArray(right)) return left.length === right.length && left.every((item, at) => sameBytes(item, right[at]));
  return left === right;
}

type SecureContextOptions = Parameters<Parameters<Renewal>[0]>[0];

/** What `updateSecureContextOptions` was last given, and the servers that follow it. */
class ContextUpdates {
  #latest: SecureContextOptions | null = null;
  readonly #followers = new Set<(options: SecureContextOptions) => void>();

  set(options: SecureContextOptions): void {
    this.#latest = options;
    for (const follower of this.#followers) follower(options);
  }

  follow(apply: (options: SecureContextOptions) => void): () => void {
    if (this.#latest !== null) apply(this.#latest);
    this.#followers.add(apply);
    return () => { this.#followers.delete(apply); };
  }
}

/** How a server's connections are secured, as in grpc-js. */
export class ServerCredentials {
  readonly #tls: TlsOptions | null;
  readonly #interceptors: readonly ServerInterceptor[];
  readonly #renewal: Renewal | null;
  readonly #updates: ContextUpdates;

  protected constructor(tls: TlsOptions | null, interceptors: readonly ServerInterceptor[], renewal: Renewal | null = null, updates = new ContextUpdates()) {
    this.#tls = tls;
    this.#interceptors = interceptors;
    this.#renewal = renewal;
    this.#updates = updates;
  }

  /**
   * Replaces certificates and keys for the connections to come, of every server that uses these credentials. With null
   * their handshakes fail until there are others.
   */
  updateSecureContextOptions(options: SecureContextOptions | null): void {
    this.#updates.set(options ?? {});
  }

  /** Plain text. */
  static createInsecure(): ServerCredentials {
    return new ServerCredentials(null, []);
  }

  /**
   * TLS with HTTP/2.
   *
   * @param rootCerts authorities of client certificates in PEM; null for those of the system
   * @param checkClientCertificate whether clients must present a certificate of these authorities (mutual TLS)
   * @throws TypeError for arguments of other types
   */
  static createSsl(rootCerts: Buffer | null, keyCertPairs: KeyCertPair[], checkClientCertificate = false): ServerCredentials {
    if (rootCerts !== null && !Buffer.isBuffer(rootCerts)) throw new TypeError("rootCerts must be null or a Buffer");
    if (!Array.isArray(keyCertPairs)) throw new TypeError("keyCertPairs must be an array");
    if (typeof checkClientCertificate !== "boolean") throw new TypeError("checkClientCertificate must be a boolean");
    const pairs = keyCertPairs.map((pair: Partial<KeyCertPair> | null, at) => {
      if (pair === null || typeof pair !== "object") throw new TypeError(`keyCertPair[${at}] must be an object`);
      const { private_key: key, cert_chain: cert } = pair;
      if (!Buffer.isBuffer(key)) throw new TypeError(`keyCertPair[${at}].private_key must be a Buffer`);
      if (!Buffer.isBuffer(cert)) throw new TypeError(`keyCertPair[${at}].cert_chain must be a Buffer`);
      return { key, cert };
    });
    return ServerCredentials.createFromTlsOptions({
      ...(rootCerts === null ? {} : { ca: rootCerts }),
      key: pairs.map(({ key }) => key),
      cert: pairs.map(({ cert }) => cert),
      requestCert: checkClientCertificate,
      rejectUnauthorized: checkClientCertificate,
    });
  }

  /** TLS with Node's options, for SNI, tickets, or a renewed `secureContext`. */
  static createFromTlsOptions(options: TlsOptions): ServerCredentials {
    return new ServerCredentials({ minVersion: MINIMUM, ...options }, []);
  }

  /** Returns these credentials with interceptors for their calls, which run inside those of the server. */
  static withInterceptors(credentials: ServerCredentials, interceptors: readonly ServerInterceptor[]): ServerCredentials {
    return new ServerCredentials(credentials.#tls, [...credentials.#interceptors, ...interceptors], credentials.#renewal, credentials.#updates);
  }

  /** TLS whose certificates and keys come from `renewal`, and may change. */
  static createRenewed(options: TlsOptions, renewal: Renewal): ServerCredentials {
    return new ServerCredentials({ minVersion: MINIMUM, ...options }, [], renewal);
  }

  /** Where certificates come from that may change; null without TLS. */
  get renewal(): Renewal | null {
    if (this.#tls === null) return null;
    const [given, updates] = [this.#renewal, this.#updates];
    return (apply) => {
      const ends = [updates.follow(apply), given?.(apply)];
      return () => { for (const end of ends) end?.(); };
    };
  }

  /** Null without TLS. */
  get tls(): TlsOptions | null {
    return this.#tls;
  }

  get interceptors(): readonly ServerInterceptor[] {
    return this.#interceptors;
  }

  _isSecure(): boolean {
    return this.#tls !== null;
  }

  /** Whether a socket that is bound with one credential can serve the other. */
  _equals(other: ServerCredentials): boolean {
    if (this === other) return true;
    const left = this.#tls;
    const right = other.#tls;
    if (this.#renewal !== other.#renewal) return false;
    if (left === null || right === null) return left === right && this.#sameInterceptors(other);
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof TlsOptions>;
    return [...keys].every((key) => sameBytes(left[key], right[key])) && this.#sameInterceptors(other);
  }

  #sameInterceptors(other: ServerCredentials): boolean {
    return sameBytes([...this.#interceptors], [...other.#interceptors]);
  }
}

/** grpc-js's name for `ServerCredentials.withInterceptors`. */
export function createServerCredentialsWithInterceptors(credentials: ServerCredentials, interceptors: ServerInterceptor[]): ServerCredentials {
  return ServerCredentials.withInterceptors(credentials, interceptors);
}
