//! The order of keys on the wire (`spec/pack.md` section 8).

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::int_i64;
use crate::core::object::text::{chars, Chars};
use crate::core::object::{big, times, uuid};
use crate::pack::plan::{Node, Plan};

type Object = *mut ffi::PyObject;

/// A sorted item: a key, or a key with its value.
pub trait Entry: Copy {
    fn key(self) -> Object;
}

impl Entry for Object {
    #[inline(always)]
    fn key(self) -> Object {
        self
    }
}

impl Entry for [Object; 2] {
    #[inline(always)]
    fn key(self) -> Object {
        self[0]
    }
}

/// Sorts entries by keys of one type; fails, leaving them in any order, if one is of another. Python code runs only if
/// `careful` is set, by keys whose class is not exactly the declared one.
///
/// Returns whether all keys are distinct on the wire. This is checked only if `careful` is set, or for texts of
/// subclasses: such keys may differ in Python and be the same on the wire. Keys of the exact classes cannot.
///
/// # Safety
/// The keys must be alive, even if Python code is run; the GIL must be held.
pub unsafe fn sort<E: Entry>(entries: &mut [E], node: Node, plan: &Plan, careful: bool) -> Result<bool, Fault> {
    // SAFETY: the GIL is held and the object alive; each arm checks types before it uses their layout.
    unsafe {
        match node {
            Node::Bool => by(entries, careful, |key| Ok(key == ffi::Py_True())),
            Node::Text(_) => {
                let exact = entries.iter().all(|&entry| ffi::PyUnicode_CheckExact(entry.key()) != 0);
                by(entries, careful || !exact, |key| utf16(key))
            }
            Node::Uuid => by(entries, careful, |key| uuid::bytes(key, careful)?.ok_or(Fault)),
            Node::Enum(at) => by(entries, careful, |key| plan.choices[at as usize].index(key).ok_or(Fault)),
            Node::Date => {
                by(
                    entries,
                    careful,
                    |key| if ffi::PyDate_Check(key) != 0 { Ok(times::date_days(key)) } else { Err(Fault) },
                )
            }
            Node::Time(false) => {
                by(
                    entries,
                    careful,
                    |key| if ffi::PyTime_Check(key) != 0 { Ok(times::time_micros(key)) } else { Err(Fault) },
                )
            }
            Node::Duration(false) => by(entries, careful, |key| {
                if ffi::PyDelta_Check(key) != 0 {
                    Ok(times::delta_parts(key))
                } else {
                    Err(Fault)
                }
            }),
            Node::Timestamp(false) => by(entries, careful, |key| instant(key, careful)),
            _ => by(entries, careful, |key| integer(key, careful)),
        }
    }
}

fn by<K: Ord, E: Entry>(
    entries: &mut [E],
    doubtful: bool,
    mut key: impl FnMut(Object) -> Result<K, Fault>,
) -> Result<bool, Fault> {
    let mut paired = entries.iter().map(|&entry| Ok((key(entry.key())?, entry))).collect::<Result<Vec<_>, Fault>>()?;
    paired.sort_by(|a, b| a.0.cmp(&b.0));
    let distinct = !doubtful || paired.windows(2).all(|pair| pair[0].0 != pair[1].0);
    for (to, (_, entry)) in entries.iter_mut().zip(paired) {
        *to = entry;
    }
    Ok(distinct)
}

/// An integer of any size: first by length and sign, then by its bytes.
unsafe fn integer(key: Object, careful: bool) -> Result<(i64, Vec<u8>), Fault> {
    // SAFETY: the GIL is held and the object alive; the index of a foreign integer is dropped after its value is taken.
    unsafe {
        if ffi::PyLong_Check(key) == 0 {
            if !careful {
                return Err(Fault);
            }
            let index = crate::core::object::owned::Owned::steal(ffi::PyNumber_Index(key))?;
            return integer(index.as_ptr(), careful);
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
unsafe fn instant(key: Object, careful: bool) -> Result<(i64, i64), Fault> {
    // SAFETY: types are checked; the offset is owned.
    unsafe {
        if ffi::PyDateTime_Check(key) == 0 {
            return Err(Fault);
        }
        let (seconds, micros) = times::wall(key);
        if ffi::PyDateTime_DATE_GET_TZINFO(key) == (*ffi::PyDateTimeAPI()).TimeZone_UTC {
            return Ok((seconds, micros));
        }
        if !careful {
            return Err(Fault);
        }
        let offset = ffi::call_method(key, c"utcoffset");
        let offset = crate::core::object::owned::Owned::steal(offset)?;
        if ffi::PyDelta_Check(offset.as_ptr()) == 0 {
            return Err(Fault);
        }
        let (ahead, fraction) = times::delta_parts(offset.as_ptr());
        let micros = micros - fraction;
        Ok((seconds - ahead + micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000)))
    }
}
