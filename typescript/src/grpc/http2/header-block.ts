import { headerFault } from "./header-rules.js";
import type { HeaderList, Part } from "./header-rules.js";

/**
 * A received header list. Immutable. Equal blocks on one connection are usually the same object, so that layers above
 * may cache in `derived` what they computed from it.
 */
export class HeaderBlock implements HeaderList {
  /** Names in the order of the wire, pseudo fields first. */
  readonly names: readonly string[];
  /** Values beside them. Each character is one byte (Latin-1). */
  readonly values: readonly string[];
  /** For the layer above alone: what it computed from this block, shared by all streams that carry it. */
  derived: unknown = undefined;
  private checkedAs: Part | "" = "";
  private found = "";
  private length: number | undefined = undefined;

  constructor(names: readonly string[], values: readonly string[]) {
    this.names = names;
    this.values = values;
  }

  /** Returns the value of the first field of that name. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }

  /** Returns what is malformed about the list as a request, response or trailers, or "". Computed once. */
  fault(part: Part): string {
    if (this.checkedAs !== part) {
      this.checkedAs = part;
      this.found = headerFault(this, part);
    }
    return this.found;
  }

  /** The content-length of a well-formed list; -1 if it has none. */
  get contentLength(): number {
    this.length ??= Number(this.get("content-length") ?? -1);
    return this.length;
  }
}
