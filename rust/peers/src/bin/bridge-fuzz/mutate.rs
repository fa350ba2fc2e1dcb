//! Damage, of the kinds that a reader of lengths, counts and tags could fall for.

use samewire_bridge::flat::put_varint;
use samewire_peers::random::Random;

/// Bytes that mean something: tags, messages, actions, flags, small lengths.
const MEANT: &[u8] = &[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x10, 0x11, 0x12, 0x13, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x20, 0x21,
    0x22, 0x23, 0x24, 0x27, 0x28, 0x30, 0x31, 0x32, 0x34, 0x7f, 0x80, 0xff,
];
/// Numbers at an edge: of a byte, of the limits, of 32, 60, 63 and 64 bits.
const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    257,
    16_383,
    16_384,
    65_535,
    65_536,
    131_071,
    1 << 24,
    (1 << 24) + 1,
    (1 << 31) - 9,
    (1 << 31) - 1,
    1 << 31,
    1 << 32,
    (1 << 33) + 1,
    1 << 60,
    1 << 61,
    (1 << 61) + 1,
    1 << 62,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];
/// Inputs do not grow beyond this.
const LONGEST: usize = 1 << 16;

/// A few changes; `other` is what may be spliced in.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        change(bytes, other, random);
    }
    bytes.truncate(LONGEST);
}

/// Bytes with a meaning, in no order.
pub fn noise(random: &mut Random) -> Vec<u8> {
    let order = random.below(8);
    (0..random.below(1 << order)).map(|_| if random.once_in(6) { random.byte() } else { *random.pick(MEANT) }).collect()
}

/// Containers inside one another, each with the same count.
pub fn nest(random: &mut Random) -> Vec<u8> {
    let mut head = vec![*random.pick(&[0x08u8, 0x09, 0x1c, 0x1d])];
    put_varint(&mut head, *random.pick(NUMBERS) >> random.below(64));
    let mut out = head.repeat(1 + random.below(70));
    let order = random.below(14);
    out.extend(std::iter::repeat_n(0, random.below(1 << order)));
    out
}

fn change(out: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let place = random.below(out.len() + 1);
    let order = random.below(7);
    let length = random.below(1 << order);
    let range = place..(place + length).min(out.len());
    match random.below(10) {
        0 if place < out.len() => out[place] ^= 1 << random.below(8),
        1 if place < out.len() => out[place] = *random.pick(MEANT),
        2 => out.insert(place, *random.pick(MEANT)),
        3 => out.truncate(place),
        4 => drop(out.drain(range)),
        5 => {
            let copy = out[range].to_vec();
            out.splice(place..place, copy);
        }
        6 => {
            let from = random.below(other.len() + 1);
            let to = (from + length).min(other.len());
            out.splice(range, other[from..to].iter().copied());
        }
        _ => {
            // A number in the place of one: all bytes of a varint go.
            let end = out[place..].iter().position(|byte| *byte < 0x80).map_or(out.len(), |last| place + last + 1);
            let mut made = Vec::new();
            put_varint(&mut made, random.pick(NUMBERS).wrapping_add(random.below(3) as u64));
            if random.once_in(10) {
                // Not in its shortest form.
                *made.last_mut().expect("a varint has a byte") |= 0x80;
                made.push(0);
            }
            out.splice(place..end, made);
        }
    }
}
