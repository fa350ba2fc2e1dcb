/** The three forms of text (spec/pack.md section 6): Latin-1, UTF-16 and UTF-8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { primitives, webPrimitives } from "../../src/pack/wire/primitives.js";

const MODES: readonly pack.CodecOptions[] = [true, false].flatMap((evaluate) => [true, false].map((detach) => ({ check: false, eval: evaluate, detach })));
const strings = pack.list(pack.string);

function varint(value: number): number[] {
  return value > 127 ? [(value & 127) | 128, ...varint(value >>> 7)] : [value];
}

interface Blocks {
  readonly latin?: string;
  readonly wide?: string;
  readonly utf8?: string | readonly number[];
}

/** A message with these blocks and values, and no check. */
function message({ latin = "", wide = "", utf8 = "" }: Blocks, values: readonly number[], refs = false): Uint8Array {
  const bytes = typeof utf8 === "string" ? Buffer.from(utf8) : utf8;
  const lengths = [latin.length, wide.length, bytes.length].flatMap((length) => (length === 0 ? [] : varint(length)));
  const header = 0x80 | (latin === "" ? 0 : 1) | (wide === "" ? 0 : 2) | (bytes.length === 0 ? 0 : 0x20) | (refs ? 4 : 0);
  return Uint8Array.from([header, ...lengths, ...Buffer.from(latin, "latin1"), ...Buffer.from(wide, "utf16le"), ...bytes, ...values]);
}

function fails(codec: pack.Decoder<unknown>, bytes: Uint8Array, code: string, at: number, path: string): void {
  assert.throws(
    () => codec.decode(bytes),
    (error) => {
      assert.ok(error instanceof pack.SamewireError, String(error));
      assert.deepEqual([error.code, error.at, error.path], [code, at, path]);
      return true;
    },
  );
}

/** Texts at the borders of each form's lengths, with their tokens, and whether they have a number. */
const BORDERS: readonly (readonly [text: string, token: readonly number[], numbered: boolean])[] = [
  ["", [0], false],
  ["a", [1], false],
  ["ab", [2], true],
  ["é".repeat(95), [0x5f], true],
  ["é".repeat(96), [0x60, 0], false],
  ["é".repeat(300), [0x60, 0xcc, 1], false],
  ["Ā", [0x63], true],
  ["日", [0x63], true],
  ["日本", [0x64], true],
  ["日".repeat(14), [0x70], true],
  ["日".repeat(15), [0x61, 0], true],
  ["日".repeat(47), [0x61, 32], true],
  ["日".repeat(48), [0x61, 33], false],
  ["日".repeat(300), [0x61, 0x9d, 2], false],
  ["😀".repeat(7), [0x70], true],
  ["😀".repeat(24), [0x61, 33], false],
  ["aĀ", [0x71], true],
  [`${"a".repeat(14)}Ā`, [0x7e], true],
  [`${"a".repeat(15)}Ā`, [0x7f, 0], true],
  [`${"a".repeat(93)}Ā`, [0x7f, 78], true],
  [`${"a".repeat(94)}Ā`, [0x7f, 79], false],
  [`${"a".repeat(95)}Ā`, [0x7f, 80], false],
  [`${"a".repeat(300)}😀`, [0x7f, 0x9f, 2], false],
  ["Ж".repeat(200) + " ", [0x7f, 0x80, 3], false],
];

/** The blocks of these texts, by the rule. */
function blocksOf(texts: readonly string[]): Blocks & { readonly utf8: string } {
  let [latin, wide, utf8] = ["", "", ""];
  for (const text of texts) {
    if (/^[\0-\xff]*$/.test(text)) latin += text;
    else if (Buffer.byteLength(text) < 2 * text.length) utf8 += text;
    else wide += text;
  }
  return { latin, wide, utf8 };
}

test("a text of each form, at each border of its lengths", () => {
  for (const [text, token, numbered] of BORDERS) {
    // A text beyond Latin-1 in front: the writer then takes none for Latin-1.
    for (const first of ["", "日本語"]) {
      for (const profile of ["compact", "fast"] as const) {
        for (const options of MODES) {
          const codec = pack.codec(strings, { ...options, profile });
          const texts = [first, text, text];
          const again = numbered && profile === "compact";
          const written = blocksOf(again ? [first, text] : texts);
          const number = first === "" ? 0x80 : 0x81;
          const expected = message(written, [3, first === "" ? 0 : 0x65, ...token, ...(again ? [number] : token)], again);
          for (let turn = 0; turn < 2; turn++) assert.deepEqual(codec.encode(texts), expected, JSON.stringify(texts));
          assert.deepEqual(codec.decode(expected), texts);
          const output = new pack.Output();
          codec.encodeInto(texts, output);
          assert.deepEqual(output.bytes, expected);
          assert.deepEqual(Buffer.concat([...codec.encodeChunks(texts, 64)]), Buffer.from(expected));
        }
      }
    }
  }
});

test("the smaller of UTF-8 and UTF-16, and UTF-16 of both alike", () => {
  const codec = pack.codec(pack.string, { check: false });
  for (const [text, header] of [
    ["Ж", 0x82], ["Жж", 0x82], ["Ж ", 0xa0], ["日a", 0x82], ["日aa", 0xa0], ["日本aa", 0x82], ["日本aaa", 0xa0], ["😀", 0x82], ["😀a", 0xa0],
    ["’".repeat(50) + "a".repeat(50), 0x82], ["’".repeat(50) + "a".repeat(51), 0xa0],
    ["’".repeat(900) + "a".repeat(900), 0x82], ["’".repeat(900) + "a".repeat(901), 0xa0], ["a".repeat(901) + "’".repeat(900), 0xa0],
    ["Ж".repeat(700), 0x82], [" " + "Ж".repeat(700), 0xa0], ["😀".repeat(300), 0x82], ["😀".repeat(300) + " ", 0xa0],
    ["é’", 0x82], ["é’a", 0x82], ["é’aa", 0xa0], ["’é", 0x82],
  ] as const) {
    const bytes = codec.encode(text);
    assert.equal(bytes[0], header, `${text.slice(0, 10)} (${text.length})`);
    assert.equal(codec.decode(bytes), text);
  }
});

test("reads any form of a text", () => {
  for (const options of MODES) {
    const codec = pack.codec(strings, options);
    assert.deepEqual(codec.decode(message({ latin: "abc", wide: "abc", utf8: "abc" }, [3, 3, 0x65, 0x71])), ["abc", "abc", "abc"]);
    assert.deepEqual(codec.decode(message({ wide: "a", utf8: "日é€" }, [4, 0x63, 0x76, 0x80, 0x81], true)), ["a", "日é€", "a", "日é€"]);
    assert.deepEqual(codec.decode(message({ utf8: "x".repeat(200) }, [2, 0x7f, 78, 0x7f, 88])), ["x".repeat(95), "x".repeat(105)]);
    // A mark of byte order is a character.
    assert.deepEqual(codec.decode(message({ wide: "\ufeffa", utf8: "\ufeffab\ufeff" }, [3, 0x64, 0x73, 0x71])), ["\ufeffa", "\ufeffab", "\ufeff"]);
  }
});

test("numbers go on across the forms", () => {
  const texts = ["ab", "日本", "ab’s", "日", "x", "é", "ab’".repeat(40), "日本".repeat(30), "bb’".repeat(15)];
  const value = [...texts, ...texts];
  for (const options of MODES) {
    const codec = pack.codec(strings, options);
    const bytes = codec.encode(value);
    const again = [0x80, 0x81, 0x82, 0x83, 1, 1, 0x7f, 0xb7, 1, 0x61, 45, 0x84];
    assert.deepEqual([...bytes.subarray(bytes.length - again.length)], again);
    assert.deepEqual(codec.decode(bytes), value);
  }
});

test("a text that ends within a character is refused at its token", () => {
  for (const options of MODES) {
    const codec = pack.codec(strings, options);
    // a é 日 😀 b: 1, 2, 3, 4 and 1 bytes; the block is well-formed.
    const utf8 = "aé日😀b";
    for (let first = 3; first <= 8; first++) {
      const bytes = message({ utf8 }, [2, 0x6e + first, 0x6e + 11 - first]);
      if (first === 3 || first === 6) assert.deepEqual(codec.decode(bytes), first === 3 ? ["aé", "日😀b"] : ["aé日", "😀b"]);
      else fails(codec, bytes, "bad_utf8", bytes.length - 2, "$[0]");
    }
    // Where the first one is in order, the second one is at fault.
    const second = message({ utf8 }, [3, 0x71, 0x72, 0x72]);
    fails(codec, second, "bad_utf8", second.length - 2, "$[1]");
    // The length comes first.
    const long = message({ utf8 }, [2, 0x71, 0x77]);
    fails(codec, long, "malformed", long.length - 1, "$[1]");
    const within = message({ utf8: "日本" }, [1, 0x7f, 0]);
    fails(codec, within, "malformed", within.length - 2, "$[0]");
    // UTF-16 as ever.
    const pair = message({ wide: "a😀" }, [2, 0x64, 0x63]);
    fails(codec, pair, "bad_utf8", pair.length - 2, "$[0]");
  }
});

test("what is not UTF-8 is refused at its token", () => {
  const bad: readonly (readonly number[])[] = [
    [0xc0, 0xaf, 0x61], [0xc1, 0xbf, 0x61], [0xe0, 0x80, 0xaf], [0xe0, 0x9f, 0xbf], [0xf0, 0x80, 0x80, 0xaf], [0xf0, 0x8f, 0xbf, 0xbf],
    [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
    [0xff, 0x61, 0x61], [0x80, 0x61, 0x61], [0x61, 0x61, 0xc3], [0x61, 0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3, 0x28, 0x61],
  ];
  for (const options of MODES) {
    const codec = pack.codec(strings, options);
    for (const bytes of bad) {
      const alone = message({ utf8: bytes }, [1, 0x6e + bytes.length]);
      fails(codec, alone, "bad_utf8", alone.length - 1, "$[0]");
      const second = message({ latin: "a", utf8: [...Buffer.from("日本"), ...bytes] }, [3, 1, 0x74, 0x6e + bytes.length]);
      fails(codec, second, "bad_utf8", second.length - 1, "$[2]");
      // An error before it in the message comes first.
      const other = message({ utf8: [...Buffer.from("日本"), ...bytes] }, [2, 0x74, 0x85]);
      fails(codec, other, "malformed", other.length - 1, "$[1]");
    }
  }
});

test("long blocks of UTF-8 are cut and refused as short ones are", () => {
  // Blocks of up to 8,192 bytes are decoded by a loop.
  for (const fill of ["a", "é", "日", "😀", "it’s 日本 é 😀 "]) {
    for (const bytes of [8_000, 8_180, 8_192, 8_193, 8_210, 60_000]) {
      const size = Buffer.byteLength(fill);
      const long = fill.repeat(Math.floor((bytes - 9) / size));
      const rest = "x".repeat(bytes - 9 - Buffer.byteLength(long));
      const texts = ["a日", long, `${rest}é日`];
      const tokens = texts.flatMap((text) => {
        const length = Buffer.byteLength(text);
        return length > 16 ? [0x7f, ...varint(length - 17)] : [0x6e + length];
      });
      const utf8 = Buffer.from(texts.join(""));
      assert.equal(utf8.length, bytes);
      for (const options of MODES) {
        const codec = pack.codec(strings, options);
        assert.deepEqual(codec.decode(message({ utf8: [...utf8] }, [3, ...tokens])), texts);
        const wrong = message({ utf8: [...utf8] }, [3, 0x71, 0x72, 0x71]);
        fails(codec, wrong, "bad_utf8", wrong.length - 3, "$[0]");
        const broken = [...utf8];
        broken[broken.length - 1] = 0x41;
        const last = tokens.length - (tokens.at(-1)! - 0x6e === Buffer.byteLength(texts[2]!) ? 1 : 2);
        fails(codec, message({ utf8: broken }, [3, ...tokens]), "bad_utf8", 1 + varint(bytes).length + bytes + 1 + last, "$[2]");
      }
    }
  }
});

test("the header's blocks and what is left of them", () => {
  for (const options of MODES) {
    const codec = pack.codec(pack.string, options);
    for (const [bytes, code, at] of [
      [[0xa0, 0, 0], "malformed", 1],
      [[0xa1, 1, 0, 0x61, 1], "malformed", 2],
      [[0xa0], "truncated", 1],
      [[0xa0, 3, 0xe6, 0x97], "truncated", 4],
      [[0x20, 3, 0xe6, 0x97, 0xa5, 0x71], "unsupported", 0],
      [[0xd0, 0, 0, 0, 0, 0, 0, 0, 0], "malformed", 0],
      [[...message({ utf8: "日ab" }, [0x71])], "malformed", 5],
      [[...message({ latin: "a", wide: "b", utf8: "日" }, [0x71])], "malformed", 4],
      [[...message({ wide: "b", utf8: "日" }, [0x71])], "malformed", 3],
      [[...message({ utf8: "日" }, [0x71, 0])], "trailing", 6],
      [[...message({ latin: "abc" }, [0x71])], "malformed", 5],
      [[...message({ utf8: "日" }, [0x71]).subarray(0, 5)], "truncated", 5],
      [[...message({ utf8: "日" }, [0x7f])], "truncated", 6],
    ] as const) fails(codec, Uint8Array.from(bytes), code, at, "$");
  }
});

test("the limit on text counts the bytes of UTF-8", () => {
  for (const options of MODES) {
    const value = ["abc", "日本", "a’s"];
    const bytes = pack.codec(strings, { check: false }).encode(value);
    // 3 characters, 2 units, 5 bytes.
    assert.deepEqual(pack.codec(strings, { ...options, limits: { textBytes: 12 } }).decode(bytes), value);
    fails(pack.codec(strings, { ...options, limits: { textBytes: 11 } }), bytes, "limit_size", 3, "$");
    fails(pack.codec(strings, { ...options, limits: { textBytes: 6 } }), bytes, "limit_size", 2, "$");
    const [long] = ["a’".repeat(30) + "b".repeat(100)];
    const least = pack.codec(pack.string, { check: false }).encode(long).length;
    assert.equal(pack.codec(pack.string, { ...options, limits: { frameBytes: least } }).encode(long).length, least);
    assert.throws(() => pack.codec(pack.string, { ...options, limits: { frameBytes: least - 1 } }).encode(long), { code: "limit_size", path: "$" });
  }
});

test("lone surrogates are not written, in whichever form the text would be", () => {
  for (const options of MODES) {
    const codec = pack.codec(strings, options);
    for (const text of ["\ud800", "a\udc00", "aaaaaa\ud83d", "\ude00\ud83d", "日本\ud83d", `${"a".repeat(200)}\ud800${"a".repeat(9)}`, `${"日".repeat(200)}\udc00`, "a’\ud800\ud800\udc00"]) {
      for (const first of ["a", "日", "a’s"]) assert.throws(() => codec.encode([first, text]), { code: "bad_utf8", path: "$[1]" });
    }
    assert.deepEqual(codec.decode(codec.encode(["a’s", "日"])), ["a’s", "日"]);
  }
});

const FORMS = ["plain", "été", "日本語", "it’s", "😀 smile", "Привет мир", "Привет", "", "x", "Ā", "long ’".repeat(30), "日".repeat(60)] as const;

test("columns, any, keys and sets hold texts of all forms", () => {
  const Row = pack.struct("Row", { a: pack.string, b: pack.option(pack.string), c: pack.any, d: pack.list(pack.string) });
  const type = pack.struct("All", { rows: pack.list(Row), map: pack.map(pack.string, pack.string), set: pack.set(pack.string), any: pack.any });
  const rows = Array.from({ length: 300 }, (_, i) => ({
    a: `${FORMS[i % FORMS.length]!}${i % 5 === 0 ? i : ""}`,
    b: i % 3 === 0 ? null : FORMS[(5 * i) % FORMS.length]!,
    c: FORMS[(7 * i) % FORMS.length]!,
    d: FORMS.slice(0, i % 4),
  }));
  const value = {
    rows,
    map: new Map(FORMS.map((text, i) => [text, FORMS[(i + 1) % FORMS.length]!])),
    set: new Set<string>(FORMS),
    any: new Map<string, pack.AnyValue>(FORMS.map((text) => [text, [text, text]])),
  };
  const first = pack.codec(type, { check: false }).encode(value);
  for (const options of MODES) {
    const codec = pack.codec(type, options);
    assert.deepEqual(codec.encode(value), first);
    assert.deepEqual(codec.decode(first), value);
    const fast = pack.codec(type, { ...options, profile: "fast" });
    assert.deepEqual(codec.decode(fast.encode(value)), value);
  }
  // A repeated key is one in whichever form it stands.
  const keys = pack.codec(pack.map(pack.string, pack.bool));
  fails(keys, message({ latin: "abc", utf8: "abc" }, [2, 3, 0x71, 3]), "malformed", 9, "$");
});

test("what the reader lacks is skipped, and a skipped struct's text of UTF-8 found again", () => {
  const Shared = pack.struct("Shared", { text: pack.string });
  const written = pack.codec(pack.struct("Doc", { first: pack.ref(Shared), dropped: strings, second: pack.ref(Shared), after: pack.string }));
  const shared = { text: "it’s shared" };
  for (const dropped of [[], [...FORMS], FORMS.map((text) => `${text}’s`)]) {
    const bytes = written.encode({ first: shared, dropped, second: shared, after: "it’s after" });
    for (const options of MODES) {
      const read = pack.codec(pack.struct("Doc", { second: pack.ref(Shared), after: pack.string }), options);
      assert.deepEqual(read.resolve(written.schema).decode(bytes), { second: shared, after: "it’s after" });
    }
  }
});

test("any texts are written by the rule and read back", () => {
  const point = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => ((code & 0x1f_f800) === 0xd800 ? " " : String.fromCodePoint(code)));
  const piece = fc.oneof(fc.constantFrom("a", "é", "Ж", "日", "😀", "’", "\ufeff", "\0"), fc.constantFrom("abc", "été", "日本語"), point);
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const repeated = fc.tuple(text, fc.integer({ min: 1, max: 40 })).map(([part, times]) => part.repeat(times));
  const codecs = MODES.flatMap((options) => (["compact", "fast"] as const).map((profile) => pack.codec(strings, { ...options, profile })));
  fc.assert(
    fc.property(fc.array(fc.oneof(text, repeated), { maxLength: 8 }), (texts) => {
      const front = message(blocksOf(texts), varint(texts.length));
      for (const codec of codecs) {
        const bytes = codec.encode(texts);
        assert.deepEqual(codec.decode(bytes), texts);
        if (codec.profile === "fast") assert.deepEqual(bytes.subarray(0, front.length), front);
      }
    }),
    { numRuns: 100 },
  );
});

test("the web's primitives read and write UTF-8 as Node's do", () => {
  const web = webPrimitives();
  for (const text of [...FORMS, "😀".repeat(40), "\ufeff", "\ufeffabc’"]) {
    const bytes = Buffer.from(text);
    for (const each of [primitives, web]) {
      const room = new Uint8Array(bytes.length + 2);
      each.writeUtf8(room, text, 1, bytes.length);
      assert.deepEqual(room, Uint8Array.from([0, ...bytes, 0]));
      assert.equal(each.utf8(room, 1, 1 + bytes.length), text);
      if (text !== "" && bytes.at(-1)! > 127) assert.equal(each.utf8(room, 1, bytes.length), undefined);
    }
  }
});

test("which fields had texts of other forms before changes no bytes", () => {
  const Row = pack.struct("Row", { a: pack.string, b: pack.list(pack.string), c: pack.any });
  const long = ["é".repeat(48), "Ж".repeat(47), "Ж".repeat(48), "x".repeat(200), "’".repeat(100)];
  const text = fc.constantFrom("", "a", "ab", "abc", "été", "Ж", "ЖЖ", "日本", "’s", ...long);
  const row = fc.tuple(text, fc.array(text, { maxLength: 5 }), text).map(([a, b, c]) => ({ a, b, c }));
  for (const options of MODES) {
    for (const profile of ["compact", "fast"] as const) {
      const kept = pack.codec(Row, { ...options, profile });
      const output = new pack.Output();
      fc.assert(
        fc.property(row, (value) => {
          const bytes = pack.codec(Row, { ...options, profile }).encode(value);
          assert.deepEqual(kept.encode(value), bytes);
          assert.deepEqual(kept.decode(bytes), value);
          output.clear();
          kept.encodeInto(value, output);
          assert.deepEqual(Uint8Array.from(output.bytes), bytes);
        }),
        { numRuns: 60 },
      );
    }
  }
});

test("texts of more characters than stand in one string", () => {
  const count = 9_000;
  const latin = Array.from({ length: count }, (_, i) => `text ${i}`);
  const front = (texts: readonly string[]): Uint8Array => message(blocksOf(texts), varint(texts.length));
  // The last text alone, or one in the middle, is of another form.
  const cases = [latin, [...latin, "’s"], latin.map((text, i) => (i === count >> 1 ? "日本" : text)), [...latin, "é".repeat(50_000), "ab"]];
  for (const options of MODES) {
    const codec = pack.codec(strings, { ...options, profile: "fast" });
    for (const texts of [...cases, ...cases]) {
      const bytes = codec.encode(texts);
      const head = front(texts);
      assert.ok(Buffer.from(bytes.subarray(0, head.length)).equals(Buffer.from(head)));
      assert.deepEqual(codec.decode(bytes), texts);
      assert.deepEqual(Buffer.concat([...codec.encodeChunks(texts, 1_000)]), Buffer.from(bytes));
      const columns = pack.codec(pack.list(pack.struct("Row", { text: pack.string })), options);
      const rows = texts.map((text) => ({ text }));
      assert.deepEqual(columns.decode(columns.encode(rows)), rows);
    }
  }
});
