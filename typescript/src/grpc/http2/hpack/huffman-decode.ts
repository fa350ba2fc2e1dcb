import { CODE_BITS, CODES, END_OF_STRING } from "./huffman-code.js";

/**
 * A state is an inner node of the code's tree (there are 256), a step eats four bits. No code is shorter than five
 * bits, so a step completes at most one symbol. Steps[state × 16 + bits] holds the next state in bits 0-7, the symbol
 * in bits 8-15 and flags.
 */
const EMIT = 1 << 16;
const FAIL = 1 << 17;

/**
 * Whether the input may end in a state: less than a byte of the end-of-string code, which is all ones (RFC 7541 section
 * 5.2).
 */
const MAY_END = new Uint8Array(256);

const STEPS: Int32Array = build();

/** Children of the inner nodes: a node's number, or a symbol as -1 - symbol. */
function tree(): [number, number][] {
  const nodes: [number, number][] = [[0, 0]];
  for (let symbol = 0; symbol <= END_OF_STRING; symbol++) {
    let node = 0;
    for (let bit = CODE_BITS[symbol]! - 1; bit >= 0; bit--) {
      const side = ((CODES[symbol]! >>> bit) & 1) as 0 | 1;
      if (bit === 0) nodes[node]![side] = -1 - symbol;
      else {
        if (nodes[node]![side] === 0) nodes[node]![side] = nodes.push([0, 0]) - 1;
        node = nodes[node]![side];
      }
    }
  }
  return nodes;
}

function build(): Int32Array {
  const nodes = tree();
  const steps = new Int32Array(nodes.length * 16);
  for (let node = 0; node < nodes.length; node++) {
    for (let bits = 0; bits < 16; bits++) {
      let at = node;
      let flags = 0;
      for (let bit = 3; bit >= 0; bit--) {
        const next = nodes[at]![((bits >> bit) & 1) as 0 | 1];
        if (next >= 0) at = next;
        else {
          const symbol = -1 - next;
          flags |= symbol === END_OF_STRING ? FAIL : EMIT | (symbol << 8);
          at = 0;
        }
      }
      steps[node * 16 + bits] = at | flags;
    }
  }
  let node = 0;
  for (let depth = 0; depth < 8; depth++) {
    MAY_END[node] = 1;
    node = nodes[node]![1];
  }
  return steps;
}

/** Bytes that `length` coded bytes can become at most: the shortest code has five bits. */
export function decodedBound(length: number): number {
  return Math.floor((length * 8) / 5);
}

/**
 * Decodes `bytes[from, to)` to the start of `out`, which has room for `decodedBound(to - from)`.
 *
 * @returns the decoded length, or -1 for a code or padding that is none
 */
export function huffmanDecode(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  let state = 0;
  let length = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    let step = STEPS[(state << 4) | (byte >> 4)]!;
    if (step >= EMIT) {
      if (step >= FAIL) return -1;
      out[length++] = (step >> 8) & 0xff;
    }
    step = STEPS[((step & 0xff) << 4) | (byte & 15)]!;
    if (step >= EMIT) {
      if (step >= FAIL) return -1;
      out[length++] = (step >> 8) & 0xff;
    }
    state = step & 0xff;
  }
  return MAY_END[state] === 1 ? length : -1;
}
