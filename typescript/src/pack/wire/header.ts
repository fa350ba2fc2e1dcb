/** Bits of the header byte (section 5). */
export const Header = { TEXT: 1, WIDE: 2, REFS: 4, ALIGNED: 8, DIGEST: 16, FAST: 32, VERSION: 64, VERSION_MASK: 0xc0 } as const;
