import type { HeaderFields } from "../http2/index.js";
import { acceptEncoding } from "../protocol/compression.js";
import { zlibEncodings } from "../transport/zlib.js";
import { DEFAULT_SETTINGS, type ChannelSettings } from "./channel-settings.js";
import { requestFields, type Method } from "./method.js";
import { methodConfig, type ServiceConfig } from "./service-config.js";

/** The most methods that a channel caches: paths and hosts may come from a program's own clients. */
const MOST_METHODS = 1_024;

/** What a channel's calls of one method share, made once for each: header fields, limits, configuration. */
export class MethodTable {
  readonly #settings: ChannelSettings;
  readonly #authority: string;
  readonly #methods = new Map<string, Method>();
  #config: ServiceConfig;
  #encodingRefused = false;

  constructor(settings: ChannelSettings, authority: string) {
    this.#settings = settings;
    this.#authority = authority;
    this.#config = settings.serviceConfig;
  }

  /** Another configuration holds from the next call on. */
  configure(config: ServiceConfig): void {
    this.#config = config;
    this.#methods.clear();
  }

  /** @param host replaces the authority */
  get(path: string, host: string | null, contentType: string): Method {
    const key = host === null && contentType === this.#settings.contentType ? path : `${path} ${host ?? ""} ${contentType}`;
    return this.#methods.get(key) ?? this.#make(key, path, host, contentType);
  }

  /** The server has said which encodings it takes: calls are not compressed if ours is none of them. */
  accepted(encodings: readonly string[]): void {
    const { encoding } = this.#settings;
    if (this.#encodingRefused || encoding === null || encodings.includes(encoding.name)) return;
    this.#encodingRefused = true;
    this.#methods.clear();
  }

  /** The head of a stream of health or load reports. It offers no encodings: reports are not decompressed. */
  watchFields(path: string): HeaderFields {
    const { contentType } = DEFAULT_SETTINGS;
    return requestFields({
      path,
      authority: this.#authority,
      scheme: this.#scheme,
      contentType,
      userAgent: this.#settings.userAgent,
      accept: "identity",
      encoding: null,
    });
  }

  get #scheme(): string {
    return this.#settings.tls === null ? "http" : "https";
  }

  #make(key: string, path: string, host: string | null, contentType: string): Method {
    const { maxSend, maxReceive, userAgent } = this.#settings;
    const config = methodConfig(this.#config, path);
    const encoding = this.#encodingRefused ? null : this.#settings.encoding;
    const authority = host ?? this.#authority;
    const accept = acceptEncoding(zlibEncodings);
    const method: Method = {
      path,
      authority,
      config,
      fields: requestFields({ path, authority, scheme: this.#scheme, contentType, userAgent, accept, encoding }),
      encoding,
      maxSend: Math.min(maxSend, config.maxRequestBytes),
      maxReceive: Math.min(maxReceive, config.maxResponseBytes, 0xffff_ffff),
    };
    if (this.#methods.size >= MOST_METHODS) this.#methods.clear();
    this.#methods.set(key, method);
    return method;
  }
}
