/** Longest `bigint`, in bytes of two's complement. */
export const BIGINT_BYTES = 4_096;
