//! Streams to begin with: those of the vectors, and replies of every type in all forms that the protocol has for them.

use samewire_peers::pack::hex;
use samewire_peers::pack::vectors::{read_json, root};
use samewire_peers::random::Random;
use std::fs;

/// Longer streams would take the time of many short ones.
const LONGEST: usize = 4096;

/// The bytes of every vector: replies, good and bad, streams and commands.
pub fn vectors() -> Vec<Vec<u8>> {
    let folder = root().join("spec/vectors/redis");
    let mut paths: Vec<_> = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut streams = Vec::new();
    for path in paths {
        let topic = fs::read_to_string(&path).ok().and_then(|text| read_json(&text).ok());
        let cases = topic.as_ref().and_then(|topic| topic["cases"].as_array());
        for case in cases.into_iter().flatten() {
            streams.extend(case["hex"].as_str().and_then(hex::bytes).filter(|stream| stream.len() <= LONGEST));
        }
    }
    assert!(!streams.is_empty(), "{} has no vectors", folder.display());
    streams
}

/// Appends one element; `depth` more may be open inside one another.
pub fn element(out: &mut Vec<u8>, depth: usize, top: bool, random: &mut Random) {
    if depth > 0 && random.once_in(3) {
        return aggregate(out, depth, top, random);
    }
    match random.below(16) {
        0 => out.extend_from_slice(b"_\r\n"),
        1 => out.extend_from_slice(random.pick::<&[u8]>(&[b"$-1\r\n", b"*-1\r\n"])),
        2 => out.extend_from_slice(random.pick::<&[u8]>(&[b"#t\r\n", b"#f\r\n"])),
        3 | 4 => integer(out, random),
        5 => double(out, random),
        6 => {
            let sign = *random.pick(&["", "-", "+"]);
            let digits = if random.once_in(40) { 9_864 + random.below(3) } else { 1 + random.below(40) };
            out.extend_from_slice(format!("({sign}").as_bytes());
            out.extend((0..digits).map(|_| b'0' + random.below(10) as u8));
            out.extend_from_slice(b"\r\n");
        }
        7 | 8 => line(out, b'+', random),
        9 => line(out, b'-', random),
        10 => blob(out, b'!', &text(random)),
        11 => blob(out, b'=', &[b"txt:", &text(random)[..]].concat()),
        12 => {
            out.extend_from_slice(b"$?\r\n");
            for _ in 0..random.below(4) {
                let mut chunk = text(random);
                chunk.push(0);
                blob(out, b';', &chunk);
            }
            out.extend_from_slice(b";0\r\n");
        }
        _ => blob(out, b'$', &text(random)),
    }
}

fn aggregate(out: &mut Vec<u8>, depth: usize, top: bool, random: &mut Random) {
    let kind = *random.pick(if top { b"**~%>|" } else { b"**~%%|" });
    let entries = if random.once_in(30) { random.below(200) } else { random.below(5) };
    let arity = if matches!(kind, b'%' | b'|') { 2 } else { 1 };
    let counted = !random.once_in(4);
    let depth = if entries > 10 { 0 } else { depth - 1 };
    match counted {
        true => out.extend_from_slice(format!("{}{entries}\r\n", char::from(kind)).as_bytes()),
        false => out.extend_from_slice(&[kind, b'?', b'\r', b'\n']),
    }
    for _ in 0..entries * arity {
        element(out, depth, false, random);
    }
    if !counted {
        out.extend_from_slice(b".\r\n");
    }
    if kind == b'|' {
        element(out, depth, top, random);
    }
}

fn integer(out: &mut Vec<u8>, random: &mut Random) {
    let number = random.bits() as i64 >> random.below(64);
    let plus = if number >= 0 && random.once_in(4) { "+" } else { "" };
    out.extend_from_slice(format!(":{plus}{number}\r\n").as_bytes());
}

fn double(out: &mut Vec<u8>, random: &mut Random) {
    let number = f64::from_bits(random.bits());
    let whole = random.bits() as i64 >> random.below(64);
    let text = match random.below(6) {
        0 => random
            .pick(&["inf", "-inf", "+inf", "nan", "-nan", ".5", "5.", "-0", "+1e+3", "1E-400", "1e309"])
            .to_string(),
        1 => whole.to_string(),
        2 => format!("{:.3}", whole as f64 / 1000.0),
        3 if number.is_finite() => number.to_string(),
        _ if number.is_finite() => format!("{number:e}"),
        _ => "inf".into(),
    };
    out.extend_from_slice(format!(",{text}\r\n").as_bytes());
}

fn line(out: &mut Vec<u8>, kind: u8, random: &mut Random) {
    out.push(kind);
    out.extend(text(random).iter().filter(|byte| !matches!(byte, b'\r' | b'\n')));
    out.extend_from_slice(b"\r\n");
}

fn text(random: &mut Random) -> Vec<u8> {
    let order = random.below(8);
    let length = if random.once_in(200) { random.below(60_000) } else { random.below(1 << order) };
    let any = random.once_in(3);
    (0..length).map(|_| if any { random.byte() } else { b'a' + random.below(26) as u8 }).collect()
}

fn blob(out: &mut Vec<u8>, kind: u8, text: &[u8]) {
    out.extend_from_slice(format!("{}{}\r\n", char::from(kind), text.len()).as_bytes());
    out.extend_from_slice(text);
    out.extend_from_slice(b"\r\n");
}
