//! Widths (`spec/columns.md` section 1): the number of columns that the values of each struct need.

use super::types::{Schema, Type, TypeId};
use alloc::vec::Vec;

/// The widths of all structs. Without recursion: a schema may chain thousands of structs.
pub(super) fn of(schema: &Schema) -> Vec<u32> {
    let mut known: Vec<Option<u32>> = schema.structs().iter().map(|made| made.recursive.then_some(1)).collect();
    for start in 0..known.len() {
        let mut open = vec![start];
        while let Some(&index) = open.last() {
            if known[index].is_some() {
                open.pop();
                continue;
            }
            let (mut sum, waiting) = (0u32, open.len());
            for field in &schema.structs()[index].fields {
                sum = sum.saturating_add(width(schema, field.ty, &known, &mut open));
            }
            if open.len() == waiting {
                known[index] = Some(sum);
                open.pop();
            }
        }
    }
    known.into_iter().map(Option::unwrap_or_default).collect()
}

/// The width of a type. Structs that have none yet are opened, and the result is then of no use.
fn width(schema: &Schema, ty: TypeId, known: &[Option<u32>], open: &mut Vec<usize>) -> u32 {
    match schema.ty(ty) {
        Type::Option(inner) | Type::List(inner) | Type::Set(inner) => {
            width(schema, *inner, known, open).saturating_add(1)
        }
        Type::Map(key, value) => {
            width(schema, *key, known, open).saturating_add(width(schema, *value, known, open)).saturating_add(1)
        }
        Type::Tuple(types) => types.iter().fold(0, |sum: u32, &ty| sum.saturating_add(width(schema, ty, known, open))),
        Type::Struct(index) => known[*index].unwrap_or_else(|| {
            open.push(*index);
            0
        }),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_as_wide_as_their_parts() {
        let schema = Schema::parse(
            "struct A { x: option<i8>, b: list<struct B { y: string, t: tuple<i8, struct C { m: map<i8, i8> }> }>, \
             c: C, n: struct N { n: list<N> }, u: union { C, N } }",
        )
        .unwrap();
        let width = |name: &str| {
            let index = schema.structs().iter().position(|made| made.name == name).unwrap();
            schema.width(index)
        };
        assert_eq!(["A", "B", "C", "N"].map(width), [2 + 6 + 3 + 1 + 1, 5, 3, 1]);
    }

    #[test]
    fn a_width_beyond_all_counts_is_capped() {
        let mut text = alloc::string::String::from("tuple<struct A0 { x: i8 }");
        for i in 1..40 {
            text += &alloc::format!(", struct A{i} {{ x: A{}, y: A{} }}", i - 1, i - 1);
        }
        let schema = Schema::parse(&(text + ">")).unwrap();
        assert_eq!((schema.width(3), schema.width(39)), (8, u32::MAX));
    }
}
