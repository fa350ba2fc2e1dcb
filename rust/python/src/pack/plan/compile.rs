//! Compiles the description by `samewire.pack.compiled_type` to the tables of a plan.

use super::cells::weigh;
use super::columns::widths;
use super::compiler::{entry, Compiler};
use super::resolve::resolve;
use super::tracking::settle;
use super::{Blob, Form, Hot, Node, Plan, Record, Weights, Widths};
use crate::core::object::layout::{Make, Store};
use crate::core::object::owned::Owned;
use crate::pack::schema::{parse, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use samewire_pack::wire::header::Mark;
use samewire_pack::{schema, Limits, Profile};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Makes a plan. `description` is what `samewire.pack.compiled_type.describe` returns. With the schema of a writer the plan
/// reads that writer's messages into the described type.
pub fn compile(description: &Bound<'_, PyDict>, writer: Option<&Arc<schema::Schema>>) -> PyResult<Plan> {
    let py = description.py();
    let want = |key: &str| entry(description, key);
    let schema = want("schema")?;
    let reader = match schema.cast::<Schema>() {
        Ok(schema) => schema.get().0.clone(),
        Err(_) => parse(schema.cast::<PyString>()?)?,
    };
    let mut compiler = Compiler {
        anchors: PyList::empty(py),
        nodes: Vec::new(),
        choices: Vec::new(),
        rows: Vec::new(),
        unions: Vec::new(),
        casts: Vec::new(),
        or_defaults: Vec::new(),
        identities: HashMap::new(),
        sites: 0,
        first_sites: HashMap::new(),
        bounded: true,
        hooks: false,
    };
    for choice in want("choices")?.try_iter()? {
        compiler.choice(&choice?)?;
    }
    let (root, records, cells, named) = match writer {
        None => {
            let root = compiler.node(&want("root")?)?;
            let described = want("records")?;
            let recursive = reader.structs().iter().filter(|made| made.recursive).map(|made| made.name.as_str());
            let recursive: HashSet<&str> = recursive.collect();
            let records = described.try_iter()?.map(|record| compiler.record(&record?, &recursive));
            let records = records.collect::<PyResult<Vec<_>>>()?;
            (root, records, reader.cells().clone(), reader.clone())
        }
        Some(writer) => {
            let plan = resolve(&mut compiler, description, &reader, writer)?;
            (plan.root, plan.records, plan.cells, Arc::new(plan.writer))
        }
    };
    let schema = writer.unwrap_or(&reader);
    let limits: (u32, usize, usize, u64, u64, usize) = want("limits")?.extract()?;
    let fast: bool = want("fast")?.extract()?;
    let hooks = compiler.hooks || records.iter().any(runs_python);
    let mut plan = Plan {
        root,
        sites: compiler.sites as usize,
        hooks,
        quiet: false,
        read_only: writer.is_some(),
        trusted: want("trusted")?.extract()?,
        // SAFETY: the GIL is held and the function alive.
        lost_fields: unsafe { Owned::borrow(want("lost_fields")?.as_ptr()) },
        truncate_times: want("truncate_times")?.extract()?,
        sort_keys: want("sort_keys")?.extract()?,
        careful: records.iter().any(|record| record.layout.store == Store::Named)
            || compiler.casts.iter().any(|cast| cast.adapter.is_some()),
        bounded: compiler.bounded && !records.iter().any(|record| record.recursive),
        nodes: compiler.nodes,
        choices: compiler.choices,
        rows: compiler.rows,
        unions: compiler.unions,
        casts: compiler.casts,
        or_defaults: compiler.or_defaults,
        weights: Weights::default(),
        widths: Widths::default(),
        records,
        profile: if fast { Profile::Fast } else { Profile::Compact },
        limits: Limits {
            depth: limits.0,
            frame_bytes: limits.1,
            text_bytes: limits.2,
            items: limits.3,
            cells: limits.4,
            buffered_bytes: limits.5,
        },
        digest: schema.digest(),
        mark: Mark::of(
            want("digest")?.extract::<bool>()?.then_some(schema.digest()),
            want("check")?.extract::<bool>()?.then_some(schema.digest()),
        ),
        digest_required: want("require_digest")?.extract()?,
        schema: schema.clone(),
        named: named.clone(),
        cells: cells.clone(),
        anchors: compiler.anchors.unbind(),
    };
    check(&plan)?;
    let structs: HashMap<u32, usize> = (named.structs().iter().enumerate())
        .filter_map(|(index, made)| Some((*compiler.identities.get(&made.name)?, index)))
        .collect();
    weigh(&mut plan, &cells, |identity| structs[&identity]);
    plan.widths = widths(&plan);
    specialize(&mut plan);
    settle(&mut plan);
    plan.quiet = !plan.hooks && !plan.trusted && every(&plan).all(|&node| quiet(&plan, node));
    Ok(plan)
}

/// Weighs the elements of lists; marks lists of recursive records, once it is known which records are, and options of texts.
fn specialize(plan: &mut Plan) {
    let recursive: Vec<_> = plan.records.iter().map(|record| record.recursive.then_some(record.row_cells)).collect();
    for step in plan.records.iter_mut().flat_map(|record| &mut record.steps) {
        match (step.hot, plan.nodes.get(step.place as usize)) {
            (Hot::List, Some(&node)) => {
                let rows = if let Node::Record(at) = node { recursive[at as usize] } else { None };
                if rows.is_some() {
                    step.hot = Hot::Rows;
                }
                step.cells = plan.weights.slot(step.place) as u32 + rows.unwrap_or(0);
            }
            (Hot::Option, Some(&Node::Text(site))) => (step.hot, step.place) = (Hot::OptionText, site),
            _ => {}
        }
    }
}

/// Checks that every index is inside its table: they are not checked for each value.
fn check(plan: &Plan) -> PyResult<()> {
    let inside = |&node: &Node| match node {
        Node::Record(at) | Node::Ref(at) | Node::Dropped(at) => (at as usize) < plan.records.len(),
        Node::Enum(at) => (at as usize) < plan.choices.len(),
        Node::OrDefault(at) => (at as usize) < plan.or_defaults.len(),
        Node::Union(at) => {
            let records = &plan.unions[at as usize].records;
            records.iter().flatten().all(|&record| (record as usize) < plan.records.len())
        }
        _ => true,
    };
    if every(plan).all(inside) {
        return Ok(());
    }
    Err(PyValueError::new_err("a node refers to a place that there is not"))
}

/// All nodes of a plan.
fn every(plan: &Plan) -> impl Iterator<Item = &Node> {
    let steps = plan.records.iter().flat_map(|record| record.steps.iter().map(|step| &step.node));
    let casts = plan.casts.iter().map(|cast| &cast.node);
    plan.nodes.iter().chain([&plan.root]).chain(plan.rows.iter().flatten()).chain(steps).chain(casts)
}

/// Whether reading this type runs no Python code at all. The hash of an enum's member and the constructors of other
/// modules' classes may run some.
fn quiet(plan: &Plan, node: Node) -> bool {
    let plain = |key: u32| matches!(plan.node(key), Node::Text(_) | Node::Number(_) | Node::Bool | Node::BigInt);
    match node {
        Node::Set(key, _) | Node::Map(key, _) => plain(key),
        Node::Bytes(form) => form != Blob::View,
        Node::Numbers(_, form) => matches!(form, Form::List | Form::Tuple),
        Node::Bool | Node::Number(_) | Node::Float(..) | Node::BigInt | Node::Text(_) => true,
        Node::Enum(_) | Node::Option(_) => true,
        // A factory is Python code, and a default's parts may be untracked.
        Node::OrDefault(_) => false,
        Node::List(_) | Node::Series(_) | Node::Tuple(_) | Node::Record(_) | Node::Union(_) | Node::Ref(_) => true,
        Node::Date | Node::Time(_) | Node::Timestamp(_) | Node::Duration(_) => true,
        Node::Any(_) | Node::Decimal | Node::Uuid | Node::Widened(..) | Node::Dropped(_) | Node::Cast(_) => false,
    }
}

/// Whether making an instance runs the user's code.
fn runs_python(record: &Record) -> bool {
    record.after.is_some()
        || record.layout.make == Make::Call
        || record.layout.store == Store::Named
        || record.defaults.iter().any(|default| default.factory)
        || record.fields.iter().any(|field| field.slot.is_none())
}
