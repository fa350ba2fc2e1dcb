//! Converts columns to objects: a block of elements at a time, and within it one column after the other.
//!
//! A block's objects and values stay in the L1 cache, and a column is dispatched on once per block. Values are stored
//! directly in place: in the slots of instances that were made before them, or the items of lists and tuples. These are
//! hidden from the collector meanwhile if hooks may run.

use super::super::{boolean, is_set, Decoder, Made, Object};
use super::column::{of_any_kind, Column, Instants, Numbers, Values};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::inline_values::{all_set, values};
use crate::core::object::instance::allocate;
use crate::core::object::layout::{Make, Store, TUPLE_HEAD, WORD};
use crate::core::object::number::make_u64;
use crate::core::object::owned::Owned;
use crate::core::object::{times, uuid};
use crate::pack::nanos;
use crate::pack::plan::{Form, Kind, Record};
use std::borrow::Cow;
use std::ptr;

/// How many elements are made together.
pub(super) const BLOCK: usize = 64;

/// The targets of a block's values: this offset from each of these addresses. They hold null.
#[derive(Clone, Copy)]
struct Places<'s> {
    bases: &'s [*mut u8],
    offset: usize,
}

impl Places<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.bases.len()
    }

    /// The address of one value.
    ///
    /// # Safety
    /// There must be so many.
    #[inline(always)]
    unsafe fn at(&self, i: usize) -> *mut Object {
        // SAFETY: the caller's; the offset is the layout's.
        unsafe { self.bases.get_unchecked(i).add(self.offset).cast() }
    }

    /// Stores a value.
    ///
    /// # Safety
    /// As [`at`](Self::at).
    #[inline(always)]
    unsafe fn put(&self, i: usize, value: Owned) {
        // SAFETY: the place takes over the reference.
        unsafe { *self.at(i) = value.give() }
    }
}

impl<'p, 'a> Decoder<'p, 'a> {
    /// Makes the values of a whole column, and stores them from `items` on.
    ///
    /// # Safety
    /// The GIL must be held; so many places must hold null, and stay.
    pub(super) unsafe fn run(
        &mut self,
        column: &mut Column<'a>,
        items: *mut Object,
        count: usize,
    ) -> Result<(), Fault> {
        let mut bases = [ptr::null_mut(); BLOCK];
        for start in (0..count).step_by(BLOCK) {
            let n = BLOCK.min(count - start);
            // SAFETY: there are so many places.
            unsafe {
                for (i, base) in bases[..n].iter_mut().enumerate() {
                    *base = items.add(start + i).cast();
                }
                self.block(column, Places { bases: &bases[..n], offset: 0 })?;
            }
        }
        Ok(())
    }

    /// The next values of a column, as owned objects.
    unsafe fn some(&mut self, column: &mut Column<'a>, count: usize) -> Result<Vec<Option<Owned>>, Fault> {
        let mut made: Vec<Option<Owned>> = room(count);
        made.resize_with(count, || None);
        // SAFETY: an absent reference is null.
        unsafe { self.run(column, made.as_mut_ptr().cast(), count)? };
        Ok(made)
    }

    /// Makes the next value of a column for each target.
    #[inline(never)]
    unsafe fn block(&mut self, column: &mut Column<'a>, places: Places<'_>) -> Result<(), Fault> {
        let (from, n) = (column.next, places.len());
        column.next += n;
        /// Stores the expression's result for each number from `from` on.
        macro_rules! each {
            ($numbers:expr, $number:ident => $make:expr) => {{
                for (i, $number) in $numbers[from..from + n].iter().enumerate() {
                    let made = $make;
                    let value = self.made(made)?;
                    places.put(i, value);
                }
                Ok(())
            }};
        }
        // SAFETY: the GIL is held; there is a place for each value.
        unsafe {
            match &mut column.values {
                Values::None => Ok(()),
                Values::Bits(bits) => {
                    for i in 0..n {
                        places.put(i, boolean(is_set(bits, from + i)));
                    }
                    Ok(())
                }
                Values::Numbers(numbers) => {
                    of_any_kind!(numbers, numbers => self.numbers_of(&numbers[from..from + n], places))
                }
                Values::Objects(objects) => {
                    for (i, object) in objects[from..from + n].iter_mut().enumerate() {
                        places.put(i, object.take().ok_or(Fault)?);
                    }
                    Ok(())
                }
                Values::Texts(dictionary, indices) => {
                    let texts = &self.dictionaries[*dictionary];
                    for (i, &index) in indices[from..from + n].iter().enumerate() {
                        places.put(i, texts.get_unchecked(index as usize).again());
                    }
                    Ok(())
                }
                Values::Members(choice, indices) => {
                    let members = &self.plan.choices[*choice as usize].members;
                    for (i, &index) in indices[from..from + n].iter().enumerate() {
                        places.put(i, Owned::borrow(members[index as usize]));
                    }
                    Ok(())
                }
                Values::Uuids(bytes) => {
                    for (i, bytes) in bytes.chunks_exact(16).skip(from).take(n).enumerate() {
                        let made = uuid::make(bytes.try_into().expect("16 bytes"));
                        let value = self.made(made)?;
                        places.put(i, value);
                    }
                    Ok(())
                }
                Values::Dates(days) => each!(days, days => times::make_date(*days)),
                Values::Times(times, true) => each!(times, nanos => make_u64(*nanos)),
                Values::Times(times, false) => each!(times, nanos => times::make_time(nanos / 1000)),
                Values::Timestamps(instants) => self.timestamps(instants, from, places),
                Values::Durations(instants) => self.durations(instants, from, places),
                Values::Bytes(lengths, bytes, form) => {
                    for (i, &length) in lengths[from..from + n].iter().enumerate() {
                        let (own, rest) = bytes.split_at(length as usize);
                        *bytes = rest;
                        let value = self.blob(own, *form)?;
                        places.put(i, value);
                    }
                    Ok(())
                }
                Values::Option(bits, item, default) => self.options(bits, from, item, *default, places),
                Values::List(counts, items) => {
                    for (i, &count) in counts[from..from + n].iter().enumerate() {
                        let list = self.list_of(items, count as usize)?;
                        places.put(i, list);
                    }
                    Ok(())
                }
                Values::Series(counts, items) => {
                    for (i, &count) in counts[from..from + n].iter().enumerate() {
                        let tuple = self.series_of(items, count as usize)?;
                        places.put(i, tuple);
                    }
                    Ok(())
                }
                Values::NumberLists(counts, form, wanted, numbers) => {
                    for (i, &count) in counts[from..from + n].iter().enumerate() {
                        let list = self.number_list(numbers, count as usize, *form, *wanted)?;
                        places.put(i, list);
                    }
                    Ok(())
                }
                Values::Set(counts, frozen, keys) => {
                    for (i, &count) in counts[from..from + n].iter().enumerate() {
                        let set = self.set_of(keys, count as usize, *frozen)?;
                        places.put(i, set);
                    }
                    Ok(())
                }
                Values::Map(counts, entries) => {
                    for (i, &count) in counts[from..from + n].iter().enumerate() {
                        let dict = self.dict_of(entries, count as usize)?;
                        places.put(i, dict);
                    }
                    Ok(())
                }
                Values::Tuple(parts) => self.tuples(parts, places),
                Values::Record(at, fields) => {
                    let record = self.plan.record(*at);
                    let placed = matches!(record.layout.store, Store::Slots | Store::Inline);
                    if placed && record.layout.make != Make::Call {
                        self.instances(record, fields, places)
                    } else {
                        self.named_instances(record, fields, places)
                    }
                }
                Values::Cast(at, items) => {
                    let class = self.plan.casts[*at as usize].class;
                    for (i, value) in self.some(items, n)?.into_iter().enumerate() {
                        let value = value.ok_or(Fault)?;
                        let made = Owned::steal(ffi::PyObject_CallOneArg(class, value.as_ptr()));
                        let made = self.made(made)?;
                        places.put(i, made);
                    }
                    Ok(())
                }
            }
        }
    }

    unsafe fn options(
        &mut self,
        bits: &[u8],
        from: usize,
        item: &mut Column<'a>,
        default: Option<u32>,
        places: Places<'_>,
    ) -> Result<(), Fault> {
        let mut present = [ptr::null_mut(); BLOCK];
        let mut count = 0;
        for (i, &base) in places.bases.iter().enumerate() {
            if is_set(bits, from + i) {
                present[count] = base;
                count += 1;
            } else {
                // SAFETY: there is a place for each value.
                unsafe {
                    let null = match default {
                        Some(at) => self.null(at)?,
                        None => Owned::borrow(ffi::Py_None()),
                    };
                    places.put(i, null);
                }
            }
        }
        if count == 0 {
            return Ok(());
        }
        // SAFETY: the places are some of ours.
        unsafe { self.block(item, Places { bases: &present[..count], ..places }) }
    }

    /// Instances with their fields at known places.
    unsafe fn instances(
        &mut self,
        record: &'p Record,
        fields: &mut [Column<'a>],
        places: Places<'_>,
    ) -> Result<(), Fault> {
        let mut bases = [ptr::null_mut(); BLOCK];
        let bases = &mut bases[..places.len()];
        let inline = record.layout.store == Store::Inline;
        // Instances of other allocators are tracked by the collector at once.
        let hidden = self.plan.hooks && record.layout.make == Make::New;
        // SAFETY: the GIL is held; the layout is the class's. Nobody else knows the new instances: places stand in objects
        // that are not known either, or no Python code runs.
        unsafe {
            for (i, base) in bases.iter_mut().enumerate() {
                let made = allocate(record.class, &record.layout);
                let object = self.made(made)?;
                *base = object.as_ptr().cast();
                if hidden {
                    ffi::PyObject_GC_UnTrack(object.as_ptr().cast());
                }
                if inline {
                    *base = values(object.as_ptr(), record.layout.values);
                    if !all_set(*base, &record.layout.order) {
                        return Err(self.refuse("the class's instances have lost their common layout".into()));
                    }
                }
                places.put(i, object);
            }
            for (step, field) in record.steps.iter().zip(fields) {
                if step.dropped {
                    self.some(field, places.len())?;
                } else {
                    self.block(field, Places { bases, offset: step.offset as usize })?;
                }
            }
            for default in &record.defaults {
                for base in &*bases {
                    let item = self.default(record, default)?;
                    *base.add(record.layout.offsets[default.slot]).cast::<Object>() = item.give();
                }
            }
            if record.track || hidden {
                for i in 0..places.len() {
                    ffi::PyObject_GC_Track((*places.at(i)).cast());
                }
            }
            if record.after.is_some() {
                for i in 0..places.len() {
                    let object = Owned::borrow(*places.at(i));
                    self.after(record, &object)?;
                }
            }
        }
        Ok(())
    }

    /// Instances without known places.
    unsafe fn named_instances(
        &mut self,
        record: &'p Record,
        fields: &mut [Column<'a>],
        places: Places<'_>,
    ) -> Result<(), Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let mut columns = room(fields.len());
            for field in fields {
                columns.push(self.some(field, places.len())?);
            }
            for i in 0..places.len() {
                let mut items: Vec<Option<Owned>> = record.names.iter().map(|_| None).collect();
                for (column, field) in columns.iter_mut().zip(&record.fields) {
                    let item = column[i].take().ok_or(Fault)?;
                    if let Some(slot) = field.slot {
                        if !(field.absent && item.as_ptr() == ffi::Py_None()) {
                            items[slot] = Some(item);
                        }
                    }
                }
                let made = self.named_instance(record, items)?;
                places.put(i, made);
            }
        }
        Ok(())
    }

    unsafe fn tuples(&mut self, parts: &mut [Column<'a>], places: Places<'_>) -> Result<(), Fault> {
        let mut bases = [ptr::null_mut(); BLOCK];
        let bases = &mut bases[..places.len()];
        // SAFETY: the GIL is held; a tuple's items are null until each is set.
        unsafe {
            for (i, base) in bases.iter_mut().enumerate() {
                let made = Owned::steal(ffi::PyTuple_New(parts.len() as isize));
                let tuple = self.made(made)?;
                self.hide(&tuple);
                *base = tuple.as_ptr().cast();
                places.put(i, tuple);
            }
            for (i, part) in parts.iter_mut().enumerate() {
                self.block(part, Places { bases, offset: TUPLE_HEAD + i * WORD })?;
            }
            for i in 0..places.len() {
                self.show(&Owned::borrow(*places.at(i)));
            }
        }
        Ok(())
    }

    /// A list of the next items.
    pub(super) unsafe fn list_of(&mut self, items: &mut Column<'a>, count: usize) -> Made {
        // SAFETY: the GIL is held; the list's items are null until each is set, and its own until the end.
        unsafe {
            let made = Owned::steal(ffi::PyList_New(count as isize));
            let list = self.made(made)?;
            if count > 0 {
                self.hide(&list);
                self.run(items, (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item, count)?;
            }
            self.show(&list);
            Ok(list)
        }
    }

    /// A tuple of the next items.
    pub(super) unsafe fn series_of(&mut self, items: &mut Column<'a>, count: usize) -> Made {
        // SAFETY: as `list_of`.
        unsafe {
            let made = Owned::steal(ffi::PyTuple_New(count as isize));
            let tuple = self.made(made)?;
            if count > 0 {
                self.hide(&tuple);
                let first = (*tuple.as_ptr().cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr();
                self.run(items, first, count)?;
            }
            self.show(&tuple);
            Ok(tuple)
        }
    }

    unsafe fn set_of(&mut self, keys: &mut Column<'a>, count: usize, frozen: bool) -> Made {
        let nothing = ptr::null_mut();
        // SAFETY: the GIL is held; a new frozenset may still be added to.
        unsafe {
            let made = Owned::steal(if frozen { ffi::PyFrozenSet_New(nothing) } else { ffi::PySet_New(nothing) });
            let set = self.made(made)?;
            for start in (0..count).step_by(BLOCK) {
                for key in self.some(keys, BLOCK.min(count - start))?.into_iter().flatten() {
                    if ffi::PySet_Add(set.as_ptr(), key.as_ptr()) < 0 {
                        return Err(self.raised());
                    }
                }
            }
            // A repeated key: stop reading.
            if ffi::PySet_Size(set.as_ptr()) as usize == count {
                Ok(set)
            } else {
                Err(Fault)
            }
        }
    }

    /// A dict of the next entries.
    pub(super) unsafe fn dict_of(&mut self, entries: &mut [Column<'a>; 2], count: usize) -> Made {
        let [keys, items] = entries;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = Owned::steal(ffi::PyDict_New());
            let dict = self.made(made)?;
            for start in (0..count).step_by(BLOCK) {
                let n = BLOCK.min(count - start);
                let (keys, items) = (self.some(keys, n)?, self.some(items, n)?);
                for (i, entry) in keys.into_iter().flatten().zip(items.into_iter().flatten()).enumerate() {
                    self.entry(dict.as_ptr(), start + i, &entry.0, &entry.1)?;
                }
            }
            if self.plan.trusted {
                ffi::PyObject_GC_UnTrack(dict.as_ptr().cast());
            }
            Ok(dict)
        }
    }

    /// A list of the next numbers in its declared class.
    unsafe fn number_list(&mut self, numbers: &mut Column<'a>, count: usize, form: Form, wanted: Option<Kind>) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match (form, wanted) {
                (Form::List, _) => self.list_of(numbers, count),
                (Form::Tuple, _) => self.series_of(numbers, count),
                (_, Some(wanted)) => {
                    let list = self.list_of(numbers, count)?;
                    self.widened_to(&list, wanted, form)
                }
                (_, None) => {
                    let from = numbers.next;
                    numbers.next += count;
                    let Values::Numbers(all) = &numbers.values else {
                        return self.array(Kind::U8, form, Cow::Borrowed(&[0u8; 0]));
                    };
                    let kind = all.kind();
                    of_any_kind!(all, all => {
                        // The vector will be freed, so a view needs memory of its own.
                        self.array(kind, form, Cow::Owned(all[from..from + count].to_vec()))
                    })
                }
            }
        }
    }

    /// Numbers of one kind as objects. A number that equals the previous one shares its object.
    #[inline(always)]
    unsafe fn numbers_of<T: super::super::numbers::Native>(
        &mut self,
        numbers: &[T],
        places: Places<'_>,
    ) -> Result<(), Fault> {
        for (i, &number) in numbers.iter().enumerate() {
            // SAFETY: the GIL is held; there is a place for each.
            unsafe {
                let made = number.object();
                let value = self.made(made)?;
                places.put(i, value);
            }
        }
        Ok(())
    }

    unsafe fn timestamps(&mut self, instants: &Instants, from: usize, places: Places<'_>) -> Result<(), Fault> {
        for i in 0..places.len() {
            let (seconds, fraction) = instants.parts(from + i);
            // SAFETY: the GIL is held; the reader checked the range.
            unsafe {
                let made = if instants.as_int {
                    nanos::plain(seconds, fraction)
                } else {
                    times::make_datetime(seconds, fraction / 1000)
                };
                let value = self.made(made)?;
                places.put(i, value);
            }
        }
        Ok(())
    }

    unsafe fn durations(&mut self, instants: &Instants, from: usize, places: Places<'_>) -> Result<(), Fault> {
        for i in 0..places.len() {
            let (seconds, fraction) = instants.parts(from + i);
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            unsafe {
                let made = if instants.as_int {
                    nanos::plain(seconds, fraction)
                } else {
                    // The lengths were checked when the column was read.
                    times::make_delta(seconds, fraction / 1000).ok_or(Fault)?
                };
                let value = self.made(made)?;
                places.put(i, value);
            }
        }
        Ok(())
    }
}

impl Numbers {
    fn kind(&self) -> Kind {
        match self {
            Numbers::I8(_) => Kind::I8,
            Numbers::I16(_) => Kind::I16,
            Numbers::I32(_) => Kind::I32,
            Numbers::I64(_) => Kind::I64,
            Numbers::U8(_) => Kind::U8,
            Numbers::U16(_) => Kind::U16,
            Numbers::U32(_) => Kind::U32,
            Numbers::U64(_) => Kind::U64,
            Numbers::F32(_) => Kind::F32,
            Numbers::F64(_) => Kind::F64,
        }
    }
}
