//! Texts, and the table that back references look into.

use super::{Decoder, Made};
use crate::core::fault::Fault;
use crate::core::memory::push;
use crate::core::object::owned::Owned;
use crate::core::object::text::{from_latin1, from_utf16};
use pyo3::ffi;
use samewire_pack::wire::Token;

impl Decoder<'_, '_> {
    #[inline(always)]
    pub(super) unsafe fn text(&mut self) -> Made {
        // SAFETY: the GIL is held; the reader returns well-formed units and numbers that were given.
        unsafe {
            match self.r.token()? {
                Token::Latin1 { chars, numbered } => {
                    let made = from_latin1(chars);
                    let text = self.made(made)?;
                    if numbered && self.refs {
                        self.keep(&text);
                    }
                    Ok(text)
                }
                Token::Back(number) => match self.texts.get(number as usize) {
                    Some(&text) => Ok(Owned::borrow(text)),
                    None => Err(Fault),
                },
                Token::Wide { units, numbered } => self.wide(units, numbered),
            }
        }
    }

    #[inline(never)]
    unsafe fn wide(&mut self, units: &[u8], numbered: bool) -> Made {
        // SAFETY: the GIL is held; the units are well-formed.
        let made = unsafe { from_utf16(units) };
        let text = self.made(made)?;
        if numbered && self.refs {
            self.keep(&text);
        }
        Ok(text)
    }

    #[inline(always)]
    fn keep(&mut self, text: &Owned) {
        if self.plan.hooks {
            // SAFETY: the text is alive; the table's reference ends with the decoder.
            unsafe { ffi::Py_INCREF(text.as_ptr()) };
        }
        push(self.texts, text.as_ptr());
    }
}
