//! Determines which records may stay untracked by the collector.
//!
//! An untracked object is never found in a cycle: that is a leak, not a crash. So a record may stay untracked only if
//! it can never be part of a cycle: it forbids assignment, has no `__dict__`, and holds only scalars, texts and such
//! records. By the same rule CPython leaves tuples of such values untracked. Lists and dicts are tracked, unless the
//! user disables that: they would not become tracked when something is appended. (Instances from other allocators are
//! tracked from the start, or never.)

use super::{Blob, Form, Node, Plan};
use crate::core::object::layout::{Make, Store};

/// Decides `track` of every record.
pub fn settle(plan: &mut Plan) {
    for at in 0..plan.records.len() {
        let record = &plan.records[at];
        let possible = matches!(record.layout.make, Make::Collected | Make::Valued | Make::Tuple);
        let track = !(plan.trusted || immutable(plan, Node::Record(at as u32), &mut Vec::new()));
        plan.records[at].track = possible && track;
    }
}

/// Whether values of this type are deeply immutable. A recursive record, which is found again in `open`, counts as
/// mutable.
fn immutable(plan: &Plan, node: Node, open: &mut Vec<u32>) -> bool {
    match node {
        Node::Any(_) | Node::List(_) | Node::Map(..) | Node::Set(_, false) => false,
        Node::Cast(_) | Node::OrDefault(_) => false,
        Node::Bytes(form) => form == Blob::Bytes,
        Node::Numbers(_, form) | Node::Widened(_, _, form) => form == Form::Tuple,
        Node::Option(item) | Node::Series(item) | Node::Set(item, true) => immutable(plan, plan.node(item), open),
        Node::Tuple(row) => plan.rows[row as usize].iter().all(|&item| immutable(plan, item, open)),
        Node::Union(at) => (plan.unions[at as usize].records.iter().flatten())
            .all(|&record| immutable(plan, Node::Record(record), open)),
        Node::Record(at) | Node::Ref(at) | Node::Dropped(at) => {
            let record = plan.record(at);
            // msgspec's assignment tracks an instance that it makes hold something tracked.
            let watched = record.frozen || record.retracks && open.is_empty();
            if !watched || record.layout.store != Store::Slots || open.contains(&at) {
                return false;
            }
            open.push(at);
            let all = record.steps.iter().all(|step| immutable(plan, step.node, open)) && record.defaults.is_empty();
            open.pop();
            all
        }
        _ => true,
    }
}
