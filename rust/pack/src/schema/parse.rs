//! Reading schema text.
//!
//! Two passes. The first reads left to right and reports the first syntax error, repetition or limit. The second looks
//! at what needs the whole text, since a name may be used before the place that defines it (members of a union stand in
//! any order): names never defined, and types where their kind is not allowed. It reports the one that stands first.

use super::canonical::Builder;
use super::lexer::{got, is_keyword, malformed, Lexer};
use super::syntax::{Body, Definition, Part, Raw, RawField, Symbols};
use super::types::{Schema, Type, NESTING_MAX, NODES_MAX, TEXT_MAX};
use crate::order::name_order;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::{Code, Error};

struct Parser<'t> {
    lexer: Lexer<'t>,
    nodes: usize,
    nesting: usize,
    names: BTreeMap<String, usize>,
    /// Names and aliases of definitions.
    taken: BTreeSet<String>,
    definitions: Vec<Definition>,
    /// The last name of a type, and where the token behind it begins.
    behind_name: Option<(usize, String)>,
}

impl Schema {
    /// Reads schema text: white space and comments anywhere between tokens, members and symbols in any order.
    ///
    /// # Errors
    /// `malformed`, `limit_size`, `limit_depth`, `limit_items`, with the offset in bytes (`spec/pack.md` section 2).
    pub fn parse(text: &str) -> Result<Schema, Error> {
        if text.len() > TEXT_MAX {
            return Err(Error::new(Code::LimitSize, "schema text over 1 MiB: divide it into several schemas").at(0));
        }
        let mut parser = Parser {
            lexer: Lexer::new(text),
            nodes: 0,
            nesting: 0,
            names: BTreeMap::new(),
            taken: BTreeSet::new(),
            definitions: Vec::new(),
            behind_name: None,
        };
        match parser.whole() {
            Ok(root) => Builder::build(&parser.definitions, &root),
            Err(error) => Err(parser.explained(error)),
        }
    }
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Part, Error> {
        let mut root = self.part()?;
        let (rest, at) = self.lexer.peek()?;
        if !rest.is_empty() {
            let remedy = match rest {
                "struct" | "enum" | "union" => ": a schema is one type, and others are written where they occur first",
                _ => "",
            };
            return Err(malformed(at, format!("expected the end of the text, got {rest:?}{remedy}")));
        }
        self.check(&mut root)?;
        Ok(root)
    }

    /// Names the remedy for a type with `<`, as `List<i32>`. Later than the error: a repeated name is reported first.
    fn explained(&self, error: Error) -> Error {
        match &self.behind_name {
            Some((at, name)) if error.at == Some(*at) && error.text.ends_with("got \"<\"") => {
                let remedy = usual_word(name).map_or("only the schema's own types do".into(), said);
                malformed(*at, format!("{name:?} takes no <...>: {remedy}"))
            }
            _ => error,
        }
    }

    fn open(&mut self, bracket: &str) -> Result<(), Error> {
        let (_, at) = self.lexer.peek()?;
        self.lexer.expect(bracket)?;
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            let text = "types nested more than 64 deep: nest fewer, or use any for the inner types";
            return Err(Error::new(Code::LimitDepth, text).at(at));
        }
        Ok(())
    }

    /// Takes the `,` before another part, or the closing bracket after the last one: behind a `,` too, if it is `}`.
    fn more(&mut self, closing: &str) -> Result<bool, Error> {
        let mut more = self.lexer.either(",", closing)?;
        if more && closing == "}" && self.lexer.peek()?.0 == "}" {
            self.lexer.next()?;
            more = false;
        }
        self.nesting -= usize::from(!more);
        Ok(more)
    }

    fn close(&mut self, closing: &str) -> Result<(), Error> {
        self.lexer.expect(closing)?;
        self.nesting -= 1;
        Ok(())
    }

    fn count(&mut self, at: usize) -> Result<(), Error> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            let text = "more than 65,536 types, fields and symbols: divide it into several schemas";
            return Err(Error::new(Code::LimitItems, text).at(at));
        }
        Ok(())
    }

    /// Takes a type, and a `?` behind it.
    fn part(&mut self) -> Result<Part, Error> {
        let part = self.plain_part()?;
        let Some(at) = self.lexer.question_mark() else { return Ok(part) };
        self.count(at)?;
        Ok(Part { at: part.at, raw: Raw::Option(Box::new(part)) })
    }

    fn plain_part(&mut self) -> Result<Part, Error> {
        let (token, at) = self.lexer.peek()?;
        if token.is_empty() {
            return Err(malformed(at, "the text ends where a type is expected"));
        }
        if !is_keyword(token) {
            let (name, at) = self.lexer.name()?;
            self.count(at)?;
            self.behind_name = Some((self.lexer.upcoming(), name.clone()));
            let raw = self.names.get(&name).map_or(Raw::Named(name), |&index| Raw::Defined(index));
            return Ok(Part { raw, at });
        }
        self.lexer.next()?;
        self.count(at)?;
        let raw = match token {
            "option" => Raw::Option(self.only()?),
            "list" => Raw::List(self.only()?),
            "set" => Raw::Set(self.only()?),
            "ref" => Raw::Ref(self.only()?),
            "map" => {
                self.open("<")?;
                let key = self.part()?;
                self.lexer.expect(",")?;
                let value = self.part()?;
                self.close(">")?;
                Raw::Map(Box::new(key), Box::new(value))
            }
            "tuple" => Raw::Tuple(self.tuple()?),
            "enum" => self.enumeration()?,
            "struct" => self.structure()?,
            "union" => self.union()?,
            _ => match Type::scalar(token) {
                Some(scalar) => Raw::Scalar(scalar),
                None => return Err(malformed(at, format!("expected a type, got {}", got(token)))),
            },
        };
        Ok(Part { raw, at })
    }

    fn only(&mut self) -> Result<Box<Part>, Error> {
        self.open("<")?;
        let part = self.part()?;
        self.close(">")?;
        Ok(Box::new(part))
    }

    fn tuple(&mut self) -> Result<Vec<Part>, Error> {
        self.open("<")?;
        let mut parts = Vec::new();
        loop {
            if parts.len() == 255 {
                let (_, at) = self.lexer.peek()?;
                return Err(malformed(at, "a tuple takes no more than 255 types"));
            }
            parts.push(self.part()?);
            if !self.more(">")? {
                return Ok(parts);
            }
        }
    }

    fn define(&mut self, body: Body) -> Result<usize, Error> {
        let (name, at) = self.lexer.name()?;
        let index = self.definitions.len();
        take(&name, at, &mut self.taken)?;
        self.names.insert(name.clone(), index);
        let mut taken = core::mem::take(&mut self.taken);
        let aliases = self.annotations(&["@alias"], &mut taken)?.aliases;
        self.taken = taken;
        self.definitions.push(Definition { name, aliases, body });
        Ok(index)
    }

    fn enumeration(&mut self) -> Result<Raw, Error> {
        let index = self.define(Body::Enum(Symbols::default()))?;
        self.open("{")?;
        let mut names = Vec::new();
        let mut fallback = None;
        let mut seen = BTreeSet::new();
        loop {
            let (symbol, at) = self.lexer.label()?;
            self.count(at)?;
            if !seen.insert(symbol.clone()) {
                return Err(malformed(at, format!("the symbol {symbol:?} is repeated")));
            }
            if fallback.is_none() && self.lexer.peek()?.0 == "@fallback" {
                self.lexer.next()?;
                fallback = Some(symbol.clone());
            }
            names.push(symbol);
            if !self.more("}")? {
                break;
            }
        }
        let order = name_order(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let names: Vec<String> = order.into_iter().map(|i| core::mem::take(&mut names[i])).collect();
        let fallback = names.iter().position(|name| fallback.as_ref() == Some(name));
        self.definitions[index].body = Body::Enum(Symbols { names, fallback });
        Ok(Raw::Defined(index))
    }

    fn structure(&mut self) -> Result<Raw, Error> {
        let index = self.define(Body::Struct(Vec::new()))?;
        self.open("{")?;
        let mut fields = Vec::new();
        let mut taken = BTreeSet::new();
        if self.lexer.peek()?.0 == "}" {
            self.close("}")?;
            return Ok(Raw::Defined(index));
        }
        loop {
            let (name, at) = self.lexer.label()?;
            self.count(at)?;
            take(&name, at, &mut taken)?;
            if let ("?", at) = self.lexer.peek()? {
                return Err(malformed(at, "expected :, got \"?\": it stands behind the type, as in `a: i32?`"));
            }
            self.lexer.expect(":")?;
            let part = self.part()?;
            let Annotations { defaulted, aliases } = self.annotations(&["@default", "@alias"], &mut taken)?;
            // An option needs no default: where the writer has nothing it is null.
            let defaulted = defaulted && !matches!(part.raw, Raw::Option(_));
            fields.push(RawField { name, part, defaulted, aliases });
            if !self.more("}")? {
                break;
            }
        }
        self.definitions[index].body = Body::Struct(fields);
        Ok(Raw::Defined(index))
    }

    /// Takes the annotations that stand here and may, each at most once.
    fn annotations(&mut self, allowed: &[&str], taken: &mut BTreeSet<String>) -> Result<Annotations, Error> {
        let mut found = Annotations::default();
        loop {
            match self.lexer.peek()?.0 {
                "@default" if allowed.contains(&"@default") && !found.defaulted => {
                    self.lexer.next()?;
                    found.defaulted = true;
                }
                "@alias" if found.aliases.is_empty() => {
                    self.lexer.next()?;
                    found.aliases = self.aliases(taken)?;
                }
                _ => return Ok(found),
            }
        }
    }

    fn aliases(&mut self, taken: &mut BTreeSet<String>) -> Result<Vec<String>, Error> {
        self.lexer.expect("(")?;
        let mut aliases = Vec::new();
        loop {
            let (alias, at) = self.lexer.label()?;
            self.count(at)?;
            take(&alias, at, taken)?;
            aliases.push(alias);
            if !self.lexer.either(",", ")")? {
                return Ok(aliases);
            }
        }
    }

    fn union(&mut self) -> Result<Raw, Error> {
        self.open("{")?;
        let mut members = Vec::new();
        let mut fallback = None;
        let mut seen = BTreeSet::new();
        loop {
            let inline_enum = self.lexer.peek()?.0 == "enum";
            let part = self.part()?;
            let name = match &part.raw {
                _ if inline_enum => None,
                Raw::Named(name) => Some(name),
                Raw::Defined(index) => Some(&self.definitions[*index].name),
                _ => None,
            };
            if let Some(name) = name {
                if !seen.insert(name.clone()) {
                    return Err(malformed(part.at, format!("the member {name:?} is repeated")));
                }
            }
            let (token, at) = self.lexer.peek()?;
            if token == "@fallback" && fallback.is_none() {
                self.lexer.next()?;
                fallback = Some((members.len(), at));
            }
            members.push(part);
            if !self.more("}")? {
                return Ok(Raw::Union(members, fallback));
            }
        }
    }

    /// The second pass.
    fn check(&mut self, root: &mut Part) -> Result<(), Error> {
        let kinds = self.definitions.iter().map(|definition| Kind::of(&definition.body)).collect();
        let mut checker = Checker { names: &self.names, kinds, first: None };
        checker.part(root, Place::Elsewhere);
        for definition in &mut self.definitions {
            if let Body::Struct(fields) = &mut definition.body {
                for field in fields {
                    checker.part(&mut field.part, Place::Elsewhere);
                }
            }
        }
        match checker.first {
            Some((at, text)) => Err(malformed(at, text)),
            None => Ok(()),
        }
    }
}

/// What is said of a field or a definition beside its type.
#[derive(Default)]
struct Annotations {
    defaulted: bool,
    aliases: Vec<String>,
}

/// Takes a name or alias, which no other may have.
fn take(name: &str, at: usize, taken: &mut BTreeSet<String>) -> Result<(), Error> {
    if taken.insert(name.into()) {
        Ok(())
    } else {
        Err(malformed(at, format!("{name:?} is repeated, as a name or an alias")))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Enum,
    Empty,
    /// A struct with the one field `name: string`.
    Name,
    Struct,
}

impl Kind {
    fn of(body: &Body) -> Kind {
        match body {
            Body::Enum(_) => Kind::Enum,
            Body::Struct(fields) if fields.is_empty() => Kind::Empty,
            Body::Struct(fields) if is_name(fields) => Kind::Name,
            Body::Struct(_) => Kind::Struct,
        }
    }
}

fn is_name(fields: &[RawField]) -> bool {
    matches!(fields, [field] if field.name == "name" && matches!(field.part.raw, Raw::Scalar(Type::String(_))))
}

/// What a type stands inside of.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Option,
    Key,
    Ref,
    Union,
    Elsewhere,
}

struct Checker<'p> {
    names: &'p BTreeMap<String, usize>,
    kinds: Vec<Kind>,
    first: Option<(usize, String)>,
}

impl Checker<'_> {
    fn fault(&mut self, at: usize, text: impl Into<String>) {
        if self.first.as_ref().is_none_or(|first| at < first.0) {
            self.first = Some((at, text.into()));
        }
    }

    fn part(&mut self, part: &mut Part, place: Place) {
        let at = part.at;
        if let Raw::Named(name) = &part.raw {
            match self.names.get(name) {
                Some(&index) => part.raw = Raw::Defined(index),
                None => {
                    let text = match usual_word(name) {
                        Some(word) => format!("{name:?} is never defined: {}", said(word)),
                        None => format!("{name:?} is never defined"),
                    };
                    return self.fault(at, text);
                }
            }
        }
        let kind = match &part.raw {
            Raw::Defined(index) => Some(self.kinds[*index]),
            _ => None,
        };
        let is_struct = matches!(kind, Some(Kind::Struct | Kind::Name | Kind::Empty));
        let is_key = kind == Some(Kind::Enum) || matches!(&part.raw, Raw::Scalar(scalar) if scalar.is_key());
        match place {
            Place::Option if matches!(part.raw, Raw::Option(_) | Raw::Scalar(Type::Any(_))) => {
                self.fault(at, "an option holds no option and no any");
            }
            Place::Key if !is_key => self.fault(at, "not a key type"),
            Place::Ref if !is_struct => self.fault(at, "a ref holds a struct"),
            Place::Union if !is_struct => self.fault(at, "a union holds structs"),
            _ if kind == Some(Kind::Empty) && place != Place::Union => {
                self.fault(at, "a struct without fields stands only in a union");
            }
            _ => {}
        }
        match &mut part.raw {
            Raw::Option(part) => self.part(part, Place::Option),
            Raw::List(part) => self.part(part, Place::Elsewhere),
            Raw::Set(part) => self.part(part, Place::Key),
            Raw::Ref(part) => self.part(part, Place::Ref),
            Raw::Map(key, value) => {
                self.part(key, Place::Key);
                self.part(value, Place::Elsewhere);
            }
            Raw::Tuple(parts) => parts.iter_mut().for_each(|part| self.part(part, Place::Elsewhere)),
            Raw::Union(parts, fallback) => {
                parts.iter_mut().for_each(|part| self.part(part, Place::Union));
                if let Some((place, at)) = *fallback {
                    if matches!(parts[place].raw, Raw::Defined(index) if self.kinds[index] == Kind::Struct) {
                        self.fault(at, "a fallback has no fields but name: string");
                    }
                }
            }
            Raw::Scalar(_) | Raw::Defined(_) | Raw::Named(_) => {}
        }
    }
}

fn said(word: String) -> String {
    format!("the schema's word is {word}")
}

/// The schema's word for what other languages call by a name, or write in capitals.
fn usual_word(name: &str) -> Option<String> {
    let word = match name {
        "str" | "text" | "char" | "Character" | "varchar" => "string",
        "int" | "integer" | "Integer" => "i32 or i64",
        "byte" | "Byte" => "i8",
        "short" | "Short" => "i16",
        "long" | "Long" => "i64",
        "i128" | "u128" | "BigInteger" | "BigInt" => "bigint",
        "float" | "double" | "number" | "Float" | "Double" => "f64",
        "boolean" | "Boolean" => "bool",
        "datetime" | "Instant" => "timestamp",
        "timedelta" | "Duration" => "duration",
        "UUID" => "uuid",
        "BigDecimal" | "numeric" => "decimal",
        "binary" | "blob" | "bytearray" => "bytes",
        "array" | "vec" | "Vec" | "List" | "sequence" => "list<...>",
        "dict" | "object" | "Map" | "HashMap" => "map<..., ...>, or struct",
        "optional" | "nullable" | "Optional" => "option<...>",
        _ => {
            let lower = name.to_ascii_lowercase();
            return (lower != name && is_keyword(&lower)).then_some(lower);
        }
    };
    Some(word.into())
}
