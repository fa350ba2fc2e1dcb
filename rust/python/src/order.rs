//! The order of set keys on the wire (`spec/pack.md` section 8).

use crate::fault::Fault;
use crate::object::number::int_i64;
use crate::object::text::{chars, Chars};
use crate::object::{big, times, uuid};
use crate::plan::{Node, Plan};
use pyo3::ffi;

type Object = *mut ffi::PyObject;

/// Sorts keys of one type; fails, leaving them in any order, if one is of another.
///
/// # Safety
/// The keys must be alive; the GIL must be held.
pub unsafe fn sort(keys: &mut [Object], node: Node, plan: &Plan) -> Result<(), Fault> {
    // SAFETY: the caller's; each arm checks types before it uses their layout.
    unsafe {
        match node {
            Node::Bool => by(keys, |key| Ok(key == ffi::Py_True())),
            Node::Text(_) => by(keys, |key| utf16(key)),
            Node::Uuid => by(keys, |key| uuid::bytes(key, true)?.ok_or(Fault)),
            Node::Enum(at) => by(keys, |key| plan.choices[at as usize].index(key).ok_or(Fault)),
            Node::Date => {
                by(keys, |key| if ffi::PyDate_Check(key) != 0 { Ok(times::date_days(key)) } else { Err(Fault) })
            }
            Node::Time(false) => {
                by(keys, |key| if ffi::PyTime_Check(key) != 0 { Ok(times::time_micros(key)) } else { Err(Fault) })
            }
            Node::Duration(false) => {
                by(keys, |key| if ffi::PyDelta_Check(key) != 0 { Ok(times::delta_parts(key)) } else { Err(Fault) })
            }
            Node::Timestamp(false) => by(keys, |key| instant(key)),
            _ => by(keys, |key| integer(key)),
        }
    }
}

fn by<K: Ord>(keys: &mut [Object], mut key: impl FnMut(Object) -> Result<K, Fault>) -> Result<(), Fault> {
    let mut paired = keys.iter().map(|&object| Ok((key(object)?, object))).collect::<Result<Vec<_>, Fault>>()?;
    paired.sort_by(|a, b| a.0.cmp(&b.0));
    for (to, (_, object)) in keys.iter_mut().zip(paired) {
        *to = object;
    }
    Ok(())
}

/// An integer of any size: first by length and sign, then by its bytes.
unsafe fn integer(key: Object) -> Result<(i64, Vec<u8>), Fault> {
    // SAFETY: the caller's; the index of a foreign integer is dropped after its value is taken.
    unsafe {
        if ffi::PyLong_Check(key) == 0 {
            let index = crate::object::owned::Owned::steal(ffi::PyNumber_Index(key))?;
            return integer(index.as_ptr());
        }
        if let Some(short) = int_i64(key) {
            // Between the longer negative and the longer positive ones.
            return Ok((0, (short.wrapping_sub(i64::MIN) as u64).to_be_bytes().to_vec()));
        }
        let bytes = big::to_bytes(key)?;
        let length = bytes.len() as i64;
        Ok((if bytes[0] < 0x80 { length } else { -length }, bytes))
    }
}

/// UTF-16 code units.
unsafe fn utf16(key: Object) -> Result<Vec<u16>, Fault> {
    // SAFETY: the type is checked.
    unsafe {
        if ffi::PyUnicode_Check(key) == 0 {
            return Err(Fault);
        }
        Ok(match chars(key) {
            Chars::Latin1(latin1) => latin1.iter().map(|&byte| u16::from(byte)).collect(),
            Chars::Wide(units) => units.to_vec(),
            Chars::Full(all) => {
                let mut units = Vec::new();
                for &character in all {
                    let character = char::from_u32(character).ok_or(Fault)?;
                    units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                }
                units
            }
        })
    }
}

/// Seconds and microseconds in UTC.
unsafe fn instant(key: Object) -> Result<(i64, i64), Fault> {
    // SAFETY: types are checked; the offset is owned.
    unsafe {
        if ffi::PyDateTime_Check(key) == 0 {
            return Err(Fault);
        }
        let (seconds, micros) = times::wall(key);
        let offset = ffi::PyObject_CallMethod(key, c"utcoffset".as_ptr(), std::ptr::null());
        let offset = crate::object::owned::Owned::steal(offset)?;
        if ffi::PyDelta_Check(offset.as_ptr()) == 0 {
            return Err(Fault);
        }
        let (ahead, fraction) = times::delta_parts(offset.as_ptr());
        let micros = micros - fraction;
        Ok((seconds - ahead + micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000)))
    }
}
