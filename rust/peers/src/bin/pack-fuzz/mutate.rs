//! Damage, of the kinds that a codec of this format could fall for.

use samewire_peers::random::Random;

/// Bytes at the edges of tokens, tags, widths and varints.
const EDGES: &[u8] = &[
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0f, 0x10, 0x13, 0x18, 0x19, 0x1f, 0x20, 0x21,
    0x3f, 0x40, 0x5f, 0x60, 0x61, 0x62, 0x63, 0x70, 0x71, 0x7e, 0x7f, 0x80, 0x81, 0xa0, 0xc0, 0xdf, 0xe0, 0xfe, 0xff,
];

/// Counts that lie.
const LIES: &[u64] = &[
    16,
    63,
    64,
    127,
    128,
    129,
    255,
    256,
    1 << 10,
    16_383,
    16_384,
    1 << 16,
    1 << 20,
    (1 << 24) - 1,
    1 << 24,
    1 << 28,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    u64::MAX >> 1,
    u64::MAX,
];

/// Messages do not grow beyond this.
const LONGEST: usize = 1 << 14;

/// A few changes of `data`; `other` is what may be spliced in.
pub fn damaged(data: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = data.to_vec();
    for _ in 0..1 + random.below(4) {
        change(&mut out, other, random);
    }
    out.truncate(LONGEST);
    out
}

/// A header that makes sense, and noise.
pub fn noise(random: &mut Random) -> Vec<u8> {
    let header = 0x80 | *random.pick(&[0, 0, 0, 1, 2, 4, 5, 7, 8, 32, 33, 36, 39, 64, 65, 80]);
    let length = 1 << random.below(9);
    let mut out = vec![header];
    for _ in 0..random.below(length) {
        out.push(if random.once_in(2) { *random.pick(EDGES) } else { random.byte() });
    }
    out
}

fn change(out: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let place = random.below(out.len() + 1);
    let order = random.below(7);
    let length = random.below(1 << order);
    let range = place..(place + length).min(out.len());
    let inside = place < out.len();
    match random.below(13) {
        0 | 1 if inside => out[place] ^= 1 << random.below(8),
        2 if inside => out[place] = *random.pick(EDGES),
        3 if inside => out[place] = out[place].wrapping_add(if random.once_in(2) { 1 } else { 0xff }),
        4 => out.truncate(place),
        5 => drop(out.drain(range)),
        6 => {
            let copy = out[range].to_vec();
            out.splice(place..place, copy);
        }
        7 => {
            let from = random.below(other.len() + 1);
            let to = (from + length).min(other.len());
            let end = if random.once_in(2) { place } else { range.end };
            out.splice(place..end, other[from..to].iter().copied());
        }
        8 => {
            let from = random.below(other.len() + 1);
            out.truncate(place);
            out.extend_from_slice(&other[from..]);
        }
        9 | 10 => {
            // What is left is the greatest count that a reader believes.
            let left = (out.len() - place) as u64;
            let lie = match random.below(4) {
                0 => left * *random.pick(&[1, 2, 4, 8]),
                1 => left / *random.pick(&[1, 2, 4, 8]),
                _ => *random.pick(LIES),
            };
            let end = (place + random.below(3)).min(out.len());
            out.splice(place..end, varint(lie, random));
        }
        11 if !out.is_empty() => out[0] ^= 1 << random.below(8),
        _ => {
            let byte = if random.once_in(2) { *random.pick(EDGES) } else { random.byte() };
            out.insert(place, byte);
        }
    }
}

/// A varint; once in a while one that is longer than it needs to be.
fn varint(mut value: u64, random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    if random.once_in(8) {
        let last = out.len() - 1;
        out[last] |= 0x80;
        out.push(0);
    }
    out
}

/// What schema texts are made of.
const PIECES: &[&str] = &[
    "bool",
    "i8",
    "i64",
    "u32",
    "bigint",
    "f32",
    "decimal",
    "string",
    "any",
    "option<",
    "list<",
    "set<",
    "map<",
    "tuple<",
    "ref<",
    "enum ",
    "struct ",
    "union ",
    "{",
    "}",
    "<",
    ">",
    ",",
    ":",
    " ",
    "\n",
    "\"",
    "\\",
    "\\u001f",
    "A",
    "Node",
    "x",
    "struct A { x: i8 }",
    "enum E { a, b }",
    "struct N { n: option<ref<N>> }",
    "union { struct P {}, struct Q { q: any } }",
    "list<list<list<list<list<list<list<list<",
    "\u{e9}",
    "\u{1f600}",
    "\0",
    "\u{feff}",
];

/// A schema text with pieces added, removed and exchanged.
pub fn damaged_text(text: &str, other: &str, random: &mut Random) -> String {
    if random.once_in(3) {
        return String::from_utf8_lossy(&damaged(text.as_bytes(), other.as_bytes(), random)).into_owned();
    }
    let mut pieces = tokens(text);
    let others = tokens(other);
    for _ in 0..1 + random.below(3) {
        let place = random.below(pieces.len() + 1);
        let end = (place + random.below(3)).min(pieces.len());
        let from = random.below(others.len() + 1);
        let to = (from + random.below(6)).min(others.len());
        match random.below(4) {
            0 => drop(pieces.drain(place..end)),
            1 => drop(pieces.splice(place..end, others[from..to].iter().copied())),
            2 => pieces.truncate(place),
            _ => pieces.insert(place, *random.pick(PIECES)),
        }
    }
    let mut text = pieces.concat();
    let mut most = LONGEST.min(text.len());
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    text.truncate(most);
    text
}

/// The words of a text and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| !(word(last) && word(c))) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(c);
    }
    out.push(&text[start..]);
    out
}
