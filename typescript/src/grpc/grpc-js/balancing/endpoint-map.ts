import { subchannelAddressToString, type Endpoint, type SubchannelAddress } from "../grpc-uri.js";

/** Values by endpoints, which are equal if they have the same addresses in any order. */
export class EndpointMap<ValueType> {
  readonly #entries = new Map<string, { readonly endpoint: Endpoint; value: ValueType }>();

  get size(): number {
    return this.#entries.size;
  }

  getForSubchannelAddress(address: SubchannelAddress): ValueType | undefined {
    const wanted = subchannelAddressToString(address);
    for (const { endpoint, value } of this.#entries.values()) {
      if (endpoint.addresses.some((each) => subchannelAddressToString(each) === wanted)) return value;
    }
    return undefined;
  }

  /** Deletes the entries of other endpoints than these. @returns their values */
  deleteMissing(endpoints: Endpoint[]): ValueType[] {
    const kept = new Set(endpoints.map(key));
    const removed: ValueType[] = [];
    for (const [name, { value }] of this.#entries) {
      if (kept.has(name)) continue;
      removed.push(value);
      this.#entries.delete(name);
    }
    return removed;
  }

  get(endpoint: Endpoint): ValueType | undefined {
    return this.#entries.get(key(endpoint))?.value;
  }

  set(endpoint: Endpoint, value: ValueType): void {
    const known = this.#entries.get(key(endpoint));
    if (known === undefined) this.#entries.set(key(endpoint), { endpoint, value });
    else known.value = value;
  }

  delete(endpoint: Endpoint): void {
    this.#entries.delete(key(endpoint));
  }

  has(endpoint: Endpoint): boolean {
    return this.#entries.has(key(endpoint));
  }

  clear(): void {
    this.#entries.clear();
  }

  *keys(): IterableIterator<Endpoint> {
    for (const { endpoint } of this.#entries.values()) yield endpoint;
  }

  *values(): IterableIterator<ValueType> {
    for (const { value } of this.#entries.values()) yield value;
  }

  *entries(): IterableIterator<[Endpoint, ValueType]> {
    for (const { endpoint, value } of this.#entries.values()) yield [endpoint, value];
  }
}

function key({ addresses }: Endpoint): string {
  return addresses.map(subchannelAddressToString).sort().join(" ");
}
