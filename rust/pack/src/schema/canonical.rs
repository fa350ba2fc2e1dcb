//! From definitions to a schema: canonical text, and everything numbered in its order.

use super::draft::Draft;
use super::syntax::{Body, Definition, Part, Raw, RawField, Symbols};
use super::types::{Enum, Members, Schema, Type, TypeId};
use crate::order::name_order;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::Error;

/// Walks the types in canonical order. All of it has been checked.
pub(super) struct Builder<'d> {
    definitions: &'d [Definition],
    /// The index of each definition among the structs or enums, once it has occurred.
    numbers: Vec<Option<usize>>,
    draft: Draft,
}

impl<'d> Builder<'d> {
    pub(super) fn build(definitions: &'d [Definition], root: &Part) -> Result<Schema, Error> {
        let mut builder = Builder { definitions, numbers: vec![None; definitions.len()], draft: Draft::new() };
        let root = builder.part(root)?;
        builder.draft.finish(root)
    }

    fn part(&mut self, part: &Part) -> Result<TypeId, Error> {
        let ty = match &part.raw {
            Raw::Scalar(scalar) => return Ok(self.draft.scalar(scalar.clone())),
            Raw::Option(inner) => Type::Option(self.only("option<", inner)?),
            Raw::List(inner) => Type::List(self.only("list<", inner)?),
            Raw::Set(inner) => Type::Set(self.only("set<", inner)?),
            Raw::Ref(inner) => {
                let inner = self.only("ref<", inner)?;
                Type::Ref(self.draft.struct_index(inner))
            }
            Raw::Map(key, value) => {
                self.draft.open("map<")?;
                let key = self.part(key)?;
                self.draft.comma(1);
                let value = self.part(value)?;
                self.draft.close(">");
                Type::Map(key, value)
            }
            Raw::Tuple(parts) => {
                self.draft.open("tuple<")?;
                let types = self.list(parts.iter())?;
                self.draft.close(">");
                Type::Tuple(types)
            }
            Raw::Union(parts, fallback) => {
                let order = name_order(&parts.iter().map(|part| self.name_of(part)).collect::<Vec<_>>());
                let members: Vec<(usize, &Part)> = order.into_iter().map(|i| (i, &parts[i])).collect();
                let fallback = members.iter().position(|(place, _)| fallback.is_some_and(|(at, _)| at == *place));
                self.draft.open("union { ")?;
                let mut structs = Vec::new();
                for (i, (_, part)) in members.into_iter().enumerate() {
                    self.draft.comma(i);
                    let id = self.part(part)?;
                    structs.push(self.draft.struct_index(id));
                    if fallback == Some(i) {
                        self.draft.annotation(String::from(" @fallback"));
                    }
                }
                self.draft.close(" }");
                Type::Union(Members { structs, fallback })
            }
            Raw::Defined(index) => self.defined(*index)?,
            Raw::Named(_) => Type::Bool,
        };
        Ok(self.draft.add(ty))
    }

    fn only(&mut self, word: &str, inner: &Part) -> Result<TypeId, Error> {
        self.draft.open(word)?;
        let id = self.part(inner)?;
        self.draft.close(">");
        Ok(id)
    }

    fn list<'p>(&mut self, parts: impl Iterator<Item = &'p Part>) -> Result<Vec<TypeId>, Error> {
        let mut types = Vec::new();
        for (i, part) in parts.enumerate() {
            self.draft.comma(i);
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

    fn defined(&mut self, index: usize) -> Result<Type, Error> {
        let definitions = self.definitions;
        let definition = &definitions[index];
        if let Some(number) = self.numbers[index] {
            self.draft.name(&definition.name);
            return Ok(match definition.body {
                Body::Enum(_) => Type::Enum(number),
                Body::Struct(_) => Type::Struct(number),
            });
        }
        let (name, aliases) = (definition.name.clone(), definition.aliases.clone());
        match &definition.body {
            Body::Enum(Symbols { names, fallback }) => {
                let made = Enum { name, aliases, symbols: names.clone(), fallback: *fallback };
                let number = self.draft.enumeration(made)?;
                self.numbers[index] = Some(number);
                Ok(Type::Enum(number))
            }
            Body::Struct(fields) => {
                let number = self.draft.open_struct(name, aliases)?;
                self.numbers[index] = Some(number);
                for RawField { name, part, defaulted, aliases } in fields {
                    self.draft.open_field(number, name);
                    let ty = self.part(part)?;
                    self.draft.close_field(number, ty, *defaulted, aliases.clone());
                }
                self.draft.close_struct(number);
                Ok(Type::Struct(number))
            }
        }
    }
}
