//! Which structs can contain themselves.

use super::types::{Schema, Type};
use alloc::vec::Vec;

/// DuplicateFilter every struct that can contain itself, in time linear in the schema (a check of each struct alone would let a
/// schema of twenty thousand structs cost its square).
pub(super) fn mark(schema: &mut Schema) {
    let edges = edges(schema);
    for (index, recursive) in cyclic(&edges).into_iter().enumerate() {
        schema.structs[index].recursive = recursive;
    }
}

/// The structs that stand in each struct's fields.
fn edges(schema: &Schema) -> Vec<Vec<usize>> {
    let mut edges = Vec::with_capacity(schema.structs.len());
    for made in &schema.structs {
        let mut inside = Vec::new();
        let mut todo: Vec<_> = made.fields.iter().map(|field| field.ty).collect();
        while let Some(id) = todo.pop() {
            match schema.ty(id) {
                Type::Option(inner) | Type::List(inner) | Type::Set(inner) => todo.push(*inner),
                Type::Map(key, value) => todo.extend([*key, *value]),
                Type::Tuple(types) => todo.extend(types),
                Type::Struct(index) | Type::Ref(index) => inside.push(*index),
                Type::Union(members) => inside.extend(&members.structs),
                _ => {}
            }
        }
        edges.push(inside);
    }
    edges
}

/// Tarjan's strongly connected components with a stack of its own: a node is cyclic if its component has another node
/// or it has an edge to itself.
fn cyclic(edges: &[Vec<usize>]) -> Vec<bool> {
    const NEW: usize = usize::MAX;
    let count = edges.len();
    let mut order = vec![NEW; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let mut answer = vec![false; count];
    let mut stack = Vec::new();
    let mut next = 0;
    for start in 0..count {
        if order[start] != NEW {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                let child = edges[node][edge - 1];
                if on_stack[child] {
                    low[node] = low[node].min(low[child]);
                }
            }
            if let Some(&child) = edges[node].get(edge) {
                calls.push((node, edge + 1));
                if order[child] == NEW {
                    calls.push((child, 0));
                }
            } else if low[node] == order[node] {
                let at = stack.iter().rposition(|&member| member == node).unwrap_or(0);
                let component = stack.split_off(at);
                let several = component.len() > 1;
                for member in component {
                    on_stack[member] = false;
                    answer[member] = several || edges[member].contains(&member);
                }
            }
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recursive(text: &str) -> Vec<bool> {
        Schema::parse(text).unwrap().structs().iter().map(|made| made.recursive).collect()
    }

    #[test]
    fn finds_exactly_the_structs_on_a_cycle() {
        assert_eq!(recursive("struct A { b: struct B { x: i8 }, c: list<B> }"), [false, false]);
        assert_eq!(recursive("struct A { a: option<A>, b: struct B { x: i8 } }"), [true, false]);
        assert_eq!(recursive("struct A { b: struct B { c: struct C { b: list<B> } } }"), [false, true, true]);
        assert_eq!(
            recursive("struct A { b: ref<struct B { a: list<union { A, struct C {} }> }> }"),
            [true, true, false]
        );
    }

    #[test]
    fn a_ring_and_a_chain() {
        let ring: Vec<Vec<usize>> = (0..5000).map(|i| vec![(i + 1) % 5000]).collect();
        assert!(cyclic(&ring).into_iter().all(|cyclic| cyclic));
        let chain: Vec<Vec<usize>> = (0..5000).map(|i| if i < 4999 { vec![i + 1] } else { vec![] }).collect();
        assert!(!cyclic(&chain).into_iter().any(|cyclic| cyclic));
    }
}
