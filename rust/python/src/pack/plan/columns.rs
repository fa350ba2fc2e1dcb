//! Which lists and maps may be columnar, and how many columns each needs (`spec/columns.md` section 1).

use super::weights::Widths;
use super::{Node, Plan};

/// The columns that the nodes at a plan's places need.
pub fn widths(plan: &Plan) -> Widths {
    let mut records = vec![None; plan.records.len()];
    Widths(plan.nodes.iter().map(|&node| width(plan, node, &mut records)).collect())
}

fn width(plan: &Plan, node: Node, records: &mut [Option<u32>]) -> u32 {
    let of = |at: u32, records: &mut [Option<u32>]| width(plan, plan.node(at), records);
    match node {
        Node::Option(item) | Node::List(item) | Node::Series(item) | Node::Set(item, _) => {
            of(item, records).saturating_add(1)
        }
        Node::OrDefault(at) => of(plan.or_defaults[at as usize].item, records).saturating_add(1),
        Node::Numbers(..) | Node::Widened(..) => 2,
        Node::Map(key, item) => of(key, records).saturating_add(of(item, records)).saturating_add(1),
        Node::Tuple(row) => sum(plan.rows[row as usize].iter().map(|&item| width(plan, item, records))),
        Node::Record(at) if !plan.record(at).recursive => {
            if let Some(known) = records[at as usize] {
                return known;
            }
            let found = sum(plan.record(at).steps.iter().map(|step| width(plan, step.node, records)));
            records[at as usize] = Some(found);
            found
        }
        Node::Cast(at) => width(plan, plan.casts[at as usize].node, records),
        _ => 1,
    }
}

fn sum(widths: impl Iterator<Item = u32>) -> u32 {
    widths.fold(0, u32::saturating_add)
}

impl Plan {
    /// Whether values of a type are written as the columns of their parts.
    #[inline(always)]
    pub fn is_flat(&self, node: Node) -> bool {
        match node {
            Node::Record(at) => !self.record(at).recursive,
            Node::Tuple(_) => true,
            _ => false,
        }
    }
}
