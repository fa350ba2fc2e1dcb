//! What values of a plan's types take in memory, in cells (`spec/pack.md` section 8), next to its tables.

use super::{Node, Plan};
use samewire_pack::schema::Cells;
use samewire_pack::wire::{KEY_CELLS, MOST_CELLS, OBJECT_CELLS};

/// The cells of the nodes at a plan's places.
#[derive(Default)]
pub struct Weights {
    /// Of a value where it stands.
    slots: Vec<u32>,
    /// Of a row that a present option of the type has: one that does not lie inline, unless it charges its cells itself.
    present: Vec<u32>,
    /// Of the root.
    pub root: u32,
}

impl Weights {
    /// What a value of the node at a place takes.
    #[inline(always)]
    pub fn slot(&self, at: u32) -> u64 {
        debug_assert!((at as usize) < self.slots.len());
        // SAFETY: there is one for each node, and `compile` makes places of nodes only.
        unsafe { u64::from(*self.slots.get_unchecked(at as usize)) }
    }

    /// What an entry of a map of the nodes at two places takes.
    #[inline(always)]
    pub fn entry(&self, key: u32, item: u32) -> u64 {
        KEY_CELLS + self.slot(key) + self.slot(item)
    }

    /// What is charged where a present option of the node at a place is read.
    #[inline(always)]
    pub fn present(&self, at: u32) -> u64 {
        debug_assert!((at as usize) < self.present.len());
        // SAFETY: as above.
        unsafe { u64::from(*self.present.get_unchecked(at as usize)) }
    }
}

/// Weighs a plan's records and nodes. `cells` are those of the writer's types; `index` finds a record's struct among them.
pub fn weigh(plan: &mut Plan, cells: &Cells, index: impl Fn(u32) -> usize) {
    for record in &mut plan.records {
        let row = u64::from(cells.row(index(record.identity)));
        record.row_cells = (row + u64::from(record.stand_in_cells)).min(MOST_CELLS) as u32;
    }
    let slots = plan.nodes.iter().map(|&node| slot(plan, node)).collect();
    let present = plan.nodes.iter().map(|&node| present(plan, node)).collect();
    plan.weights = Weights { slots, present, root: slot(plan, plan.root) };
}

fn slot(plan: &Plan, node: Node) -> u32 {
    match node {
        Node::Text(_) | Node::BigInt | Node::Uuid | Node::Duration(_) | Node::Any(_) => 2,
        Node::Decimal | Node::Timestamp(_) => 3,
        Node::Bytes(_) => 6,
        Node::Option(item) => option(plan, item),
        Node::OrDefault(at) => option(plan, plan.or_defaults[at as usize].item),
        Node::Record(at) if !plan.record(at).recursive => plan.record(at).row_cells,
        Node::Tuple(row) => {
            let items = plan.rows[row as usize].iter().map(|&item| u64::from(slot(plan, item)));
            (OBJECT_CELLS + items.sum::<u64>()).min(MOST_CELLS) as u32
        }
        Node::Cast(at) => slot(plan, plan.casts[at as usize].node),
        _ => 1,
    }
}

fn option(plan: &Plan, item: u32) -> u32 {
    match plan.node(item) {
        Node::Record(_) | Node::Tuple(_) => 1,
        item => slot(plan, item),
    }
}

fn present(plan: &Plan, node: Node) -> u32 {
    match node {
        Node::Tuple(_) => slot(plan, node),
        Node::Record(at) if !plan.record(at).recursive => plan.record(at).row_cells,
        _ => 0,
    }
}
