/**
 * A header list as it came. Immutable; equal blocks on one connection are usually the same object, so that layers above may
 * remember in `derived` what they made of it.
 */
export class HeaderBlock {
  /** Names in the order of the wire, pseudo fields first. */
  readonly names: readonly string[];
  /** Values beside them. Each character is one byte (Latin-1). */
  readonly values: readonly string[];
  /** For the layer above alone: what it made of this block, shared by all streams that carry it. */
  derived: unknown = undefined;

  constructor(names: readonly string[], values: readonly string[]) {
    this.names = names;
    this.values = values;
  }

  /** The value of the first field of that name. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }
}
