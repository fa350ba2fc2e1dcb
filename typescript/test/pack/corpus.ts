import { readFileSync } from "node:fs";
import type { Case } from "./cases.js";

const root = new URL("../../../../", import.meta.url);

/** All cases of all vector files that hold messages of pack. */
export function allCases(): Case[] {
  const manifest = JSON.parse(readFileSync(new URL("spec/vectors/MANIFEST.json", root), "utf8")) as {
    files: Record<string, number>;
    only: { typescript: Record<string, number> };
  };
  const columns = Object.keys(manifest.only.typescript).filter((file) => file.startsWith("columns/"));
  return [...Object.keys(manifest.files), ...columns].flatMap(
    (file) => (JSON.parse(readFileSync(new URL(`spec/vectors/${file}`, root), "utf8")) as { cases: Case[] }).cases,
  );
}

/** A small generator of reproducible random numbers (xorshift, 32 bits). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x9e3779b9) | 1;
  }

  /** A whole number from 0 to `below` − 1. */
  below(below: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % below;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

const INTERESTING = [0x00, 0x01, 0x3f, 0x40, 0x5f, 0x60, 0x61, 0x62, 0x63, 0x70, 0x71, 0x7e, 0x7f, 0x80, 0x81, 0xdf, 0xe0, 0xff] as const;
const VARINTS = [[0x80, 0x00], [0xff, 0x7f], [0xff, 0xff, 0x03], [0x80, 0x80, 0x80, 0x08], [0xff, 0xff, 0xff, 0xff, 0x07], [0xff, 0xff, 0xff, 0xff, 0x0f]] as const;

/** Changes a message in one to four places. */
export function mutate(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let out = Array.from(bytes);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(out.length + 1);
    switch (random.below(9)) {
      case 0:
        out[at] = (out[at] ?? 0) ^ (1 << random.below(8));
        break;
      case 1:
        out[at] = random.pick(INTERESTING);
        break;
      case 2:
        out[at] = random.below(256);
        break;
      case 3:
        out.splice(at, 0, random.pick(INTERESTING));
        break;
      case 4:
        out.splice(at, 1 + random.below(4));
        break;
      case 5:
        out.splice(at, random.below(2), ...random.pick(VARINTS));
        break;
      case 6:
        out.splice(at, 0, ...out.slice(at, at + random.below(16)));
        break;
      case 7:
        out = [...out.slice(0, at), ...other.slice(random.below(other.length + 1))];
        break;
      default:
        out.length = Math.min(out.length, at);
    }
    for (let i = 0; i < out.length; i++) out[i] ??= 0;
  }
  return Uint8Array.from(out);
}
