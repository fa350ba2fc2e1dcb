//! Whether the interpreter lays objects out as the fast paths expect: looked at once, at import.
//!
//! Sizes come first: what is made and read afterwards stays inside objects of these sizes.

use super::dict::text_entries;
use super::inline_values::has_text_keys;
use super::layout::WORD;
use super::number::{make_float, make_i64, short_int};
use super::owned::Owned;
use super::text::{from_latin1, from_utf16, from_utf8, latin1, wide};
use super::KNOWN_LAYOUTS;
use crate::core::fault::Fault;
use crate::core::ffi;
use std::mem::offset_of;

/// Integers of no, one and two digits, and whether they are as short as that.
const INTEGERS: [(i64, bool); 7] =
    [(0, true), (77, true), (-77, true), (1 << 29, true), (-(1 << 59), true), (1 << 60, false), (i64::MIN, false)];
/// Texts of each kind that is made here.
const TEXTS: [&str; 3] = ["abc", "caf\u{e9}", "\u{3b1}\u{3b2}\u{3b3}"];

/// Whether everything is as expected. Without fast paths there is nothing to expect.
///
/// # Safety
/// As `text::prepare`, after it and `number::prepare`.
pub unsafe fn verify() -> Result<bool, Fault> {
    // SAFETY: the GIL is held, and what `text` and `number` prepare is there.
    unsafe { Ok(!KNOWN_LAYOUTS || sizes() && numbers()? && texts()? && dicts()?) }
}

unsafe fn sizes() -> bool {
    let size = |class: *mut ffi::PyTypeObject| {
        // SAFETY: a static type of the interpreter.
        unsafe { (*class).tp_basicsize as usize }
    };
    size(&raw mut ffi::PyBaseObject_Type) == 2 * WORD
        && size(&raw mut ffi::PyLong_Type) == 3 * WORD
        && size(&raw mut ffi::PyFloat_Type) == 3 * WORD
        && size(&raw mut ffi::PyDict_Type) == 6 * WORD
        && size(&raw mut ffi::PyTuple_Type) == offset_of!(ffi::PyTupleObject, ob_item)
        && size(&raw mut ffi::PyUnicode_Type) == size_of::<ffi::PyCompactUnicodeObject>() + WORD
}

unsafe fn numbers() -> Result<bool, Fault> {
    // SAFETY: all objects are owned here.
    unsafe {
        for (value, short) in INTEGERS {
            let theirs = Owned::steal(ffi::PyLong_FromLongLong(value))?;
            let ours = make_i64(value)?;
            if short_int(theirs.as_ptr()) != short.then_some(value) || !equal(&theirs, &ours)? {
                return Ok(false);
            }
        }
        equal(&Owned::steal(ffi::PyFloat_FromDouble(-0.75))?, &make_float(-0.75)?)
    }
}

unsafe fn texts() -> Result<bool, Fault> {
    // SAFETY: as `numbers`.
    unsafe {
        for text in TEXTS {
            let theirs = ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize);
            let theirs = Owned::steal(theirs)?;
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let narrow: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(character).ok()).collect();
            let ours = match &narrow {
                Some(narrow) => from_latin1(narrow)?,
                None => from_utf16(&units)?,
            };
            let units: Vec<u16> = text.encode_utf16().collect();
            let wider = narrow.is_none().then_some(&units[..]);
            let again = from_utf8(text)?;
            if !equal(&theirs, &again)? {
                return Ok(false);
            }
            if latin1(theirs.as_ptr()) != narrow.as_deref() || wide(theirs.as_ptr()) != wider || !equal(&theirs, &ours)?
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

unsafe fn dicts() -> Result<bool, Fault> {
    // SAFETY: as `numbers`.
    unsafe {
        let dict = Owned::steal(ffi::PyDict_New())?;
        let (text, number) = (from_latin1(b"key")?, make_i64(1)?);
        let mut seen = Vec::new();
        for key in [&text, &number] {
            if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), number.as_ptr()) < 0 {
                return Err(Fault);
            }
            seen.push(has_text_keys(dict.as_ptr()));
        }
        Ok(seen == [true, false] && text_entries(dict.as_ptr()).is_none() && entries()?)
    }
}

/// Whether a dict of text keys, one of which was deleted, has the entries that its iterator returns.
unsafe fn entries() -> Result<bool, Fault> {
    // SAFETY: as `numbers`.
    unsafe {
        let dict = Owned::steal(ffi::PyDict_New())?;
        if text_entries(dict.as_ptr()).is_none_or(|entries| !entries.is_empty()) {
            return Ok(false);
        }
        for i in 0..40 {
            let key = from_latin1(format!("key {i}").as_bytes())?;
            if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), make_i64(i)?.as_ptr()) < 0
                || i == 7 && ffi::PyDict_DelItem(dict.as_ptr(), key.as_ptr()) < 0
            {
                return Err(Fault);
            }
        }
        let (mut at, mut theirs) = (0, [std::ptr::null_mut(); 2]);
        let [key, value] = &mut theirs;
        let Some(ours) = text_entries(dict.as_ptr()) else { return Ok(false) };
        let mut ours = ours.iter().filter(|[_, value]| !value.is_null());
        while ffi::PyDict_Next(dict.as_ptr(), &mut at, key, value) != 0 {
            if ours.next() != Some(&[*key, *value]) {
                return Ok(false);
            }
        }
        Ok(ours.next().is_none())
    }
}

unsafe fn equal(one: &Owned, other: &Owned) -> Result<bool, Fault> {
    // SAFETY: both are owned.
    match unsafe { ffi::PyObject_RichCompareBool(one.as_ptr(), other.as_ptr(), ffi::Py_EQ) } {
        ..0 => Err(Fault),
        same => Ok(same == 1),
    }
}
