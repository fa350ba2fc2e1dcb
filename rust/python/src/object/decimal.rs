//! `decimal.Decimal` from and to an unscaled `int` and a scale.
//!
//! The module has no interface in C. A coefficient of at most 18 digits goes through text; a longer one through `int`,
//! which both directions convert exactly and without the interpreter's limit on digits of text.

use crate::fault::Fault;
use crate::object::owned::Owned;
use pyo3::ffi;
use std::cell::UnsafeCell;
use std::ptr;

struct Known {
    class: *mut ffi::PyTypeObject,
    /// A context in which moving the point of any number of the format is exact.
    context: *mut ffi::PyObject,
    as_tuple: *mut ffi::PyObject,
    scaleb: *mut ffi::PyObject,
}

struct Static(UnsafeCell<Known>);
// SAFETY: written once by `prepare` during the module's import, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static KNOWN: Static = Static(UnsafeCell::new(Known {
    class: ptr::null_mut(),
    context: ptr::null_mut(),
    as_tuple: ptr::null_mut(),
    scaleb: ptr::null_mut(),
}));

fn known() -> &'static Known {
    // SAFETY: see `Static`.
    unsafe { &*KNOWN.0.get() }
}

/// More digits than an unscaled value of the format can have (4,096 bytes are 9,864).
const DIGITS: i64 = 10_000;
/// Beyond every exponent that a 32-bit scale and those digits can lead to.
const EXPONENT: i64 = 4_000_000_000;

/// Finds the class and makes the context. Both are kept for good.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: names are C strings; all references are owned and given away at the end.
    unsafe {
        let module = Owned::steal(ffi::PyImport_ImportModule(c"decimal".as_ptr()))?;
        let class = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), c"Decimal".as_ptr()))?;
        let maker = Owned::steal(ffi::PyObject_GetAttrString(module.as_ptr(), c"Context".as_ptr()))?;
        let options = Owned::steal(ffi::PyDict_New())?;
        for (name, value) in [(c"prec", DIGITS), (c"Emin", -EXPONENT), (c"Emax", EXPONENT)] {
            let value = Owned::steal(ffi::PyLong_FromLongLong(value))?;
            if ffi::PyDict_SetItemString(options.as_ptr(), name.as_ptr(), value.as_ptr()) < 0 {
                return Err(Fault);
            }
        }
        let nothing = Owned::steal(ffi::PyTuple_New(0))?;
        let context = Owned::steal(ffi::PyObject_Call(maker.as_ptr(), nothing.as_ptr(), options.as_ptr()))?;
        *KNOWN.0.get() = Known {
            class: class.give().cast(),
            context: context.give(),
            as_tuple: Owned::steal(ffi::PyUnicode_InternFromString(c"as_tuple".as_ptr()))?.give(),
            scaleb: Owned::steal(ffi::PyUnicode_InternFromString(c"scaleb".as_ptr()))?.give(),
        };
    }
    Ok(())
}

/// Whether `object` is a `Decimal`, exactly or (not `exact`) by inheritance.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is(object: *mut ffi::PyObject, exact: bool) -> bool {
    // SAFETY: the caller's.
    unsafe { ffi::Py_TYPE(object) == known().class || !exact && ffi::PyObject_TypeCheck(object, known().class) != 0 }
}

/// A finite number's unscaled value and scale.
pub enum Parts {
    Short(i64, i64),
    Long(Owned, i64),
    /// Not a number, or infinite.
    NotFinite,
}

unsafe fn call(object: *mut ffi::PyObject, name: *mut ffi::PyObject, first: *mut ffi::PyObject) -> *mut ffi::PyObject {
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: the caller's; the list of arguments ends with null.
    unsafe {
        if first.is_null() {
            ffi::PyObject_CallMethodObjArgs(object, name, end)
        } else {
            ffi::PyObject_CallMethodObjArgs(object, name, first, known().context, end)
        }
    }
}

/// Takes a `Decimal` apart.
///
/// # Safety
/// `object` must be a `Decimal`; the GIL must be held.
pub unsafe fn parts(object: *mut ffi::PyObject) -> Result<Parts, Fault> {
    // SAFETY: `as_tuple` answers (sign, digits, exponent); types are checked where the module decides them.
    unsafe {
        let tuple = Owned::steal(call(object, known().as_tuple, ptr::null_mut()))?;
        let part = |i| ffi::PyTuple_GET_ITEM(tuple.as_ptr(), i);
        if ffi::PyLong_Check(part(2)) == 0 {
            return Ok(Parts::NotFinite);
        }
        let exponent = ffi::PyLong_AsLongLong(part(2));
        let digits = part(1);
        let count = ffi::PyTuple_GET_SIZE(digits);
        if count <= 18 {
            let mut unscaled = 0;
            for i in 0..count {
                unscaled = unscaled * 10 + ffi::PyLong_AsLongLong(ffi::PyTuple_GET_ITEM(digits, i));
            }
            let negative = ffi::PyLong_AsLongLong(part(0)) == 1;
            return Ok(Parts::Short(if negative { -unscaled } else { unscaled }, -exponent));
        }
        if count as i64 > DIGITS {
            // Longer than the format allows, whatever it is exactly.
            let one = Owned::steal(ffi::PyLong_FromLong(1))?;
            let shift = Owned::steal(ffi::PyLong_FromLong(8 * 4100))?;
            return Ok(Parts::Long(Owned::steal(ffi::PyNumber_Lshift(one.as_ptr(), shift.as_ptr()))?, 0));
        }
        let shift = Owned::steal(ffi::PyLong_FromLongLong(-exponent))?;
        let whole = Owned::steal(call(object, known().scaleb, shift.as_ptr()))?;
        Ok(Parts::Long(Owned::steal(ffi::PyNumber_Long(whole.as_ptr()))?, -exponent))
    }
}

/// A new `Decimal`: `unscaled` × 10^−`scale`.
///
/// # Safety
/// `unscaled` must be an `int`; the GIL must be held.
pub unsafe fn make(unscaled: &Owned, scale: i32) -> Result<Owned, Fault> {
    // SAFETY: the caller's.
    unsafe {
        let known = known();
        let end = ptr::null_mut::<ffi::PyObject>();
        let class = known.class.cast();
        if let Some(short) = super::number::short_int(unscaled.as_ptr()) {
            let text = format!("{short}E{}", -i64::from(scale));
            let text = Owned::steal(ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize))?;
            return Owned::steal(ffi::PyObject_CallFunctionObjArgs(class, text.as_ptr(), end));
        }
        let whole = Owned::steal(ffi::PyObject_CallFunctionObjArgs(class, unscaled.as_ptr(), end))?;
        let shift = Owned::steal(ffi::PyLong_FromLongLong(-i64::from(scale)))?;
        Owned::steal(call(whole.as_ptr(), known.scaleb, shift.as_ptr()))
    }
}
