//! References to objects of either side.

use super::Decoder;
use crate::bridge::session::classes::Arrival;
use crate::bridge::session::reference::Object;
use crate::bridge::value::error;
use crate::bridge::value::function::Function;
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::owned::Owned;
use samewire_bridge::Reference;

impl Decoder<'_, '_, '_> {
    /// Reads a reference: None, an object of this process, or a proxy of one of the gateway's.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn reference(&mut self) -> Result<Owned, Fault> {
        let at = self.reader.at();
        let reference = self.reader.reference()?;
        // SAFETY: the GIL is held, as this function asks.
        unsafe { self.resolve(at, reference) }
    }

    /// The object of a reference that was read.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn resolve(&mut self, at: usize, reference: Reference) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held, as this function asks.
        unsafe {
            match reference {
                Reference::Null => Ok(Owned::borrow(ffi::Py_None())),
                Reference::Sender { number, class } => self.proxy(at, number, class),
                Reference::Receiver(number) => match self.session.exports.get(self.py, number) {
                    Some(object) if self.receiver => Owned::steal(object.into_ptr()),
                    Some(object) => Function::home(object),
                    None => Err(self.reader.malformed(at, "a reference to an object that is not alive")),
                },
            }
        }
    }

    unsafe fn proxy(&mut self, at: usize, number: u64, class: u32) -> Result<Owned, Fault> {
        self.session.count_received();
        if class == 0 {
            return Err(self.reader.malformed(at, "an object of the JVM without a class"));
        }
        // SAFETY: classes of the session are subclasses of Object; the GIL is held.
        unsafe {
            let again = self.session.proxies.again(self.py, number);
            let found = match self.session.classes.get(self.py, class) {
                Some(found) => found,
                None => match self.session.met_class(self.py, class) {
                    Ok(found) => found,
                    Err(Fault) => {
                        // No proxy was made that would release it.
                        self.session.state.release(number, 1);
                        return Err(Fault);
                    }
                },
            };
            if let Arrival::Error(class_of_error) = found.arrival() {
                let reference = error::Reference { session: self.session, number, class, known: &found };
                let fresh = again.is_none();
                return error::make(class_of_error, &reference, again).inspect_err(|_| {
                    if fresh {
                        self.session.state.release(number, 1);
                    }
                });
            }
            let made = match again {
                Some(proxy) => proxy,
                None => match Object::make(found.class(), self.session.as_ptr(), number, class) {
                    Ok(made) => {
                        self.session.proxies.add(self.py, number, &made);
                        made
                    }
                    Err(Fault) => {
                        self.session.state.release(number, 1);
                        return Err(Fault);
                    }
                },
            };
            match found.arrival() {
                Arrival::Proxy | Arrival::Error(_) => Ok(made),
                Arrival::Call(arrives) => Owned::steal(ffi::PyObject_CallOneArg(arrives.as_ptr(), made.as_ptr())),
            }
        }
    }
}
