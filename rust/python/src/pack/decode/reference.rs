//! Structs behind `ref`, including those that occur first in a field that only the writer has.

use super::shared::{Entry, Place};
use super::{Decoder, Made};
use crate::core::fault::{Fault, Why};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use samewire_pack::wire::Checkpoint;
use samewire_pack::Code;

impl Decoder<'_, '_> {
    #[inline(never)]
    pub(super) unsafe fn reference(&mut self, at: u32) -> Made {
        let position = self.r.position();
        let number = self.r.varint32()?;
        if number == 0 {
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            return unsafe { self.numbered(at) };
        }
        let open = self.open_records();
        let depth = self.plan.limits.depth;
        match *self.known(number, at, position)? {
            Entry { place: Place::Made(ref object), height, .. } => {
                let object = object.again();
                if self.shared.reach.follow(height, open, depth) {
                    return Ok(object);
                }
                self.why = Why::At(Code::LimitDepth, position, "a chain of references is too long".into());
                Err(Fault)
            }
            Entry { place: Place::Passed(mark, before), .. } => {
                // SAFETY: callers hold the GIL, for which this function is unsafe.
                unsafe { self.again(at, mark, before) }
            }
        }
    }

    fn open_records(&self) -> usize {
        (self.plan.limits.depth - self.r.depth_left()) as usize
    }

    /// Reads a struct and numbers it.
    unsafe fn numbered(&mut self, at: u32) -> Made {
        let open = self.open_records();
        let before = self.shared.reach.begin(open);
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { self.placed(at)? };
        let height = self.shared.reach.end(before, open);
        Ok(self.shared.number(made, self.plan.record(at).identity, height))
    }

    /// A reference in a field that is dropped: a struct in it is skipped, and read only if another field refers to it.
    #[inline(never)]
    pub(super) unsafe fn dropped(&mut self, at: u32) -> Made {
        let position = self.r.position();
        let number = self.r.varint32()?;
        if number == 0 {
            let mark = self.r.checkpoint();
            let before = self.shared.read;
            // SAFETY: callers hold the GIL, for which this function is unsafe.
            drop(unsafe { self.placed(at)? });
            self.shared.pass(mark, before, self.plan.record(at).identity);
        } else {
            self.known(number, at, position)?;
        }
        // SAFETY: the object lives for ever.
        Ok(unsafe { Owned::borrow(ffi::Py_None()) })
    }

    fn known(&mut self, number: u32, at: u32, position: usize) -> Result<&Entry, Fault> {
        let identity = self.plan.record(at).identity;
        let index = number as usize - 1;
        match self.shared.structs.get(index) {
            Some(known) if known.identity == identity && index < self.shared.read => Ok(&self.shared.structs[index]),
            _ => Err(self.r.fail(Code::Malformed, position)),
        }
    }

    /// Reads a skipped struct, with the depth of this place. Each is read again at most once for each surrounding
    /// struct, of which there are at most `limits.depth`.
    unsafe fn again(&mut self, at: u32, mark: Checkpoint, before: usize) -> Made {
        let (here, read, refs) = (self.r.checkpoint(), self.shared.read, self.refs);
        self.r.visit(&mark);
        self.shared.read = before;
        // Its texts have been numbered already.
        self.refs = false;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { self.numbered(at) }.map_err(|fault| self.noted(fault))?;
        self.r.reset(&here);
        self.shared.read = read;
        self.refs = refs;
        Ok(made)
    }

    /// Stores the core's error for a struct that is read again: the walker reads it only once, in its own place.
    #[cold]
    fn noted(&mut self, fault: Fault) -> Fault {
        if matches!(self.why, Why::Core) {
            let error = self.r.fault();
            self.why = Why::At(error.code, error.at.unwrap_or_default(), error.text.into_owned());
        }
        fault
    }
}
