import { decodedBound, huffmanDecode } from "./huffman-decode.js";
import { hashBytes, latin1, sameBytes } from "./text.js";

const SLOTS = 64;

/** Longest wire form that is remembered. */
const LONGEST = 128;

/** Scratch buffer for short texts. */
const scratch = new Uint8Array(256);

/**
 * A cache of literal texts by their wire form: a path that a peer sends as a literal with every request is decoded once
 * and stays one string. At most 64 × (128 + 205) bytes a connection.
 */
export class TextCache {
  private readonly wires: (Uint8Array | null)[] = new Array<Uint8Array | null>(SLOTS).fill(null);
  private readonly texts: string[] = new Array<string>(SLOTS).fill("");
  private readonly coded: boolean[] = new Array<boolean>(SLOTS).fill(false);

  /** Returns the text of `bytes[from, to)`, Huffman-coded or raw; null for an invalid code. */
  text(bytes: Uint8Array, from: number, to: number, coded: boolean): string | null {
    if (from === to) return "";
    if (to - from > LONGEST) return this.decode(bytes, from, to, coded);
    const slot = hashBytes(bytes, from, to) & (SLOTS - 1);
    const wire = this.wires[slot];
    if (wire != null && wire.length === to - from && this.coded[slot] === coded && sameBytes(wire, bytes, from)) return this.texts[slot]!;
    const text = this.decode(bytes, from, to, coded);
    if (text === null) return null;
    this.wires[slot] = bytes.slice(from, to);
    this.texts[slot] = text;
    this.coded[slot] = coded;
    return text;
  }

  private decode(bytes: Uint8Array, from: number, to: number, coded: boolean): string | null {
    if (!coded) return latin1(bytes, from, to);
    const bound = decodedBound(to - from);
    const room = bound <= scratch.length ? scratch : new Uint8Array(bound);
    const length = huffmanDecode(bytes, from, to, room);
    return length < 0 ? null : latin1(room, 0, length);
  }
}
