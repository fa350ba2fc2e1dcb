//! Structs, unions and enums.

use super::{Decoder, Made, Object};
use crate::core::fault::{Fault, Why};
use crate::core::ffi;
use crate::core::object::inline_values::{all_set, values};
use crate::core::object::instance::{allocate, dict_of};
use crate::core::object::layout::{Make, Store};
use crate::core::object::owned::Owned;
use crate::pack::plan::{Default, Record};
use samewire_pack::path::Segment;
use samewire_pack::Code;

impl<'p> Decoder<'p, '_> {
    #[inline(always)]
    pub(super) unsafe fn record(&mut self, at: u32) -> Made {
        let record = self.plan.record(at);
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            if record.recursive {
                self.nested(record)
            } else {
                self.instance(record)
            }
        }
    }

    /// A record that is not an element of a list.
    #[inline(never)]
    pub(super) unsafe fn single_record(&mut self, at: u32) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.record(at) }
    }

    /// A record that is not inline.
    #[inline(always)]
    pub(super) unsafe fn placed(&mut self, at: u32) -> Made {
        let record = self.plan.record(at);
        if !record.recursive {
            self.r.charge_here(record.row_cells.into())?;
        }
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.record(at) }
    }

    #[inline(never)]
    unsafe fn nested(&mut self, record: &'p Record) -> Made {
        self.enter(self.r.position())?;
        self.r.charge_here(record.row_cells.into())?;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { self.instance(record)? };
        self.r.leave();
        Ok(made)
    }

    #[inline(always)]
    unsafe fn instance(&mut self, record: &'p Record) -> Made {
        // SAFETY: the GIL is held; the layout is the class's.
        unsafe {
            match record.layout.store {
                Store::Slots if record.layout.make != Make::Call => {
                    let made = allocate(record.class, &record.layout);
                    let object = self.made(made)?;
                    self.fill(record, object.as_ptr().cast())?;
                    if record.track {
                        ffi::PyObject_GC_Track(object.as_ptr().cast());
                    }
                    if record.after.is_some() {
                        self.after(record, &object)?;
                    }
                    Ok(object)
                }
                Store::Inline => {
                    let made = allocate(record.class, &record.layout);
                    let object = self.made(made)?;
                    let values = values(object.as_ptr(), record.layout.values);
                    if !all_set(values, &record.layout.order) {
                        return Err(self.refuse("the class's instances have lost their common layout".into()));
                    }
                    self.fill(record, values)?;
                    if record.track {
                        ffi::PyObject_GC_Track(object.as_ptr().cast());
                    }
                    if record.after.is_some() {
                        self.after(record, &object)?;
                    }
                    Ok(object)
                }
                _ => self.through_names(record),
            }
        }
    }

    /// Reads all fields to their offsets from `base`, which hold null.
    #[inline(always)]
    unsafe fn fill(&mut self, record: &'p Record, base: *mut u8) -> Result<(), Fault> {
        let flags = self.r.flags(record.flags)?;
        for (i, step) in record.steps.iter().enumerate() {
            // SAFETY: the offset is the layout's, and the place takes over the reference.
            unsafe {
                match self.hot_slot(flags, step) {
                    Ok(item) if !step.dropped => *base.add(step.offset as usize).cast::<Object>() = item.give(),
                    Ok(_) => {}
                    Err(Fault) => return Err(self.inside(Segment::Field(&record.fields[i].name))),
                }
            }
        }
        for default in &record.defaults {
            // SAFETY: the offset is the layout's, and the place takes over the reference.
            unsafe {
                let item = self.default(record, default)?;
                *base.add(record.layout.offsets[default.slot]).cast::<Object>() = item.give();
            }
        }
        Ok(())
    }

    pub(super) unsafe fn default(&mut self, record: &'p Record, default: &Default) -> Made {
        let name = record.fields.iter().find(|field| field.slot == Some(default.slot));
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.given(default) }.map_err(|fault| match name {
            Some(field) => self.inside(Segment::Field(&field.name)),
            None => fault,
        })
    }

    /// The default that replaces null in a field that the reader requires.
    pub(super) unsafe fn null(&mut self, at: u32) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { self.given(&self.plan.or_defaults[at as usize].default) }
    }

    /// A default: the value itself, or the result of its factory.
    unsafe fn given(&mut self, default: &Default) -> Made {
        // SAFETY: the GIL is held; the plan keeps the value alive.
        unsafe {
            if default.factory {
                let made = Owned::steal(ffi::PyObject_CallNoArgs(default.value));
                self.made(made)
            } else {
                Ok(Owned::borrow(default.value))
            }
        }
    }

    pub(super) unsafe fn after(&mut self, record: &Record, object: &Owned) -> Result<(), Fault> {
        if let Some(method) = &record.after {
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            let done = unsafe { Owned::steal(ffi::PyObject_CallMethodNoArgs(object.as_ptr(), method.as_ptr())) };
            self.made(done)?;
        }
        Ok(())
    }

    /// Makes instances without a known layout: dicts, attribute by attribute, or by calling the class. A record that
    /// only the writer has makes None.
    #[inline(never)]
    unsafe fn through_names(&mut self, record: &'p Record) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let mut items: Vec<Option<Owned>> = record.names.iter().map(|_| None).collect();
            let flags = self.r.flags(record.flags)?;
            for (step, field) in record.steps.iter().zip(&record.fields) {
                let item = match self.slot(flags, step.flag as usize, step.node) {
                    Ok(item) => item,
                    Err(Fault) => return Err(self.inside(Segment::Field(&field.name))),
                };
                if let Some(slot) = field.slot {
                    if !(field.absent && item.as_ptr() == ffi::Py_None()) {
                        items[slot] = Some(item);
                    }
                }
            }
            self.named_instance(record, items)
        }
    }

    /// Makes an instance from its slots' values, without those of fields that the writer lacks.
    pub(super) unsafe fn named_instance(&mut self, record: &'p Record, mut items: Vec<Option<Owned>>) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            for default in &record.defaults {
                items[default.slot] = Some(self.default(record, default)?);
            }
            let named = record.names.iter().zip(&items).filter_map(|(name, item)| Some((name, item.as_ref()?)));
            if record.layout.store == Store::Named && record.layout.make != Make::Call {
                let made = allocate(record.class, &record.layout);
                let object = self.made(made)?;
                for (name, item) in named {
                    let (object, name, item) = (object.as_ptr(), name.as_ptr(), item.as_ptr());
                    let set = if record.setter {
                        ffi::PyObject_SetAttr(object, name, item)
                    } else {
                        ffi::PyObject_GenericSetAttr(object, name, item)
                    };
                    if set < 0 {
                        return Err(self.raised());
                    }
                }
                self.after(record, &object)?;
                return Ok(object);
            }
            let made = dict_of(named);
            let dict = self.made(made)?;
            if record.layout.make == Make::Dict {
                return Ok(dict);
            }
            let made = Owned::steal(ffi::PyTuple_New(0));
            let nothing = self.made(made)?;
            let made = Owned::steal(ffi::PyObject_Call(record.class.cast(), nothing.as_ptr(), dict.as_ptr()));
            self.made(made)
        }
    }

    #[inline(never)]
    pub(super) unsafe fn union(&mut self, at: u32) -> Made {
        let union = &self.plan.unions[at as usize];
        let position = self.r.position();
        let index = self.r.index(union.records.len())?;
        match union.records[index] {
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            Some(record) => unsafe { self.placed(record) },
            None => Err(self.unknown(position, "member of the union")),
        }
    }

    #[inline(never)]
    pub(super) unsafe fn choice(&mut self, at: u32) -> Made {
        let choice = &self.plan.choices[at as usize];
        let position = self.r.position();
        let index = self.r.index(choice.members.len())?;
        let member = choice.members[index];
        if member.is_null() {
            return Err(self.unknown(position, "symbol of the enum"));
        }
        // SAFETY: the member is kept alive by the plan.
        Ok(unsafe { Owned::borrow(member) })
    }

    /// The writer's type has it, the reader's does not.
    #[cold]
    pub(super) fn unknown(&mut self, at: usize, what: &str) -> Fault {
        self.why = Why::At(Code::SchemaMismatch, at, format!("a {what} that only the writer has"));
        Fault
    }
}
