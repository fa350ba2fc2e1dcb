//! The peer of the matrix (`spec/matrix/README.md`): `peer encode SCHEMAS VALUES OUT`, `peer reencode SCHEMAS VALUES IN OUT`.

use samewire_pack::schema::Schema;
use samewire_pack::{Code, Error};
use samewire_peers::pack::codecs::{AnyCodec, Case, Options, CASES};
use samewire_peers::pack::hex;
use samewire_peers::pack::vectors::{profile, read_json};
use serde_json::Value;
use std::collections::hash_map::{Entry, HashMap};
use std::error::Error as AnyError;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::ExitCode;

type Problem = Box<dyn AnyError>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["encode", schemas, values, out] => run(schemas, values, None, out),
        ["reencode", schemas, values, input, out] => run(schemas, values, Some(input), out),
        _ => Err("usage: peer encode SCHEMAS VALUES OUT | peer reencode SCHEMAS VALUES IN OUT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("peer: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(schemas: &str, values: &str, input: Option<&str>, out: &str) -> Result<(), Problem> {
    let mut codecs = Codecs::new(schemas)?;
    let values = fs::read_to_string(values)?;
    let input = input.map(fs::read_to_string).transpose()?;
    let mut messages = input.as_deref().map(str::lines);
    let mut out = BufWriter::new(File::create(out)?);
    for line in values.lines() {
        let line = read_json(line)?;
        let codec = codecs.get(&line)?;
        let message = match &mut messages {
            None => encode(codec, &line["value"]),
            Some(messages) => {
                let message = messages.next().and_then(hex::bytes).ok_or("a line of IN is not a message in hex")?;
                codec.decode(&message).and_then(|value| codec.encode(&*value))
            }
        };
        match message {
            Ok(message) => writeln!(out, "{}", hex::text(&message))?,
            Err(error) => writeln!(out, "error {} {}", error.code, error.path.as_deref().unwrap_or("-"))?,
        }
    }
    Ok(out.flush()?)
}

/// A notation that does not fit the type is the caller's fault, as a native value would be that does not.
fn encode(codec: &dyn AnyCodec, notation: &Value) -> Result<Vec<u8>, Error> {
    let value = codec.read(notation).map_err(|unfit| Error::new(Code::TypeMismatch, unfit.0))?;
    codec.encode(&*value)
}

/// The codecs asked for so far, by schema and profile.
struct Codecs {
    cases: HashMap<&'static str, &'static Case>,
    made: HashMap<(&'static str, String), Box<dyn AnyCodec>>,
}

impl Codecs {
    /// Makes sure that the types this program was compiled with are those of SCHEMAS.
    fn new(schemas: &str) -> Result<Self, Problem> {
        let listed = read_json(&fs::read_to_string(schemas)?)?;
        let listed: HashMap<&str, &str> = listed.as_array().into_iter().flatten().filter_map(entry).collect();
        let cases: HashMap<_, _> = CASES.iter().map(|case| (case.id, case)).collect();
        for (id, text) in listed {
            let case = cases.get(id).ok_or_else(|| format!("this peer was compiled without {id}"))?;
            let codec = (case.codec)(Options::default())?;
            if codec.schema().text() != Schema::parse(text)?.text() {
                return Err(format!("this peer was compiled with another {id}: {}", codec.schema().text()).into());
            }
        }
        Ok(Codecs { cases, made: HashMap::new() })
    }

    fn get(&mut self, line: &Value) -> Result<&dyn AnyCodec, Problem> {
        let case = line["schema"].as_str().and_then(|id| self.cases.get(id)).ok_or("a line names no schema")?;
        let name = line["profile"].as_str().ok_or("a line names no profile")?;
        let profile = profile(name).ok_or("a line names no profile")?;
        Ok(match self.made.entry((case.id, name.to_owned())) {
            Entry::Occupied(made) => &**made.into_mut(),
            Entry::Vacant(room) => {
                &**room.insert((case.codec)(Options { profile, check: true, ..Options::default() })?)
            }
        })
    }
}

fn entry(value: &Value) -> Option<(&str, &str)> {
    Some((value["id"].as_str()?, value["schema"].as_str()?))
}
