//! Properties of every input.

use crate::mutate::{damage, nest, noise};
use samewire_bridge::frame::FrameScanner;
use samewire_bridge::{message, skip, Budget, Kind, Message, Passed, Reader, Value, MOST_BLOB};
use samewire_core::{Error, Limits};
use samewire_peers::fuzzing::Fuzzer;
use samewire_peers::memory::measured;
use samewire_peers::pack::hex;
use samewire_peers::pack::vectors::{read_json, root};
use samewire_peers::random::Random;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

/// Tight enough to be met by short inputs.
const TIGHT: Limits = Limits { depth: 3, items: 12, cells: 40, ..Limits::DEFAULT };
/// Generous: other processes share the machine.
const TIME: Duration = Duration::from_secs(10);
const TIME_FOR_A_BYTE: Duration = Duration::from_micros(2);
/// A member of a class takes the most: over a hundred bytes for the five that its description has, twice while a vector
/// grows. A value takes a dozen words for its one byte.
const MEMORY: usize = 16 << 10;
const MEMORY_FOR_A_BYTE: usize = 400;
const LONGEST: usize = 4096;

/// Every input is read as each of these kinds.
const KINDS: &[&str] = &[
    "any",
    "list",
    "map",
    "set",
    "class",
    "string",
    "bytes",
    "list<string>",
    "list<bool>",
    "array<i64>",
    "object",
    "peer",
    "option<list<char>>",
    "timestamp",
];

/// What a case of the vectors is read as: a value of a kind, a message, or a stream.
#[derive(Clone)]
enum As {
    Value(Kind),
    Message,
    Frames,
}

/// Bytes, and what they are read as.
pub struct Input {
    bytes: Vec<u8>,
    of: As,
    tight: bool,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            As::Value(kind) => write!(f, "{kind}")?,
            As::Message => f.write_str("message")?,
            As::Frames => f.write_str("frames")?,
        }
        write!(f, " (tight limits: {}): {}", self.tight, hex::text(&self.bytes))
    }
}

pub struct Prober {
    given: Vec<(As, Vec<u8>)>,
    kinds: Vec<Kind>,
    tallies: BTreeMap<&'static str, u64>,
}

impl Prober {
    pub fn new() -> Self {
        let kinds = KINDS.iter().map(|text| Kind::parse(text).expect("a kind")).collect();
        Prober { given: vectors(), kinds, tallies: BTreeMap::new() }
    }
}

impl Fuzzer for Prober {
    type Input = Input;

    fn next(&mut self, random: &mut Random) -> Input {
        let (mut of, mut bytes) = random.pick(&self.given).clone();
        match random.below(8) {
            0 => bytes = noise(random),
            1 => bytes = nest(random),
            2 => of = As::Value(random.pick(&self.kinds).clone()),
            _ => {}
        }
        if !random.once_in(4) {
            let (_, other) = random.pick(&self.given).clone();
            damage(&mut bytes, &other, random);
        }
        Input { bytes, of, tight: random.once_in(4) }
    }

    fn probe(&mut self, input: &Input, random: &mut Random) -> Result<(), String> {
        let limits = if input.tight { TIGHT } else { Limits::DEFAULT };
        let began = Instant::now();
        let (outcome, memory) = measured(|| match &input.of {
            As::Value(kind) => value(&input.bytes, kind, &limits),
            As::Message => whole(&input.bytes, &limits),
            As::Frames => stream(&input.bytes, random),
        });
        if began.elapsed() > TIME + TIME_FOR_A_BYTE * input.bytes.len() as u32 {
            return Err(format!("took {:?}", began.elapsed()));
        }
        let most = MEMORY + MEMORY_FOR_A_BYTE * input.bytes.len();
        if memory > most {
            return Err(format!("took {memory} bytes of memory, {most} are allowed"));
        }
        let read = outcome?;
        *self.tallies.entry(if read { "read" } else { "refused" }).or_default() += 1;
        Ok(())
    }

    fn tallies(&self) -> BTreeMap<&'static str, u64> {
        self.tallies.clone()
    }
}

/// All bytes of the vectors, good and bad.
fn vectors() -> Vec<(As, Vec<u8>)> {
    let folder = root().join("spec/vectors/bridge");
    let mut paths: Vec<_> = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let topic = fs::read_to_string(&path).ok().and_then(|text| read_json(&text).ok());
        let cases = topic.as_ref().and_then(|topic| topic["cases"].as_array());
        for case in cases.into_iter().flatten() {
            let of = match (case["of"].as_str(), case["kind"].as_str()) {
                (Some(kind), _) => Kind::parse(kind).map(As::Value).unwrap_or(As::Message),
                (None, Some("frames")) => As::Frames,
                _ => As::Message,
            };
            let bytes = case["hex"].as_str().and_then(hex::bytes);
            found.extend(bytes.filter(|bytes| bytes.len() <= LONGEST).map(|bytes| (of, bytes)));
        }
    }
    assert!(!found.is_empty(), "{} has no vectors", folder.display());
    found
}

fn read(bytes: &[u8], at: usize, kinds: &[Kind], budget: &mut Budget, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, at);
    for kind in kinds {
        Value::read(&mut reader, kind, budget).map_err(|_| reader.error())?.write(kind, out);
    }
    reader.finish().map_err(|_| reader.error())
}

/// Reading and skipping agree, and what is written is read as the same bytes.
fn value(bytes: &[u8], kind: &Kind, limits: &Limits) -> Result<bool, String> {
    let kinds = std::slice::from_ref(kind);
    let mut written = Vec::new();
    let read_as = read(bytes, 0, kinds, &mut Budget::new(limits, MOST_BLOB), &mut written);
    let mut reader = Reader::new(bytes, 0);
    let mut passed = Passed { blobs: 0, received: &mut |_, _| {} };
    let mut budget = Budget::new(limits, MOST_BLOB);
    let done = skip(&mut reader, kind, &mut budget, &mut passed).and_then(|()| reader.finish());
    let skipped = done.map_err(|_| reader.error());
    if read_as != skipped {
        return Err(format!("reading gives {read_as:?}, skipping {skipped:?}"));
    }
    if let Err(error) = read_as {
        return placed(&error, bytes.len());
    }
    let mut again = Vec::new();
    match read(&written, 0, kinds, &mut Budget::new(limits, MOST_BLOB), &mut again) {
        Ok(()) if again == written => Ok(true),
        other => Err(format!("{other:?} of what was written: {}", hex::text(&written))),
    }
}

/// A message, and the arguments and results whose kinds it says.
fn whole(bytes: &[u8], limits: &Limits) -> Result<bool, String> {
    let mut budget = Budget::new(limits, MOST_BLOB);
    let outcome = match Message::read(bytes, &mut budget) {
        Ok(Message::FirstCall { definition, arguments, .. }) => {
            let mut again = vec![message::FIRST_CALL, 0];
            definition.write(&mut again);
            match Message::read(&again, &mut Budget::new(limits, MOST_BLOB)) {
                Ok(Message::FirstCall { definition: same, .. }) if same == definition => {}
                other => return Err(format!("{other:?} of {definition:?}")),
            }
            read(bytes, arguments, &definition.arguments, &mut budget, &mut Vec::new())
        }
        Ok(Message::FirstReturn(kind, at)) => read(bytes, at, &[kind], &mut budget, &mut Vec::new()),
        Ok(Message::Batch(parts) | Message::BatchReturn(parts)) => {
            for part in parts {
                whole(part, limits)?;
            }
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    };
    outcome.map_or_else(|error| placed(&error, bytes.len()), |()| Ok(true))
}

/// Frames come out the same wherever the stream is cut.
fn stream(bytes: &[u8], random: &mut Random) -> Result<bool, String> {
    let at_once = scanned(bytes, bytes.len());
    let cut = random.below(bytes.len() + 1);
    if at_once != scanned(bytes, cut) {
        return Err(format!("cut at {cut} it reads otherwise"));
    }
    Ok(at_once.1.is_ok())
}

fn scanned(bytes: &[u8], cut: usize) -> (Vec<Vec<u8>>, Result<(), Error>) {
    let mut scanner = FrameScanner::new(1 << 16);
    let mut found = Vec::new();
    for piece in [&bytes[..cut], &bytes[cut..]] {
        scanner.feed(piece);
        while let Ok(Some(message)) = scanner.next() {
            found.push(message.to_vec());
        }
    }
    (found, scanner.end())
}

/// An error is one of the wire, within the bytes.
fn placed(error: &Error, length: usize) -> Result<bool, String> {
    let known = "malformed truncated trailing limit_depth limit_size limit_items bad_utf8 bad_number unsupported";
    let wire = known.split(' ').any(|code| code == error.code.as_str());
    match error.at {
        Some(at) if at <= length && wire && !error.text.is_empty() => Ok(false),
        _ => Err(format!("a poor error: {error:?}")),
    }
}
