//! The first difference of two schemas (`spec/pack.md` section 13).

use super::lexer::push_name;
use super::types::{Field, Schema, Struct, Type, TypeId};
use crate::order::compare_utf16;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use samewire_core::path::{path_text, Segment};

/// The first place, in the order of one schema, where another is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place, like `$.books[].year`.
    pub path: String,
    /// What stands there in the schema that was asked: a type without its parts, or `symbol b`, `member B`, `place 0`,
    /// `nothing`.
    pub here: String,
    /// What stands there in the other.
    pub there: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} here, {} there", self.path, self.here, self.there)
    }
}

impl Schema {
    /// Returns the first place, in this schema's order, where `other` is not the same (`spec/pack.md` section 13), or `None`
    /// if their texts are equal. Whether one resolves to the other is another question, which
    /// [`Codec::resolve`](crate::Codec::resolve) answers.
    pub fn difference(&self, other: &Schema) -> Option<Difference> {
        let mut walk = Walk { ours: self, theirs: other, path: Vec::new(), met: BTreeSet::new() };
        let Differs { here, there } = walk.types(self.root(), other.root()).err()?;
        Some(Difference { path: path_text(walk.path.iter().copied()), here, there })
    }
}

/// Recursion is no deeper than the canonical text of `ours` nests, since structs are met in its order.
struct Walk<'s> {
    ours: &'s Schema,
    theirs: &'s Schema,
    path: Vec<Segment<'s>>,
    /// Structs compared or being compared: a name means one on each side.
    met: BTreeSet<usize>,
}

/// A difference was found; the path leads to it.
struct Differs {
    here: String,
    there: String,
}

fn differs<T>(here: String, there: String) -> Result<T, Differs> {
    Err(Differs { here, there })
}

fn nothing() -> String {
    String::from("nothing")
}

impl<'s> Walk<'s> {
    fn inside(&mut self, segment: Segment<'s>, ours: TypeId, theirs: TypeId) -> Result<(), Differs> {
        self.path.push(segment);
        self.types(ours, theirs)?;
        self.path.pop();
        Ok(())
    }

    fn types(&mut self, ours: TypeId, theirs: TypeId) -> Result<(), Differs> {
        match (self.ours.ty(ours), self.theirs.ty(theirs)) {
            (Type::Option(a), Type::Option(b)) => self.types(*a, *b),
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) => self.inside(Segment::Elements, *a, *b),
            (Type::Map(key, value), Type::Map(their_key, their_value)) => {
                self.inside(Segment::Keys, *key, *their_key)?;
                self.inside(Segment::Values, *value, *their_value)
            }
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).enumerate().try_for_each(|(i, (a, b))| self.inside(Segment::Index(i), *a, *b))
            }
            (Type::Struct(a), Type::Struct(b)) | (Type::Ref(a), Type::Ref(b)) => self.structs(*a, *b),
            (Type::Union(a), Type::Union(b)) => self.members(&a.structs, &b.structs),
            (Type::Enum(a), Type::Enum(b)) if self.ours.enums()[*a].name == self.theirs.enums()[*b].name => {
                let (a, b) = (&self.ours.enums()[*a].symbols, &self.theirs.enums()[*b].symbols);
                in_both("symbol", a, b, |_, _| Ok(()))
            }
            (a, b) if a.word().is_some() && a.word() == b.word() => Ok(()),
            _ => differs(label(self.ours, ours), label(self.theirs, theirs)),
        }
    }

    fn members(&mut self, ours: &[usize], theirs: &[usize]) -> Result<(), Differs> {
        let (here, there) = (self.ours.structs(), self.theirs.structs());
        let a: Vec<_> = ours.iter().map(|&member| &here[member].name).collect();
        let b: Vec<_> = theirs.iter().map(|&member| &there[member].name).collect();
        in_both("member", &a, &b, |i, j| self.structs(ours[i], theirs[j]))
    }

    fn structs(&mut self, ours: usize, theirs: usize) -> Result<(), Differs> {
        let (a, b) = (&self.ours.structs()[ours], &self.theirs.structs()[theirs]);
        if a.name != b.name {
            return differs(named("struct", &a.name), named("struct", &b.name));
        }
        if !self.met.insert(ours) {
            return Ok(());
        }
        for place in 0..a.fields.len().max(b.fields.len()) {
            match (a.fields.get(place), b.fields.get(place)) {
                (Some(mine), Some(other)) if mine.name == other.name => {
                    self.inside(Segment::Field(&mine.name), mine.ty, other.ty)?;
                }
                (mine, other) => return self.fields(place, (a, mine), (b, other)),
            }
        }
        Ok(())
    }

    /// What is missing comes before what is moved.
    fn fields(&mut self, place: usize, ours: At<'s>, theirs: At<'s>) -> Result<(), Differs> {
        match (lone(ours, theirs.0), lone(theirs, ours.0), ours.1) {
            (Some(mine), ..) => {
                self.path.push(Segment::Field(&mine.name));
                differs(label(self.ours, mine.ty), nothing())
            }
            (None, Some(other), _) => {
                self.path.push(Segment::Field(&other.name));
                differs(nothing(), label(self.theirs, other.ty))
            }
            (None, None, Some(moved)) => {
                self.path.push(Segment::Field(&moved.name));
                let there = theirs.0.fields.iter().position(|field| field.name == moved.name);
                differs(format!("place {place}"), there.map_or_else(nothing, |there| format!("place {there}")))
            }
            (None, None, None) => Ok(()),
        }
    }
}

/// A struct and the field that stands in it at some place, if any does.
type At<'s> = (&'s Struct, Option<&'s Field>);

/// The field, if the other struct has none of its name.
fn lone<'s>((_, field): At<'s>, other: &Struct) -> Option<&'s Field> {
    field.filter(|field| other.fields.iter().all(|known| known.name != field.name))
}

/// Goes through two sorted lists of names in one order; the first name that only one has differs.
fn in_both<N: AsRef<str>>(
    what: &str,
    ours: &[N],
    theirs: &[N],
    mut both: impl FnMut(usize, usize) -> Result<(), Differs>,
) -> Result<(), Differs> {
    for place in 0..ours.len().max(theirs.len()) {
        let (mine, other) = (ours.get(place).map(N::as_ref), theirs.get(place).map(N::as_ref));
        let order = match (mine, other) {
            (Some(mine), Some(other)) => compare_utf16(mine, other),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Equal => both(place, place)?,
            Ordering::Less => return differs(named(what, mine.unwrap_or_default()), nothing()),
            Ordering::Greater => return differs(nothing(), named(what, other.unwrap_or_default())),
        }
    }
    Ok(())
}

pub(crate) fn named(what: &str, name: &str) -> String {
    let mut text = format!("{what} ");
    push_name(name, &mut text);
    text
}

/// A type without its parts.
pub(crate) fn label(schema: &Schema, id: TypeId) -> String {
    let word = match schema.ty(id) {
        Type::Enum(index) => return named("enum", &schema.enums()[*index].name),
        Type::Struct(index) => return named("struct", &schema.structs()[*index].name),
        Type::Tuple(items) => return format!("tuple of {}", items.len()),
        Type::Option(_) => "option",
        Type::List(_) => "list",
        Type::Set(_) => "set",
        Type::Map(..) => "map",
        Type::Union(_) => "union",
        Type::Ref(_) => "ref",
        scalar => scalar.word().unwrap_or_default(),
    };
    String::from(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn difference(a: &str, b: &str) -> Option<String> {
        let found = Schema::parse(a).unwrap().difference(&Schema::parse(b).unwrap());
        found.map(|difference| difference.to_string())
    }

    #[test]
    fn names_the_place() {
        let node = "list<struct Node { name: string, kids: map<string, Node> }>";
        assert_eq!(difference(node, node), None);
        let other = "list<struct Node { name: string, kids: map<i8, Node> }>";
        assert_eq!(difference(node, other).unwrap(), "$[].kids[].key: string here, i8 there");
        let more = "list<struct Node { name: string, kids: map<string, Node>, more: i8 }>";
        assert_eq!(difference(node, more).unwrap(), "$[].more: nothing here, i8 there");
        assert_eq!(difference(more, node).unwrap(), "$[].more: i8 here, nothing there");
    }
}
