//! `any`: a tag for each value, chosen by its class.

use super::container::read_dict;
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::number::int_i64;
use crate::core::object::{decimal, owned::Owned, uuid};
use crate::pack::nanos;
use crate::pack::plan::Node;
use crate::pack::tag;
use samewire_pack::path::Segment;
use samewire_pack::wire::{ANY_BYTES_CELLS, ANY_CELLS, ANY_DECIMAL_CELLS, KEY_CELLS};

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    #[inline(never)]
    pub(super) unsafe fn any(&mut self, site: u32, value: Object) -> Done {
        // SAFETY: exact types are checked before their layout is used.
        unsafe {
            if ffi::PyUnicode_CheckExact(value) != 0 {
                self.w.byte(tag::STRING);
                return self.text(site, value);
            }
            if ffi::PyLong_CheckExact(value) != 0 {
                return self.any_int(value);
            }
            if value == ffi::Py_None() {
                self.w.byte(tag::NULL);
            } else if value == ffi::Py_True() {
                self.w.byte(tag::TRUE);
            } else if value == ffi::Py_False() {
                self.w.byte(tag::FALSE);
            } else if ffi::PyFloat_CheckExact(value) != 0 {
                self.w.byte(tag::FLOAT);
                self.w.f64(ffi::PyFloat_AS_DOUBLE(value));
            } else if ffi::PyList_CheckExact(value) != 0 || ffi::PyTuple_CheckExact(value) != 0 {
                return self.any_list(site, value);
            } else if ffi::PyDict_CheckExact(value) != 0 {
                return self.any_map(site, value);
            } else if ffi::PyBytes_CheckExact(value) != 0 {
                self.w.byte(tag::BYTES);
                self.w.charge(ANY_BYTES_CELLS)?;
                return self.bytes(value);
            } else {
                return self.any_other(site, value);
            }
            Ok(())
        }
    }

    unsafe fn any_int(&mut self, value: Object) -> Done {
        // SAFETY: `value` is an int.
        unsafe {
            match int_i64(value) {
                Some(small @ 0..=127) => self.w.byte(tag::SMALL | small as u8),
                Some(int) => {
                    self.w.byte(tag::INT);
                    self.w.zigzag(int);
                }
                None => {
                    self.w.byte(tag::BIGINT);
                    return self.exact_bigint(value);
                }
            }
        }
        Ok(())
    }

    unsafe fn any_list(&mut self, site: u32, value: Object) -> Done {
        self.enter()?;
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_items(value, |this, items| {
                this.w.byte(tag::LIST);
                this.w.container(items.len(), ANY_CELLS)?;
                for (i, &item) in items.iter().enumerate() {
                    if this.any(site, item).is_err() {
                        return Err(this.inside(Segment::Index(i)));
                    }
                }
                Ok(())
            })?;
        }
        self.w.leave();
        Ok(())
    }

    unsafe fn any_map(&mut self, site: u32, value: Object) -> Done {
        self.enter()?;
        // SAFETY: as `Encoder::map`.
        unsafe {
            let mut copy = None;
            if CAREFUL {
                copy = Some(self.own_dict(value)?);
            }
            let (mut keys, mut values) = (Vec::new(), Vec::new());
            read_dict(copy.as_ref().map_or(value, Owned::as_ptr), &mut keys, &mut values);
            let texts = keys.first().is_some_and(|&first| ffi::PyUnicode_Check(first) != 0);
            if self.plan.sort_keys {
                // Keys of mixed types, which have no order, are refused below.
                self.sort_entries(if texts { Node::Text(site) } else { Node::BigInt }, &mut keys, &mut values)?;
            }
            self.w.byte(tag::MAP);
            self.w.container(keys.len(), KEY_CELLS + 2 * ANY_CELLS)?;
            for (i, &key) in keys.iter().enumerate() {
                if self.any_key(site, key, texts).is_err() {
                    return Err(self.inside(Segment::Key(i)));
                }
            }
            for (i, &item) in values.iter().enumerate() {
                if self.any(site, item).is_err() {
                    return Err(self.inside(Segment::Value(i)));
                }
            }
        }
        self.w.leave();
        Ok(())
    }

    /// A key of a map whose keys are all `texts`, or all integers of 64 bits.
    unsafe fn any_key(&mut self, site: u32, key: Object, texts: bool) -> Done {
        // SAFETY: types are checked before their layout is used.
        unsafe {
            let text = ffi::PyUnicode_Check(key) != 0;
            if !text && !is_integer(key) {
                return Err(self.mismatch("str or int of 64 bits as a key inside Any (others need a dict[K, V])", key));
            }
            if text != texts {
                let wanted = "keys inside Any to be all str or all int (write the ints as str, or use two dicts)";
                return Err(self.mismatch(wanted, key));
            }
            if text {
                self.w.byte(tag::STRING);
                return self.text(site, key);
            }
            self.any_int(key)
        }
    }

    /// The rarer classes, and subclasses of the common ones.
    #[cold]
    #[inline(never)]
    unsafe fn any_other(&mut self, site: u32, value: Object) -> Done {
        // SAFETY: types are checked before their layout is used.
        unsafe {
            if let Some(done) = self.any_nanos(value) {
                return done;
            }
            if let Some(done) = self.any_time(value) {
                return done;
            }
            if decimal::is(value, !CAREFUL) {
                self.w.byte(tag::DECIMAL);
                self.w.charge(ANY_DECIMAL_CELLS)?;
                return self.decimal(value);
            }
            if uuid::is_exact(value) {
                self.w.byte(tag::UUID);
                return self.uuid(value);
            }
            if !CAREFUL && ffi::PyObject_CheckBuffer(value) == 0 {
                return Err(Fault);
            }
            if ffi::PyUnicode_Check(value) != 0 {
                self.w.byte(tag::STRING);
                return self.other_text(site, value);
            }
            if ffi::PyLong_Check(value) != 0 {
                return self.any_int(value);
            }
            if ffi::PyFloat_Check(value) != 0 {
                self.w.byte(tag::FLOAT);
                self.w.f64(ffi::PyFloat_AS_DOUBLE(value));
                return Ok(());
            }
            if CAREFUL && ffi::PyIndex_Check(value) != 0 && ffi::PySequence_Check(value) == 0 {
                let index = self.steal(ffi::PyNumber_Index(value))?;
                return self.any_int(index.as_ptr());
            }
            if ffi::PyList_Check(value) != 0 || ffi::PyTuple_Check(value) != 0 {
                return self.any_list(site, value);
            }
            if ffi::PyDict_Check(value) != 0 {
                return self.any_map(site, value);
            }
            match self.any_buffer(value) {
                Some(done) => done,
                None => Err(self.mismatch("a value for Any", value)),
            }
        }
    }

    /// The classes of `samewire.pack.nanoseconds`.
    unsafe fn any_nanos(&mut self, value: Object) -> Option<Done> {
        // SAFETY: these classes are ints.
        unsafe {
            let class = ffi::Py_TYPE(value);
            let classes = nanos::classes();
            Some(if class == classes.timestamp {
                self.w.byte(tag::TIMESTAMP);
                self.timestamp(true, value)
            } else if class == classes.time {
                self.w.byte(tag::TIME);
                self.time(true, value)
            } else if class == classes.duration {
                self.w.byte(tag::DURATION);
                self.duration(true, value)
            } else {
                return None;
            })
        }
    }
}

/// Whether an object is an integer of 64 bits. Booleans and the times of `samewire.pack.nanoseconds` are ints to Python.
unsafe fn is_integer(key: Object) -> bool {
    // SAFETY: the GIL is held and the value alive.
    unsafe {
        let int = ffi::PyLong_Check(key) != 0 && ffi::PyBool_Check(key) == 0 && !nanos::classes().include(key);
        int && int_i64(key).is_some()
    }
}
