//! Lists of numbers, as Python's numbers or as arrays.

use super::{Decoder, Made};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::buffer::{letter, make_array};
use crate::core::object::number::{make_float, make_i64, make_u64, widen};
use crate::core::object::owned::Owned;
use crate::pack::plan::{row_cost, Form, Kind};
use samewire_pack::wire::Number;
use std::borrow::Cow;
use std::ptr;

/// Rows below this have no mode byte: their numbers are written one by one.
const SINGLES: usize = 16;

/// A number and the Python object that holds it.
pub(super) trait Native: Number {
    /// # Safety
    /// The GIL must be held.
    unsafe fn object(self) -> Made;
}

macro_rules! native {
    ($($type:ident $make:ident $convert:expr),*) => {$(
        impl Native for $type {
            #[inline(always)]
            unsafe fn object(self) -> Made {
                // SAFETY: the GIL is held and the source alive.
                unsafe { $make($convert(self)) }
            }
        }
    )*};
}

native!(i8 make_i64 i64::from, i16 make_i64 i64::from, i32 make_i64 i64::from, i64 make_i64 i64::from,
    u8 make_i64 i64::from, u16 make_i64 i64::from, u32 make_i64 i64::from, u64 make_u64 u64::from,
    f32 make_float widen, f64 make_float f64::from);

macro_rules! by_kind {
    ($kind:expr, $type:ident => $do:expr) => {
        match $kind {
            Kind::I8 => {
                type $type = i8;
                $do
            }
            Kind::I16 => {
                type $type = i16;
                $do
            }
            Kind::I32 => {
                type $type = i32;
                $do
            }
            Kind::I64 => {
                type $type = i64;
                $do
            }
            Kind::U8 => {
                type $type = u8;
                $do
            }
            Kind::U16 => {
                type $type = u16;
                $do
            }
            Kind::U32 => {
                type $type = u32;
                $do
            }
            Kind::U64 => {
                type $type = u64;
                $do
            }
            Kind::F32 => {
                type $type = f32;
                $do
            }
            Kind::F64 => {
                type $type = f64;
                $do
            }
        }
    };
}

impl Decoder<'_, '_> {
    /// A row of numbers as objects; `put` takes ownership of each.
    #[inline(always)]
    pub(super) unsafe fn number_row(
        &mut self,
        kind: Kind,
        count: usize,
        mut put: impl FnMut(&mut Self, usize, Owned) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        by_kind!(kind, T => {
            if !T::RAW && count < SINGLES {
                for i in 0..count {
                    // SAFETY: callers hold the GIL, for which this function is unsafe.
                    let made = unsafe { self.r.number::<T>()?.object() };
                    let item = self.made(made)?;
                    put(self, i, item)?;
                }
                return Ok(());
            }
            for (i, number) in self.r.view::<T>(count)?.iter().enumerate() {
                // SAFETY: callers hold the GIL, for which this function is unsafe.
                let made = unsafe { number.object() };
                let item = self.made(made)?;
                put(self, i, item)?;
            }
            Ok(())
        })
    }

    /// A list of numbers in its declared class.
    #[inline(never)]
    pub(super) unsafe fn numbers(&mut self, kind: Kind, form: Form) -> Made {
        self.overhead(form.overhead())?;
        let count = self.r.count(row_cost(kind), 1)?;
        // SAFETY: the GIL is held; items are null until each is set.
        unsafe {
            match form {
                Form::List => {
                    let made = Owned::steal(ffi::PyList_New(count as isize));
                    let list = self.made(made)?;
                    let items = (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item;
                    self.number_row(kind, count, |_, i, item| {
                        *items.add(i) = item.give();
                        Ok(())
                    })?;
                    Ok(list)
                }
                Form::Tuple => {
                    let made = Owned::steal(ffi::PyTuple_New(count as isize));
                    let tuple = self.made(made)?;
                    let items = (*tuple.as_ptr().cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr();
                    self.number_row(kind, count, |_, i, item| {
                        *items.add(i) = item.give();
                        Ok(())
                    })?;
                    Ok(tuple)
                }
                _ => by_kind!(kind, T => {
                    let numbers = self.r.view::<T>(count)?;
                    let made = self.array(kind, form, numbers);
                    self.made(made)
                }),
            }
        }
    }

    /// Numbers of a wider kind than the writer's, converted by way of Python's numbers.
    #[inline(never)]
    pub(super) unsafe fn widened(&mut self, kind: Kind, wanted: Kind, form: Form) -> Made {
        self.overhead(form.overhead())?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let list = match wanted {
                Kind::F32 | Kind::F64 if kind != Kind::F32 => self.floats(kind, wanted)?,
                _ => self.numbers(kind, Form::List)?,
            };
            self.widened_to(&list, wanted, form)
        }
    }

    /// Converts a list of numbers to its declared class; arrays have that kind.
    pub(super) unsafe fn widened_to(&mut self, list: &Owned, wanted: Kind, form: Form) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe {
            match form {
                Form::List => return Ok(list.again()),
                Form::Tuple => Owned::steal(ffi::PyList_AsTuple(list.as_ptr())),
                _ => widen_array(list, wanted, form),
            }
        };
        self.made(made)
    }

    /// An array with a copy of the numbers, or a view of them in the message.
    pub(super) unsafe fn array<T: Number>(&mut self, kind: Kind, form: Form, numbers: Cow<'_, [T]>) -> Made {
        // SAFETY: numbers are plain memory in the machine's order, which is what arrays and views take.
        unsafe {
            let bytes = std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(&*numbers));
            match form {
                Form::View => {
                    let plain = if matches!(numbers, Cow::Borrowed(_)) {
                        self.view(bytes)?
                    } else {
                        let copy = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize);
                        let copy = Owned::steal(copy)?;
                        Owned::steal(ffi::PyMemoryView_FromObject(copy.as_ptr()))?
                    };
                    call(plain.as_ptr(), c"cast", &[&Owned::steal(ffi::PyUnicode_FromString(letter(kind).as_ptr()))?])
                }
                Form::Numpy => {
                    let numpy = Owned::steal(ffi::PyImport_ImportModule(c"numpy".as_ptr()))?;
                    let copy = ffi::PyByteArray_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize);
                    let letter = Owned::steal(ffi::PyUnicode_FromString(letter(kind).as_ptr()))?;
                    call(numpy.as_ptr(), c"frombuffer", &[&Owned::steal(copy)?, &letter])
                }
                _ => make_array(kind, bytes),
            }
        }
    }
}

unsafe fn widen_array(list: &Owned, kind: Kind, form: Form) -> Made {
    // SAFETY: the GIL is held and the source alive.
    unsafe {
        let letter = Owned::steal(ffi::PyUnicode_FromString(letter(kind).as_ptr()))?;
        if form == Form::Numpy {
            let numpy = Owned::steal(ffi::PyImport_ImportModule(c"numpy".as_ptr()))?;
            return call(numpy.as_ptr(), c"array", &[list, &letter]);
        }
        let module = Owned::steal(ffi::PyImport_ImportModule(c"array".as_ptr()))?;
        let array = call(module.as_ptr(), c"array", &[&letter, list])?;
        if form == Form::View {
            return Owned::steal(ffi::PyMemoryView_FromObject(array.as_ptr()));
        }
        Ok(array)
    }
}

unsafe fn call(object: *mut ffi::PyObject, name: &std::ffi::CStr, arguments: &[&Owned]) -> Made {
    // SAFETY: the GIL is held and the source and the arguments alive.
    unsafe {
        let method = Owned::steal(ffi::PyObject_GetAttrString(object, name.as_ptr()))?;
        let arguments: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let (first, count) = (arguments.as_ptr(), arguments.len());
        Owned::steal(ffi::PyObject_Vectorcall(method.as_ptr(), first, count, ptr::null_mut()))
    }
}
