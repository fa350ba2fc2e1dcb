//! Lists, tuples, sets and dicts.

use super::text::{units, utf16};
use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::{prefetch, push, reserve, LINE};
use crate::core::object::collector::Paused;
use crate::core::object::dict::text_entries;
use crate::core::object::inline_values::has_text_keys;
use crate::core::object::owned::Owned;
use crate::core::object::text::latin1;
use crate::pack::order;
use crate::pack::plan::Node;
use crate::pack::sink::{Form, Room};
use samewire_pack::path::Segment;
use samewire_pack::wire::{KEY_CELLS, MOST_NUMBERED, SHORT_LATIN};

/// How many texts are written through one pair of cursors.
const FEW: usize = 16;
const FEW_ROOM: Room = Room::of(FEW);

/// The items of a list or tuple, borrowed for as long as it is not changed.
///
/// # Safety
/// `object` must be a list or tuple that nothing changes during `'a`.
#[inline(always)]
unsafe fn items<'a>(object: Object) -> &'a [Object] {
    // SAFETY: a list has its items elsewhere, null if it has none; a tuple in itself.
    unsafe {
        let n = ffi::Py_SIZE(object) as usize;
        let first = if ffi::PyList_Check(object) != 0 {
            (*object.cast::<ffi::PyListObject>()).ob_item
        } else {
            (*object.cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr()
        };
        if n == 0 {
            return &[];
        }
        std::slice::from_raw_parts(first, n)
    }
}

/// The items of an exact list or tuple; None for anything else.
///
/// # Safety
/// As [`items`], for a list or tuple.
#[inline(always)]
pub(super) unsafe fn exact_items<'a>(object: Object) -> Option<&'a [Object]> {
    // SAFETY: types are compared; the rest is the caller's.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let first = if class == &raw mut ffi::PyList_Type {
            (*object.cast::<ffi::PyListObject>()).ob_item
        } else if class == &raw mut ffi::PyTuple_Type {
            (*object.cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr()
        } else {
            return None;
        };
        let n = ffi::Py_SIZE(object) as usize;
        Some(if n == 0 { &[] } else { std::slice::from_raw_parts(first, n) })
    }
}

/// Prefetches a later one of several texts: its head, and the line where most texts end.
#[inline(always)]
fn prefetch_text(texts: &[Object], at: usize) {
    if let Some(&later) = texts.get(at) {
        prefetch(later);
        prefetch(later.wrapping_byte_add(LINE));
    }
}

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// A sequence's items. The quick encoder borrows those of exact lists and tuples; the careful one makes a tuple of
    /// its own of any iterable, which it then holds.
    #[inline(always)]
    pub(super) unsafe fn with_items(
        &mut self,
        value: Object,
        write: impl FnOnce(&mut Self, &[Object]) -> Done,
    ) -> Done {
        // SAFETY: types are checked; the quick encoder lets nothing run that could change the list, and the careful
        // one's tuple is its own.
        unsafe {
            if !CAREFUL {
                return match exact_items(value) {
                    Some(items) => write(self, items),
                    None => Err(Fault),
                };
            }
            let own = self.own_items(value)?;
            write(self, items(own.as_ptr()))
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn own_items(&mut self, value: Object) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let refused = ffi::PyUnicode_Check(value) != 0
                || ffi::PyBytes_Check(value) != 0
                || ffi::PyByteArray_Check(value) != 0
                || ffi::PyAnySet_Check(value) != 0
                || ffi::PyDict_Check(value) != 0
                || (ffi::PySequence_Check(value) == 0 && ffi::PyIter_Check(value) == 0);
            if refused {
                return Err(self.mismatch("list", value));
            }
            self.steal(ffi::PySequence_Tuple(value))
        }
    }

    #[inline(never)]
    pub(super) unsafe fn list(&mut self, item: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_items(value, |this, items| {
                if this.is_column_list(item, items.len()) {
                    return this.column_list(item, items);
                }
                this.w.container(items.len(), this.plan.weights.slot(item))?;
                match this.plan.node(item) {
                    Node::Record(at) if !CAREFUL && this.plan.record(at).fast_rows => {
                        this.fast_rows(this.plan.record(at), items)
                    }
                    Node::Record(at) => this.each(items, Segment::Index, |this, item| this.record(at, item)),
                    node => this.row(node, items, Segment::Index),
                }
            })
        }
    }

    /// A row of many slots of one type.
    #[inline(never)]
    pub(super) unsafe fn row(&mut self, node: Node, items: &[Object], step: fn(usize) -> Segment<'p>) -> Done {
        // SAFETY: the caller keeps the items alive.
        unsafe {
            match node {
                Node::Text(site) if self.w.looks() && !self.unrepeated(site, items) => {
                    self.texts::<true>(site, items, 0, step)
                }
                Node::Text(site) => self.texts::<false>(site, items, 0, step),
                Node::Number(kind) => self.number_row(kind, items, step),
                Node::Bool | Node::Option(_) => {
                    let flags = self.w.flags(items.len());
                    for (i, &item) in items.iter().enumerate() {
                        if self.slot(flags, i, node, item).is_err() {
                            return Err(self.inside(step(i)));
                        }
                    }
                    Ok(())
                }
                _ => self.each(items, step, |this, item| this.value(node, item)),
            }
        }
    }

    /// Writes a row of texts from an index on: a few at a time through cursors in registers.
    unsafe fn texts<const LOOKS: bool>(
        &mut self,
        site: u32,
        items: &[Object],
        from: usize,
        step: fn(usize) -> Segment<'p>,
    ) -> Done {
        for (part, few) in items[from..].chunks(FEW).enumerate() {
            let start = from + part * FEW;
            if LOOKS && !self.w.looks() {
                // All dedup slots are disabled for the rest of the message.
                // SAFETY: the GIL is held and the value alive.
                return unsafe { self.texts::<false>(site, items, start, step) };
            }
            let mut cursors = self.w.lend(FEW_ROOM);
            for (i, &item) in few.iter().enumerate() {
                prefetch_text(items, start + i + FEW);
                // SAFETY: the caller keeps the items alive; there is room for short texts, and it is made again after
                // another.
                unsafe {
                    match latin1(item) {
                        Some(chars) if chars.len() <= SHORT_LATIN => {
                            self.w.short_latin1::<LOOKS>(&mut cursors, site as usize, chars);
                        }
                        _ => {
                            self.w.take_back(cursors);
                            if self.text(site, item).is_err() {
                                return Err(self.inside(step(start + i)));
                            }
                            cursors = self.w.lend(FEW_ROOM);
                        }
                    }
                }
            }
            // SAFETY: these cursors were lent last, and all before them is written.
            unsafe { self.w.take_back(cursors) };
        }
        Ok(())
    }

    /// Writes texts of a column, which seldom repeat. A few are hashed before the first is looked up, so that a branch
    /// misprediction at one of them does not delay the hashing of the next.
    pub(super) unsafe fn column_texts(&mut self, site: u32, items: &[Object]) -> Done {
        for (part, few) in items.chunks(FEW).enumerate() {
            let start = part * FEW;
            if !self.w.looks_up(site as usize) {
                // SAFETY: the caller keeps the items alive.
                return unsafe { self.row(Node::Text(site), &items[start..], Segment::Index) };
            }
            let mut hashes = [0; FEW];
            for (i, (hash, &item)) in hashes.iter_mut().zip(few).enumerate() {
                prefetch_text(items, start + i + FEW);
                // SAFETY: the caller keeps the items alive.
                if let Some(text) = unsafe { latin1(item).or_else(|| utf16(item)) } {
                    if text.len() <= MOST_NUMBERED {
                        *hash = self.w.hash_ahead(text);
                    }
                }
            }
            let mut cursors = self.w.lend(FEW_ROOM);
            for (i, (&item, hash)) in few.iter().zip(hashes).enumerate() {
                // SAFETY: the caller keeps the items alive; there is room for short texts, and it is made again after
                // another.
                unsafe {
                    match latin1(item) {
                        Some(chars) if chars.len() <= SHORT_LATIN => {
                            self.w.hashed_latin1(&mut cursors, site as usize, chars, hash);
                        }
                        _ => {
                            self.w.take_back(cursors);
                            // Only what is written so has been hashed.
                            let done = match units(item) {
                                Some(units) if hash != 0 => self.w.hashed(site as usize, Form::Wide, units, hash),
                                _ => self.text(site, item),
                            };
                            if done.is_err() {
                                return Err(self.inside(Segment::Index(start + i)));
                            }
                            cursors = self.w.lend(FEW_ROOM);
                        }
                    }
                }
            }
            // SAFETY: these cursors were lent last, and all before them is written.
            unsafe { self.w.take_back(cursors) };
        }
        Ok(())
    }

    #[inline(always)]
    unsafe fn each(
        &mut self,
        items: &[Object],
        step: fn(usize) -> Segment<'p>,
        mut write: impl FnMut(&mut Self, Object) -> Done,
    ) -> Done {
        for (i, &item) in items.iter().enumerate() {
            if let Some(&next) = items.get(i + 1) {
                prefetch(next);
            }
            if write(self, item).is_err() {
                return Err(self.inside(step(i)));
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) unsafe fn tuple(&mut self, row: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; types are checked.
        unsafe {
            let nodes = &self.plan.rows[row as usize];
            self.tuple_items(value, nodes.len(), |this, items| {
                let flagged = nodes.iter().filter(|node| node.flagged()).count();
                let flags = if flagged > 0 { this.w.flags(flagged) } else { 0 };
                let mut flag = 0;
                for (i, (&node, &item)) in nodes.iter().zip(items).enumerate() {
                    if this.slot(flags, flag, node, item).is_err() {
                        return Err(this.inside(Segment::Index(i)));
                    }
                    flag += usize::from(node.flagged());
                }
                Ok(())
            })
        }
    }

    /// The items of a tuple of so many parts.
    #[inline(always)]
    pub(super) unsafe fn tuple_items(
        &mut self,
        value: Object,
        parts: usize,
        write: impl FnOnce(&mut Self, &[Object]) -> Done,
    ) -> Done {
        // SAFETY: the GIL is held and the value alive; types are checked.
        unsafe {
            if ffi::PyTuple_Check(value) == 0 && ffi::PyList_Check(value) == 0 {
                return Err(self.mismatch("tuple", value));
            }
            self.with_items(value, |this, items| {
                if items.len() != parts {
                    return Err(this.refuse(format!("expected a tuple of {parts}, got {}", items.len())));
                }
                write(this, items)
            })
        }
    }

    #[inline(never)]
    pub(super) unsafe fn set(&mut self, item: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; `own` keeps the keys.
        unsafe {
            let (own, keys, distinct) = self.set_keys(item, value)?;
            self.w.container(keys.len(), KEY_CELLS + self.plan.weights.slot(item))?;
            self.row(self.plan.node(item), &keys, Segment::Index)?;
            drop(own);
            self.each_once(distinct)
        }
    }

    /// The keys of a set in the order of the wire, the object that keeps them alive, and whether they are distinct on
    /// the wire.
    #[inline(always)]
    pub(super) unsafe fn set_keys(&mut self, item: u32, value: Object) -> Result<(Owned, Vec<Object>, bool), Fault> {
        // SAFETY: the type is checked; what is made of it is our own, and nobody changes it.
        unsafe {
            let exact = ffi::PySet_CheckExact(value) != 0 || ffi::PyFrozenSet_CheckExact(value) != 0;
            if !exact && (!CAREFUL || !is_set(value)) {
                return Err(self.mismatch("set", value));
            }
            let own = {
                let _held_off = (!CAREFUL).then(|| Paused::new());
                // If Python code may run, it could find a list, and change it.
                self.steal(if CAREFUL { ffi::PySequence_Tuple(value) } else { ffi::PySequence_List(value) })?
            };
            let mut keys = items(own.as_ptr()).to_vec();
            let distinct = self.sort(&mut keys, self.plan.node(item))?;
            Ok((own, keys, distinct))
        }
    }

    /// Sorts keys or entries, and returns whether the keys are distinct on the wire.
    unsafe fn sort<E: order::Entry>(&mut self, entries: &mut [E], node: Node) -> Result<bool, Fault> {
        // SAFETY: the caller keeps the keys alive.
        match unsafe { order::sort(entries, node, self.plan, CAREFUL) } {
            Err(Fault) if CAREFUL => {
                // A key that cannot be compared does not have the declared type: writing the row reports it.
                // SAFETY: callers hold the GIL, for which this function is unsafe.
                unsafe { ffi::PyErr_Clear() };
                Ok(true)
            }
            sorted => sorted,
        }
    }

    /// Refuses keys that are distinct only in Python: two instances of a subclass, one instant in two zones. Called
    /// after their row was written, which reports a key of another type first.
    pub(super) fn each_once(&mut self, distinct: bool) -> Done {
        if distinct {
            return Ok(());
        }
        Err(self.refuse("two keys that are the same on the wire".into()))
    }

    #[inline(never)]
    pub(super) unsafe fn map(&mut self, key: u32, item: u32, value: Object) -> Done {
        let (mut keys, mut values) = (self.spare(), self.spare());
        let nodes = [self.plan.node(key), self.plan.node(item)];
        let cells = self.plan.weights.entry(key, item);
        // SAFETY: the GIL is held and the value alive; `own` keeps keys and values.
        unsafe {
            let (own, distinct) = self.map_entries(nodes[0], value, &mut keys, &mut values)?;
            if self.is_column_map(key, item, keys.len()) {
                self.column_map(nodes, cells, &keys, &values, distinct)?;
            } else {
                self.w.container(keys.len(), cells)?;
                self.row(nodes[0], &keys, Segment::Key)?;
                self.each_once(distinct)?;
                self.row(nodes[1], &values, Segment::Value)?;
            }
            drop(own);
        }
        self.give_back(keys);
        self.give_back(values);
        Ok(())
    }

    /// An empty vector, with the memory of an earlier one if possible.
    pub(super) fn spare(&mut self) -> Vec<Object> {
        self.spare.pop().unwrap_or_default()
    }

    /// Returns a vector's memory for reuse.
    pub(super) fn give_back(&mut self, mut spare: Vec<Object>) {
        spare.clear();
        push(&mut self.spare, spare);
    }

    /// The entries of a map, the object that keeps them alive if necessary, and whether the keys are distinct on the
    /// wire.
    #[inline(always)]
    pub(super) unsafe fn map_entries(
        &mut self,
        key: Node,
        value: Object,
        keys: &mut Vec<Object>,
        values: &mut Vec<Object>,
    ) -> Result<(Option<Owned>, bool), Fault> {
        // SAFETY: the type is checked. The quick encoder runs nothing that could change the dict; the careful one holds
        // copies of all keys and values.
        unsafe {
            if ffi::PyDict_CheckExact(value) == 0 && !CAREFUL {
                return Err(Fault);
            }
            let (mut copy, mut distinct) = (None, true);
            let from = keys.len();
            if CAREFUL {
                let copy = copy.insert(self.own_dict(value)?);
                read_dict(copy.as_ptr(), keys, values);
            } else {
                read_dict(value, keys, values);
            }
            if self.plan.sort_keys {
                distinct = self.sort_entries(key, &mut keys[from..], &mut values[from..])?;
            } else if CAREFUL || matches!(key, Node::Text(_)) && !has_text_keys(value) {
                distinct = self.sort(&mut keys.clone(), key)?;
            }
            Ok((copy, distinct))
        }
    }

    /// Sorts the entries of a map by their keys, and returns whether the keys are distinct on the wire.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn sort_entries(
        &mut self,
        key: Node,
        keys: &mut [Object],
        values: &mut [Object],
    ) -> Result<bool, Fault> {
        let mut entries = Vec::new();
        reserve(&mut entries, keys.len());
        entries.extend(keys.iter().zip(values.iter()).map(|(&key, &value)| [key, value]));
        // SAFETY: the caller keeps keys and values alive.
        let distinct = unsafe { self.sort(&mut entries, key)? };
        for ((key, value), entry) in keys.iter_mut().zip(values).zip(entries) {
            [*key, *value] = entry;
        }
        Ok(distinct)
    }

    /// A dict of our own with the entries of a dict or of anything with `keys()`.
    #[cold]
    pub(super) unsafe fn own_dict(&mut self, value: Object) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let dict = ffi::PyDict_Check(value) != 0;
            if !dict && (ffi::PyMapping_Check(value) == 0 || ffi::PyObject_HasAttrString(value, c"keys".as_ptr()) == 0)
            {
                return Err(self.mismatch("dict", value));
            }
            let copy = self.steal(ffi::PyDict_New())?;
            if ffi::PyDict_Update(copy.as_ptr(), value) < 0 {
                return Err(self.raised());
            }
            Ok(copy)
        }
    }
}

/// Whether a value that is not exactly a `set` or `frozenset` is a set: a subclass, or a `keys()` view.
unsafe fn is_set(value: Object) -> bool {
    // SAFETY: the GIL is held and the value alive.
    unsafe { ffi::PyAnySet_Check(value) != 0 || ffi::PyDictViewSet_Check(value) != 0 }
}

/// The entries of a dict in order, borrowed.
///
/// # Safety
/// `dict` must be a dict that nothing changes while the returns are used.
pub(super) unsafe fn read_dict(dict: Object, keys: &mut Vec<Object>, values: &mut Vec<Object>) {
    // SAFETY: the GIL is held and the value alive.
    unsafe {
        let n = ffi::PyDict_Size(dict) as usize;
        reserve(keys, n);
        reserve(values, n);
        if let Some(entries) = text_entries(dict) {
            for &[key, value] in entries {
                if !value.is_null() {
                    push(keys, key);
                    push(values, value);
                }
            }
            return;
        }
        let (mut at, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        while ffi::PyDict_Next(dict, &mut at, &mut key, &mut value) != 0 {
            keys.push(key);
            values.push(value);
        }
    }
}
