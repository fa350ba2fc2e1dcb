//! Structs, unions, references and enums.

use super::{shown, Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::{push, LINE};
use crate::core::object::inline_values::{dict_values, has_text_keys, values};
use crate::core::object::layout::Store;
use crate::core::object::owned::Owned;
use crate::pack::plan::{Field, Record};
use samewire_pack::path::Segment;

impl Record {
    /// The cache lines of an instance's fields, if these are slots; else of the pointer to them.
    pub(super) fn lines(&self) -> usize {
        match self.layout.store {
            Store::Slots => self.steps.iter().map(|step| step.offset as usize / LINE).max().unwrap_or(0) + 1,
            _ => 1,
        }
    }

    /// The address of an exact instance's fields; null for any other value.
    ///
    /// # Safety
    /// `value` must be alive.
    #[inline(always)]
    pub(super) unsafe fn fields_of(&self, value: Object) -> *mut u8 {
        // SAFETY: the class is compared before the layout is used.
        unsafe {
            if ffi::Py_TYPE(value) != self.class {
                return std::ptr::null_mut();
            }
            if self.layout.store == Store::Slots {
                return value.cast();
            }
            if self.layout.store != Store::Inline {
                return std::ptr::null_mut();
            }
            let values = values(value, self.layout.values);
            if values.is_null() {
                return dict_values(value, self.layout.keys);
            }
            values
        }
    }
}

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    #[inline(always)]
    pub(super) unsafe fn record(&mut self, at: u32, value: Object) -> Done {
        let record = self.plan.record(at);
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            if record.recursive {
                self.nested(record, value)
            } else {
                self.fields(record, value)
            }
        }
    }

    /// A record that is not an element of a list.
    #[inline(never)]
    pub(super) unsafe fn single_record(&mut self, at: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe { self.record(at, value) }
    }

    /// A record that is not inline.
    #[inline(always)]
    unsafe fn charged(&mut self, at: u32, value: Object) -> Done {
        let record = self.plan.record(at);
        if !record.recursive {
            self.w.charge(record.row_cells.into())?;
        }
        // SAFETY: the GIL is held and the value alive.
        unsafe { self.record(at, value) }
    }

    #[inline(never)]
    unsafe fn nested(&mut self, record: &'p Record, value: Object) -> Done {
        self.enter()?;
        self.w.charge(record.row_cells.into())?;
        // SAFETY: the GIL is held and the value alive.
        unsafe { self.fields(record, value)? };
        self.w.leave();
        Ok(())
    }

    #[inline(always)]
    unsafe fn fields(&mut self, record: &'p Record, value: Object) -> Done {
        // SAFETY: an exact instance has its fields at the layout's places.
        unsafe {
            if CAREFUL {
                return self.looked_up(record, value);
            }
            let base = record.fields_of(value);
            if base.is_null() {
                return self.items(record, value);
            }
            if self.w.looks() {
                self.placed::<true>(record, base)
            } else {
                self.placed::<false>(record, base)
            }
        }
    }

    /// Writes the items of a dict that represents a struct. Nothing may change the dict meanwhile.
    #[inline(never)]
    pub(super) unsafe fn items(&mut self, record: &'p Record, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; the quick encoder runs no Python code, so a borrowed item stays.
        // A key that is not a string might run some where its hash is that of a field's name.
        unsafe {
            if record.layout.store != Store::Dict || ffi::PyDict_CheckExact(value) == 0 || !has_text_keys(value) {
                return Err(Fault);
            }
            let flags = if record.flags > 0 { self.w.flags(record.flags) } else { 0 };
            let mut found = 0;
            for (step, field) in record.steps.iter().zip(&record.fields) {
                let mut item = ffi::PyDict_GetItemWithError(value, field.attribute);
                if item.is_null() {
                    if !field.absent || !ffi::PyErr_Occurred().is_null() {
                        ffi::PyErr_Clear();
                        return Err(Fault);
                    }
                    // An `any` has no flag: its null is a byte.
                    item = ffi::Py_None();
                } else {
                    found += 1;
                }
                self.slot(flags, step.flag as usize, step.node, item)?;
            }
            if found == ffi::PyDict_Size(value) {
                Ok(())
            } else {
                Err(Fault)
            }
        }
    }

    /// Any instance, by attribute access or as a dict; owns what it holds.
    #[cold]
    #[inline(never)]
    unsafe fn looked_up(&mut self, record: &'p Record, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let held = Owned::borrow(value);
            self.check_record(record, value)?;
            let flags = if record.flags > 0 { self.w.flags(record.flags) } else { 0 };
            for (step, field) in record.steps.iter().zip(&record.fields) {
                let done = match self.field_item(record, held.as_ptr(), field) {
                    Ok(Some(item)) => self.slot(flags, step.flag as usize, step.node, item.as_ptr()),
                    Ok(None) => self.slot(flags, step.flag as usize, step.node, ffi::Py_None()),
                    Err(Fault) => Err(Fault),
                };
                if done.is_err() {
                    return Err(self.inside(Segment::Field(&field.name)));
                }
            }
            self.no_others(record, value)
        }
    }

    /// Refuses a value that is neither an instance of a record's class nor a dict for one.
    pub(super) unsafe fn check_record(&mut self, record: &Record, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let dict = record.layout.store == Store::Dict;
            let fits = if dict { ffi::PyDict_Check(value) } else { ffi::PyObject_TypeCheck(value, record.class) };
            if fits == 0 {
                let wanted = if dict { c"dict".as_ptr() } else { (*record.class).tp_name };
                let wanted = std::ffi::CStr::from_ptr(wanted).to_string_lossy();
                return Err(self.mismatch(&wanted, value));
            }
            if dict || ffi::Py_TYPE(value) == record.class {
                Ok(())
            } else {
                self.check_subclass(record, value)
            }
        }
    }

    /// Refuses an instance of a subclass with further fields, which would be lost silently.
    #[cold]
    unsafe fn check_subclass(&mut self, record: &Record, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive, and so is its class; the function returns a str, or raises.
        unsafe {
            let classes = [ffi::Py_TYPE(value).cast(), record.class.cast()];
            let lost_fields = self.plan.lost_fields.as_ptr();
            let lost = ffi::PyObject_Vectorcall(lost_fields, classes.as_ptr(), 2, std::ptr::null_mut());
            let lost = self.steal(lost)?;
            match shown::utf8(&lost) {
                Some(text) if text.is_empty() => Ok(()),
                Some(text) => Err(self.refuse(text)),
                None => Err(self.raised()),
            }
        }
    }

    /// A field by attribute access, or a dict's item; None if a missing key means null.
    pub(super) unsafe fn field_item(
        &mut self,
        record: &Record,
        value: Object,
        field: &Field,
    ) -> Result<Option<Owned>, Fault> {
        // SAFETY: the GIL is held and the value alive; the item is owned before anything else runs.
        unsafe {
            if record.layout.store != Store::Dict {
                let item = Owned::steal(ffi::PyObject_GetAttr(value, field.attribute));
                return item.map(Some).map_err(|Fault| self.missing());
            }
            let item = ffi::PyDict_GetItemWithError(value, field.attribute);
            if !item.is_null() {
                return Ok(Some(Owned::borrow(item)));
            }
            if !ffi::PyErr_Occurred().is_null() {
                return Err(self.raised());
            }
            if field.absent {
                return Ok(None);
            }
            Err(self.refuse("the key is missing".into()))
        }
    }

    /// Refuses a dict with keys that the struct does not have: they would be lost silently.
    pub(super) unsafe fn no_others(&mut self, record: &Record, dict: Object) -> Done {
        if record.layout.store != Store::Dict {
            return Ok(());
        }
        let mut found = 0;
        for field in &record.fields {
            // SAFETY: the GIL is held and the value alive; the keys are strings. A key of another class may raise when it is compared.
            match unsafe { ffi::PyDict_Contains(dict, field.attribute) } {
                ..0 => return Err(self.raised()),
                there => found += there as isize,
            }
        }
        // SAFETY: the GIL is held and the value alive.
        if found == unsafe { ffi::PyDict_Size(dict) } {
            return Ok(());
        }
        Err(self.refuse("a dict with keys that its TypedDict does not have".into()))
    }

    /// Handles an attribute that could not be read: a missing one is a mismatch, anything else the user's own
    /// exception.
    #[cold]
    unsafe fn missing(&mut self) -> Fault {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            if ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) != 0 {
                ffi::PyErr_Clear();
                return self.refuse("the attribute is missing".into());
            }
        }
        self.raised()
    }

    #[inline(never)]
    pub(super) unsafe fn union(&mut self, at: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; members of an encoder's union are all there.
        unsafe {
            let records = &self.plan.unions[at as usize].records;
            let exact = |&record: &u32| ffi::Py_TYPE(value) == self.plan.record(record).class;
            let inherits = |&record: &u32| ffi::PyObject_TypeCheck(value, self.plan.record(record).class) != 0;
            let mut found = records.iter().position(|record| record.as_ref().is_some_and(exact));
            if found.is_none() && CAREFUL {
                found = records.iter().position(|record| record.as_ref().is_some_and(inherits));
            }
            match found.and_then(|index| Some((index, records[index]?))) {
                Some((index, record)) => {
                    self.w.varint(index as u64);
                    self.charged(record, value)
                }
                None => Err(self.mismatch("a member of the union", value)),
            }
        }
    }

    #[inline(never)]
    pub(super) unsafe fn reference(&mut self, at: u32, value: Object) -> Done {
        let address = value as usize;
        if self.w.begin_ref(address) {
            // SAFETY: the GIL is held and the value alive. Kept alive so that no other object gets the address while the message is written.
            unsafe {
                push(&mut self.shared, Owned::borrow(value));
                self.charged(at, value)?;
            }
            self.w.end_ref(address);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) unsafe fn choice(&mut self, at: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        let index = unsafe { self.symbol_of(at, value)? };
        self.w.varint(index as u64);
        Ok(())
    }

    /// The index of an enum's member.
    #[inline(always)]
    pub(super) unsafe fn symbol_of(&mut self, at: u32, value: Object) -> Result<usize, Fault> {
        let choice = &self.plan.choices[at as usize];
        match choice.index(value) {
            Some(index) => Ok(index),
            None => {
                // SAFETY: the class is alive, and every type has a name.
                let name = unsafe { std::ffi::CStr::from_ptr((*choice.class).tp_name) }.to_string_lossy();
                // SAFETY: the GIL is held and the value alive.
                Err(unsafe { self.mismatch(&format!("a member of {name}"), value) })
            }
        }
    }
}
