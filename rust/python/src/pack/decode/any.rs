//! `any`: the tag determines the class.

use super::{boolean, Decoder, Made};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::number::{make_float, make_i64};
use crate::core::object::owned::Owned;
use crate::core::object::times;
use crate::pack::nanos;
use crate::pack::plan::{Blob, Form};
use crate::pack::tag;
use samewire_pack::path::Segment;
use samewire_pack::wire::{Cost, ANY_BYTES_CELLS, ANY_CELLS, ANY_DECIMAL_CELLS, KEY_CELLS};
use samewire_pack::Code;

impl Decoder<'_, '_> {
    #[inline(never)]
    pub(super) unsafe fn any(&mut self) -> Made {
        let at = self.r.position();
        let tag = self.r.byte()?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match tag {
                tag::SMALL.. => {
                    let made = make_i64(i64::from(tag & 0x7f));
                    self.made(made)
                }
                tag::STRING => self.text(),
                tag::NULL => Ok(Owned::borrow(ffi::Py_None())),
                tag::FALSE | tag::TRUE => Ok(boolean(tag == tag::TRUE)),
                tag::INT => {
                    let made = make_i64(self.r.zigzag64()?);
                    self.made(made)
                }
                tag::FLOAT => {
                    let made = make_float(self.r.number::<f64>()?);
                    self.made(made)
                }
                tag::LIST => {
                    self.enter(at)?;
                    let list = self.any_list()?;
                    self.r.leave();
                    Ok(list)
                }
                tag::MAP => {
                    self.enter(at)?;
                    let dict = self.any_map()?;
                    self.r.leave();
                    Ok(dict)
                }
                tag::BIGINT => self.bigint(),
                tag::BYTES => {
                    self.r.charge(at, ANY_BYTES_CELLS)?;
                    self.bytes(Blob::Bytes)
                }
                tag::DECIMAL => {
                    self.r.charge(at, ANY_DECIMAL_CELLS)?;
                    self.decimal()
                }
                tag::UUID => self.uuid(),
                tag::DATE => self.date(),
                tag::TIME..=tag::DURATION => self.any_time(tag),
                tag::NUMBERS..=tag::LAST_NUMBERS => self.any_numbers(tag),
                tag::EXTENSIONS..=tag::LAST_EXTENSION => Err(self.r.fail(Code::Unsupported, at)),
                _ => Err(self.r.fail(Code::Malformed, at)),
            }
        }
    }

    unsafe fn any_list(&mut self) -> Made {
        let count = self.r.count(Cost::One, ANY_CELLS)?;
        self.lend(count)?;
        // SAFETY: the GIL is held; items are null until each is set.
        unsafe {
            let made = Owned::steal(ffi::PyList_New(count as isize));
            let list = self.made(made)?;
            self.hide(&list);
            for i in 0..count {
                match self.any() {
                    Ok(item) => *(*list.as_ptr().cast::<ffi::PyListObject>()).ob_item.add(i) = item.give(),
                    Err(Fault) => return Err(self.inside(Segment::Index(i))),
                }
            }
            self.show(&list);
            self.give_back(count);
            Ok(list)
        }
    }

    unsafe fn any_map(&mut self) -> Made {
        let count = self.r.map_count(Cost::One, Cost::One, KEY_CELLS + 2 * ANY_CELLS)?;
        self.lend(count)?;
        let mut keys: Vec<Owned> = room(count);
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = Owned::steal(ffi::PyDict_New());
            let dict = self.made(made)?;
            for i in 0..count {
                match self.any_key(keys.first()) {
                    Ok(key) => keys.push(key),
                    Err(Fault) => return Err(self.inside(Segment::Key(i))),
                }
            }
            for (i, key) in keys.iter().enumerate() {
                let done = match self.any() {
                    Ok(item) => self.entry(dict.as_ptr(), i, key, &item),
                    Err(fault) => Err(fault),
                };
                if done.is_err() {
                    return Err(self.inside(Segment::Value(i)));
                }
            }
            self.give_back(count);
            Ok(dict)
        }
    }

    /// All keys must be texts, or all integers of 64 bits, like the first.
    unsafe fn any_key(&mut self, first: Option<&Owned>) -> Made {
        let at = self.r.position();
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let texts = first.map(|first| ffi::PyUnicode_CheckExact(first.as_ptr()) != 0);
            let made = match (self.r.byte()?, texts) {
                (tag::STRING, None | Some(true)) => return self.text(),
                (tag::INT, None | Some(false)) => make_i64(self.r.zigzag64()?),
                (tag @ tag::SMALL.., None | Some(false)) => make_i64(i64::from(tag & 0x7f)),
                _ => return Err(self.r.fail(Code::Malformed, at)),
            };
            self.made(made)
        }
    }

    /// A time as a class of `datetime` if that can hold it, else as a class of nanoseconds.
    unsafe fn any_time(&mut self, tag: u8) -> Made {
        let classes = nanos::classes();
        // SAFETY: the GIL is held; the reader checks ranges.
        unsafe {
            let made = match tag {
                tag::TIME => {
                    let count = self.r.time()?;
                    if count % 1000 == 0 {
                        times::make_time(count / 1000)
                    } else {
                        nanos::make(classes.time, (count / 1_000_000_000) as i64, (count % 1_000_000_000) as u32)
                    }
                }
                tag::TIMESTAMP => {
                    let (seconds, fraction) = self.r.timestamp()?;
                    if fraction % 1000 == 0 {
                        times::make_datetime(seconds, fraction / 1000)
                    } else {
                        nanos::make(classes.timestamp, seconds, fraction)
                    }
                }
                _ => {
                    let (seconds, fraction) = self.r.duration()?;
                    let made = if fraction % 1000 == 0 { times::make_delta(seconds, fraction / 1000) } else { None };
                    made.unwrap_or_else(|| nanos::make(classes.duration, seconds, fraction))
                }
            };
            self.made(made)
        }
    }

    /// A list of numbers is an `array.array`.
    unsafe fn any_numbers(&mut self, tag: u8) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.numbers(tag::KINDS[usize::from(tag - tag::NUMBERS)], Form::Array) }
    }
}
