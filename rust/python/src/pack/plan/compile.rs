//! From the description that `samewire.pack.compile` makes to the tables of a plan.

use super::tracking::settle;
use super::{Blob, Cast, Choice, Default, Field, Form, Hot, Kind, Node, Plan, Record, Step, Union};
use crate::core::fault::raise;
use crate::core::object::layout::{Layout, Make, Store};
use crate::core::object::owned::Owned;
use crate::pack::sink::Room;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use samewire_pack::schema::Schema;
use samewire_pack::{Code, Error, Limits, Profile};
use std::collections::HashMap;

/// Instances of up to so many fields are written through one pair of cursors, so many at a time.
const SMALL: usize = 16;
const FEW: usize = 8;

struct Compiler<'py> {
    anchors: Bound<'py, PyList>,
    nodes: Vec<Node>,
    choices: Vec<Choice>,
    rows: Vec<Vec<Node>>,
    unions: Vec<Union>,
    casts: Vec<Cast>,
    sites: u32,
    bounded: bool,
    hooks: bool,
}

/// Makes a plan. `description` is `samewire.pack.compile.Description` as a dict.
pub fn compile(description: &Bound<'_, PyDict>) -> PyResult<Plan> {
    let py = description.py();
    let want = |key: &str| -> PyResult<Bound<'_, PyAny>> {
        description.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("the description lacks {key}")))
    };
    let schema = read(&want("schema")?)?;
    let mut compiler = Compiler {
        anchors: PyList::empty(py),
        nodes: Vec::new(),
        choices: Vec::new(),
        rows: Vec::new(),
        unions: Vec::new(),
        casts: Vec::new(),
        sites: 0,
        bounded: true,
        hooks: false,
    };
    for choice in want("choices")?.try_iter()? {
        compiler.choice(&choice?)?;
    }
    let root = compiler.node(&want("root")?)?;
    let mut records = Vec::new();
    let mut identities = HashMap::new();
    for record in want("records")?.try_iter()? {
        records.push(compiler.record(&record?, &mut identities)?);
    }
    let limits: (u32, usize, usize, u64, usize) = want("limits")?.extract()?;
    let fast: bool = want("fast")?.extract()?;
    let hooks = compiler.hooks || records.iter().any(runs_python);
    let mut plan = Plan {
        root,
        sites: compiler.sites as usize,
        hooks,
        quiet: false,
        read_only: want("read_only")?.extract()?,
        trusted: want("trusted")?.extract()?,
        careful: records.iter().any(|record| record.layout.store == Store::Named),
        bounded: compiler.bounded && !records.iter().any(|record| record.recursive),
        nodes: compiler.nodes,
        choices: compiler.choices,
        rows: compiler.rows,
        unions: compiler.unions,
        casts: compiler.casts,
        records,
        profile: if fast { Profile::Fast } else { Profile::Compact },
        limits: Limits {
            depth: limits.0,
            frame_bytes: limits.1,
            text_bytes: limits.2,
            items: limits.3,
            cells: Limits::DEFAULT.cells,
            buffered_bytes: limits.4,
        },
        digest: schema.digest(),
        digest_in_header: want("digest")?.extract()?,
        schema,
        anchors: compiler.anchors.unbind(),
    };
    check(&plan)?;
    find_rows(&mut plan);
    settle(&mut plan);
    plan.quiet = !plan.hooks && !plan.trusted && every(&plan).all(|&node| quiet(&plan, node));
    Ok(plan)
}

/// The schema of a text. Names come from the user's types: they may be longer than the format allows, or hold lone surrogates.
fn read(text: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let lone = |_| raise(Error::new(Code::Malformed, "a name holds a lone surrogate"));
    Schema::parse(text.cast::<PyString>()?.to_str().map_err(lone)?).map_err(raise)
}

/// Marks lists of recursive records, once it is known which records are.
fn find_rows(plan: &mut Plan) {
    let recursive: Vec<bool> = plan.records.iter().map(|record| record.recursive).collect();
    for step in plan.records.iter_mut().flat_map(|record| &mut record.steps) {
        if step.hot == Hot::List
            && matches!(plan.nodes[step.place as usize], Node::Record(at) if recursive[at as usize])
        {
            step.hot = Hot::Rows;
        }
    }
}

/// Every place must be in its table: they are not checked for each value.
fn check(plan: &Plan) -> PyResult<()> {
    let inside = |&node: &Node| match node {
        Node::Record(at) | Node::Ref(at) | Node::Dropped(at) => (at as usize) < plan.records.len(),
        Node::Enum(at) => (at as usize) < plan.choices.len(),
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

/// Whether reading this type runs no Python code whatever: the hash of an enum's member and the constructors of other
/// modules' classes may.
fn quiet(plan: &Plan, node: Node) -> bool {
    let plain = |key: u32| matches!(plan.node(key), Node::Text(_) | Node::Number(_) | Node::Bool | Node::BigInt);
    match node {
        Node::Set(key, _) | Node::Map(key, _) => plain(key),
        Node::Bytes(form) => form != Blob::View,
        Node::Numbers(_, form) => matches!(form, Form::List | Form::Tuple),
        Node::Bool | Node::Number(_) | Node::BigInt | Node::Text(_) | Node::Enum(_) | Node::Option(_) => true,
        Node::List(_) | Node::Series(_) | Node::Tuple(_) | Node::Record(_) | Node::Union(_) | Node::Ref(_) => true,
        Node::Date | Node::Time(_) | Node::Timestamp(_) | Node::Duration(_) => true,
        Node::Any(_) | Node::Decimal | Node::Uuid | Node::Widened(..) | Node::Dropped(_) | Node::Cast(_) => false,
    }
}

/// Whether making an instance runs code of the user's.
fn runs_python(record: &Record) -> bool {
    record.after.is_some()
        || record.layout.make == Make::Call
        || record.layout.store == Store::Named
        || record.defaults.iter().any(|default| default.factory)
        || record.fields.iter().any(|field| field.slot.is_none())
}

impl Compiler<'_> {
    /// Keeps an object alive as long as the plan and answers its address.
    fn anchor(&self, object: &Bound<'_, PyAny>) -> PyResult<*mut ffi::PyObject> {
        self.anchors.append(object)?;
        Ok(object.as_ptr())
    }

    fn place(&mut self, description: &Bound<'_, PyAny>) -> PyResult<u32> {
        let node = self.node(description)?;
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    fn site(&mut self) -> u32 {
        self.sites += 1;
        self.sites - 1
    }

    fn node(&mut self, description: &Bound<'_, PyAny>) -> PyResult<Node> {
        let parts = description.cast::<PyTuple>()?;
        let word: String = parts.get_item(0)?.extract()?;
        let form = || -> PyResult<String> { parts.get_item(1)?.extract() };
        if let Some(kind) = kind(&word) {
            return Ok(Node::Number(kind));
        }
        Ok(match word.as_str() {
            "bool" => Node::Bool,
            "bigint" => Node::BigInt,
            "decimal" => Node::Decimal,
            "string" => Node::Text(self.site()),
            "bytes" => Node::Bytes(match form()?.as_str() {
                "bytearray" => Blob::ByteArray,
                "memoryview" => Blob::View,
                _ => Blob::Bytes,
            }),
            "uuid" => Node::Uuid,
            "date" => Node::Date,
            "time" => Node::Time(form()? == "int"),
            "timestamp" => Node::Timestamp(form()? == "int"),
            "duration" => Node::Duration(form()? == "int"),
            "any" => {
                self.bounded = false;
                self.hooks = true;
                Node::Any(self.site())
            }
            "enum" => Node::Enum(parts.get_item(1)?.extract()?),
            "option" => Node::Option(self.place(&parts.get_item(1)?)?),
            "list" => {
                let wanted: Option<String> = parts.get_item(3).ok().map(|part| part.extract()).transpose()?;
                self.list(&parts.get_item(1)?, parts.get_item(2)?.extract()?, wanted.as_deref().and_then(kind))?
            }
            "set" => {
                self.bounded = false;
                let item = self.key(&parts.get_item(1)?)?;
                Node::Set(item, parts.get_item(2)?.extract()?)
            }
            "map" => {
                self.bounded = false;
                let key = self.key(&parts.get_item(1)?)?;
                Node::Map(key, self.place(&parts.get_item(2)?)?)
            }
            "tuple" => {
                let items = parts.get_item(1)?;
                let row = items.try_iter()?.map(|item| self.node(&item?)).collect::<PyResult<_>>()?;
                self.rows.push(row);
                Node::Tuple(self.rows.len() as u32 - 1)
            }
            "record" => Node::Record(parts.get_item(1)?.extract()?),
            "ref" => Node::Ref(parts.get_item(1)?.extract()?),
            "dropped" => {
                // Its values go while the texts in them may yet be referred to.
                self.hooks = true;
                Node::Dropped(parts.get_item(1)?.extract()?)
            }
            "cast" => {
                self.bounded = false;
                self.hooks = true;
                let node = self.node(&parts.get_item(1)?)?;
                let class = self.anchor(&parts.get_item(2)?)?;
                self.casts.push(Cast { node, class });
                Node::Cast(self.casts.len() as u32 - 1)
            }
            "union" => {
                let records = parts.get_item(1)?.extract()?;
                self.unions.push(Union { records });
                Node::Union(self.unions.len() as u32 - 1)
            }
            _ => return Err(PyValueError::new_err(format!("{word} is no node"))),
        })
    }

    fn list(&mut self, item: &Bound<'_, PyAny>, form: String, wanted: Option<Kind>) -> PyResult<Node> {
        let item = self.place(item)?;
        let node = self.node_at(item);
        if let Node::Number(kind) = node {
            self.bounded = false;
            let form = match form.as_str() {
                "list" => Form::List,
                "tuple" => Form::Tuple,
                "array" => Form::Array,
                "memoryview" => Form::View,
                _ => Form::Numpy,
            };
            return Ok(match wanted {
                Some(wanted) if wanted != kind => Node::Widened(kind, wanted, form),
                _ => Node::Numbers(kind, form),
            });
        }
        self.bounded = false;
        Ok(if form == "tuple" { Node::Series(item) } else { Node::List(item) })
    }

    fn node_at(&self, at: u32) -> Node {
        self.nodes[at as usize]
    }

    /// A key. Hashing an enum's member or a UUID runs Python code.
    fn key(&mut self, description: &Bound<'_, PyAny>) -> PyResult<u32> {
        let place = self.place(description)?;
        self.hooks |= matches!(self.node_at(place), Node::Enum(_) | Node::Uuid);
        Ok(place)
    }

    fn choice(&mut self, description: &Bound<'_, PyAny>) -> PyResult<()> {
        let (class, members): (Bound<'_, PyType>, Vec<Option<Bound<'_, PyAny>>>) = description.extract()?;
        let class = self.anchor(&class)?.cast();
        let members = (members.iter())
            .map(|member| member.as_ref().map_or(Ok(std::ptr::null_mut()), |member| self.anchor(member)))
            .collect::<PyResult<Vec<_>>>()?;
        let places = members.iter().enumerate().map(|(i, &member)| (member as usize, i)).collect();
        self.choices.push(Choice { class, members, places });
        Ok(())
    }

    fn record(&mut self, description: &Bound<'_, PyAny>, identities: &mut HashMap<String, u32>) -> PyResult<Record> {
        let part = |key: &str| description.get_item(key);
        let name: String = part("name")?.extract()?;
        let next = identities.len() as u32;
        let identity = *identities.entry(name).or_insert(next);
        let class: *mut ffi::PyTypeObject = self.anchor(&part("class")?)?.cast();
        let names = (part("names")?.try_iter()?)
            .map(|name| {
                let mut name = name?.cast_into::<PyString>()?.into_ptr();
                // SAFETY: `name` is an owned str, whose reference is exchanged for the interned one's.
                unsafe {
                    ffi::PyUnicode_InternInPlace(&mut name);
                    Owned::steal(name).map_err(|_| PyErr::fetch(description.py()))
                }
            })
            .collect::<PyResult<Vec<_>>>()?;
        let kind: String = part("kind")?.extract()?;
        let setter: bool = part("setter")?.extract()?;
        let pointers: Vec<_> = names.iter().map(Owned::as_ptr).collect();
        let layout = if part("construct")?.extract()? {
            Layout::named(Make::Call, names.len())
        } else {
            match kind.as_str() {
                "typeddict" => Layout::named(Make::Dict, names.len()),
                // SAFETY: `records.py` answers "namedtuple" for subclasses of tuple only.
                "namedtuple" => unsafe { Layout::of_tuple(class, names.len()) },
                // SAFETY: class and names are alive, the GIL is held.
                _ => unsafe { Layout::of_class(class, &pointers, !setter, kind == "msgspec") },
            }
        };
        let mut steps = Vec::new();
        let mut fields = Vec::new();
        let mut flags = 0;
        for field in part("fields")?.try_iter()? {
            let (name, slot, node, absent): (String, Option<usize>, Bound<'_, PyAny>, bool) = field?.extract()?;
            let node = self.node(&node)?;
            let offset = slot.map_or(0, |slot| layout.offsets[slot]);
            let attribute = slot.map_or(std::ptr::null_mut(), |slot| names[slot].as_ptr());
            let offset = u32::try_from(offset)?;
            let (hot, place) = Hot::of(node);
            steps.push(Step { hot, place, node, offset, flag: flags as u32, dropped: slot.is_none() });
            fields.push(Field { slot, attribute, name, absent });
            flags += usize::from(node.flagged());
        }
        let mut defaults = Vec::new();
        for default in part("defaults")?.try_iter()? {
            let (slot, value, factory): (usize, Bound<'_, PyAny>, bool) = default?.extract()?;
            defaults.push(Default { slot, value: self.anchor(&value)?, factory });
        }
        let small = steps.len() <= SMALL;
        let few = if small { FEW } else { 1 };
        let room = Room::of(steps.len() * few);
        let recursive: bool = part("recursive")?.extract()?;
        let placed = matches!(layout.store, Store::Slots | Store::Inline);
        let plain = |step: &Step| matches!(step.hot, Hot::Text | Hot::Int32 | Hot::Int64);
        let straight = placed && !recursive && small && steps.iter().all(plain);
        let texts = steps.iter().take_while(|step| step.hot == Hot::Text).count();
        let after = part("after")?;
        // SAFETY: the GIL is held and the name alive.
        let after = (!after.is_none()).then(|| unsafe { Owned::borrow(after.as_ptr()) });
        Ok(Record {
            class,
            layout,
            steps,
            texts,
            fields,
            flags,
            few,
            room,
            recursive,
            straight,
            identity,
            after,
            names,
            defaults,
            retracks: kind == "msgspec",
            track: true,
            frozen: part("frozen")?.extract()?,
            setter,
        })
    }
}

fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "i8" => Kind::I8,
        "i16" => Kind::I16,
        "i32" => Kind::I32,
        "i64" => Kind::I64,
        "u8" => Kind::U8,
        "u16" => Kind::U16,
        "u32" => Kind::U32,
        "u64" => Kind::U64,
        "f32" => Kind::F32,
        "f64" => Kind::F64,
        _ => return None,
    })
}
