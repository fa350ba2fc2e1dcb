//! The native part of `samewire.pack.Schema` (`spec/pack.md` sections 2, 3 and 13).

use crate::core::fault::raise;
use crate::core::frame::lent;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyModule, PySlice, PyString, PyTuple};
use samewire_pack::aliases::adopt;
use samewire_pack::resolve::ResolutionPlan;
use samewire_pack::schema::{self, Type, TypeId};
use samewire_pack::wire::header;
use std::sync::Arc;

/// A checked schema, shared between a codec and the users of its schema.
#[pyclass(frozen, module = "samewire._native")]
pub struct Schema(pub Arc<schema::Schema>);

#[pymethods]
impl Schema {
    /// Reads schema text. Raises SamewireError as `samewire.pack.Schema.parse` documents.
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        parse(text).map(Schema)
    }

    /// The canonical text.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The canonical text with the annotations of a reader's type.
    #[getter]
    fn annotated(&self) -> String {
        self.0.annotated()
    }

    /// This schema in a reader's names where that has aliases. The text and the digest are this schema's.
    #[pyo3(signature = (reader, /))]
    fn adopted(&self, reader: &Schema) -> Schema {
        let mut writer = schema::Schema::clone(&self.0);
        adopt(&mut writer, &reader.0);
        Schema(Arc::new(writer))
    }

    /// Why a reader of this schema cannot read what `writer` wrote, as path and text; None if the pair resolves.
    #[pyo3(signature = (writer, /))]
    fn mismatch(&self, writer: &Schema) -> Option<(String, String)> {
        let refused = ResolutionPlan::new(schema::Schema::clone(&writer.0), &self.0).err()?;
        Some((refused.path.clone(), refused.to_string()))
    }

    /// Eight bytes: 64-bit FNV-1a of the canonical text, big-endian.
    #[getter]
    fn digest(&self) -> [u8; 8] {
        self.0.digest().to_be_bytes()
    }

    /// The first difference to `other`: the path, and the types there on each side; None if the texts are equal.
    #[pyo3(signature = (other, /))]
    fn difference(&self, other: &Schema) -> Option<(String, String, String)> {
        self.0.difference(&other.0).map(|found| (found.path, found.here, found.there))
    }

    /// The root node, and every struct and enum by name in order of first occurrence. `classes` is the module of the
    /// nodes' classes, `samewire.pack.type`.
    #[pyo3(signature = (classes, /))]
    fn tree<'py>(&self, classes: &Bound<'py, PyModule>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
        let tree = Tree { schema: &self.0, classes, definitions: PyDict::new(classes.py()) };
        let root = tree.node(self.0.root())?;
        Ok((root, tree.definitions))
    }
}

/// Returns the digest of the schema that a message was written with, eight bytes, or None if the message carries none:
/// what `Schema.digest` is for that schema. Only the message's first nine bytes are looked at.
///
/// Raises SamewireError `truncated` for a message that ends before the digest does, `unsupported` for one of another
/// version.
#[pyfunction]
#[pyo3(signature = (message, /))]
pub fn digest_of<'py>(message: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let digest = match message.cast::<PyBytes>() {
        Ok(bytes) => samewire_pack::digest_of(bytes.as_bytes()),
        Err(_) => {
            // Only the first bytes are copied.
            let head = PySlice::new(message.py(), 0, header::DIGEST_END as isize, 1);
            samewire_pack::digest_of(&lent(&PyMemoryView::from(message)?.get_item(head)?)?)
        }
    };
    Ok(digest.map_err(raise)?.map(|digest| PyBytes::new(message.py(), &digest)))
}

/// The schema of a text. Raises SamewireError with an offset in bytes, where a lone surrogate counts three.
pub fn parse(text: &Bound<'_, PyString>) -> PyResult<Arc<schema::Schema>> {
    let parsed = match text.to_str() {
        Ok(text) => schema::Schema::parse(text),
        Err(_) => {
            let mut bytes: Vec<u8> = text.call_method1("encode", ("utf-8", "surrogatepass"))?.extract()?;
            // A raw control character is refused wherever a lone surrogate is, and at the same offset (section 2).
            for at in 0..bytes.len().saturating_sub(2) {
                if bytes[at] == 0xED && bytes[at + 1] >= 0xA0 {
                    bytes[at..at + 3].fill(1);
                }
            }
            schema::Schema::parse(&String::from_utf8_lossy(&bytes))
        }
    };
    parsed.map(Arc::new).map_err(raise)
}

/// Makes a schema's nodes. A struct or enum is defined where it first occurs, and named thereafter.
struct Tree<'a, 'py> {
    schema: &'a schema::Schema,
    classes: &'a Bound<'py, PyModule>,
    definitions: Bound<'py, PyDict>,
}

impl<'py> Tree<'_, 'py> {
    fn make(&self, class: &str, parts: impl pyo3::call::PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.classes.getattr(class)?.call1(parts)
    }

    fn node(&self, id: TypeId) -> PyResult<Bound<'py, PyAny>> {
        match self.schema.ty(id) {
            Type::Option(item) => self.make("Option", (self.node(*item)?,)),
            Type::List(item) => self.make("List", (self.node(*item)?,)),
            Type::Set(item) => self.make("Set", (self.node(*item)?,)),
            Type::Map(key, value) => {
                let key = self.node(*key)?;
                self.make("Map", (key, self.node(*value)?))
            }
            Type::Tuple(items) => self.make("Tuple", (self.all(items, |id| self.node(*id))?,)),
            Type::Union(members) => {
                let fallback = members.fallback.map(|place| &self.schema.structs()[members.structs[place]].name);
                self.make("Union", (self.all(&members.structs, |index| self.structure(*index))?, fallback))
            }
            Type::Ref(index) => self.make("Ref", (self.structure(*index)?,)),
            Type::Struct(index) => self.structure(*index),
            Type::Enum(index) => {
                let made = &self.schema.enums()[*index];
                let symbols = || Ok(PyTuple::new(self.classes.py(), &made.symbols)?.into_any());
                let fallback = made.fallback.map(|place| &made.symbols[place]);
                self.define(&made.name, "Enum", (&made.aliases, fallback), symbols)
            }
            scalar => self.make("Scalar", (scalar.word(),)),
        }
    }

    fn structure(&self, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let made = &self.schema.structs()[index];
        self.define(&made.name, "Struct", (&made.aliases, None), || {
            let fields = self.all(&made.fields, |field| {
                let aliases = PyTuple::new(self.classes.py(), &field.aliases)?;
                self.make("Field", (&field.name, self.node(field.ty)?, field.defaulted, aliases))
            });
            Ok(fields?.into_any())
        })
    }

    fn all<T>(&self, items: &[T], make: impl Fn(&T) -> PyResult<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyTuple>> {
        let made = items.iter().map(make).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(self.classes.py(), made)
    }

    fn define(
        &self,
        name: &str,
        class: &str,
        (aliases, fallback): (&[String], Option<&String>),
        parts: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.definitions.contains(name)? {
            return self.make("Named", (name,));
        }
        // Added to the order before its parts.
        self.definitions.set_item(name, ())?;
        let aliases = PyTuple::new(self.classes.py(), aliases)?;
        let parts = parts()?;
        let made = match fallback {
            Some(symbol) => self.make(class, (name, parts, aliases, symbol))?,
            None => self.make(class, (name, parts, aliases))?,
        };
        self.definitions.set_item(name, &made)?;
        Ok(made)
    }
}
