import { readPem } from "../transport/secure-context.js";

/** PEM texts of authorities. */
export interface CaCertificateUpdate {
  caCertificate: Buffer;
}

/** A certificate with its chain, and its key, in PEM. */
export interface IdentityCertificateUpdate {
  certificate: Buffer;
  privateKey: Buffer;
}

/** Called with what is in force now; null if there is none. */
export type CaCertificateUpdateListener = (update: CaCertificateUpdate | null) => void;
export type IdentityCertificateUpdateListener = (update: IdentityCertificateUpdate | null) => void;

/**
 * A source of certificates that change while a program runs (grpc-js's `CertificateProvider`). A new listener gets the
 * present ones.
 */
export interface CertificateProvider {
  addCaCertificateListener(listener: CaCertificateUpdateListener): void;
  removeCaCertificateListener(listener: CaCertificateUpdateListener): void;
  addIdentityCertificateListener(listener: IdentityCertificateUpdateListener): void;
  removeIdentityCertificateListener(listener: IdentityCertificateUpdateListener): void;
}

export interface FileWatcherCertificateProviderConfig {
  certificateFile?: string | undefined;
  privateKeyFile?: string | undefined;
  caCertificateFile?: string | undefined;
  /** Milliseconds between two readings of the files. */
  refreshIntervalMs: number;
}

/** Reads files at an interval while there are listeners. The timer does not keep the process alive. */
export class FileWatcherCertificateProvider implements CertificateProvider {
  readonly #config: FileWatcherCertificateProviderConfig;
  readonly #ca = new Set<CaCertificateUpdateListener>();
  readonly #identity = new Set<IdentityCertificateUpdateListener>();
  #timer: NodeJS.Timeout | null = null;
  #reading = false;
  /** The last reading, while there are listeners. */
  #known: { readonly ca: CaCertificateUpdate | null; readonly identity: IdentityCertificateUpdate | null } | null = null;

  /** @throws Error when only one of certificate and key is named, or no file at all */
  constructor(config: FileWatcherCertificateProviderConfig) {
    const { certificateFile, privateKeyFile, caCertificateFile } = config;
    if ((certificateFile === undefined) !== (privateKeyFile === undefined)) throw new Error("certificateFile and privateKeyFile must be set or unset together");
    if (certificateFile === undefined && caCertificateFile === undefined) throw new Error("At least one of certificateFile and caCertificateFile must be set");
    this.#config = config;
  }

  addCaCertificateListener(listener: CaCertificateUpdateListener): void {
    this.#ca.add(listener);
    this.#begin((known) => {
      if (this.#ca.has(listener)) listener(known.ca);
    });
  }

  removeCaCertificateListener(listener: CaCertificateUpdateListener): void {
    this.#ca.delete(listener);
    this.#end();
  }

  addIdentityCertificateListener(listener: IdentityCertificateUpdateListener): void {
    this.#identity.add(listener);
    this.#begin((known) => {
      if (this.#identity.has(listener)) listener(known.identity);
    });
  }

  removeIdentityCertificateListener(listener: IdentityCertificateUpdateListener): void {
    this.#identity.delete(listener);
    this.#end();
  }

  #begin(tell: (known: { readonly ca: CaCertificateUpdate | null; readonly identity: IdentityCertificateUpdate | null }) => void): void {
    const known = this.#known;
    if (known !== null) process.nextTick(tell, known);
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => { void this.#read(); }, this.#config.refreshIntervalMs).unref();
    void this.#read();
  }

  #end(): void {
    if (this.#timer === null || this.#ca.size > 0 || this.#identity.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = null;
    // The next listener must get the files' contents of that time.
    this.#known = null;
  }

  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const { certificateFile, privateKeyFile, caCertificateFile } = this.#config;
    const [certificate, privateKey, caCertificate] = await Promise.all([certificateFile, privateKeyFile, caCertificateFile].map((path) => (path === undefined ? Promise.resolve(null) : readPem(path))));
    this.#reading = false;
    if (this.#timer === null) return;
    const known = {
      ca: caCertificate == null ? null : { caCertificate },
      identity: certificate == null || privateKey == null ? null : { certificate, privateKey },
    };
    this.#known = known;
    for (const listener of this.#ca) listener(known.ca);
    for (const listener of this.#identity) listener(known.identity);
  }
}
