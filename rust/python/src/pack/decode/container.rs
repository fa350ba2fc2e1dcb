//! Lists, tuples, sets and dicts.

use super::{Decoder, Made, Object};
use crate::core::fault::{Fault, Why};
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::owned::Owned;
use crate::pack::plan::Node;
use samewire_pack::path::Segment;
use samewire_pack::wire::columns::Count;
use samewire_pack::wire::KEY_CELLS;
use samewire_pack::Code;

impl<'p> Decoder<'p, '_> {
    /// Lends a row room for so many items, until it [gives it back](Self::give_back).
    ///
    /// Nested rows with false counts must not multiply the memory. So all open rows share one credit, which is the
    /// message's length in bits. In a valid message each item has at least one bit of its own, so the credit suffices.
    /// A message that asks for more ends too early, and the walker reports where.
    #[inline(always)]
    pub(super) fn lend(&mut self, count: usize) -> Result<(), Fault> {
        match self.credit.checked_sub(count) {
            Some(left) => {
                self.credit = left;
                Ok(())
            }
            None => Err(Fault),
        }
    }

    /// Returns the credit of a complete row.
    #[inline(always)]
    pub(super) fn give_back(&mut self, count: usize) {
        self.credit += count;
    }

    /// The count of a list.
    #[inline(always)]
    fn count_of(&mut self, item: u32, node: Node) -> Result<Count, Fault> {
        let cells = self.plan.weights.slot(item);
        if self.plan.is_flat(node) {
            return self.r.list_count(node.cost(), cells);
        }
        self.r.count(node.cost(), cells).map(Count::Rows)
    }

    #[inline(never)]
    pub(super) unsafe fn list(&mut self, item: u32) -> Made {
        let node = self.plan.node(item);
        let count = match self.count_of(item, node)? {
            Count::Rows(count) => count,
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            Count::Columns(count) => return unsafe { self.column_list(node, count, false) },
        };
        self.lend(count)?;
        // SAFETY: the GIL is held; the list's items are null until each is set, and its own until the end.
        unsafe {
            let made = Owned::steal(ffi::PyList_New(count as isize));
            let list = self.made(made)?;
            self.hide(&list);
            if count > 0 {
                let items = (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item;
                self.row(node, count, Segment::Index, |_, i, item| {
                    *items.add(i) = item.give();
                    Ok(())
                })?;
            }
            self.show(&list);
            self.give_back(count);
            Ok(list)
        }
    }

    /// Hides a new list or tuple from the collector while it is filled, if hooks may run meanwhile: a hook could find
    /// it through the collector, and shrink it.
    #[inline(always)]
    pub(super) fn hide(&self, container: &Owned) {
        if self.plan.hooks {
            // SAFETY: lists and tuples have a collector's head, and new ones are tracked.
            unsafe { ffi::PyObject_GC_UnTrack(container.as_ptr().cast()) };
        }
    }

    /// Ends `hide`: the collector tracks the container again, unless the user disabled tracking.
    #[inline(always)]
    pub(super) fn show(&self, container: &Owned) {
        // SAFETY: as `hide`; what is not tracked may be untracked again, but not what is tracked, tracked.
        unsafe {
            if self.plan.trusted {
                ffi::PyObject_GC_UnTrack(container.as_ptr().cast());
            } else if self.plan.hooks && ffi::PyObject_GC_IsTracked(container.as_ptr()) == 0 {
                ffi::PyObject_GC_Track(container.as_ptr().cast());
            }
        }
    }

    #[inline(never)]
    pub(super) unsafe fn series(&mut self, item: u32) -> Made {
        let node = self.plan.node(item);
        let count = match self.count_of(item, node)? {
            Count::Rows(count) => count,
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            Count::Columns(count) => return unsafe { self.column_list(node, count, true) },
        };
        self.lend(count)?;
        // SAFETY: as `list`.
        unsafe {
            let made = Owned::steal(ffi::PyTuple_New(count as isize));
            let tuple = self.made(made)?;
            self.hide(&tuple);
            if count > 0 {
                let items = (*tuple.as_ptr().cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr();
                self.row(node, count, Segment::Index, |_, i, item| {
                    *items.add(i) = item.give();
                    Ok(())
                })?;
            }
            self.show(&tuple);
            self.give_back(count);
            Ok(tuple)
        }
    }

    #[inline(never)]
    pub(super) unsafe fn tuple(&mut self, row: u32) -> Made {
        let nodes: &'p [Node] = &self.plan.rows[row as usize];
        let flags = self.r.flags(nodes.iter().filter(|node| node.flagged()).count())?;
        // SAFETY: as `list`.
        unsafe {
            let made = Owned::steal(ffi::PyTuple_New(nodes.len() as isize));
            let tuple = self.made(made)?;
            self.hide(&tuple);
            let items = (*tuple.as_ptr().cast::<ffi::PyTupleObject>()).ob_item.as_mut_ptr();
            let mut flag = 0;
            for (i, &node) in nodes.iter().enumerate() {
                match self.slot(flags, flag, node) {
                    Ok(item) => *items.add(i) = item.give(),
                    Err(Fault) => return Err(self.inside(Segment::Index(i))),
                }
                flag += usize::from(node.flagged());
            }
            self.show(&tuple);
            Ok(tuple)
        }
    }

    /// A row of many slots of one type; `put` takes ownership of each value.
    #[inline(always)]
    unsafe fn row(
        &mut self,
        node: Node,
        count: usize,
        step: fn(usize) -> Segment<'p>,
        mut put: impl FnMut(&mut Self, usize, Owned) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        macro_rules! each {
            ($read:expr) => {{
                for i in 0..count {
                    // SAFETY: callers hold the GIL, for which this function is unsafe.
                    let done = match unsafe { $read(&mut *self, i) } {
                        Ok(item) => put(self, i, item),
                        Err(fault) => Err(fault),
                    };
                    if done.is_err() {
                        return Err(self.inside(step(i)));
                    }
                }
                Ok(())
            }};
        }
        match node {
            Node::Text(_) => each!(|this: &mut Self, _| this.text()),
            Node::Record(at) => each!(|this: &mut Self, _| this.record(at)),
            Node::Bool | Node::Option(_) => {
                let flags = self.r.flags(count)?;
                each!(|this: &mut Self, i| this.slot(flags, i, node))
            }
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            Node::Number(kind) => unsafe { self.number_row(kind, count, put) },
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            Node::Float(kind, wanted) => unsafe { self.float_row(kind, wanted, count, put) },
            _ => each!(|this: &mut Self, _| this.value(node)),
        }
    }

    #[inline(never)]
    pub(super) unsafe fn set(&mut self, item: u32, frozen: bool) -> Made {
        let node = self.plan.node(item);
        let count = self.r.count(node.cost(), KEY_CELLS + self.plan.weights.slot(item))?;
        let nothing = std::ptr::null_mut();
        // SAFETY: the GIL is held; a new frozenset may still be added to.
        unsafe {
            let made = Owned::steal(if frozen { ffi::PyFrozenSet_New(nothing) } else { ffi::PySet_New(nothing) });
            let set = self.made(made)?;
            self.row(node, count, Segment::Index, |this, i, key| {
                if ffi::PySet_Add(set.as_ptr(), key.as_ptr()) < 0 {
                    return Err(this.raised());
                }
                if ffi::PySet_Size(set.as_ptr()) as usize != i + 1 {
                    // Repeated. Nothing more is read, since a text in the table may just have been dropped.
                    return Err(Fault);
                }
                Ok(())
            })?;
            Ok(set)
        }
    }

    #[inline(never)]
    pub(super) unsafe fn map(&mut self, key: u32, item: u32) -> Made {
        let cells = self.plan.weights.entry(key, item);
        let (key, item) = (self.plan.node(key), self.plan.node(item));
        let count = if self.plan.is_flat(item) {
            match self.r.map_count_of(key.cost(), item.cost(), cells)? {
                Count::Rows(count) => count,
                // SAFETY: callers hold the GIL, for which this function is unsafe.
                Count::Columns(count) => return unsafe { self.column_map(key, item, count) },
            }
        } else {
            self.r.map_count(key.cost(), item.cost(), cells)?
        };
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = Owned::steal(ffi::PyDict_New());
            let dict = self.made(made)?;
            self.lend(count)?;
            let mut keys = room(count);
            self.row(key, count, Segment::Key, |_, _, key| {
                keys.push(key);
                Ok(())
            })?;
            self.row(item, count, Segment::Value, |this, i, item| this.entry(dict.as_ptr(), i, &keys[i], &item))
                .map_err(|fault| self.behind(&keys, fault))?;
            if self.plan.trusted {
                ffi::PyObject_GC_UnTrack(dict.as_ptr().cast());
            }
            self.give_back(count);
            Ok(dict)
        }
    }

    /// A fault in the values of a map. Its keys are compared only when they are put into the dict: a repeated key is
    /// the first error, and the walker reports it.
    #[cold]
    unsafe fn behind(&mut self, keys: &[Owned], fault: Fault) -> Fault {
        if !matches!(self.why, Why::At(Code::SchemaMismatch | Code::BadNumber, ..) | Why::Coded(..)) {
            return fault;
        }
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            let made = Owned::steal(ffi::PySet_New(std::ptr::null_mut()));
            let Ok(set) = self.made(made) else { return fault };
            if keys.iter().any(|key| ffi::PySet_Add(set.as_ptr(), key.as_ptr()) < 0) {
                return self.raised();
            }
            if (ffi::PySet_Size(set.as_ptr()) as usize) < keys.len() {
                self.why = Why::Core;
            }
        }
        fault
    }

    /// Converts a list or dict by another class.
    #[inline(never)]
    pub(super) unsafe fn cast(&mut self, at: u32) -> Made {
        let cast = &self.plan.casts[at as usize];
        self.overhead(cast.cells)?;
        // SAFETY: the GIL is held; the plan keeps the class alive.
        unsafe {
            let value = self.value(cast.node)?;
            let made = Owned::steal(ffi::PyObject_CallOneArg(cast.class, value.as_ptr()));
            self.made(made)
        }
    }

    /// Puts entry number `i` into a dict.
    #[inline(always)]
    pub(super) unsafe fn entry(&mut self, dict: Object, i: usize, key: &Owned, item: &Owned) -> Result<(), Fault> {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            if ffi::PyDict_SetItem(dict, key.as_ptr(), item.as_ptr()) < 0 {
                return Err(self.raised());
            }
            if ffi::PyDict_Size(dict) as usize != i + 1 {
                // Repeated. Nothing more is read, since a text in the table may just have been dropped.
                return Err(Fault);
            }
        }
        Ok(())
    }
}
