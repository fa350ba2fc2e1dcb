//! Kinds of arguments and results (`spec/bridge.md` section 4).

use crate::reference::MOST_CLASS;
use crate::scalar::Scalar;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use samewire_core::{Code, Error};

/// The kind of one value. Parsed from its text, and printed as it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing, as a result.
    Void,
    /// Nothing, as an argument: null.
    Null,
    /// A value of fixed width.
    Scalar(Scalar),
    /// A string.
    String,
    /// Bytes.
    Bytes,
    /// `list<N>`: a list of values of fixed width.
    List(Scalar),
    /// `array<N>`: an array or buffer of values of fixed width.
    Array(Scalar),
    /// `list<string>`.
    Strings,
    /// `option<K>`: null, or a value of one of the kinds above but the first two.
    Option(Box<Kind>),
    /// `object`: a reference.
    Object,
    /// `object C`: a reference to an object of the receiver, of that class.
    ObjectOf(u32),
    /// `peer I J …`: a reference to an object of the sender, which implements these interfaces.
    Peer(Vec<String>),
    /// `result`: the result of another call of the same batch.
    Result,
    /// `any`: a tag, and a value of that tag's kind.
    Any,
    /// `list`, `set`, `tuple` of `any`.
    Sequence(Sequence),
    /// `map`: pairs of `any`.
    Map,
    /// `class`: a class's description.
    Class,
    /// The text of a pack schema, which is not parsed.
    Pack(String),
}

/// A container of `any` other than a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// `list`.
    List,
    /// `set`.
    Set,
    /// `tuple`.
    Tuple,
}

impl Sequence {
    /// Its name as a kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Sequence::List => "list",
            Sequence::Set => "set",
            Sequence::Tuple => "tuple",
        }
    }
}

impl Kind {
    /// Parses the text of a kind.
    ///
    /// # Errors
    /// `malformed` if it is empty, or one of the bridge's own kinds with an invalid part.
    pub fn parse(text: &str) -> Result<Kind, Error> {
        let wrong = |said: &'static str| Error::new(Code::Malformed, said);
        if let Some(scalar) = Scalar::named(text) {
            return Ok(Kind::Scalar(scalar));
        }
        Ok(match text {
            "" => return Err(wrong("expected a kind, not an empty text")),
            "void" => Kind::Void,
            "null" => Kind::Null,
            "string" => Kind::String,
            "bytes" => Kind::Bytes,
            "object" => Kind::Object,
            "peer" => Kind::Peer(Vec::new()),
            "result" => Kind::Result,
            "any" => Kind::Any,
            "list" => Kind::Sequence(Sequence::List),
            "set" => Kind::Sequence(Sequence::Set),
            "tuple" => Kind::Sequence(Sequence::Tuple),
            "map" => Kind::Map,
            "class" => Kind::Class,
            "list<string>" => Kind::Strings,
            _ => {
                if let Some(number) = text.strip_prefix("object ") {
                    return class_number(number)
                        .map(Kind::ObjectOf)
                        .ok_or_else(|| wrong("expected the number of a class behind `object`"));
                }
                if let Some(names) = text.strip_prefix("peer ") {
                    let names: Vec<String> = names.split(' ').map(ToOwned::to_owned).collect();
                    if names.iter().any(String::is_empty) {
                        return Err(wrong("expected names of interfaces behind `peer`, with one space between"));
                    }
                    return Ok(Kind::Peer(names));
                }
                if let Some(of) = between(text, "list<").and_then(Scalar::named) {
                    return Ok(Kind::List(of));
                }
                if let Some(of) = between(text, "array<") {
                    // Pack has no arrays: nothing else can be meant.
                    return Scalar::named(of)
                        .map(Kind::Array)
                        .ok_or_else(|| wrong("expected a kind of fixed width in `array<…>`"));
                }
                if let Some(of) = between(text, "option<") {
                    // Nested options in a loop, not by recursion: a peer's text may have as many of them as fit into a
                    // frame.
                    let innermost = core::iter::successors(Some(of), |of| between(of, "option<")).last().unwrap_or(of);
                    let inner = Kind::parse(innermost)?;
                    if innermost.len() == of.len() && inner.may_be_optional() {
                        return Ok(Kind::Option(Box::new(inner)));
                    }
                    // An option of a type that only pack has is a pack schema.
                    if !matches!(inner, Kind::Pack(_)) {
                        return Err(wrong("expected a kind in `option<…>` that can be null"));
                    }
                }
                Kind::Pack(text.to_owned())
            }
        })
    }

    /// Whether it is allowed in `option<…>`.
    pub fn may_be_optional(&self) -> bool {
        matches!(self, Kind::Scalar(_) | Kind::String | Kind::Bytes | Kind::List(_) | Kind::Array(_) | Kind::Strings)
    }

    /// Whether an argument may have it.
    pub fn is_argument(&self) -> bool {
        !matches!(self, Kind::Void)
    }

    /// Whether a result may have it.
    pub fn is_result(&self) -> bool {
        !matches!(self, Kind::Null | Kind::ObjectOf(_) | Kind::Peer(_) | Kind::Result)
    }
}

/// The text between a prefix and the closing bracket.
fn between<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    text.strip_prefix(prefix)?.strip_suffix('>')
}

/// The number of a class in decimal digits, from 1, without a leading zero.
pub fn class_number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|&number| plain && number <= MOST_CLASS)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Void => f.write_str("void"),
            Kind::Null => f.write_str("null"),
            Kind::Scalar(scalar) => f.write_str(scalar.as_str()),
            Kind::String => f.write_str("string"),
            Kind::Bytes => f.write_str("bytes"),
            Kind::List(of) => write!(f, "list<{}>", of.as_str()),
            Kind::Array(of) => write!(f, "array<{}>", of.as_str()),
            Kind::Strings => f.write_str("list<string>"),
            Kind::Option(of) => write!(f, "option<{of}>"),
            Kind::Object => f.write_str("object"),
            Kind::ObjectOf(class) => write!(f, "object {class}"),
            Kind::Peer(names) => {
                f.write_str("peer")?;
                names.iter().try_for_each(|name| write!(f, " {name}"))
            }
            Kind::Result => f.write_str("result"),
            Kind::Any => f.write_str("any"),
            Kind::Sequence(of) => f.write_str(of.as_str()),
            Kind::Map => f.write_str("map"),
            Kind::Class => f.write_str("class"),
            Kind::Pack(schema) => f.write_str(schema),
        }
    }
}
