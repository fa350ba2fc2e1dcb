//! `decimal.Decimal` from and to an unscaled `int` and a scale.
//!
//! The module has no C API. A coefficient of at most 18 digits goes through text; a longer one through `int`,
//! which both directions convert exactly and without the interpreter's limit on digits of text. (`as_tuple` would make a
//! tuple of a class written in Python, and with it let other threads run.)

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::collector::Paused;
use crate::core::object::owned::Owned;
use crate::core::object::text::{chars, Chars};
use std::cell::UnsafeCell;
use std::ptr;

struct Known {
    class: *mut ffi::PyTypeObject,
    /// Whether the class is the one in C, whose methods run no Python code.
    native: bool,
    /// A context in which `scaleb` of any number of the format is exact.
    context: *mut ffi::PyObject,
    scaleb: *mut ffi::PyObject,
}

struct Static(UnsafeCell<Known>);
// SAFETY: written once by `prepare` before the first type is compiled, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static KNOWN: Static = Static(UnsafeCell::new(Known {
    class: ptr::null_mut(),
    native: false,
    context: ptr::null_mut(),
    scaleb: ptr::null_mut(),
}));

fn known() -> &'static Known {
    // SAFETY: see `Static`.
    unsafe { &*KNOWN.0.get() }
}

/// More digits than an unscaled value of the format can have (4,096 bytes are 9,864).
const DIGITS: i64 = 10_000;
/// Above every exponent that results from a 32-bit scale and those digits.
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
        let text = Owned::steal(ffi::PyObject_GetAttrString(class.as_ptr(), c"__str__".as_ptr()))?;
        *KNOWN.0.get() = Known {
            class: class.give().cast(),
            native: ffi::Py_TYPE(text.as_ptr()) == &raw mut ffi::PyWrapperDescr_Type,
            context: context.give(),
            scaleb: Owned::steal(ffi::PyUnicode_InternFromString(c"scaleb".as_ptr()))?.give(),
        };
    }
    Ok(())
}

/// Whether `object` is a `Decimal`: also of a subclass, or (`quick`) exactly, and one that can be split without Python
/// code.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is(object: *mut ffi::PyObject, quick: bool) -> bool {
    let known = known();
    // SAFETY: the GIL is held and the object alive.
    unsafe {
        if quick {
            known.native && ffi::Py_TYPE(object) == known.class
        } else {
            ffi::PyObject_TypeCheck(object, known.class) != 0
        }
    }
}

/// A finite number's unscaled value and scale.
pub enum Parts {
    Short(i64, i64),
    Long(Owned, i64),
    /// Not a number, or infinite.
    NotFinite,
}

/// Digits of a coefficient that fit 64 bits.
const FEW: i64 = 18;

/// The parsed text of a finite number.
struct Written {
    /// The coefficient, if it has no more than `FEW` digits.
    unscaled: i64,
    digits: i64,
    scale: i64,
}

impl Written {
    /// Reads `-12.50E+3` and the like; None if it is not a number, or not finite.
    fn of(text: &[u8]) -> Option<Written> {
        let (sign, text) = text.strip_prefix(b"-").map_or((1, text), |text| (-1, text));
        text.first().filter(|first| first.is_ascii_digit())?;
        let mut written = Written { unscaled: 0, digits: 0, scale: 0 };
        let mut after_point = 0;
        for (i, &character) in text.iter().enumerate() {
            match character {
                b'0'..=b'9' => {
                    // Leading zeros do not count as digits of the coefficient.
                    written.digits += i64::from(written.digits > 0 || character > b'0');
                    written.scale += after_point;
                    if written.digits <= FEW {
                        written.unscaled = written.unscaled * 10 + sign * i64::from(character - b'0');
                    }
                }
                b'.' => after_point = 1,
                _ => {
                    let exponent: i64 = std::str::from_utf8(&text[i + 1..]).ok()?.parse().ok()?;
                    written.scale -= exponent;
                    break;
                }
            }
        }
        Some(written)
    }
}

/// `object.scaleb(by)`, which must be exact.
unsafe fn moved(object: *mut ffi::PyObject, by: i64) -> Result<Owned, Fault> {
    let known = known();
    // SAFETY: the GIL is held and the object alive; the list of arguments ends with null.
    unsafe {
        let by = Owned::steal(ffi::PyLong_FromLongLong(by))?;
        let end = ptr::null_mut::<ffi::PyObject>();
        let (name, context) = (known.scaleb, known.context);
        Owned::steal(ffi::PyObject_CallMethodObjArgs(object, name, by.as_ptr(), context, end))
    }
}

/// Splits a `Decimal` into its parts.
///
/// # Safety
/// `object` must be a `Decimal`; the GIL must be held.
pub unsafe fn parts(object: *mut ffi::PyObject) -> Result<Parts, Fault> {
    // SAFETY: the class has a text form, which inheriting classes cannot change here.
    unsafe {
        // Neither a thread's first context nor a tuple of arguments may start a collection, which runs Python code.
        let _held_off = Paused::new();
        let Some(form) = (*known().class).tp_str else { return Err(Fault) };
        let text = Owned::steal(form(object))?;
        let written = match chars(text.as_ptr()) {
            Chars::Latin1(text) => Written::of(text),
            _ => None,
        };
        let Some(Written { unscaled, digits, scale }) = written else { return Ok(Parts::NotFinite) };
        // A scale that the format cannot hold is refused for every coefficient; `scaleb` might refuse it, too.
        if digits <= FEW || i32::try_from(scale).is_err() {
            return Ok(Parts::Short(unscaled, scale));
        }
        if digits > DIGITS {
            // Longer than the format allows: the exact value does not matter.
            let one = Owned::steal(ffi::PyLong_FromLong(1))?;
            let shift = Owned::steal(ffi::PyLong_FromLong(8 * 4100))?;
            return Ok(Parts::Long(Owned::steal(ffi::PyNumber_Lshift(one.as_ptr(), shift.as_ptr()))?, 0));
        }
        let whole = moved(object, scale)?;
        Ok(Parts::Long(Owned::steal(ffi::PyNumber_Long(whole.as_ptr()))?, scale))
    }
}

/// A new `Decimal`: `unscaled` × 10^−`scale`.
///
/// # Safety
/// `unscaled` must be an `int`; the GIL must be held.
pub unsafe fn make(unscaled: &Owned, scale: i32) -> Result<Owned, Fault> {
    // SAFETY: the GIL is held and the object alive.
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
        moved(whole.as_ptr(), -i64::from(scale))
    }
}
