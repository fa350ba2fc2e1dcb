import type { Metadata } from "../../protocol/metadata.js";
import type { StatusObject } from "../../protocol/status.js";

/** A message that is to be sent, with its write flags. */
export interface WriteObject {
  message: Buffer;
  flags?: number;
}

/**
 * A filter that a resolver's `ConfigSelector` adds to calls. Only `sendMetadata` runs; use interceptors for the rest.
 */
export interface Filter {
  sendMetadata(metadata: Promise<Metadata>): Promise<Metadata>;
  receiveMetadata(metadata: Metadata): Metadata;
  sendMessage(message: Promise<WriteObject>): Promise<WriteObject>;
  receiveMessage(message: Promise<Buffer>): Promise<Buffer>;
  receiveTrailers(status: StatusObject): StatusObject;
}

export interface FilterFactory<T extends Filter> {
  createFilter(): T;
}

/** Passes everything on. */
export abstract class BaseFilter implements Filter {
  sendMetadata(metadata: Promise<Metadata>): Promise<Metadata> {
    return metadata;
  }

  receiveMetadata(metadata: Metadata): Metadata {
    return metadata;
  }

  sendMessage(message: Promise<WriteObject>): Promise<WriteObject> {
    return message;
  }

  receiveMessage(message: Promise<Buffer>): Promise<Buffer> {
    return message;
  }

  receiveTrailers(status: StatusObject): StatusObject {
    return status;
  }
}

/** Several filters as one: outgoing through the first first, incoming through the last first. */
export class FilterStack implements Filter {
  readonly #filters: Filter[];

  constructor(filters: Filter[]) {
    this.#filters = filters;
  }

  sendMetadata(metadata: Promise<Metadata>): Promise<Metadata> {
    return this.#filters.reduce((passed, filter) => filter.sendMetadata(passed), metadata);
  }

  receiveMetadata(metadata: Metadata): Metadata {
    return this.#filters.reduceRight((passed, filter) => filter.receiveMetadata(passed), metadata);
  }

  sendMessage(message: Promise<WriteObject>): Promise<WriteObject> {
    return this.#filters.reduce((passed, filter) => filter.sendMessage(passed), message);
  }

  receiveMessage(message: Promise<Buffer>): Promise<Buffer> {
    return this.#filters.reduceRight((passed, filter) => filter.receiveMessage(passed), message);
  }

  receiveTrailers(status: StatusObject): StatusObject {
    return this.#filters.reduceRight((passed, filter) => filter.receiveTrailers(passed), status);
  }

  /** Puts filters before the others. */
  push(filters: Filter[]): void {
    this.#filters.unshift(...filters);
  }

  getFilters(): Filter[] {
    return this.#filters;
  }
}

export class FilterStackFactory implements FilterFactory<FilterStack> {
  readonly #factories: FilterFactory<Filter>[];

  constructor(factories: FilterFactory<Filter>[]) {
    this.#factories = factories;
  }

  push(filterFactories: FilterFactory<Filter>[]): void {
    this.#factories.unshift(...filterFactories);
  }

  clone(): FilterStackFactory {
    return new FilterStackFactory([...this.#factories]);
  }

  createFilter(): FilterStack {
    return new FilterStack(this.#factories.map((factory) => factory.createFilter()));
  }
}
