//! The definition of a call site (`spec/bridge.md` section 5).

use crate::flat::{put_str, put_varint};
use crate::kind::Kind;
use crate::reader::Reader;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// The largest number that a site can have. Number 0 is for sites that are not kept.
pub const MOST_SITE: u16 = u16::MAX;

/// The most arguments that a site can have: those of a method of the JVM, and the receiver.
pub const MOST_ARGUMENTS: usize = 256;

/// The action of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Action {
    /// A constructor is called.
    Construct = 0,
    /// A method of the first argument is called.
    Method = 1,
    /// A static method is called.
    Static = 2,
    /// A field of the first argument is read.
    Get = 3,
    /// A field of the first argument is written.
    Set = 4,
    /// A static field is read.
    StaticGet = 5,
    /// A static field is written.
    StaticSet = 6,
    /// A class is described.
    Describe = 7,
}

impl Action {
    /// All of them, each at its number.
    pub const ALL: [Action; 8] = [
        Action::Construct,
        Action::Method,
        Action::Static,
        Action::Get,
        Action::Set,
        Action::StaticGet,
        Action::StaticSet,
        Action::Describe,
    ];
}

/// The result that a caller requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The result of the declared type: an empty text.
    Declared,
    /// The value itself, however deep: `value`.
    Value,
    /// A value of one kind.
    Kind(Kind),
}

/// The member that is called, and the kinds of its arguments and its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    /// The action.
    pub action: Action,
    /// The class by its name or as `#` and its number, or empty.
    pub class: String,
    /// The name of a method or field, or empty.
    pub member: String,
    /// The kinds of the arguments, of the receiver first if there is one.
    pub arguments: Vec<Kind>,
    /// The requested result.
    pub result: Wanted,
}

impl Definition {
    /// Appends the definition.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(self.action as u8);
        put_str(out, &self.class);
        put_str(out, &self.member);
        put_varint(out, self.arguments.len() as u64);
        for kind in &self.arguments {
            put_kind(out, kind);
        }
        match &self.result {
            Wanted::Declared => put_str(out, ""),
            Wanted::Value => put_str(out, "value"),
            Wanted::Kind(kind) => put_kind(out, kind),
        }
    }

    /// Reads a definition.
    ///
    /// # Errors
    /// `malformed` at an unknown action, or a kind that is unknown or not allowed there;
    /// `limit_items` at the count of arguments; `bad_utf8` at a name; `bad_number`, `truncated`.
    pub fn read(reader: &mut Reader<'_>) -> Result<Definition, Fault> {
        let at = reader.at();
        let Some(&action) = Action::ALL.get(usize::from(reader.u8()?)) else {
            return Err(reader.malformed(at, "expected an action, 0 to 7"));
        };
        let class = reader.name()?.into_owned();
        let member = reader.name()?.into_owned();
        let at = reader.at();
        let count = reader.count()?;
        if count > MOST_ARGUMENTS {
            return Err(reader.fail(Code::LimitItems, at, "expected at most 256 arguments"));
        }
        let mut arguments = Vec::new();
        for _ in 0..count {
            arguments.push(kind(reader, Kind::is_argument, "expected the kind of an argument")?);
        }
        let at = reader.at();
        let result = match &*reader.name()? {
            "" => Wanted::Declared,
            "value" => Wanted::Value,
            text => Wanted::Kind(checked(reader, at, text, Kind::is_result, "expected the kind of a result")?),
        };
        Ok(Definition { action, class, member, arguments, result })
    }
}

/// Appends a kind as a string.
pub fn put_kind(out: &mut Vec<u8>, kind: &Kind) {
    put_str(out, &kind.to_string());
}

/// Reads a kind that a result may have.
///
/// # Errors
/// `malformed` at the string if it is not one; `bad_utf8`, `bad_number`, `truncated`.
pub fn read_result_kind(reader: &mut Reader<'_>) -> Result<Kind, Fault> {
    kind(reader, Kind::is_result, "expected the kind of a result")
}

fn kind(reader: &mut Reader<'_>, fits: fn(&Kind) -> bool, expected: &'static str) -> Result<Kind, Fault> {
    let at = reader.at();
    let text = reader.name()?;
    checked(reader, at, &text, fits, expected)
}

fn checked(
    reader: &mut Reader<'_>,
    at: usize,
    text: &str,
    fits: fn(&Kind) -> bool,
    expected: &'static str,
) -> Result<Kind, Fault> {
    match Kind::parse(text) {
        Ok(kind) if fits(&kind) => Ok(kind),
        _ => Err(reader.fail(Code::Malformed, at, expected)),
    }
}
