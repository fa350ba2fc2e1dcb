//! Cells (`spec/pack.md` section 8): what the values of each type take in memory, as all readers count it.

use super::types::{Cells, Schema, Struct, Type, TypeId};
use crate::wire::{MOST_CELLS, OBJECT_CELLS};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

impl Cells {
    /// The weights of a schema of its own.
    pub(super) fn of(schema: &Schema) -> Cells {
        Cells::with(schema, |_| 0)
    }

    /// The weights of a writer's types for a reader of another schema: a struct also holds the fields of the reader's
    /// struct of the same name that may take their default.
    pub(crate) fn resolved(writer: &Schema, reader: &Schema) -> Cells {
        let structs: BTreeMap<_, _> = reader.structs().iter().map(|made| (&made.name, made)).collect();
        Cells::with(writer, |made| {
            let Some(ours) = structs.get(&made.name) else { return 0 };
            let known: BTreeMap<_, _> = made.fields.iter().map(|field| (&field.name, field.ty)).collect();
            let may_default = ours.fields.iter().filter(|field| match known.get(&field.name) {
                Some(&ty) => field.defaulted && matches!(writer.ty(ty), Type::Option(_)),
                None => true,
            });
            may_default.map(|field| u64::from(reader.cells().slot(field.ty))).sum()
        })
    }

    /// What a union's fallback takes beside the row of the writer's member: 16 characters of a name fit in one.
    pub(crate) fn stand_in(fallback: &Struct, member: &str) -> u64 {
        let name = 2 + member.encode_utf16().count().div_ceil(16) as u64;
        OBJECT_CELLS + fallback.fields.len() as u64 * name
    }

    /// Weighs structs before what they lie in. Without recursion: a schema may chain thousands of structs.
    fn with(schema: &Schema, more: impl Fn(&Struct) -> u64) -> Cells {
        let mut known: Vec<Option<u32>> = vec![None; schema.structs().len()];
        for start in 0..known.len() {
            let mut open = vec![start];
            while let Some(&index) = open.last() {
                if known[index].is_some() {
                    open.pop();
                    continue;
                }
                let made = &schema.structs()[index];
                let (mut sum, waiting) = (OBJECT_CELLS, open.len());
                for field in &made.fields {
                    sum += slot(schema, field.ty, &known, &mut open);
                }
                if open.len() == waiting {
                    known[index] = Some(capped(sum + more(made)));
                    open.pop();
                }
            }
        }
        let types = 0..schema.types().len() as u32;
        let slots = types.map(|ty| capped(slot(schema, TypeId(ty), &known, &mut Vec::new()))).collect();
        Cells { slots, rows: known.into_iter().map(|row| row.unwrap_or_default()).collect() }
    }
}

fn capped(cells: u64) -> u32 {
    cells.min(MOST_CELLS) as u32
}

/// The slot of a type. Structs that have no weight yet are opened, and the result is then of no use.
fn slot(schema: &Schema, ty: TypeId, known: &[Option<u32>], open: &mut Vec<usize>) -> u64 {
    match schema.ty(ty) {
        Type::Option(inner) if matches!(schema.ty(*inner), Type::Struct(_) | Type::Tuple(_)) => 1,
        Type::Option(inner) => slot(schema, *inner, known, open),
        Type::Tuple(types) => types.iter().map(|&ty| slot(schema, ty, known, open)).sum::<u64>() + OBJECT_CELLS,
        Type::Struct(index) if schema.structs()[*index].recursive => 1,
        Type::Struct(index) => match known[*index] {
            Some(row) => row.into(),
            None => {
                open.push(*index);
                0
            }
        },
        ty => ty.cells().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> u32 {
        let schema = Schema::parse(text).unwrap();
        schema.cells().slot(schema.root())
    }

    #[test]
    fn slots_weigh_what_the_specification_says() {
        for (text, cells) in [
            ("bool", 1),
            ("f64", 1),
            ("enum E { A }", 1),
            ("string", 2),
            ("timestamp", 3),
            ("bytes", 6),
            ("option<string>", 2),
            ("list<string>", 1),
            ("map<i8, i8>", 1),
            ("tuple<i8, any, tuple<i8>>", 10),
            ("struct S { a: i8, b: struct T { c: uuid } }", 9),
            ("option<struct S { a: i8, b: i8 }>", 1),
            ("option<tuple<i8, i8>>", 1),
            ("ref<struct S { a: i8, b: i8 }>", 1),
            ("union { struct S { a: i8, b: i8 }, struct T {} }", 1),
            ("struct S { a: option<S>, b: i8 }", 1),
        ] {
            assert_eq!(root(text), cells, "{text}");
        }
        assert_eq!(Schema::parse("struct S { a: option<S>, b: i8 }").unwrap().cells().row(0), 5);
    }

    #[test]
    fn weights_are_capped() {
        let mut text = alloc::string::String::from("tuple<struct A0 { x: i8 }");
        for i in 1..40 {
            text += &alloc::format!(", struct A{i} {{ x: A{}, y: A{} }}", i - 1, i - 1);
        }
        assert_eq!(root(&(text + ">")), MOST_CELLS as u32);
    }

    #[test]
    fn a_struct_holds_the_fields_that_only_the_reader_has() {
        let writer = Schema::parse("list<struct A { x: i8, b: struct B { y: i8 } }>").unwrap();
        let reader =
            Schema::parse("list<struct A { x: i8, s: string, t: option<struct B { y: i8, z: any }> }>").unwrap();
        let cells = Cells::resolved(&writer, &reader);
        assert_eq!((cells.row(0), cells.row(1)), (3 + 1 + (3 + 1 + 2) + 2 + 1, 3 + 1 + 2));
    }
}
