//! Structs behind `ref`, and those among them that only fields of the writer's hold at first.

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

    /// A reference in a field that is not wanted: a struct that stands there is passed over until a field that is wanted
    /// refers to it.
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

    /// Reads a struct that was passed over, as deep as if it stood here. Each is read again at most once for each struct around it, of which there
    /// are no more than `limits.depth`.
    unsafe fn again(&mut self, at: u32, mark: Checkpoint, before: usize) -> Made {
        let (here, read, refs) = (self.r.checkpoint(), self.shared.read, self.refs);
        self.r.visit(&mark);
        self.shared.read = before;
        // Its texts have their numbers.
        self.refs = false;
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        let made = unsafe { self.numbered(at) }.map_err(|fault| self.noted(fault))?;
        self.r.reset(&here);
        self.shared.read = read;
        self.refs = refs;
        Ok(made)
    }

    /// Keeps what the core knows of a fault in a struct that is read again: the walker reads it once, where it stands.
    #[cold]
    fn noted(&mut self, fault: Fault) -> Fault {
        if matches!(self.why, Why::Core) {
            let error = self.r.fault();
            self.why = Why::At(error.code, error.at.unwrap_or_default(), error.text.into_owned());
        }
        fault
    }
}
