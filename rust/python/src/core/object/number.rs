//! `int` and `float`: read and made without a call if the layout is known.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use crate::core::object::KNOWN_LAYOUTS;
use std::cell::UnsafeCell;
use std::ptr;

/// The range of integers for which CPython has a cached object each.
const SMALLEST: i64 = -5;
const SMALL: usize = 262;

struct Static(UnsafeCell<[*mut ffi::PyObject; SMALL]>);
// SAFETY: written once by `prepare` during the module's import, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static SMALL_INTS: Static = Static(UnsafeCell::new([ptr::null_mut(); SMALL]));

/// Collects the small integers, which are never freed.
///
/// # Safety
/// As `text::prepare`.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: nobody reads the table yet.
    unsafe {
        for (value, place) in (SMALLEST..).zip(&mut *SMALL_INTS.0.get()) {
            *place = Owned::steal(ffi::PyLong_FromLongLong(value))?.give();
        }
    }
    Ok(())
}

/// CPython's object for a small integer.
#[inline(always)]
fn small(value: i64) -> Option<*mut ffi::PyObject> {
    // SAFETY: see `Static`.
    let table = unsafe { &*SMALL_INTS.0.get() };
    table.get(value.wrapping_sub(SMALLEST) as usize).copied()
}

/// The value of an `int` of at most two digits (60 bits); None for a longer one, and for every one if the layout is not
/// known.
///
/// # Safety
/// `object` must be an `int`.
#[inline(always)]
pub unsafe fn short_int(object: *mut ffi::PyObject) -> Option<i64> {
    if !KNOWN_LAYOUTS {
        return None;
    }
    // SAFETY: an int has a word after its head and then its digits of 30 bits: in 3.11 the word is their number, negative
    // for a negative int; later it is their number in the high bits and the sign in the two lowest (0, 1 for zero, 2).
    unsafe {
        let word = *object.cast::<isize>().add(2);
        let digits = object.cast::<u8>().add(24).cast::<u32>();
        #[cfg(not(Py_3_12))]
        if (word + 1) as usize <= 2 {
            // A zero has a digit, too, of any value: the word is 0.
            return Some(word as i64 * i64::from(*digits));
        }
        #[cfg(not(Py_3_12))]
        let (count, sign) = (word.unsigned_abs(), word.signum() as i64);
        #[cfg(Py_3_12)]
        let (count, sign) = ((word as usize) >> 3, 1 - (word as i64 & 3));
        match count {
            0 | 1 => Some((count as i64) * sign * i64::from(*digits)),
            2 => Some(sign * (i64::from(*digits) | i64::from(*digits.add(1)) << 30)),
            _ => None,
        }
    }
}

/// The word after the head of an `int` of one digit.
#[inline(always)]
fn one_digit(negative: bool) -> isize {
    match (cfg!(Py_3_12), negative) {
        (false, false) => 1,
        (false, true) => -1,
        (true, false) => 1 << 3,
        (true, true) => 1 << 3 | 2,
    }
}

/// The value of an `int` that fits an `i64`.
///
/// # Safety
/// `object` must be an `int`; the GIL must be held.
#[inline(always)]
pub unsafe fn int_i64(object: *mut ffi::PyObject) -> Option<i64> {
    // SAFETY: `object` is an `int`; the GIL is held, as this function asks.
    unsafe { short_int(object).or_else(|| long_i64(object)) }
}

#[cold]
unsafe fn long_i64(object: *mut ffi::PyObject) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: `object` is an int, for which this call cannot fail but by overflow.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow) };
    (overflow == 0).then_some(value)
}

/// The value of an `int` that fits a `u64`.
///
/// # Safety
/// `object` must be an `int`; the GIL must be held.
#[inline(always)]
pub unsafe fn int_u64(object: *mut ffi::PyObject) -> Option<u64> {
    // SAFETY: `object` is an `int`; the GIL is held, as this function asks.
    unsafe {
        match short_int(object) {
            Some(value) => u64::try_from(value).ok(),
            None => long_u64(object),
        }
    }
}

#[cold]
unsafe fn long_u64(object: *mut ffi::PyObject) -> Option<u64> {
    // SAFETY: `object` is an int; an overflow is raised and taken back.
    unsafe {
        let value = ffi::PyLong_AsUnsignedLongLong(object);
        if value == u64::MAX && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(value)
    }
}

/// An `int`: CPython's cached object for a small one, else a new one. If the layout is known, an `int` of one digit is
/// written here, which is faster than CPython's constructor.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
pub unsafe fn make_i64(value: i64) -> Result<Owned, Fault> {
    // SAFETY: an int is a reference count, its type, its size with its sign, and a digit of 30 bits: in 32 bytes from
    // the object allocator, to which its deallocator gives them back. `int` is a static type and is not counted by
    // its instances.
    unsafe {
        if let Some(small) = small(value) {
            return Ok(Owned::borrow(small));
        }
        if KNOWN_LAYOUTS && value.unsigned_abs() < 1 << 30 {
            let object = ffi::PyObject_Malloc(32).cast::<ffi::PyObject>();
            if object.is_null() {
                ffi::PyErr_NoMemory();
                return Err(Fault);
            }
            *object.cast::<isize>() = 1;
            *object.cast::<*mut ffi::PyTypeObject>().add(1) = &raw mut ffi::PyLong_Type;
            *object.cast::<isize>().add(2) = one_digit(value < 0);
            *object.cast::<u32>().add(6) = value.unsigned_abs() as u32;
            return Owned::steal(object);
        }
        Owned::steal(ffi::PyLong_FromLongLong(value))
    }
}

/// A new `int`.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
pub unsafe fn make_u64(value: u64) -> Result<Owned, Fault> {
    // SAFETY: the caller holds the GIL.
    unsafe {
        match i64::try_from(value) {
            Ok(value) => make_i64(value),
            Err(_) => Owned::steal(ffi::PyLong_FromUnsignedLongLong(value)),
        }
    }
}

/// A new `float`. CPython's constructor checks a free list, which a large decode soon exhausts.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
pub unsafe fn make_float(value: f64) -> Result<Owned, Fault> {
    // SAFETY: a float is a reference count, its type and the number: 24 bytes from the object allocator, as with ints.
    unsafe {
        if !KNOWN_LAYOUTS {
            return Owned::steal(ffi::PyFloat_FromDouble(value));
        }
        let object = ffi::PyObject_Malloc(24).cast::<ffi::PyObject>();
        if object.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Fault);
        }
        *object.cast::<isize>() = 1;
        *object.cast::<*mut ffi::PyTypeObject>().add(1) = &raw mut ffi::PyFloat_Type;
        *object.cast::<f64>().add(2) = value;
        Owned::steal(object)
    }
}

/// An `f64` as `f32`, rounded; None for a finite number beyond its range. A NaN keeps its sign and the high bits of its
/// payload, quiet or not: rows carry NaNs as they are, and the processor's own conversion would make them quiet.
#[inline(always)]
pub fn shrink(value: f64) -> Option<f32> {
    if value.is_nan() {
        let bits = value.to_bits();
        let payload = (bits >> 29) as u32 & 0x7f_ffff;
        let payload = if payload == 0 { 0x40_0000 } else { payload };
        return Some(f32::from_bits((bits >> 32) as u32 & 0x8000_0000 | 0x7f80_0000 | payload));
    }
    let narrow = value as f32;
    (narrow.is_finite() || value.is_infinite()).then_some(narrow)
}

/// An `f32` as `f64`; the inverse of [`shrink`] for every pattern of bits.
#[inline(always)]
pub fn widen(value: f32) -> f64 {
    if value.is_nan() {
        let bits = u64::from(value.to_bits());
        return f64::from_bits((bits & 0x8000_0000) << 32 | 0x7ff0_0000_0000_0000 | (bits & 0x7f_ffff) << 29);
    }
    f64::from(value)
}
