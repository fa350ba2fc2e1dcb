//! The first difference of two schemas.

use super::{Schema, Type, TypeId};
use crate::path::{path_text, Segment};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn first_difference(ours: &Schema, theirs: &Schema) -> Option<String> {
    let mut walk = Walk { ours, theirs, path: Vec::new(), met: BTreeSet::new() };
    let differs = walk.types(ours.root(), theirs.root()).is_err();
    differs.then(|| path_text(walk.path.iter().copied()))
}

struct Walk<'s> {
    ours: &'s Schema,
    theirs: &'s Schema,
    path: Vec<Segment<'s>>,
    met: BTreeSet<(usize, usize)>,
}

/// A difference was found; the path leads to it.
struct Differs;

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
            (Type::Union(a), Type::Union(b)) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.structs(*a, *b))
            }
            (Type::Enum(a), Type::Enum(b)) if self.ours.enums()[*a] == self.theirs.enums()[*b] => Ok(()),
            (a, b) if a.word().is_some() && a.word() == b.word() => Ok(()),
            _ => Err(Differs),
        }
    }

    fn structs(&mut self, ours: usize, theirs: usize) -> Result<(), Differs> {
        if !self.met.insert((ours, theirs)) {
            return Ok(());
        }
        let (a, b) = (&self.ours.structs()[ours], &self.theirs.structs()[theirs]);
        if a.name != b.name {
            return Err(Differs);
        }
        for (i, field) in a.fields.iter().enumerate() {
            match b.fields.get(i) {
                Some(other) if other.name == field.name => {
                    self.inside(Segment::Field(&field.name), field.ty, other.ty)?;
                }
                _ => {
                    self.path.push(Segment::Field(&field.name));
                    return Err(Differs);
                }
            }
        }
        match b.fields.get(a.fields.len()) {
            Some(more) => {
                self.path.push(Segment::Field(&more.name));
                Err(Differs)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(a: &str, b: &str) -> Option<String> {
        Schema::parse(a).unwrap().first_difference(&Schema::parse(b).unwrap())
    }

    #[test]
    fn names_the_place() {
        let node = "list<struct Node { name: string, kids: map<string, Node> }>";
        assert_eq!(difference(node, node), None);
        let other = "list<struct Node { name: string, kids: map<i8, Node> }>";
        assert_eq!(difference(node, other).unwrap(), "$[].kids[].key");
        let more = "list<struct Node { name: string, kids: map<string, Node>, more: i8 }>";
        assert_eq!(difference(node, more).unwrap(), "$[].more");
        assert_eq!(difference("tuple<i8, i8>", "tuple<i8, u8>").unwrap(), "$[1]");
        assert_eq!(difference("i8", "option<i8>").unwrap(), "$");
    }
}
