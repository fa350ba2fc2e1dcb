//! Compiles a described type to read another writer's messages (`spec/pack.md` section 13).
//!
//! The core decides how the writer's types are read as the reader's. This combines its steps with the Python classes of
//! the reader's description. A field that only the writer has is read and dropped: so it is checked like all others,
//! and its texts and references are numbered.

use super::compiler::{entry, kind, Class, Compiler, WireField};
use super::{Choice, Default, Kind, Node, Record};
use crate::core::fault::raise;
use crate::core::ffi;
use crate::core::object::layout::{Layout, Make};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use samewire_pack::resolve::{Action, Mismatch, Remedy, ResolutionPlan, StepId, StructPlan};
use samewire_pack::schema::{Cells, Schema, Type, TypeId};
use samewire_pack::{Code, Error};
use std::collections::HashMap;

/// A default as it is described: place among the attributes, value or factory, whether it is a factory.
type Described<'py> = (usize, Bound<'py, PyAny>, bool);

/// The result of compiling a pair of schemas.
pub struct Resolved {
    pub root: Node,
    /// First one for each of the core's pairs of structs, then those that are dropped.
    pub records: Vec<Record>,
    /// The cells of the writer's values.
    pub cells: Cells,
    /// The writer's schema, in the reader's names where that has aliases.
    pub writer: Schema,
}

/// Compiles a pair.
pub fn resolve(
    compiler: &mut Compiler<'_>,
    description: &Bound<'_, PyDict>,
    reader: &Schema,
    writer: &Schema,
) -> PyResult<Resolved> {
    let mut described = HashMap::new();
    for record in entry(description, "records")?.try_iter()? {
        let record = record?;
        let name: String = record.get_item("name")?.extract()?;
        described.insert(name, record);
    }
    let plan = ResolutionPlan::new(writer.clone(), reader).map_err(|found| raise(refused(description.py(), found)))?;
    let mut pair = Pair {
        compiler,
        plan: &plan,
        mapped: HashMap::new(),
        dropped_structs: HashMap::new(),
        to_drop: Vec::new(),
        dropped_enums: HashMap::new(),
    };
    let root = pair.node(plan.root(), &entry(description, "root")?)?;
    let mut records = Vec::new();
    for made in plan.structs() {
        records.push(pair.record(made, &described[&reader.structs()[made.reader].name])?);
    }
    let mut next = 0;
    while let Some(&index) = pair.to_drop.get(next) {
        records.push(pair.dropped_record(index)?);
        next += 1;
    }
    Ok(Resolved { root, records, cells: plan.cells().clone(), writer: plan.writer().clone() })
}

/// The error for a pair that does not resolve. The remedy for a name is at the declaration of the reader's class.
fn refused(py: Python<'_>, mismatch: Mismatch) -> Error {
    let Remedy::Rename(name) = &mismatch.remedy else { return mismatch.into() };
    let Mismatch { writer, reader, path, .. } = &mismatch;
    let advice = format!("pack.named({:?}) above the reader's class says that it is the same", PyString::new(py, name));
    let text = format!("the writer has {writer}, the reader {reader}: names must agree; {advice}");
    Error::new(Code::SchemaMismatch, text).path(path.clone())
}

struct Pair<'c, 'p, 'py> {
    compiler: &'c mut Compiler<'py>,
    plan: &'p ResolutionPlan,
    /// Choices with an enum's members in the writer's order. Keys may have another one, since they do not fall back.
    mapped: HashMap<(u32, &'p [Option<u32>]), u32>,
    /// The records of the writer's structs that are dropped, by index; `to_drop` has them in order.
    dropped_structs: HashMap<usize, u32>,
    to_drop: Vec<usize>,
    /// The writer's enums whose values are dropped, by index.
    dropped_enums: HashMap<usize, u32>,
}

impl Pair<'_, '_, '_> {
    fn writer(&self) -> &Schema {
        self.plan.writer()
    }

    /// The node of a step, with the classes that the reader's description names.
    fn node(&mut self, id: StepId, description: &Bound<'_, PyAny>) -> PyResult<Node> {
        let parts = description.cast::<PyTuple>()?;
        let part = |at: usize| parts.get_item(at);
        if part(0)?.cast::<PyString>()? == "cast" {
            let node = self.node(id, &part(1)?)?;
            return self.compiler.cast(node, parts);
        }
        let step = self.plan.step(id);
        Ok(match &step.action {
            Action::Same => self.compiler.node(description)?,
            Action::Widen(Type::F32) => self.float(&step.writer, Kind::F32)?,
            Action::Widen(Type::F64) if !matches!(step.writer, Type::F32) => self.float(&step.writer, Kind::F64)?,
            Action::Widen(_) => self.scalar(&step.writer, "")?,
            Action::Present(item) => self.node(*item, &part(1)?)?,
            Action::Option(item) => {
                let item = self.node(*item, &part(1)?)?;
                self.compiler.option(item)
            }
            Action::OrDefault(_) => return Err(pyo3::exceptions::PyValueError::new_err("a default stands in a field")),
            Action::List(item) => {
                let described = part(1)?;
                let item = self.node(*item, &described)?;
                let form: String = part(2)?.extract()?;
                // An array holds numbers of the reader's type: reading widens them.
                let wanted = match form.as_str() {
                    "list" | "tuple" => None,
                    _ => kind(&described.get_item(0)?.extract::<String>()?),
                };
                self.compiler.list(item, &form, wanted)
            }
            Action::Set(item) => {
                let item = self.node(*item, &part(1)?)?;
                self.compiler.set(item, part(2)?.extract()?)
            }
            Action::Map(key, value) => {
                let key = self.node(*key, &part(1)?)?;
                let value = self.node(*value, &part(2)?)?;
                self.compiler.map(key, value)
            }
            Action::Tuple(steps) => {
                let items = part(1)?;
                let pairs = steps.iter().zip(items.try_iter()?);
                let row = pairs.map(|(&step, item)| self.node(step, &item?)).collect::<PyResult<_>>()?;
                self.compiler.tuple(row)
            }
            Action::Enum(symbols) => {
                let at: u32 = part(1)?.extract()?;
                let mapped = *self.mapped.entry((at, symbols)).or_insert_with(|| {
                    let choice = &self.compiler.choices[at as usize];
                    let member =
                        |symbol: &Option<u32>| symbol.map_or(std::ptr::null_mut(), |at| choice.members[at as usize]);
                    let members = symbols.iter().map(member).collect();
                    self.compiler.choices.push(Choice::new(choice.class, members));
                    self.compiler.choices.len() as u32 - 1
                });
                Node::Enum(mapped)
            }
            Action::Struct(at) => Node::Record(*at as u32),
            Action::Ref(at) => Node::Ref(*at as u32),
            Action::Union(members) => {
                let records = members.iter().map(|member| member.map(|(_, at)| at as u32)).collect();
                self.compiler.union(records)
            }
        })
    }

    fn scalar(&mut self, writer: &Type, form: &str) -> PyResult<Node> {
        let word = writer.word().unwrap_or_default();
        self.compiler.scalar(word, form).ok_or_else(|| pyo3::exceptions::PyValueError::new_err("a type with parts"))
    }

    /// A writer's integer that the reader has as a float.
    fn float(&mut self, writer: &Type, wanted: Kind) -> PyResult<Node> {
        match self.scalar(writer, "")? {
            Node::Number(kind) => Ok(Node::Float(kind, wanted)),
            node => Ok(node),
        }
    }

    /// The record that reads one of the writer's structs into a class.
    fn record(&mut self, made: &StructPlan, description: &Bound<'_, PyAny>) -> PyResult<Record> {
        let class = self.compiler.class(description)?;
        let described = description.get_item("fields")?;
        let declared: Vec<Described<'_>> = description.get_item("defaults")?.extract()?;
        let mut fields = Vec::new();
        for (place, field) in made.fields.iter().enumerate() {
            let (name, ty) = self.field(made.writer, place);
            let Some((slot, step)) = field.target else {
                fields.push(WireField { name, slot: None, node: self.dropped(ty)?, absent: false });
                continue;
            };
            let (_, node, absent): (String, Bound<'_, PyAny>, bool) = described.get_item(slot)?.extract()?;
            let node = match self.plan.step(step).action {
                Action::OrDefault(inner) => {
                    let item = self.node(inner, &node)?;
                    let none =
                        || pyo3::exceptions::PyValueError::new_err("a field without the default that its schema names");
                    let default = self.default(&declared, slot)?.ok_or_else(none)?;
                    self.compiler.or_default(item, default)
                }
                _ => self.node(step, &node)?,
            };
            fields.push(WireField { name, slot: Some(slot), node, absent });
        }
        let mut defaults = Vec::new();
        for &slot in &made.missing {
            if let Some(member) = &made.stands_for {
                let member = PyString::new(described.py(), member);
                defaults.push(Default { slot, value: self.compiler.anchor(&member)?, factory: false });
                continue;
            }
            if let Some(default) = self.default(&declared, slot)? {
                defaults.push(default);
                continue;
            }
            let (_, _, absent): (String, Bound<'_, PyAny>, bool) = described.get_item(slot)?.extract()?;
            if !absent {
                // SAFETY: None is immortal, or alive as long as the interpreter.
                defaults.push(Default { slot, value: unsafe { ffi::Py_None() }, factory: false });
            }
        }
        // The writer's name, which is also the reader's except for a fallback, whose cells and references are the
        // writer's.
        let name = self.writer().structs()[made.writer].name.clone();
        let record = self.compiler.finish(name, class, fields, defaults, made.recursive)?;
        Ok(Record { stand_in_cells: made.row_cells - self.plan.cells().row(made.writer), ..record })
    }

    /// The default of the attribute at a place, if it has one.
    fn default(&mut self, declared: &[Described<'_>], slot: usize) -> PyResult<Option<Default>> {
        let Some((_, value, factory)) = declared.iter().find(|default| default.0 == slot) else { return Ok(None) };
        Ok(Some(Default { slot, value: self.compiler.anchor(value)?, factory: *factory }))
    }

    fn field(&self, index: usize, place: usize) -> (String, TypeId) {
        let field = &self.writer().structs()[index].fields[place];
        (field.name.clone(), field.ty)
    }

    /// A node that reads and drops a writer's type. Keys are made, to detect repeated ones.
    fn dropped(&mut self, id: TypeId) -> PyResult<Node> {
        let ty = self.writer().ty(id).clone();
        Ok(match ty {
            Type::Option(item) => {
                let item = self.dropped(item)?;
                self.compiler.option(item)
            }
            Type::List(item) => {
                let item = self.dropped(item)?;
                self.compiler.list(item, "list", None)
            }
            Type::Set(item) => {
                let item = self.dropped(item)?;
                self.compiler.set(item, true)
            }
            Type::Map(key, value) => {
                let key = self.dropped(key)?;
                let value = self.dropped(value)?;
                self.compiler.map(key, value)
            }
            Type::Tuple(items) => {
                let row = items.into_iter().map(|item| self.dropped(item)).collect::<PyResult<_>>()?;
                self.compiler.tuple(row)
            }
            Type::Enum(index) => Node::Enum(self.dropped_enum(index)?),
            Type::Struct(index) => Node::Record(self.dropped_struct(index)),
            Type::Union(members) => {
                let records = members.structs.into_iter().map(|index| Some(self.dropped_struct(index))).collect();
                self.compiler.union(records)
            }
            Type::Ref(index) => {
                // Its values are dropped while their texts may still be referred to.
                self.compiler.hooks = true;
                Node::Dropped(self.dropped_struct(index))
            }
            scalar => self.scalar(&scalar, "int")?,
        })
    }

    /// An enum whose symbols take the place of its members.
    fn dropped_enum(&mut self, index: usize) -> PyResult<u32> {
        if let Some(&at) = self.dropped_enums.get(&index) {
            return Ok(at);
        }
        let compiler = &mut self.compiler;
        let py = compiler.py();
        let symbols = &self.plan.writer().enums()[index].symbols;
        let members = symbols.iter().map(|symbol| compiler.anchor(PyString::new(py, symbol).as_any()));
        let members = members.collect::<PyResult<Vec<_>>>()?;
        let at = compiler.choices.len() as u32;
        compiler.choices.push(Choice::new(py.get_type::<PyString>().as_type_ptr(), members));
        self.dropped_enums.insert(index, at);
        Ok(at)
    }

    fn dropped_struct(&mut self, index: usize) -> u32 {
        let next = (self.plan.structs().len() + self.to_drop.len()) as u32;
        *self.dropped_structs.entry(index).or_insert_with(|| {
            self.to_drop.push(index);
            next
        })
    }

    /// The record of one of the writer's structs, which is dropped.
    fn dropped_record(&mut self, index: usize) -> PyResult<Record> {
        let made = &self.plan.writer().structs()[index];
        let mut fields = Vec::new();
        for field in &made.fields {
            fields.push(WireField {
                name: field.name.clone(),
                slot: None,
                node: self.dropped(field.ty)?,
                absent: false,
            });
        }
        let class = Class {
            class: self.compiler.py().get_type::<PyDict>().as_type_ptr(),
            layout: Layout::named(Make::Dict, 0),
            names: Vec::new(),
            after: None,
            retracks: false,
            frozen: false,
            setter: false,
        };
        self.compiler.finish(made.name.clone(), class, fields, Vec::new(), made.recursive)
    }
}
