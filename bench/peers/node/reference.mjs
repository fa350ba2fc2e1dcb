// The reference data, made here: BooPickle's performance suite and two shapes in which no text repeats.
// The same algorithm stands in every peer project of the lab; `digest` proves that they agree. Node and browsers.

export const SHAPES = [
  "event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum", "uniqueStrings", "uniqueRecords",
];

const CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅabcdefghijklmnopqrstuvwxyzö0123456789?_-,.          !";
const COLORS = ["black", "red", "white", "yellow", "blue"];
const BOOKS = [
  ["Carrie", 1974], ["'Salem's Lot", 1975], ["Rage\tBachman", 1976], ["Shining, The", 1976],
  ["Last Rung on the Ladder", 1977], ["Böögeyman", 1977], ["Cat from Hell", 1977], ["Man Who Loved Flowers", 1977],
];

/** `java.util.Random(0)`: a 48-bit linear congruential generator, as its documentation gives it. */
class Random {
  #state = 0x5deece66dn;

  /** A signed integer of `bits` random bits (1 to 32). */
  next(bits) {
    this.#state = (this.#state * 0x5deece66dn + 0xbn) & 0xffffffffffffn;
    return Number(this.#state >> BigInt(48 - bits)) | 0;
  }

  /** Uniform in 0 <= n < bound. */
  below(bound) {
    if ((bound & (bound - 1)) === 0) return Number((BigInt(bound) * BigInt(this.next(31))) >> 31n);
    for (;;) {
      const bits = this.next(31);
      const value = bits % bound;
      if (bits - value + bound - 1 < 2 ** 31) return value;
    }
  }

  /** 64 bits, unsigned. */
  long() {
    const high = BigInt(this.next(32)) << 32n;
    return BigInt.asUintN(64, high + BigInt(this.next(32)));
  }

  /** Uniform in 0 <= x < 1, 53 bits. */
  double() {
    const high = this.next(26) * 2 ** 27;
    return (high + this.next(27)) * 2 ** -53;
  }
}

/** A running index over 100 UUIDs; the first one handed out is number 1. */
class Identifiers {
  #texts = [];
  #index = 0;

  constructor() {
    const random = new Random();
    const hex = () => random.long().toString(16).padStart(16, "0");
    for (let i = 0; i < 100; i++) this.#texts.push(hex() + hex());
  }

  #next() {
    this.#index = (this.#index + 1) % 100;
    return this.#index;
  }

  random() {
    const text = this.#texts[this.#next()];
    return `R${text.slice(0, 8)}:${text[8]}`;
  }

  number() {
    return String(this.#next() + 1000);
  }
}

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index));
const integer = (random) => Math.trunc((1.0 / (1.0 + random.double() * 1e5)) * 1e7);
const letters = (random, count) => list(count, () => String.fromCharCode(97 + random.below(26))).join("");

function string(random) {
  return list(Math.trunc((random.double() * 10) ** 2 + 2), () => CHARS[random.below(80)]).join("");
}

function node(random, ids, most, depth) {
  const count = Math.min(Math.max(random.below(most + depth), depth), most);
  const name = ids.random();
  const color = COLORS[random.below(5)];
  return { name, color, children: list(count, () => node(random, ids, most, depth - 1)) };
}

function books(identify) {
  return BOOKS.map(([name, year]) => ({ id: identify(), name, author: "Stephen King", publicationYear: year }));
}

function record(random, index) {
  const name = letters(random, 8 + random.below(24)) + index;
  const author = letters(random, 5 + random.below(12)) + index;
  return { id: `R${index}`, name, author, publicationYear: 1900 + random.below(120) };
}

/** The value of one shape; the map is a `Map`. */
export function make(shape) {
  const random = new Random();
  switch (shape) {
    case "event": return { i: 42, b: true };
    case "ints": return list(10_000, () => integer(random));
    case "doubles": return list(8_000, () => (random.double() - 0.1) * 1e6);
    case "strings": return list(1_000, () => string(random));
    case "map": return new Map(list(10_000, (index) => [`ID${index}`, integer(random)]));
    case "uniqueStrings": return list(10_000, (index) => letters(random, 1 + random.below(24)) + index);
    case "uniqueRecords": return list(1_000, (index) => record(random, index));
  }
  const ids = new Identifiers();
  const tree = node(random, ids, 5, 3);
  const booksRandom = books(() => ids.random());
  return { tree, booksRandom, booksNum: books(() => ids.number()) }[shape];
}

/** A canonical dump: text and lists with their length as u32, i32, f64, one byte a bool, little-endian. */
export function dump(shape, value) {
  const parts = [];
  const view = new DataView(new ArrayBuffer(8));
  const bytes = (length) => parts.push(new Uint8Array(view.buffer.slice(0, length)));
  const int = (number) => (view.setInt32(0, number, true), bytes(4));
  const double = (number) => (view.setFloat64(0, number, true), bytes(8));
  const text = (content) => {
    const utf8 = new TextEncoder().encode(content);
    int(utf8.length);
    parts.push(utf8);
  };
  const visit = (item) => {
    if (typeof item === "boolean") parts.push(Uint8Array.of(Number(item)));
    else if (typeof item === "number") shape === "doubles" ? double(item) : int(item);
    else if (typeof item === "string") text(item);
    else if (item instanceof Map) (int(item.size), item.forEach((number, key) => (text(key), int(number))));
    else if (Array.isArray(item)) (int(item.length), item.forEach(visit));
    else Object.values(item).forEach(visit);
  };
  visit(value);
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** FNV-1a (64 bits, hexadecimal) of a dump. The state is two halves of 32 bits; the prime is 2^40 + 0x1b3. */
export function digest(bytes) {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
