//! Gathers values of objects into columns.

use super::super::container::exact_items;
use super::super::scalar::{exact, Integer};
use super::super::text::{units, utf16};
use super::super::{Done, Encoder, Object};
use super::column::{Column, Numbers, Texts, Values};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::{extend, prefetch, reserve, LINE};
use crate::core::object::dict;
use crate::core::object::inline_values::has_text_keys;
use crate::core::object::layout::Store;
use crate::core::object::owned::Owned;
use crate::core::object::text::latin1;
use crate::core::object::uuid;
use crate::pack::plan::{Node, Record, Step};
use crate::pack::sink::Form;
use samewire_pack::path::Segment;
use samewire_pack::wire::Number;
use std::ptr;

/// How many elements the quick encoder gathers together, so that their objects stay in the L1 cache.
const BLOCK: usize = 64;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// Adds the elements of a container to their column.
    ///
    /// # Safety
    /// The caller keeps the items alive.
    pub(super) unsafe fn gather_each(
        &mut self,
        column: &mut Column,
        items: &[Object],
        step: fn(usize) -> Segment<'p>,
    ) -> Done {
        // SAFETY: the caller keeps the items alive, as this function asks.
        unsafe {
            if !CAREFUL {
                let mut blocks = items.chunks(BLOCK);
                let mut next = blocks.next();
                column.prefetch(next.unwrap_or_default());
                while let Some(block) = next {
                    next = blocks.next();
                    column.prefetch(next.unwrap_or_default());
                    self.gather(column, block)?;
                }
                return Ok(());
            }
            for (i, item) in items.iter().enumerate() {
                if self.gather(column, std::slice::from_ref(item)).is_err() {
                    return Err(self.inside(step(i)));
                }
            }
            Ok(())
        }
    }

    /// Adds up to a block of values to their column; the careful encoder one.
    #[inline(always)]
    unsafe fn gather(&mut self, column: &mut Column, items: &[Object]) -> Done {
        self.w.charge(column.overhead * items.len() as u64)?;
        // SAFETY: the caller keeps the items alive; what is made of them stays while it is gathered.
        unsafe {
            if let Some(adapter) = column.adapter {
                for &item in items {
                    let made = self.adapted(adapter, item)?;
                    self.gather_as_they_are(column, &[made.as_ptr()])?;
                }
                return Ok(());
            }
            self.gather_as_they_are(column, items)
        }
    }

    #[inline(never)]
    unsafe fn gather_as_they_are(&mut self, column: &mut Column, items: &[Object]) -> Done {
        /// Adds the expression's result for each item.
        macro_rules! each {
            ($values:expr, $item:ident => $value:expr) => {
                extend($values, items, |$item| Ok($value))
            };
        }
        // SAFETY: the caller keeps the items alive; types are checked before their layout is used.
        unsafe {
            match &mut column.values {
                Values::Bits(bits) => {
                    let (mut set, mut other) = (0, None);
                    for (i, &item) in items.iter().enumerate() {
                        let is_true = item == ffi::Py_True();
                        if !is_true && item != ffi::Py_False() {
                            other = Some(item);
                        }
                        set |= u64::from(is_true) << i;
                    }
                    if let Some(other) = other {
                        return Err(self.mismatch("bool", other));
                    }
                    bits.push(set, items.len());
                    Ok(())
                }
                Values::Numbers(numbers) => self.gather_numbers(numbers, items),
                Values::Dates(days) => each!(days, item => self.date_of(item)? as i32),
                Values::Times(times) => {
                    let Node::Time(nanos) = column.node else { return Err(Fault) };
                    each!(times, item => self.time_of(nanos, item)?)
                }
                Values::Instants(instants) => match column.node {
                    Node::Timestamp(nanos) => each!(instants, item => self.timestamp_of(nanos, item)?),
                    Node::Duration(nanos) => each!(instants, item => self.duration_of(nanos, item)?),
                    _ => Err(Fault),
                },
                Values::Symbols(indices) => {
                    let Node::Enum(at) = column.node else { return Err(Fault) };
                    each!(indices, item => self.symbol_of(at, item)? as u32)
                }
                Values::Texts(_, texts) => self.gather_texts(texts, items),
                Values::Uuids(uuids) => each!(uuids, item => match uuid::bytes(item, CAREFUL) {
                    Ok(Some(bytes)) => bytes,
                    Ok(None) => return Err(self.mismatch("UUID", item)),
                    Err(Fault) => return Err(self.raised()),
                }),
                Values::Bytes(lengths, bytes) => {
                    reserve(lengths, items.len());
                    for &item in items {
                        let before = bytes.len();
                        self.with_bytes(item, |_, own| {
                            reserve(bytes, own.len());
                            bytes.extend_from_slice(own);
                            Ok(())
                        })?;
                        lengths.push(self.counted(bytes.len() - before)?);
                    }
                    Ok(())
                }
                Values::Slots(slots) => {
                    reserve(slots, items.len());
                    for &item in items {
                        self.keep(item);
                        slots.push(item);
                    }
                    Ok(())
                }
                Values::Option(bits, column) => {
                    let mut present = [ptr::null_mut(); BLOCK];
                    let (mut set, mut count) = (0, 0);
                    for (i, &item) in items.iter().enumerate() {
                        let is_present = item != ffi::Py_None();
                        set |= u64::from(is_present) << i;
                        present[count % BLOCK] = item;
                        count += usize::from(is_present);
                    }
                    bits.push(set, items.len());
                    if count == 0 {
                        return Ok(());
                    }
                    self.gather(column, &present[..count])
                }
                Values::List(counts, inner) if !CAREFUL => self.gather_lists(column.node, counts, inner, items),
                Values::Map(counts, inner) if !CAREFUL => self.gather_maps(column.node, counts, inner, items),
                Values::List(counts, inner) => {
                    reserve(counts, items.len());
                    for &item in items {
                        let count = self.gather_list(column.node, inner, item)?;
                        counts.push(self.counted(count)?);
                    }
                    Ok(())
                }
                Values::Map(counts, inner) => {
                    let Node::Map(key, _) = column.node else { return Err(Fault) };
                    reserve(counts, items.len());
                    for &item in items {
                        counts.push(self.gather_map(self.plan.node(key), inner, item)?);
                    }
                    Ok(())
                }
                Values::Parts(parts) => match column.node {
                    Node::Tuple(_) => items.iter().try_for_each(|&item| self.gather_tuple(parts, item)),
                    Node::Record(at) => self.gather_records(self.plan.record(at), parts, items),
                    _ => Err(Fault),
                },
            }
        }
    }

    /// Checks a count or length for writing.
    #[inline(always)]
    fn counted(&mut self, count: usize) -> Result<u32, Fault> {
        if count >= 1 << 31 {
            return Err(self.w.fail(samewire_pack::Code::LimitItems));
        }
        Ok(count as u32)
    }

    unsafe fn gather_numbers(&mut self, numbers: &mut Numbers, items: &[Object]) -> Done {
        // SAFETY: the caller keeps the items alive.
        unsafe {
            match numbers {
                Numbers::I8(numbers) => self.gather_integers(numbers, items),
                Numbers::I16(numbers) => self.gather_integers(numbers, items),
                Numbers::I32(numbers) => self.gather_integers(numbers, items),
                Numbers::I64(numbers) => self.gather_integers(numbers, items),
                Numbers::U8(numbers) => self.gather_integers(numbers, items),
                Numbers::U16(numbers) => self.gather_integers(numbers, items),
                Numbers::U32(numbers) => self.gather_integers(numbers, items),
                Numbers::U64(numbers) => self.gather_integers(numbers, items),
                Numbers::F32(numbers) => extend(numbers, items, |item| self.float32(item)),
                Numbers::F64(numbers) => extend(numbers, items, |item| self.float(item)),
            }
        }
    }

    #[inline(always)]
    unsafe fn gather_integers<T: Integer>(&mut self, numbers: &mut Vec<T>, items: &[Object]) -> Done {
        extend(numbers, items, |item| {
            // SAFETY: the caller keeps the items alive.
            unsafe {
                match exact::<T>(item) {
                    Some(number) => Ok(number),
                    None => self.other_integer::<T>(item),
                }
            }
        })
    }

    /// Adds texts. All are hashed before the first is looked up (`Encoder::texts`).
    unsafe fn gather_texts(&mut self, texts: &mut Texts, items: &[Object]) -> Done {
        let Texts { all, rest } = texts;
        if !CAREFUL && all.has_given_up() {
            return extend(rest, items, Ok);
        }
        all.reserve(items.len());
        let mut hashes = [0; BLOCK];
        for (hash, &item) in hashes.iter_mut().zip(items) {
            // SAFETY: the caller keeps the items alive.
            unsafe {
                if CAREFUL || !all.has_seen(item as usize) {
                    if let Some(text) = latin1(item).or_else(|| utf16(item)) {
                        *hash = all.hash(text);
                    }
                }
            }
        }
        for (&item, mut hash) in items.iter().zip(hashes) {
            if !CAREFUL && all.again(item as usize) {
                continue;
            }
            // SAFETY: the caller keeps the items alive; the classes are checked before fields are read.
            unsafe {
                if let Some(chars) = latin1(item) {
                    if hash == 0 {
                        hash = all.hash(chars);
                    }
                    all.latin1(chars, hash);
                } else {
                    // Only what is written so has been hashed.
                    match units(item) {
                        Some(units) if hash != 0 => all.other(Form::Wide, units, hash),
                        _ => self.gather_other_text(all, item)?,
                    }
                }
            }
            all.remember(item as usize);
        }
        self.w.bounded_by(all.long_bytes())
    }

    /// Adds the elements of several lists. Those of short ones are gathered together.
    unsafe fn gather_lists(&mut self, node: Node, counts: &mut Vec<u32>, inner: &mut Column, lists: &[Object]) -> Done {
        let mut flat = self.spare();
        reserve(counts, lists.len());
        for &list in lists {
            // SAFETY: the caller keeps the lists alive, and nothing changes them.
            if let Some(items) = unsafe { exact_items(list) } {
                prefetch(items.as_ptr());
            }
        }
        for &list in lists {
            // SAFETY: the caller keeps the lists alive, and nothing changes them.
            unsafe {
                match exact_items(list) {
                    Some(items) if items.len() < BLOCK => {
                        extend(&mut flat, items, Ok)?;
                        counts.push(items.len() as u32);
                    }
                    _ => {
                        self.gather_each(inner, &flat, Segment::Index)?;
                        flat.clear();
                        let count = self.gather_list(node, inner, list)?;
                        counts.push(self.counted(count)?);
                    }
                }
            }
        }
        // SAFETY: the items are those of lists that the caller keeps alive.
        unsafe { self.gather_each(inner, &flat, Segment::Index)? };
        self.give_back(flat);
        Ok(())
    }

    /// Adds the entries of several dicts. Those of short ones are gathered together.
    unsafe fn gather_maps(
        &mut self,
        node: Node,
        counts: &mut Vec<u32>,
        inner: &mut [Column; 2],
        dicts: &[Object],
    ) -> Done {
        let Node::Map(key, _) = node else { return Err(Fault) };
        let key = self.plan.node(key);
        let (mut keys, mut values) = (self.spare(), self.spare());
        reserve(counts, dicts.len());
        for &dict in dicts {
            // SAFETY: the type is checked.
            unsafe {
                if ffi::PyDict_CheckExact(dict) != 0 {
                    let keys = dict::keys(dict);
                    prefetch(keys);
                    prefetch(keys.wrapping_add(LINE));
                }
            }
        }
        for &dict in dicts {
            // SAFETY: the caller keeps the dicts alive, and nothing changes them.
            unsafe {
                let before = keys.len();
                if before >= BLOCK {
                    self.gather_entries(inner, &mut keys, &mut values)?;
                    counts.push(self.gather_map(key, inner, dict)?);
                    continue;
                }
                let (_, distinct) = self.map_entries(key, dict, &mut keys, &mut values)?;
                if !distinct {
                    return Err(Fault);
                }
                counts.push(self.counted(keys.len() - before)?);
            }
        }
        // SAFETY: the keys and values are those of dicts that the caller keeps alive.
        unsafe { self.gather_entries(inner, &mut keys, &mut values)? };
        self.give_back(keys);
        self.give_back(values);
        Ok(())
    }

    unsafe fn gather_entries(
        &mut self,
        columns: &mut [Column; 2],
        keys: &mut Vec<Object>,
        values: &mut Vec<Object>,
    ) -> Done {
        // SAFETY: the caller keeps the objects alive.
        unsafe {
            self.gather_each(&mut columns[0], keys, Segment::Key)?;
            self.gather_each(&mut columns[1], values, Segment::Value)?;
        }
        keys.clear();
        values.clear();
        Ok(())
    }

    /// Adds the elements of a list, tuple, set or array, and returns how many there are.
    unsafe fn gather_list(&mut self, node: Node, column: &mut Column, value: Object) -> Result<usize, Fault> {
        let mut count = 0;
        // SAFETY: types are checked; what is gathered stays for as long as it is used.
        unsafe {
            match node {
                Node::Set(key, _) => {
                    let (own, keys, distinct) = self.set_keys(key, value)?;
                    count = keys.len();
                    self.gather_each(column, &keys, Segment::Index)?;
                    self.each_once(distinct)?;
                    drop(own);
                }
                Node::Numbers(kind, _) if self.is_buffer(value) => {
                    let Values::Numbers(numbers) = &mut column.values else { return Err(Fault) };
                    let buffer = self.number_buffer(kind, value)?;
                    count = buffer.len();
                    extend_from_raw(numbers, buffer.bytes());
                }
                _ => self.with_items(value, |this, items| {
                    count = items.len();
                    this.gather_each(column, items, Segment::Index)
                })?,
            }
        }
        Ok(count)
    }

    unsafe fn gather_map(&mut self, key: Node, columns: &mut [Column; 2], value: Object) -> Result<u32, Fault> {
        let (mut keys, mut items) = (self.spare(), self.spare());
        // SAFETY: as `Encoder::map`.
        unsafe {
            let (own, distinct) = self.map_entries(key, value, &mut keys, &mut items)?;
            self.gather_each(&mut columns[0], &keys, Segment::Key)?;
            self.each_once(distinct)?;
            self.gather_each(&mut columns[1], &items, Segment::Value)?;
            drop(own);
        }
        let count = keys.len();
        self.give_back(keys);
        self.give_back(items);
        self.counted(count)
    }

    unsafe fn gather_tuple(&mut self, parts: &mut [Column], value: Object) -> Done {
        // SAFETY: types are checked.
        unsafe {
            self.tuple_items(value, parts.len(), |this, items| {
                for (i, (part, item)) in parts.iter_mut().zip(items).enumerate() {
                    if this.gather(part, std::slice::from_ref(item)).is_err() {
                        return Err(this.inside(Segment::Index(i)));
                    }
                }
                Ok(())
            })
        }
    }

    unsafe fn gather_records(&mut self, record: &'p Record, parts: &mut [Column], values: &[Object]) -> Done {
        // SAFETY: an exact instance has its fields at the layout's places, each of which is null or an object.
        unsafe {
            if CAREFUL {
                return values.iter().try_for_each(|&value| self.gather_looked_up(record, parts, value));
            }
            let mut bases = [ptr::null_mut(); BLOCK];
            let bases = &mut bases[..values.len()];
            for (base, &value) in bases.iter_mut().zip(values) {
                *base = record.fields_of(value);
                if base.is_null() {
                    return self.gather_items(record, parts, values);
                }
                if record.layout.store != Store::Slots {
                    prefetch(*base);
                }
            }
            // While one field's objects are gathered, the next field's are prefetched.
            let mut items = [[ptr::null_mut(); BLOCK]; 2];
            let [mut now, mut next] = items.each_mut().map(|items| &mut items[..values.len()]);
            let mut steps = record.steps.iter();
            if let (Some(step), Some(part)) = (steps.next(), parts.first()) {
                fields(bases, step, now)?;
                part.prefetch(now);
            }
            for i in 0..parts.len() {
                if let (Some(step), Some(part)) = (steps.next(), parts.get(i + 1)) {
                    fields(bases, step, next)?;
                    part.prefetch(next);
                }
                self.gather(&mut parts[i], now)?;
                std::mem::swap(&mut now, &mut next);
            }
            Ok(())
        }
    }

    /// Gathers the items of dicts that represent structs.
    #[inline(never)]
    unsafe fn gather_items(&mut self, record: &'p Record, parts: &mut [Column], values: &[Object]) -> Done {
        // SAFETY: as `Encoder::items`.
        unsafe {
            for &value in values {
                if record.layout.store != Store::Dict || ffi::PyDict_CheckExact(value) == 0 || !has_text_keys(value) {
                    return Err(Fault);
                }
            }
            let mut found = [0; BLOCK];
            let mut items = [ptr::null_mut(); BLOCK];
            let items = &mut items[..values.len()];
            for (field, part) in record.fields.iter().zip(parts) {
                for ((item, &value), found) in items.iter_mut().zip(values).zip(&mut found) {
                    *item = ffi::PyDict_GetItemWithError(value, field.attribute);
                    *found += isize::from(!item.is_null());
                    if item.is_null() {
                        if !field.absent || !ffi::PyErr_Occurred().is_null() {
                            ffi::PyErr_Clear();
                            return Err(Fault);
                        }
                        *item = ffi::Py_None();
                    }
                }
                self.gather(part, items)?;
            }
            if values.iter().zip(found).all(|(&value, found)| found == ffi::PyDict_Size(value)) {
                Ok(())
            } else {
                Err(Fault)
            }
        }
    }

    /// Any instance, by attribute access or as a dict.
    #[cold]
    #[inline(never)]
    unsafe fn gather_looked_up(&mut self, record: &'p Record, parts: &mut [Column], value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; the item is owned while it is gathered.
        unsafe {
            let held = Owned::borrow(value);
            self.check_record(record, value)?;
            for (field, part) in record.fields.iter().zip(parts) {
                let done = match self.field_item(record, held.as_ptr(), field) {
                    Ok(Some(item)) => self.gather(part, &[item.as_ptr()]),
                    Ok(None) => self.gather(part, &[ffi::Py_None()]),
                    Err(Fault) => Err(Fault),
                };
                if done.is_err() {
                    return Err(self.inside(Segment::Field(&field.name)));
                }
            }
            self.no_others(record, value)
        }
    }
}

/// The values of one field of several records; a fault if one is missing.
#[inline(always)]
unsafe fn fields(bases: &[*mut u8], step: &Step, to: &mut [Object]) -> Done {
    let mut complete = true;
    for (to, base) in to.iter_mut().zip(bases) {
        // SAFETY: an instance has its fields at the layout's places, each of which is null or an object.
        *to = unsafe { *base.add(step.offset as usize).cast::<Object>() };
        complete &= !to.is_null();
    }
    if complete {
        Ok(())
    } else {
        Err(Fault)
    }
}

/// Adds raw numbers of the column's kind.
fn extend_from_raw(numbers: &mut Numbers, raw: &[u8]) {
    fn all<T: Number>(numbers: &mut Vec<T>, raw: &[u8]) {
        reserve(numbers, raw.len() / T::WIDTH);
        numbers.extend(raw.chunks_exact(T::WIDTH).map(T::from_raw));
    }
    match numbers {
        Numbers::I8(numbers) => all(numbers, raw),
        Numbers::I16(numbers) => all(numbers, raw),
        Numbers::I32(numbers) => all(numbers, raw),
        Numbers::I64(numbers) => all(numbers, raw),
        Numbers::U8(numbers) => all(numbers, raw),
        Numbers::U16(numbers) => all(numbers, raw),
        Numbers::U32(numbers) => all(numbers, raw),
        Numbers::U64(numbers) => all(numbers, raw),
        Numbers::F32(numbers) => all(numbers, raw),
        Numbers::F64(numbers) => all(numbers, raw),
    }
}
