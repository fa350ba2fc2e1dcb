//! Builds the tables of a plan from a description.

use super::{Adapter, Blob, Cast, Choice, Default, Field, Form, Hot, Kind, Node, OrDefault, Record, Step, Union};
use crate::core::ffi;
use crate::core::object::layout::{Layout, Make, Store};
use crate::core::object::owned::Owned;
use crate::pack::sink::Room;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use std::collections::{HashMap, HashSet};

/// Instances of up to so many fields are written through one pair of cursors, so many at a time.
const SMALL: usize = 16;
const FEW: usize = 8;

/// The tables of a plan while it is made.
pub(super) struct Compiler<'py> {
    pub(super) anchors: Bound<'py, PyList>,
    pub(super) nodes: Vec<Node>,
    pub(super) choices: Vec<Choice>,
    pub(super) rows: Vec<Vec<Node>>,
    pub(super) unions: Vec<Union>,
    pub(super) casts: Vec<Cast>,
    pub(super) or_defaults: Vec<OrDefault>,
    /// Places of names: records of one name are the same struct.
    pub(super) identities: HashMap<String, u32>,
    pub(super) sites: u32,
    /// By the name of a struct, the first of its sites.
    pub(super) first_sites: HashMap<String, u32>,
    pub(super) bounded: bool,
    pub(super) hooks: bool,
}

/// A class that stands for a struct, and its attributes.
pub(super) struct Class {
    pub(super) class: *mut ffi::PyTypeObject,
    pub(super) layout: Layout,
    pub(super) names: Vec<Owned>,
    pub(super) after: Option<Owned>,
    pub(super) retracks: bool,
    pub(super) frozen: bool,
    pub(super) setter: bool,
}

/// A field as the wire has it. `slot`: its place among the class's attributes; None if only the writer has it.
pub(super) struct WireField {
    pub(super) name: String,
    pub(super) slot: Option<usize>,
    pub(super) node: Node,
    pub(super) absent: bool,
}

/// An entry of a description.
pub(super) fn entry<'py>(description: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    description.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("the description lacks {key}")))
}

impl<'py> Compiler<'py> {
    pub(super) fn py(&self) -> Python<'py> {
        self.anchors.py()
    }

    /// Keeps an object alive as long as the plan and returns its address.
    pub(super) fn anchor(&self, object: &Bound<'_, PyAny>) -> PyResult<*mut ffi::PyObject> {
        self.anchors.append(object)?;
        Ok(object.as_ptr())
    }

    fn place(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn site(&mut self) -> u32 {
        self.sites += 1;
        self.sites - 1
    }

    /// The node of a description: a word, then what it says of the type.
    pub(super) fn node(&mut self, description: &Bound<'_, PyAny>) -> PyResult<Node> {
        let parts = description.cast::<PyTuple>()?;
        let word: String = parts.get_item(0)?.extract()?;
        let part = |at: usize| parts.get_item(at);
        Ok(match word.as_str() {
            "enum" => Node::Enum(part(1)?.extract()?),
            "option" => {
                let item = self.node(&part(1)?)?;
                self.option(item)
            }
            "list" => {
                let item = self.node(&part(1)?)?;
                self.list(item, &part(2)?.extract::<String>()?, None)
            }
            "set" => {
                let item = self.node(&part(1)?)?;
                self.set(item, part(2)?.extract()?)
            }
            "map" => {
                let key = self.node(&part(1)?)?;
                let value = self.node(&part(2)?)?;
                self.map(key, value)
            }
            "tuple" => {
                let items = part(1)?;
                let row = items.try_iter()?.map(|item| self.node(&item?)).collect::<PyResult<_>>()?;
                self.tuple(row)
            }
            "record" => Node::Record(part(1)?.extract()?),
            "ref" => Node::Ref(part(1)?.extract()?),
            "cast" => {
                let node = self.node(&part(1)?)?;
                self.cast(node, parts)?
            }
            "union" => self.union(part(1)?.extract()?),
            word => {
                let form: String = part(1)?.extract()?;
                self.scalar(word, &form).ok_or_else(|| PyValueError::new_err(format!("{word} is not a node")))?
            }
        })
    }

    /// A type without parts; None for another word.
    pub(super) fn scalar(&mut self, word: &str, form: &str) -> Option<Node> {
        if let Some(kind) = kind(word) {
            return Some(Node::Number(kind));
        }
        Some(match word {
            "bool" => Node::Bool,
            "bigint" => Node::BigInt,
            "decimal" => Node::Decimal,
            "string" => Node::Text(self.site()),
            "bytes" => Node::Bytes(match form {
                "bytearray" => Blob::ByteArray,
                "memoryview" => Blob::View,
                _ => Blob::Bytes,
            }),
            "uuid" => Node::Uuid,
            "date" => Node::Date,
            "time" => Node::Time(form == "int"),
            "timestamp" => Node::Timestamp(form == "int"),
            "duration" => Node::Duration(form == "int"),
            "any" => {
                self.bounded = false;
                self.hooks = true;
                Node::Any(self.site())
            }
            _ => return None,
        })
    }

    pub(super) fn option(&mut self, item: Node) -> Node {
        Node::Option(self.place(item))
    }

    /// A list of any form. `wanted`: the numbers of an array, where the writer's are of another type.
    pub(super) fn list(&mut self, item: Node, form: &str, wanted: Option<Kind>) -> Node {
        self.bounded = false;
        let numbers = match item {
            Node::Number(kind) => Some((kind, wanted)),
            Node::Float(kind, float) => Some((kind, Some(float))),
            _ => None,
        };
        if let Some((kind, wanted)) = numbers {
            let form = match form {
                "list" => Form::List,
                "tuple" => Form::Tuple,
                "array" => Form::Array,
                "memoryview" => Form::View,
                _ => Form::Numpy,
            };
            return match wanted {
                Some(wanted) if wanted != kind => Node::Widened(kind, wanted, form),
                _ => Node::Numbers(kind, form),
            };
        }
        let item = self.place(item);
        if form == "tuple" {
            Node::Series(item)
        } else {
            Node::List(item)
        }
    }

    /// An option of the writer's in a field that has this default.
    pub(super) fn or_default(&mut self, item: Node, default: Default) -> Node {
        self.hooks |= default.factory;
        let item = self.place(item);
        self.or_defaults.push(OrDefault { item, default });
        Node::OrDefault(self.or_defaults.len() as u32 - 1)
    }

    pub(super) fn set(&mut self, item: Node, frozen: bool) -> Node {
        self.bounded = false;
        Node::Set(self.key(item), frozen)
    }

    pub(super) fn map(&mut self, key: Node, value: Node) -> Node {
        self.bounded = false;
        let key = self.key(key);
        Node::Map(key, self.place(value))
    }

    pub(super) fn tuple(&mut self, row: Vec<Node>) -> Node {
        self.rows.push(row);
        Node::Tuple(self.rows.len() as u32 - 1)
    }

    /// The node of `("cast", item, class, cells)`, or of `("cast", item, decode, cells, encode, class)`.
    pub(super) fn cast(&mut self, node: Node, parts: &Bound<'_, PyTuple>) -> PyResult<Node> {
        self.bounded = false;
        self.hooks = true;
        let class = self.anchor(&parts.get_item(2)?)?;
        let cells = parts.get_item(3)?.extract()?;
        let adapter = if parts.len() > 4 {
            let wanted = parts.get_item(5)?;
            let class = if wanted.is_none() { std::ptr::null_mut() } else { self.anchor(&wanted)? };
            Some(Adapter { encode: self.anchor(&parts.get_item(4)?)?, class })
        } else {
            None
        };
        self.casts.push(Cast { node, class, cells, adapter });
        Ok(Node::Cast(self.casts.len() as u32 - 1))
    }

    pub(super) fn union(&mut self, records: Vec<Option<u32>>) -> Node {
        self.unions.push(Union { records });
        Node::Union(self.unions.len() as u32 - 1)
    }

    /// A key. Hashing an enum's member or a UUID runs Python code.
    fn key(&mut self, node: Node) -> u32 {
        self.hooks |= matches!(node, Node::Enum(_) | Node::Uuid);
        self.place(node)
    }

    pub(super) fn choice(&mut self, description: &Bound<'_, PyAny>) -> PyResult<()> {
        let (class, members): (Bound<'_, PyType>, Vec<Option<Bound<'_, PyAny>>>) = description.extract()?;
        let class = self.anchor(&class)?.cast();
        let members = (members.iter())
            .map(|member| member.as_ref().map_or(Ok(std::ptr::null_mut()), |member| self.anchor(member)))
            .collect::<PyResult<Vec<_>>>()?;
        self.choices.push(Choice::new(class, members));
        Ok(())
    }

    pub(super) fn record(&mut self, description: &Bound<'_, PyAny>, recursive: &HashSet<&str>) -> PyResult<Record> {
        let class = self.class(description)?;
        let name: String = description.get_item("name")?.extract()?;
        let mut fields = Vec::new();
        // Classes of one name are one struct of the schema, with the same dedup slots.
        let next = self.sites;
        self.sites = *self.first_sites.entry(name.clone()).or_insert(next);
        for field in description.get_item("fields")?.try_iter()? {
            let (name, node, absent): (String, Bound<'_, PyAny>, bool) = field?.extract()?;
            fields.push(WireField { name, slot: Some(fields.len()), node: self.node(&node)?, absent });
        }
        self.sites = self.sites.max(next);
        let recursive = recursive.contains(name.as_str());
        self.finish(name, class, fields, Vec::new(), recursive)
    }

    /// The class of a record's description.
    pub(super) fn class(&mut self, description: &Bound<'_, PyAny>) -> PyResult<Class> {
        let part = |key: &str| description.get_item(key);
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
                // SAFETY: `records.py` returns "namedtuple" for subclasses of tuple only.
                "namedtuple" => unsafe { Layout::of_tuple(class, names.len()) },
                // SAFETY: class and names are alive, the GIL is held.
                _ => unsafe { Layout::of_class(class, &pointers, !setter, kind == "msgspec") },
            }
        };
        let after = part("after")?;
        // SAFETY: the GIL is held and the name alive.
        let after = (!after.is_none()).then(|| unsafe { Owned::borrow(after.as_ptr()) });
        let frozen = part("frozen")?.extract()?;
        Ok(Class { class, layout, names, after, retracks: kind == "msgspec", frozen, setter })
    }

    /// A record of a class whose fields come in the order of `wire`.
    pub(super) fn finish(
        &mut self,
        name: String,
        class: Class,
        wire: Vec<WireField>,
        defaults: Vec<Default>,
        recursive: bool,
    ) -> PyResult<Record> {
        let next = self.identities.len() as u32;
        let identity = *self.identities.entry(name).or_insert(next);
        let Class { class, layout, names, after, retracks, frozen, setter } = class;
        let mut steps = Vec::new();
        let mut fields = Vec::new();
        let mut flags = 0;
        for WireField { name, slot, node, absent } in wire {
            let offset = slot.map_or(0, |slot| layout.offsets[slot]);
            let attribute = slot.map_or(std::ptr::null_mut(), |slot| names[slot].as_ptr());
            let offset = u32::try_from(offset)?;
            let (hot, place) = Hot::of(node);
            steps.push(Step { hot, place, node, cells: 0, offset, flag: flags as u32, dropped: slot.is_none() });
            fields.push(Field { slot, attribute, name, absent });
            flags += usize::from(node.flagged());
        }
        let small = steps.len() <= SMALL;
        let few = if small { FEW } else { 1 };
        let room = Room::of(steps.len() * few);
        let placed = matches!(layout.store, Store::Slots | Store::Inline);
        let plain = |step: &Step| matches!(step.hot, Hot::Text | Hot::Int32 | Hot::Int64);
        let fast_rows = placed && !recursive && small && steps.iter().all(plain);
        let texts = steps.iter().take_while(|step| step.hot == Hot::Text).count();
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
            row_cells: 0,
            stand_in_cells: 0,
            fast_rows,
            identity,
            after,
            names,
            defaults,
            retracks,
            track: true,
            frozen,
            setter,
        })
    }
}

/// The kind of numbers that a word names.
pub(super) fn kind(word: &str) -> Option<Kind> {
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
