//! Properties of every input.

use crate::bounds::{allowed, memory_for_a_byte, memory_for_a_byte_of_another};
use crate::mutate::{damaged, damaged_text, noise};
use crate::record_files::{self, RecordFileInput};
use crate::seeds::Seeds;
use samewire_pack::frame::{write_frame, FrameScanner};
use samewire_pack::schema::Schema;
use samewire_pack::{walker, Code, Error, Limits, Profile};
use samewire_peers::fuzzing::Fuzzer;
use samewire_peers::memory::measured;
use samewire_peers::pack::codecs::{AnyCodec, Native, Options, CASES};
use samewire_peers::pack::hex;
use samewire_peers::random::Random;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// Tight enough to be met by small messages.
const TIGHT: Limits = Limits { depth: 3, frame_bytes: 300, text_bytes: 40, items: 24, cells: 100, buffered_bytes: 300 };
/// What a call may take, and for each byte besides. Generous: other processes share the machine.
const TIME: Duration = Duration::from_millis(200);
const TIME_FOR_A_BYTE: Duration = Duration::from_micros(20);
/// Memory of schemas: a type, a field or a symbol for each two characters, several words each in two forms.
const MEMORY_OF_TEXT: usize = 256;

/// One input.
pub enum Input {
    /// A message for a type.
    Message { case: usize, tight: bool, data: Vec<u8> },
    /// A schema text.
    Text(String),
    /// A writer's schema, the reader's type and a message of the writer's.
    Pair { writer: String, case: usize, data: Vec<u8> },
    /// A stream of frames, fed in pieces of these lengths in turn.
    Stream { tight: bool, data: Vec<u8>, pieces: Vec<usize> },
    /// A record file.
    File(RecordFileInput),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Message { case, tight, data } => {
                write!(f, "message of {} (tight limits: {tight}): {}", CASES[*case].id, hex::text(data))
            }
            Input::Text(text) => write!(f, "schema text {text:?}"),
            Input::File(file) => file.fmt(f),
            Input::Pair { writer, case, data } => {
                write!(f, "message of {writer:?} read as {}: {}", CASES[*case].id, hex::text(data))
            }
            Input::Stream { tight, data, pieces } => {
                write!(f, "stream (tight limits: {tight}) in pieces of {pieces:?}: {}", hex::text(data))
            }
        }
    }
}

struct Subject {
    compact: Box<dyn AnyCodec>,
    fast: Box<dyn AnyCodec>,
    tight: Box<dyn AnyCodec>,
    memory: usize,
    memory_resolving: usize,
}

pub struct Prober {
    subjects: Vec<Subject>,
    by_text: BTreeMap<String, usize>,
    seeds: Seeds,
    tallies: BTreeMap<&'static str, u64>,
}

impl Fuzzer for Prober {
    type Input = Input;

    fn next(&mut self, random: &mut Random) -> Input {
        match random.below(17) {
            0 => Input::Text(self.text(random)),
            16 => Input::File(record_files::next(random)),
            1 | 2 => self.pair(random),
            3 => {
                let mut data = Vec::new();
                for _ in 0..random.below(5) {
                    // An empty seed makes no frame.
                    write_frame(self.seeds.any(random), &mut data).unwrap_or_default();
                }
                let other = random.pick(&self.seeds.streams).clone();
                let data = if random.once_in(4) { data } else { damaged(&data, &other, random) };
                let pieces = (0..1 + random.below(4)).map(|_| 1 + random.below(40)).collect();
                Input::Stream { tight: random.once_in(2), data, pieces }
            }
            _ => {
                let case = random.below(self.subjects.len());
                let schema = self.subjects[case].compact.schema().text();
                let data = match random.below(32) {
                    0 => noise(random),
                    _ => {
                        let other =
                            if random.once_in(2) { self.seeds.message(schema, random) } else { self.seeds.any(random) };
                        damaged(self.seeds.message(schema, random), other, random)
                    }
                };
                Input::Message { case, tight: random.once_in(8), data }
            }
        }
    }

    fn probe(&mut self, input: &Input, random: &mut Random) -> Result<(), String> {
        match input {
            Input::Message { case, tight, data } => self.message(*case, *tight, data, random),
            Input::Text(text) => self.schema(text),
            Input::File(file) => self.file(file),
            Input::Pair { writer, case, data } => self.resolved(writer, *case, data),
            Input::Stream { tight, data, pieces } => self.stream(*tight, data, pieces),
        }
    }

    fn tallies(&self) -> BTreeMap<&'static str, u64> {
        self.tallies.clone()
    }
}

impl Prober {
    /// # Panics
    /// A type has no codec.
    pub fn new() -> Self {
        let subject = |case: &samewire_peers::pack::codecs::Case| {
            let made = |options| (case.codec)(options).unwrap_or_else(|error| panic!("{}: {error}", case.id));
            let compact = made(Options::default());
            Subject {
                memory: memory_for_a_byte(compact.schema()),
                memory_resolving: memory_for_a_byte_of_another(compact.schema()),
                fast: made(Options { profile: Profile::Fast, ..Options::default() }),
                tight: made(Options { limits: TIGHT, ..Options::default() }),
                compact,
            }
        };
        let subjects: Vec<Subject> = CASES.iter().map(subject).collect();
        let texts = subjects.iter().enumerate().map(|(i, subject)| (subject.compact.schema().text().to_owned(), i));
        Prober { by_text: texts.collect(), subjects, seeds: Seeds::new(), tallies: BTreeMap::new() }
    }

    fn tally(&mut self, name: &'static str) {
        *self.tallies.entry(name).or_default() += 1;
    }

    fn text(&self, random: &mut Random) -> String {
        damaged_text(self.seeds.text(random), self.seeds.text(random), random)
    }

    /// Two schemas that belong together, one of them perhaps changed a little.
    fn pair(&self, random: &mut Random) -> Input {
        if random.once_in(2) {
            let (writer, schema, data) = random.pick(&self.seeds.pairs);
            let case = self.by_text.get(schema).copied().unwrap_or(0);
            let other = self.seeds.message(writer, random);
            return Input::Pair { writer: writer.clone(), case, data: damaged(data, other, random) };
        }
        let case = random.below(self.subjects.len());
        let schema = self.subjects[case].compact.schema().text();
        let same = random.once_in(4);
        let writer = if same { schema.into() } else { damaged_text(schema, self.seeds.text(random), random) };
        let data = self.seeds.message(schema, random);
        Input::Pair { writer, case, data: if random.once_in(2) { data.into() } else { damaged(data, data, random) } }
    }

    fn message(&mut self, case: usize, tight: bool, data: &[u8], random: &mut Random) -> Result<(), String> {
        let subject = &self.subjects[case];
        let codec = if tight { &subject.tight } else { &subject.compact };
        let limits = if tight { TIGHT } else { Limits::DEFAULT };
        let decoded = bounded("decoding", data.len(), subject.memory, || codec.decode(data))?;
        let walked = bounded("walking", data.len(), subject.memory, || walker::check(codec.schema(), data, &limits))?;
        match (&decoded, &walked) {
            (Ok(_), Ok(())) => {}
            (Err(ours), Err(theirs)) if (ours.code, ours.at, &ours.path) == (theirs.code, theirs.at, &theirs.path) => {}
            (ours, theirs) => return Err(format!("decoder {}, walker {}", told(ours), told(theirs))),
        }
        match decoded {
            Ok(value) => {
                comes_back(subject, &value)?;
                self.tally("messages accepted");
                let schema = self.subjects[case].compact.schema().text().to_owned();
                self.seeds.keep(&schema, data, random);
            }
            Err(error) => {
                proper(&error, data.len(), true)?;
                self.tally("messages refused");
            }
        }
        Ok(())
    }

    fn schema(&mut self, text: &str) -> Result<(), String> {
        let read = bounded("reading a schema", text.len(), MEMORY_OF_TEXT, || Schema::parse(text))?;
        match read {
            Ok(schema) => {
                let again = Schema::parse(schema.text()).map_err(|error| format!("the canonical text: {error}"))?;
                if again.text() != schema.text() || again.digest() != schema.digest() {
                    return Err(format!("the canonical text is not its own: {:?}", schema.text()));
                }
                if let Some(difference) = schema.difference(&again) {
                    return Err(format!("a schema differs from itself: {difference}"));
                }
                self.tally("schemas accepted");
            }
            Err(error) => {
                let known =
                    matches!(error.code, Code::Malformed | Code::LimitSize | Code::LimitDepth | Code::LimitItems);
                if !known || error.path.is_some() || error.at.is_none_or(|at| at > text.len()) {
                    return Err(format!("an improper error: {error}"));
                }
                self.tally("schemas refused");
            }
        }
        Ok(())
    }

    fn resolved(&mut self, writer: &str, case: usize, data: &[u8]) -> Result<(), String> {
        let subject = &self.subjects[case];
        let length = writer.len() + subject.compact.schema().text().len();
        let Ok(schema) = Schema::parse(writer) else {
            self.tally("schemas refused");
            return Ok(());
        };
        let decoder = match bounded("resolving", length, MEMORY_OF_TEXT, || subject.compact.resolve(writer))? {
            Ok(decoder) => decoder,
            Err(error) if error.code == Code::SchemaMismatch && error.path.is_some() => {
                self.tally("pairs refused");
                return Ok(());
            }
            Err(error) => return Err(format!("an improper error: {error}")),
        };
        let decoded = bounded("decoding another's", data.len(), subject.memory_resolving, || decoder.decode(data))?;
        let walked = walker::check(&schema, data, &Limits::DEFAULT);
        match (&decoded, &walked) {
            (Ok(value), Ok(())) => {
                let itself = schema.text() == subject.compact.schema().text();
                // Structs that are recursive for the reader alone count for it when they are written, and did not when they were read.
                if itself || subject.compact.encode(&**value).err().is_none_or(|error| error.code != Code::LimitDepth) {
                    comes_back(subject, value)?;
                }
                if itself {
                    let plain =
                        subject.compact.decode(data).map_err(|error| format!("resolved, but not plain: {error}"))?;
                    if subject.compact.write(&*plain) != subject.compact.write(&**value) {
                        return Err("resolving a schema to itself changes the value".into());
                    }
                }
            }
            (Err(ours), _) if ours.code == Code::SchemaMismatch => proper(ours, data.len(), true)?,
            // The walker does not know what is wanted: a skipped struct may be too deep there, and is found before what is wrong behind.
            (Err(ours), theirs)
                if ours.code == Code::LimitDepth
                    && writer.contains("ref<")
                    && theirs.as_ref().err().is_none_or(|error| error.at > ours.at) =>
            {
                proper(ours, data.len(), true)?;
            }
            // Nor does it know the fields that the reader alone has, which take cells too.
            (Err(ours), theirs)
                if ours.code == Code::LimitItems
                    && schema.text() != subject.compact.schema().text()
                    && theirs.as_ref().err().is_none_or(|error| error.at > ours.at) =>
            {
                proper(ours, data.len(), true)?;
            }
            // Nor which integers are read as floats, which may lack them.
            (Err(ours), _)
                if ours.code == Code::BadNumber && ours.text.contains("between two numbers of the reader's float") =>
            {
                proper(ours, data.len(), true)?;
            }
            // Nor the names that the reader gives to the writer's fields.
            (Err(ours), Err(theirs))
                if (ours.code, ours.at) == (theirs.code, theirs.at)
                    && (ours.path == theirs.path || subject.compact.schema().annotated().contains("@alias")) =>
            {
                proper(ours, data.len(), true)?;
            }
            (ours, theirs) => return Err(format!("decoder {}, walker {}", told(ours), told(theirs))),
        }
        self.tally(if decoded.is_ok() { "resolved messages accepted" } else { "resolved messages refused" });
        Ok(())
    }

    fn file(&mut self, input: &RecordFileInput) -> Result<(), String> {
        // A dozen passes, each with a piece of 64 KiB, and zstd's own memory.
        let probed = bounded("reading a record file", input.data.len() + (1 << 16), 64, || record_files::probe(input))?;
        self.tally(if probed? { "record files accepted" } else { "record files refused" });
        Ok(())
    }

    fn stream(&mut self, tight: bool, data: &[u8], pieces: &[usize]) -> Result<(), String> {
        let limits = if tight { TIGHT } else { Limits::DEFAULT };
        // An input is at most held twice while it grows. What was handed out is copied here: two bytes may be a message, and
        // its vector takes three words, three times while the list of them grows.
        let scan = |pieces: &[usize]| bounded("scanning", data.len(), 12, || scanned(limits, data, pieces));
        let (messages, error) = scan(pieces)?;
        if messages.iter().map(Vec::len).sum::<usize>() > data.len() {
            return Err("more bytes come out than went in".into());
        }
        let (others, other_error) = scan(&[1])?;
        let same = |a: &Option<Error>, b: &Option<Error>| match (a, b) {
            (Some(a), Some(b)) => (a.code, a.at) == (b.code, b.at),
            (a, b) => a.is_none() && b.is_none(),
        };
        if messages != others || !same(&error, &other_error) {
            return Err(format!("split otherwise: {error:?} and {other_error:?}"));
        }
        if let Some(error) = &error {
            proper(error, data.len(), false)?;
        }
        self.tally(if error.is_none() { "streams accepted" } else { "streams refused" });
        Ok(())
    }
}

fn scanned(limits: Limits, data: &[u8], pieces: &[usize]) -> (Vec<Vec<u8>>, Option<Error>) {
    let mut scanner = FrameScanner::new(limits);
    let mut messages = Vec::new();
    let mut rest = data;
    for length in pieces.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, more) = rest.split_at((*length).min(rest.len()));
        rest = more;
        if let Err(error) = scanner.feed(piece) {
            return (messages, Some(error));
        }
        loop {
            match scanner.next() {
                Ok(Some(message)) => messages.push(message.to_vec()),
                Ok(None) => break,
                Err(error) => return (messages, Some(error)),
            }
        }
    }
    let error = scanner.end().err();
    (messages, error)
}

/// Runs `work` on an input of this length within its bounds of time and memory.
fn bounded<T>(what: &str, length: usize, memory: usize, work: impl Fn() -> T) -> Result<T, String> {
    let start = Instant::now();
    let (done, peak) = measured(&work);
    let time = TIME + TIME_FOR_A_BYTE * length as u32;
    if peak > allowed(memory, length) {
        return Err(format!("{what} took {peak} bytes for {length}, {} are allowed", allowed(memory, length)));
    }
    // Another process may have had the processor: what is slow is slow three times.
    let slow = |start: Instant| start.elapsed() > time;
    let again = || {
        let start = Instant::now();
        work();
        slow(start)
    };
    if slow(start) && again() && again() {
        return Err(format!("{what} took {:?} for {length} bytes", start.elapsed()));
    }
    Ok(done)
}

/// A value that was read can be written, in every profile, and comes back as the same value and the same bytes.
fn comes_back(subject: &Subject, value: &Native) -> Result<(), String> {
    let notation = subject.compact.write(&**value);
    for codec in [&subject.compact, &subject.fast] {
        let bytes = codec.encode(&**value).map_err(|error| format!("what was read cannot be written: {error}"))?;
        let again = codec.decode(&bytes).map_err(|error| format!("what was written cannot be read: {error}"))?;
        if codec.write(&*again) != notation {
            return Err(format!("the value changes on its way: {}", hex::text(&bytes)));
        }
        let twice = codec.encode(&*again).map_err(|error| format!("writing again: {error}"))?;
        if twice != bytes {
            return Err(format!("the bytes change on their way: {} and {}", hex::text(&bytes), hex::text(&twice)));
        }
    }
    let read = subject.compact.read(&notation).map_err(|unfit| format!("the notation: {}", unfit.0))?;
    if subject.compact.write(&*read) == notation {
        Ok(())
    } else {
        Err("the notation changes on its way".into())
    }
}

/// A code that bytes can cause, an offset within them, a path.
fn proper(error: &Error, length: usize, path: bool) -> Result<(), String> {
    let known = !matches!(error.code, Code::TypeMismatch | Code::Misuse | Code::Closed | Code::Timeout);
    let at = match error.code {
        Code::Truncated => error.at == Some(length),
        _ => error.at.is_some_and(|at| at <= length),
    };
    let placed = error.path.as_ref().is_some_and(|path| path.starts_with('$')) == path;
    if known && at && placed && !error.text.is_empty() {
        Ok(())
    } else {
        Err(format!("an improper error: {error}"))
    }
}

fn told<T>(result: &Result<T, Error>) -> String {
    match result {
        Ok(_) => "accepts".into(),
        Err(error) => format!("says {error}"),
    }
}
