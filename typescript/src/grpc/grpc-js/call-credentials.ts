import { Metadata } from "../protocol/metadata.js";

/** The argument of a metadata generator: `service_url` is `https://host/package.Service`. */
export interface CallMetadataOptions {
  method_name: string;
  service_url: string;
}

export type CallMetadataGenerator = (options: CallMetadataOptions, callback: (error: Error | null, metadata?: Metadata) => void) => void;

/** The authentication clients of Google's libraries, of both generations. */
export type OAuth2Client =
  | { getRequestHeaders: (url?: string) => Promise<Record<string, string> | Iterable<readonly [string, string]>> }
  | { getRequestMetadata: (url: string, callback: (error: Error | null, headers?: Record<string, string>) => void) => void };

/** Adds metadata to each call, usually to authenticate it. */
export abstract class CallCredentials {
  abstract generateMetadata(options: CallMetadataOptions): Promise<Metadata>;

  /** Both sets of metadata, this one's first. */
  abstract compose(credentials: CallCredentials): CallCredentials;

  abstract _equals(other: CallCredentials): boolean;

  static createFromMetadataGenerator(generator: CallMetadataGenerator): CallCredentials {
    return new GeneratorCredentials(generator);
  }

  static createFromGoogleCredential(client: OAuth2Client): CallCredentials {
    return new GeneratorCredentials((options, callback) => {
      googleHeaders(client, options.service_url).then(
        (headers) => {
          const metadata = new Metadata();
          const entries = Symbol.iterator in headers ? headers : Object.entries(headers);
          for (const [key, value] of entries) metadata.add(key, value);
          callback(null, metadata);
        },
        (error: unknown) => {
          callback(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  static createEmpty(): CallCredentials {
    return new EmptyCredentials();
  }
}

async function googleHeaders(client: OAuth2Client, url: string): Promise<Record<string, string> | Iterable<readonly [string, string]>> {
  if ("getRequestHeaders" in client) return client.getRequestHeaders(url);
  return new Promise((resolve, reject) => {
    client.getRequestMetadata(url, (error, headers) => {
      if (error !== null) reject(error);
      else if (headers === undefined) reject(new Error("Headers not set by metadata plugin"));
      else resolve(headers);
    });
  });
}

class GeneratorCredentials extends CallCredentials {
  readonly #generator: CallMetadataGenerator;

  constructor(generator: CallMetadataGenerator) {
    super();
    this.#generator = generator;
  }

  generateMetadata(options: CallMetadataOptions): Promise<Metadata> {
    return new Promise((resolve, reject) => {
      this.#generator(options, (error, metadata) => {
        if (metadata !== undefined) resolve(metadata);
        else reject(error ?? new Error("the metadata generator gave neither metadata nor an error"));
      });
    });
  }

  compose(other: CallCredentials): CallCredentials {
    return other instanceof EmptyCredentials ? this : new ComposedCredentials([this, other]);
  }

  _equals(other: CallCredentials): boolean {
    return other instanceof GeneratorCredentials && other.#generator === this.#generator;
  }
}

class ComposedCredentials extends CallCredentials {
  readonly #parts: readonly CallCredentials[];

  constructor(parts: readonly CallCredentials[]) {
    super();
    this.#parts = parts;
  }

  async generateMetadata(options: CallMetadataOptions): Promise<Metadata> {
    const all = new Metadata();
    for (const metadata of await Promise.all(this.#parts.map((part) => part.generateMetadata(options)))) all.merge(metadata);
    return all;
  }

  compose(other: CallCredentials): CallCredentials {
    return other instanceof EmptyCredentials ? this : new ComposedCredentials([...this.#parts, other]);
  }

  _equals(other: CallCredentials): boolean {
    if (!(other instanceof ComposedCredentials) || other.#parts.length !== this.#parts.length) return false;
    return this.#parts.every((part, at) => part._equals(other.#parts[at]!));
  }
}

class EmptyCredentials extends CallCredentials {
  generateMetadata(): Promise<Metadata> {
    return Promise.resolve(new Metadata());
  }

  compose(other: CallCredentials): CallCredentials {
    return other;
  }

  _equals(other: CallCredentials): boolean {
    return other instanceof EmptyCredentials;
  }
}

export function isEmptyCallCredentials(credentials: CallCredentials): boolean {
  return credentials instanceof EmptyCredentials;
}
