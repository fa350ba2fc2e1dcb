/** Rows of fewer integers than this have no mode byte. */
export const FEW = 16;
/** Raw runs of this many bytes and more are aligned. */
export const ALIGNED_RUN = 64;
/** Values in a packed block. */
export const BLOCK = 128;
