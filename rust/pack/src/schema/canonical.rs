//! From definitions to a schema: canonical text, and everything numbered in its order.

use super::cycles;
use super::digest::fnv1a;
use super::lexer::is_keyword;
use super::syntax::{Body, Definition, Part, Raw, RawField, Symbols};
use super::types::{Cells, Enum, Field, Members, Schema, Struct, Type, TypeId, NESTING_MAX, TEXT_MAX};
use super::widths;
use crate::order::name_order;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::path::{is_identifier, push_quoted};
use samewire_core::{Code, Error};

/// Appends a name as schema text has it: in quotes only where it needs them.
pub(super) fn push_name(name: &str, out: &mut String) {
    if is_identifier(name) && !is_keyword(name) {
        out.push_str(name);
    } else {
        push_quoted(name, out);
    }
}

/// Walks the types in canonical order. All of it has been checked.
pub(super) struct Builder<'d> {
    definitions: &'d [Definition],
    /// The index of each definition among the structs or enums, once it has occurred.
    numbers: Vec<Option<usize>>,
    nesting: usize,
    schema: Schema,
}

impl<'d> Builder<'d> {
    pub(super) fn build(definitions: &'d [Definition], root: &Part) -> Result<Schema, Error> {
        let mut builder = Builder {
            definitions,
            numbers: vec![None; definitions.len()],
            nesting: 0,
            schema: Schema {
                types: Vec::new(),
                structs: Vec::new(),
                enums: Vec::new(),
                root: TypeId(0),
                dedup_slots: 0,
                text: String::new(),
                annotations: Vec::new(),
                digest: 0,
                cells: Cells::default(),
                widths: Vec::new(),
            },
        };
        let root = builder.part(root)?;
        let mut schema = builder.schema;
        if schema.text.len() > TEXT_MAX {
            let text = "the canonical text is over 1 MiB: divide it into several schemas";
            return Err(Error::new(Code::LimitSize, text).at(0));
        }
        schema.root = root;
        schema.digest = fnv1a(schema.text.as_bytes());
        cycles::mark(&mut schema);
        schema.cells = Cells::of(&schema);
        schema.widths = widths::of(&schema);
        Ok(schema)
    }

    fn push(&mut self, text: &str) {
        self.schema.text.push_str(text);
    }

    fn name(&mut self, name: &str) {
        push_name(name, &mut self.schema.text);
    }

    fn annotate(&mut self, defaulted: bool, aliases: &[String]) {
        let mut annotation = String::from(if defaulted { " @default" } else { "" });
        for (i, alias) in aliases.iter().enumerate() {
            annotation.push_str(if i == 0 { " @alias(" } else { ", " });
            push_name(alias, &mut annotation);
        }
        if !aliases.is_empty() {
            annotation.push(')');
        }
        if !annotation.is_empty() {
            self.annotation(annotation);
        }
    }

    /// Keeps what is said at the end of the text so far, which is without it.
    fn annotation(&mut self, annotation: String) {
        self.schema.annotations.push((self.schema.text.len(), annotation));
    }

    /// Members in canonical order may nest definitions deeper than the text did.
    fn open(&mut self, bracket: &str) -> Result<(), Error> {
        self.push(bracket);
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            let text = "the canonical text is nested more than 64 deep: nest fewer, or use any for the inner types";
            return Err(Error::new(Code::LimitDepth, text).at(0));
        }
        Ok(())
    }

    fn close(&mut self, bracket: &str) {
        self.push(bracket);
        self.nesting -= 1;
    }

    fn part(&mut self, part: &Part) -> Result<TypeId, Error> {
        let ty = match &part.raw {
            Raw::Scalar(scalar) => {
                self.push(scalar.word().unwrap_or_default());
                let dedup_slot = self.schema.dedup_slots as u32;
                match scalar {
                    Type::String(_) => {
                        self.schema.dedup_slots += 1;
                        Type::String(dedup_slot)
                    }
                    Type::Any(_) => {
                        self.schema.dedup_slots += 1;
                        Type::Any(dedup_slot)
                    }
                    other => other.clone(),
                }
            }
            Raw::Option(inner) => Type::Option(self.only("option<", inner)?),
            Raw::List(inner) => Type::List(self.only("list<", inner)?),
            Raw::Set(inner) => Type::Set(self.only("set<", inner)?),
            Raw::Ref(inner) => {
                let inner = self.only("ref<", inner)?;
                Type::Ref(self.struct_index(inner))
            }
            Raw::Map(key, value) => {
                self.open("map<")?;
                let key = self.part(key)?;
                self.push(", ");
                let value = self.part(value)?;
                self.close(">");
                Type::Map(key, value)
            }
            Raw::Tuple(parts) => {
                self.open("tuple<")?;
                let types = self.list(parts.iter())?;
                self.close(">");
                Type::Tuple(types)
            }
            Raw::Union(parts, fallback) => {
                let order = name_order(&parts.iter().map(|part| self.name_of(part)).collect::<Vec<_>>());
                let members: Vec<(usize, &Part)> = order.into_iter().map(|i| (i, &parts[i])).collect();
                let fallback = members.iter().position(|(place, _)| fallback.is_some_and(|(at, _)| at == *place));
                self.open("union { ")?;
                let mut structs = Vec::new();
                for (i, (_, part)) in members.into_iter().enumerate() {
                    if i > 0 {
                        self.push(", ");
                    }
                    let id = self.part(part)?;
                    structs.push(self.struct_index(id));
                    if fallback == Some(i) {
                        self.annotation(String::from(" @fallback"));
                    }
                }
                self.close(" }");
                Type::Union(Members { structs, fallback })
            }
            Raw::Defined(index) => self.defined(*index)?,
            Raw::Named(_) => Type::Bool,
        };
        self.schema.types.push(ty);
        Ok(TypeId(self.schema.types.len() as u32 - 1))
    }

    fn only(&mut self, word: &str, inner: &Part) -> Result<TypeId, Error> {
        self.open(word)?;
        let id = self.part(inner)?;
        self.close(">");
        Ok(id)
    }

    fn list<'p>(&mut self, parts: impl Iterator<Item = &'p Part>) -> Result<Vec<TypeId>, Error> {
        let mut types = Vec::new();
        for (i, part) in parts.enumerate() {
            if i > 0 {
                self.push(", ");
            }
            types.push(self.part(part)?);
        }
        Ok(types)
    }

    fn name_of(&self, part: &Part) -> &'d str {
        match part.raw {
            Raw::Defined(index) => &self.definitions[index].name,
            _ => "",
        }
    }

    fn struct_index(&self, id: TypeId) -> usize {
        match *self.schema.ty(id) {
            Type::Struct(index) => index,
            _ => 0,
        }
    }

    fn defined(&mut self, index: usize) -> Result<Type, Error> {
        let definitions = self.definitions;
        let definition = &definitions[index];
        match (&definition.body, self.numbers[index]) {
            (Body::Enum(_), Some(number)) => {
                self.name(&definition.name);
                Ok(Type::Enum(number))
            }
            (Body::Struct(_), Some(number)) => {
                self.name(&definition.name);
                Ok(Type::Struct(number))
            }
            (Body::Enum(symbols), None) => {
                let number = self.schema.enums.len();
                self.numbers[index] = Some(number);
                let (name, aliases) = (definition.name.clone(), definition.aliases.clone());
                let Symbols { names: symbols, fallback } = symbols;
                self.schema.enums.push(Enum { name, aliases, symbols: symbols.clone(), fallback: *fallback });
                self.push("enum ");
                self.name(&definition.name);
                self.annotate(false, &definition.aliases);
                self.open(" { ")?;
                for (i, symbol) in symbols.iter().enumerate() {
                    if i > 0 {
                        self.push(", ");
                    }
                    self.name(symbol);
                    if *fallback == Some(i) {
                        self.annotation(String::from(" @fallback"));
                    }
                }
                self.close(" }");
                Ok(Type::Enum(number))
            }
            (Body::Struct(fields), None) => {
                let number = self.schema.structs.len();
                self.numbers[index] = Some(number);
                let (name, aliases) = (definition.name.clone(), definition.aliases.clone());
                self.schema.structs.push(Struct { name, aliases, fields: Vec::new(), recursive: false, flags: 0 });
                self.push("struct ");
                self.name(&definition.name);
                self.annotate(false, &definition.aliases);
                if fields.is_empty() {
                    self.open(" {")?;
                    self.close("}");
                    return Ok(Type::Struct(number));
                }
                self.open(" { ")?;
                for (i, RawField { name, part, defaulted, aliases }) in fields.iter().enumerate() {
                    if i > 0 {
                        self.push(", ");
                    }
                    self.name(name);
                    self.push(": ");
                    let ty = self.part(part)?;
                    let flags = usize::from(self.schema.ty(ty).flagged());
                    let made = &mut self.schema.structs[number];
                    made.flags += flags;
                    made.fields.push(Field { name: name.clone(), ty, defaulted: *defaulted, aliases: aliases.clone() });
                    self.annotate(*defaulted, aliases);
                }
                self.close(" }");
                Ok(Type::Struct(number))
            }
        }
    }
}
