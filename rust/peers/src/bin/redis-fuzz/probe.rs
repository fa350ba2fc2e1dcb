//! Properties of every stream.

use crate::census::Census;
use crate::generate::{element, vectors};
use crate::mutate::{damage, nest, noise};
use samewire_core::{Code, Error, Limits};
use samewire_peers::fuzzing::Fuzzer;
use samewire_peers::memory::measured;
use samewire_peers::pack::hex;
use samewire_peers::random::Random;
use samewire_redis::{read, write_value, Reader, Scan, Scanner, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// Tight enough to be met by short streams.
const TIGHT: Limits = Limits { depth: 3, frame_bytes: 90, items: 12, cells: 50, ..Limits::DEFAULT };
/// What a scan in pieces may take, and for each byte and each piece besides. Generous: other processes share the machine.
const TIME: Duration = Duration::from_millis(20);
const TIME_FOR_A_BYTE: Duration = Duration::from_micros(2);
/// A scanner has three words for each open aggregate, and the stack doubles while the old one is there.
const SCANNING: usize = 1 << 10;
const SCANNING_FOR_A_LEVEL: usize = 72;
/// A value takes five words, three bytes at least; a map has its entries beside its elements for a moment. The stack of
/// elements of an aggregate without a count doubles.
const READING: usize = 4 << 10;
const READING_FOR_A_BYTE: usize = 64;

/// Streams that turned out well are damaged again; so many are kept.
const KEPT: usize = 512;
const LONGEST_KEPT: usize = 4096;

/// A stream of replies, and where it is cut.
pub struct Input {
    stream: Vec<u8>,
    tight: bool,
    cuts: Vec<usize>,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stream (tight limits: {}) cut at {:?}: {}", self.tight, self.cuts, hex::text(&self.stream))
    }
}

/// What a stream holds: the lengths of its replies, and the error that ends it.
type Outcome = (Vec<usize>, Option<(Code, usize)>);

pub struct Prober {
    given: Vec<Vec<u8>>,
    made: Vec<Vec<u8>>,
    tallies: BTreeMap<&'static str, u64>,
}

impl Fuzzer for Prober {
    type Input = Input;

    fn next(&mut self, random: &mut Random) -> Input {
        let mut stream = Vec::new();
        for _ in 0..1 + random.below(3) {
            stream.extend(self.part(random));
        }
        if !random.once_in(3) {
            let other = self.part(random);
            damage(&mut stream, &other, random);
        }
        let mut cuts: Vec<usize> = (0..random.below(6)).map(|_| random.below(stream.len() + 1)).collect();
        cuts.sort_unstable();
        Input { stream, tight: random.once_in(4), cuts }
    }

    fn probe(&mut self, input: &Input, random: &mut Random) -> Result<(), String> {
        let stream = &input.stream[..];
        let limits = if input.tight { TIGHT } else { Limits::DEFAULT };
        let whole = scan(stream, &[], limits)?;
        same("cut there", &whole, &scan(stream, &input.cuts, limits)?)?;
        in_time(stream.len(), || {
            let every: Vec<usize> = (0..stream.len()).collect();
            same("cut everywhere", &whole, &scan(stream, &every, limits)?)
        })?;
        same("read without a scanner", &whole, &walked(stream, &limits)?)?;
        let mut from = 0;
        for length in &whole.0 {
            let reply = &stream[from..from + length];
            comes_back(reply, &limits)?;
            within(reply)?;
            from += length;
        }
        let kind = match whole {
            (_, Some(_)) => "refused",
            (replies, None) if replies.iter().sum::<usize>() < stream.len() => "incomplete",
            _ => "accepted",
        };
        *self.tallies.entry(kind).or_default() += 1;
        if kind == "accepted" && stream.len() <= LONGEST_KEPT {
            self.keep(stream, random);
        }
        Ok(())
    }

    fn tallies(&self) -> BTreeMap<&'static str, u64> {
        self.tallies.clone()
    }
}

impl Prober {
    pub fn new() -> Self {
        Prober { given: vectors(), made: Vec::new(), tallies: BTreeMap::new() }
    }

    fn part(&self, random: &mut Random) -> Vec<u8> {
        match random.below(16) {
            0 => noise(random),
            1 => nest(random),
            2..=4 => random.pick(&self.given).clone(),
            5..=7 if !self.made.is_empty() => random.pick(&self.made).clone(),
            _ => {
                let mut out = Vec::new();
                let depth = random.below(6);
                element(&mut out, depth, true, random);
                out
            }
        }
    }

    fn keep(&mut self, stream: &[u8], random: &mut Random) {
        if self.made.len() < KEPT {
            self.made.push(stream.to_vec());
        } else {
            self.made[random.below(KEPT)] = stream.to_vec();
        }
    }
}

/// By a scanner that is shown the stream in pieces which end at `cuts`.
fn scan(stream: &[u8], cuts: &[usize], limits: Limits) -> Result<Outcome, String> {
    let mut lengths = Vec::with_capacity(stream.len() / 3);
    let (end, peak) = measured(|| scanned(stream, cuts, limits, &mut lengths));
    let levels = stream.len().min(limits.depth as usize);
    let allowed = SCANNING + SCANNING_FOR_A_LEVEL * levels;
    if peak > allowed {
        return Err(format!("scanning took {peak} bytes for {}, {allowed} are allowed", stream.len()));
    }
    Ok((lengths, end?))
}

fn scanned(
    stream: &[u8],
    cuts: &[usize],
    limits: Limits,
    lengths: &mut Vec<usize>,
) -> Result<Option<(Code, usize)>, String> {
    let mut scanner = Scanner::new(limits);
    // No reply may end before `least`, from what the scanner has said of missing bytes.
    let (mut from, mut least) = (0, 0);
    for &cut in cuts.iter().chain([&stream.len()]) {
        loop {
            // At a cut before the end of what is known, nothing has grown.
            match scanner.scan(&stream[from..cut.max(from)]) {
                Ok(Scan::Reply(length)) => {
                    if length == 0 || from + length > cut || from + length < least {
                        return Err(format!("a reply of {length} bytes at {from} of {cut}, at least to {least}"));
                    }
                    lengths.push(length);
                    from += length;
                    least = 0;
                }
                Ok(Scan::More(more)) => {
                    if more == 0 {
                        return Err("nothing is missing".into());
                    }
                    least = least.max(cut + more);
                    break;
                }
                Err(error) => {
                    let found = placed(&error, cut)?;
                    let again = scanner.scan(b"+OK\r\n").err().map(|error| placed(&error, cut));
                    return if again == Some(Ok(found)) { Ok(Some(found)) } else { Err("a dead scanner lives".into()) };
                }
            }
        }
    }
    Ok(None)
}

/// By readers alone.
fn walked(stream: &[u8], limits: &Limits) -> Result<Outcome, String> {
    let (mut from, mut lengths) = (0, Vec::new());
    while from < stream.len() {
        let (done, peak) = measured(|| read(&stream[from..], limits).map(drop));
        let allowed = READING + READING_FOR_A_BYTE * (stream.len() - from).min(limits.frame_bytes);
        if peak > allowed {
            return Err(format!("reading took {peak} bytes for {}, {allowed} are allowed", stream.len() - from));
        }
        match done {
            Ok(()) => lengths.push(stream.len() - from),
            Err(error) if error.code == Code::Trailing => lengths.push(placed(&error, stream.len() - from)?.1),
            Err(error) if error.code == Code::Truncated => {
                let at = placed(&error, stream.len() - from)?.1;
                return if at == stream.len() - from { Ok((lengths, None)) } else { Err(format!("truncated at {at}")) };
            }
            Err(error) => {
                let (code, at) = placed(&error, stream.len() - from)?;
                return Ok((lengths, Some((code, from + at))));
            }
        }
        from += lengths.last().unwrap_or(&0);
    }
    Ok((lengths, None))
}

/// A code that bytes can cause, with its offset.
fn placed(error: &Error, length: usize) -> Result<(Code, usize), String> {
    let known = matches!(
        error.code,
        Code::Malformed
            | Code::BadNumber
            | Code::LimitSize
            | Code::LimitDepth
            | Code::LimitItems
            | Code::Trailing
            | Code::Truncated
    );
    match error.at {
        Some(at) if known && at <= length && !error.text.is_empty() => Ok((error.code, at)),
        _ => Err(format!("an improper error: {error}")),
    }
}

fn same(how: &str, whole: &Outcome, other: &Outcome) -> Result<(), String> {
    if whole == other {
        return Ok(());
    }
    Err(format!("whole {whole:?}, {how} {other:?}"))
}

/// What is read is written in its canonical form, which is read as the same value and written as the same bytes.
fn comes_back(reply: &[u8], limits: &Limits) -> Result<(), String> {
    let value = read(reply, limits).map_err(|error| format!("scanned and not read: {error}"))?;
    let written = bytes(&value);
    // Its numbers may be longer, or shorter.
    let again = read(&written, &Limits { frame_bytes: Limits::DEFAULT.frame_bytes, ..*limits })
        .map_err(|error| format!("written and not read: {error}: {}", hex::text(&written)))?;
    if bytes(&again) != written {
        return Err(format!("the canonical form changes: {} {}", hex::text(&written), hex::text(&bytes(&again))));
    }
    // NaN is not equal to itself.
    if value != again && format!("{value:?}") != format!("{again:?}") {
        return Err(format!("the value changes: {value:?} {again:?}"));
    }
    Ok(())
}

fn bytes(value: &Value<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    write_value(value, &mut out);
    out
}

/// Limits of just what a reply takes allow it, and those that are one less do not.
fn within(reply: &[u8]) -> Result<(), String> {
    let mut census = Census::default();
    let read_by = Reader::new(reply, &Limits::DEFAULT).read(&mut census);
    if !matches!(read_by, Ok(((), length)) if length == reply.len()) {
        return Err(format!("another builder: {read_by:?}"));
    }
    let Census { items, cells, depth, .. } = census;
    let just = Limits { items, cells, depth, frame_bytes: reply.len(), ..Limits::DEFAULT };
    let fits = |limits: Limits| outcome_of(reply, limits);
    if let Some(code) = fits(just)? {
        return Err(format!("{just:?} suffice, and it is refused: {code}"));
    }
    let mut less = vec![(Limits { frame_bytes: reply.len() - 1, ..just }, Code::LimitSize)];
    if depth > 0 {
        less.push((Limits { depth: depth - 1, ..just }, Code::LimitDepth));
        less.push((Limits { cells: cells - 1, ..just }, Code::LimitItems));
    }
    if items > 0 {
        less.push((Limits { items: items - 1, ..just }, Code::LimitItems));
    }
    for (limits, code) in less {
        if fits(limits)? != Some(code) {
            return Err(format!("{limits:?} must refuse it with {code}: {:?}", fits(limits)?));
        }
    }
    Ok(())
}

/// What scanner and reader say of one reply under these limits.
fn outcome_of(reply: &[u8], limits: Limits) -> Result<Option<Code>, String> {
    let by_scanner = Scanner::new(limits).scan(reply).err().map(|error| error.code);
    let by_reader = read(reply, &limits).err().map(|error| error.code);
    if by_scanner == by_reader {
        Ok(by_scanner)
    } else {
        Err(format!("{limits:?}: the scanner says {by_scanner:?}, the reader {by_reader:?}"))
    }
}

/// Runs `work` within a time that grows with the length alone.
fn in_time(length: usize, work: impl Fn() -> Result<(), String>) -> Result<(), String> {
    let allowed = TIME + TIME_FOR_A_BYTE * length as u32;
    let mut took = Duration::MAX;
    // Another process may have had the processor: what is slow is slow each time.
    for _ in 0..4 {
        let start = Instant::now();
        work()?;
        took = took.min(start.elapsed());
        if took <= allowed {
            return Ok(());
        }
    }
    Err(format!("scanning {length} bytes one by one took {took:?}, {allowed:?} are allowed"))
}
