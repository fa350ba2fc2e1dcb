//! Damage, of the kinds that a parser of RESP could fall for.

use samewire_peers::random::Random;

/// The bytes that the protocol gives a meaning.
const MEANT: &[u8] = b"$*:+-,(#_%~>|=!?;.019tfe\r\n \0";
/// Lengths and counts that lie, or are at an edge.
const NUMBERS: &[&str] = &[
    "-1",
    "-2",
    "0",
    "00",
    "01",
    "-0",
    "+1",
    "1",
    "2",
    "3",
    "9",
    "10",
    "64",
    "65",
    "99",
    "100",
    "1000",
    "20000",
    "8388608",
    "16777216",
    "536870912",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999",
    "?",
    "",
    " 1",
    "1 ",
    "1e3",
    "000000000000000000000000000000000",
];
/// Streams do not grow beyond this.
const LONGEST: usize = 1 << 16;

/// A few changes of `stream`; `other` is what may be spliced in.
pub fn damage(stream: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        change(stream, other, random);
    }
    stream.truncate(LONGEST);
}

/// Bytes of the protocol in no order.
pub fn noise(random: &mut Random) -> Vec<u8> {
    let order = random.below(8);
    (0..random.below(1 << order))
        .map(|_| if random.once_in(20) { random.byte() } else { *random.pick(MEANT) })
        .collect()
}

/// Heads of aggregates inside one another, each with the same count.
pub fn nest(random: &mut Random) -> Vec<u8> {
    let kind = char::from(*random.pick(b"*~%|"));
    let head = format!("{kind}{}\r\n", random.pick(NUMBERS));
    let mut out = head.repeat(1 + random.below(70)).into_bytes();
    let order = random.below(14);
    out.extend(std::iter::repeat_n(&b"_\r\n"[..], random.below(1 << order)).flatten());
    out
}

fn change(out: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let place = random.below(out.len() + 1);
    let order = random.below(7);
    let length = random.below(1 << order);
    let range = place..(place + length).min(out.len());
    match random.below(12) {
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
        7 => {
            let from = random.below(other.len() + 1);
            out.truncate(place);
            out.extend_from_slice(&other[from..]);
        }
        _ => number(out, place, random),
    }
}

/// Another number in the next line that begins with one.
fn number(out: &mut Vec<u8>, place: usize, random: &mut Random) {
    let head =
        |at: &usize| matches!(out[*at], b'$' | b'*' | b'~' | b'%' | b'>' | b'|' | b'=' | b'!' | b';' | b':' | b',');
    let Some(at) = (place..out.len()).find(head) else { return };
    let length = out[at + 1..].iter().position(|byte| *byte == b'\r').unwrap_or(0);
    let line = &out[at + 1..at + 1 + length];
    let close = std::str::from_utf8(line).ok().and_then(|line| line.parse::<i64>().ok());
    let made = match close {
        Some(number) if random.once_in(2) => number.wrapping_add(random.below(5) as i64 - 2).to_string(),
        _ => random.pick(NUMBERS).to_string(),
    };
    out.splice(at + 1..at + 1 + length, made.into_bytes());
}
