//! Structs behind `ref`, and those among them that only fields of the writer's hold at first.

use super::{Decoder, Made};
use crate::fault::{Fault, Why};
use crate::object::owned::Owned;
use pyo3::ffi;
use samewire_pack::wire::Mark;
use samewire_pack::Code;

/// The shared structs of a message by number. A struct is numbered when it has been read: those within it come before.
pub(super) struct Shared {
    structs: Vec<(Place, u32)>,
    /// How many have been read up to where the reader stands: less than are known while one is read again.
    read: usize,
}

enum Place {
    Made(Owned),
    /// Passed over in a field that is not wanted: where it stands, and how many had been read before it.
    Passed(Mark, usize),
}

impl Shared {
    pub(super) fn new() -> Self {
        Shared { structs: Vec::new(), read: 0 }
    }

    /// Numbers what was just read; answers the one object for it, which may have been made already.
    fn number(&mut self, made: Owned, identity: u32) -> Owned {
        match self.structs.get_mut(self.read) {
            Some((Place::Made(first), _)) => {
                self.read += 1;
                first.again()
            }
            known => {
                let place = (Place::Made(made.again()), identity);
                match known {
                    Some(passed) => *passed = place,
                    None => self.structs.push(place),
                }
                self.read += 1;
                made
            }
        }
    }

    /// Numbers what was just passed over.
    fn pass(&mut self, mark: Mark, before: usize, identity: u32) {
        if self.read == self.structs.len() {
            self.structs.push((Place::Passed(mark, before), identity));
        }
        self.read += 1;
    }
}

impl Decoder<'_, '_> {
    #[inline(never)]
    pub(super) unsafe fn reference(&mut self, at: u32) -> Made {
        let position = self.r.position();
        let number = self.r.varint32()?;
        if number == 0 {
            // SAFETY: the GIL is held.
            let made = unsafe { self.record(at)? };
            return Ok(self.shared.number(made, self.plan.record(at).identity));
        }
        match self.known(number, at, position)? {
            Place::Made(object) => Ok(object.again()),
            &Place::Passed(mark, before) => {
                // SAFETY: the GIL is held.
                unsafe { self.again(at, mark, before) }
            }
        }
    }

    /// A reference in a field that is not wanted: a struct that stands there is passed over until a field that is wanted
    /// refers to it.
    #[inline(never)]
    pub(super) unsafe fn dropped(&mut self, at: u32) -> Made {
        let position = self.r.position();
        let number = self.r.varint32()?;
        if number == 0 {
            let mark = self.r.mark();
            let before = self.shared.read;
            // SAFETY: the GIL is held.
            drop(unsafe { self.record(at)? });
            self.shared.pass(mark, before, self.plan.record(at).identity);
        } else {
            self.known(number, at, position)?;
        }
        // SAFETY: the object lives for ever.
        Ok(unsafe { Owned::borrow(ffi::Py_None()) })
    }

    fn known(&mut self, number: u32, at: u32, position: usize) -> Result<&Place, Fault> {
        let identity = self.plan.record(at).identity;
        let index = number as usize - 1;
        match self.shared.structs.get(index) {
            Some((_, owner)) if *owner == identity && index < self.shared.read => Ok(&self.shared.structs[index].0),
            _ => Err(self.r.fail(Code::Malformed, position)),
        }
    }

    /// Reads a struct that was passed over, as deep as if it stood here. Each is read again at most once for each struct around it, of which there
    /// are no more than `limits.depth`.
    unsafe fn again(&mut self, at: u32, mark: Mark, before: usize) -> Made {
        let (here, read, refs) = (self.r.mark(), self.shared.read, self.refs);
        self.r.visit(&mark);
        self.shared.read = before;
        // Its texts have their numbers.
        self.refs = false;
        // SAFETY: the GIL is held.
        let made = unsafe { self.record(at) }.map_err(|fault| self.noted(fault))?;
        let made = self.shared.number(made, self.plan.record(at).identity);
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
