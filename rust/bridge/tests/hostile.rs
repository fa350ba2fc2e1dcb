//! 100,000 random and mutated frames: each is cut out of a stream, and is a message or an error within it.

use samewire_bridge::frame::{self, FrameScanner};
use samewire_bridge::{flat, skip, Budget, Kind, Message, Passed, Reader, Value, MOST_BLOB};
use samewire_core::Limits;
use serde::Deserialize;
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

const FRAMES: usize = 100_000;
/// Longer vectors are of the tests of limits.
const LONGEST: usize = 4_096;
/// One frame of those that bytes of any value are.
const RANDOM: u64 = 10;
/// Numbers at which something changes.
const NUMBERS: [u64; 10] = [0, 1, 0x7f, 0x80, 0xffff, 0x1_0000, 0x7fff_ffff, 1 << 31, 1 << 60, u64::MAX];

/// A generator of the same numbers each time (xorshift64).
struct Source(u64);

impl Source {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..=self.below(most)).map(|_| self.below(256) as u8).collect()
    }
}

/// The messages of the vectors; a value as what a call returns for the first time.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors/bridge");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seeds = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).unwrap();
        let mut json = serde_json::Deserializer::from_str(&text);
        json.disable_recursion_limit();
        let file = Json::deserialize(&mut json).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let hex = case["hex"].as_str().unwrap();
            if hex.len() > 2 * LONGEST {
                continue;
            }
            let mut seed = Vec::new();
            if let Some(kind) = case["of"].as_str() {
                seed.push(0x22);
                flat::put_str(&mut seed, kind);
            }
            seed.extend((0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()));
            if !seed.is_empty() {
                seeds.push(seed);
            }
        }
    }
    seeds
}

fn mutated(seeds: &[Vec<u8>], source: &mut Source) -> Vec<u8> {
    if source.below(RANDOM as usize) == 0 {
        return source.bytes(80);
    }
    let mut made = seeds[source.below(seeds.len())].clone();
    for _ in 0..source.below(4) {
        let at = source.below(made.len() + 1);
        let end = (at + source.below(4)).min(made.len());
        let with = match source.below(5) {
            0 => source.bytes(3),
            1 => Vec::new(),
            2 => {
                let other = &seeds[source.below(seeds.len())];
                let from = source.below(other.len());
                other[from..(from + 40).min(other.len())].to_vec()
            }
            3 => {
                let mut number = Vec::new();
                flat::put_varint(&mut number, NUMBERS[source.below(NUMBERS.len())]);
                number
            }
            _ => vec![source.below(64) as u8],
        };
        made.splice(at..end, with);
    }
    made
}

/// Reads values as a reader of them would, and as one that passes over them, which agree.
fn values(message: &[u8], at: usize, kinds: &[Kind]) -> bool {
    let budget = Budget::new(&Limits::DEFAULT, MOST_BLOB);
    let (mut reader, mut skipper) = (Reader::new(message, at), Reader::new(message, at));
    let (mut budget, mut allowance) = (budget, budget);
    let mut passed = Passed { blobs: 0, received: &mut |place, number| assert!(place < message.len() && number > 0) };
    for kind in kinds {
        let read = Value::read(&mut reader, kind, &mut budget).map(drop);
        let skipped = skip(&mut skipper, kind, &mut allowance, &mut passed);
        assert_eq!(read, skipped, "of {kind}");
        if read.is_err() {
            assert_eq!(reader.error(), skipper.error());
            assert!(reader.error().at.unwrap() <= message.len());
            return false;
        }
    }
    reader.finish().is_ok()
}

fn judge(message: &[u8]) -> bool {
    match Message::read(message, &mut Budget::new(&Limits::DEFAULT, MOST_BLOB)) {
        Err(error) => {
            assert!(error.at.unwrap() <= message.len(), "{error:?}");
            false
        }
        Ok(Message::FirstReturn(kind, at)) => values(message, at, &[kind]),
        Ok(Message::FirstCall { definition, arguments, .. }) => values(message, arguments, &definition.arguments),
        Ok(Message::Batch(parts) | Message::BatchReturn(parts)) => parts.iter().all(|part| judge(part)),
        Ok(_) => true,
    }
}

#[test]
fn a_hundred_thousand_hostile_frames_are_messages_or_errors() {
    let seeds = seeds();
    let mut source = Source(0x5a3e_71c9_0b24_d86f);
    let mut scanner = FrameScanner::new(Limits::DEFAULT.frame_bytes);
    let (mut frames, mut read) = (0, 0);
    while frames < FRAMES {
        let hostile = mutated(&seeds, &mut source);
        let mut stream = Vec::new();
        let start = frame::begin(&mut stream);
        stream.extend_from_slice(&hostile);
        if frame::end(&mut stream, start, Limits::DEFAULT.frame_bytes).is_err() {
            assert!(hostile.is_empty());
            continue;
        }
        let cut = source.below(stream.len());
        scanner.feed(&stream[..cut]);
        scanner.feed(&stream[cut..]);
        let message = scanner.next().unwrap().unwrap();
        assert_eq!(message, hostile);
        read += usize::from(judge(message));
        frames += 1;
    }
    println!("{frames} hostile frames, {read} of them messages");
    assert_eq!(frames, FRAMES);
    // Both kinds were there.
    assert!(read > FRAMES / 50 && read < FRAMES / 2, "{read}");
}

#[test]
fn a_kind_of_a_million_options_takes_no_stack() {
    let options = |count: usize, of: &str| format!("{}{of}{}", "option<".repeat(count), ">".repeat(count));
    assert!(matches!(Kind::parse(&options(1_000_000, "x")), Ok(Kind::Pack(_))));
    assert!(Kind::parse(&options(1_000_000, "i32")).is_err());
    assert_eq!(Kind::parse("option<i32>"), Ok(Kind::Option(Box::new(Kind::parse("i32").unwrap()))));
    assert!(Kind::parse("option<>").is_err());
}
