//! `any`: a tag, and a value of its kind.

use super::Decoder;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::{make_float, make_i64, widen};
use crate::core::object::owned::Owned;
use samewire_bridge::{booleans, interfaces, peer, schema, tag, Scalar, Sequence};

impl Decoder<'_, '_, '_> {
    /// Reads a tag and its value.
    ///
    /// # Safety
    /// The GIL must be held.
    pub(super) unsafe fn any(&mut self) -> Result<Owned, Fault> {
        let at = self.reader.at();
        // SAFETY: the GIL is held, as this function asks.
        unsafe {
            match self.reader.u8()? {
                tag::NULL => Ok(Owned::borrow(ffi::Py_None())),
                tag::FALSE => Ok(Owned::borrow(ffi::Py_False())),
                tag::TRUE => Ok(Owned::borrow(ffi::Py_True())),
                tag::I32 => make_i64(i64::from(self.reader.i32()?)),
                tag::I64 => make_i64(self.reader.i64()?),
                tag::F64 => make_float(self.reader.f64()?),
                tag::F32 => make_float(widen(self.reader.f32()?)),
                tag::STRING => self.text(),
                tag::CHAR => self.scalar(Scalar::Char),
                tag::BYTES => {
                    let bytes = self.reader.bytes()?;
                    Owned::steal(ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize))
                }
                tag::OBJECT => self.reference(),
                tag::LIST => self.container(at, Sequence::List),
                tag::TUPLE => self.container(at, Sequence::Tuple),
                tag::SET => self.container(at, Sequence::Set),
                tag::MAP => self.map(at),
                tag::PACK => {
                    let schema = schema(&mut self.reader)?;
                    let payload = self.reader.bytes()?;
                    self.read_message(&schema, payload)
                }
                tag::PEER => {
                    interfaces(&mut self.reader)?;
                    peer(&mut self.reader)?;
                    Err(self.reader.malformed(at, "expected no object of Java's that implements interfaces for Java"))
                }
                tag => match tag::list_of(tag).or_else(|| tag::array_of(tag)) {
                    Some(of) => self.numbers(of),
                    None => Err(self.reader.malformed(at, "expected a tag of `any`")),
                },
            }
        }
    }

    /// Reads the message's numbers as a list.
    unsafe fn numbers(&mut self, of: Scalar) -> Result<Owned, Fault> {
        let bytes = self.reader.inline(of.width())?;
        if of == Scalar::Bool {
            booleans(&mut self.reader, bytes)?;
        }
        // SAFETY: the GIL is held; see `list` for the items.
        unsafe {
            let list = Owned::steal(ffi::PyList_New((bytes.len() / of.width()) as isize))?;
            macro_rules! items {
                ($type:ty, $value:ident => $make:expr) => {
                    for (index, bytes) in bytes.chunks_exact(size_of::<$type>()).enumerate() {
                        let mut raw = [0; size_of::<$type>()];
                        raw.copy_from_slice(bytes);
                        let $value = <$type>::from_le_bytes(raw);
                        ffi::PyList_SET_ITEM(list.as_ptr(), index as isize, $make?.give());
                    }
                };
            }
            match of {
                Scalar::Bool => {
                    items!(u8, value => Ok::<_, Fault>(Owned::borrow(if value == 1 { ffi::Py_True() } else { ffi::Py_False() })));
                }
                Scalar::I8 => items!(i8, value => make_i64(i64::from(value))),
                Scalar::I16 => items!(i16, value => make_i64(i64::from(value))),
                Scalar::I32 => items!(i32, value => make_i64(i64::from(value))),
                Scalar::I64 => items!(i64, value => make_i64(value)),
                Scalar::F32 => items!(f32, value => make_float(widen(value))),
                Scalar::F64 => items!(f64, value => make_float(value)),
                Scalar::Char => items!(u16, value => Owned::steal(ffi::PyUnicode_FromOrdinal(i32::from(value)))),
            }
            Ok(list)
        }
    }

    /// Reads an element of a set or a key of a map: lists become tuples, sets frozen ones, dicts tuples of their entries.
    ///
    /// # Safety
    /// The GIL must be held.
    pub(super) unsafe fn hashable(&mut self) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, as this function asks.
        unsafe { frozen(self.any()?) }
    }
}

unsafe fn frozen(value: Owned) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held; the containers were just made, and nobody else has them. Their depth is limits.depth at most.
    unsafe {
        let class = ffi::Py_TYPE(value.as_ptr());
        if class == &raw mut ffi::PyList_Type || class == &raw mut ffi::PyTuple_Type {
            let items = Owned::steal(ffi::PySequence_Tuple(value.as_ptr()))?;
            let count = ffi::PyTuple_GET_SIZE(items.as_ptr());
            let tuple = Owned::steal(ffi::PyTuple_New(count))?;
            for index in 0..count {
                let item = Owned::borrow(ffi::PyTuple_GET_ITEM(items.as_ptr(), index));
                ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index, frozen(item)?.give());
            }
            return Ok(tuple);
        }
        if class == &raw mut ffi::PySet_Type {
            return Owned::steal(ffi::PyFrozenSet_New(value.as_ptr()));
        }
        if class == &raw mut ffi::PyDict_Type {
            let entries = Owned::steal(ffi::PyDict_Items(value.as_ptr()))?;
            return frozen(entries);
        }
        Ok(value)
    }
}
