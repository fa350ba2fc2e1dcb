//! The cells of values of a plan's types (`spec/pack.md` section 8), in tables beside the plan's.

use super::weights::Weights;
use super::{Node, Plan};
use samewire_pack::schema::Cells;
use samewire_pack::wire::{MOST_CELLS, OBJECT_CELLS};

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
