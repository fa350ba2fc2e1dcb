//! Texts, and the table for back references.

use super::{Decoder, Made};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::push;
use crate::core::object::owned::Owned;
use crate::core::object::text::{from_latin1, from_utf16, from_utf8};
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
                Token::Wide { units, numbered } => self.other(|| from_utf16(units), numbered),
                Token::Utf8 { text, numbered } => self.other(|| from_utf8(text), numbered),
            }
        }
    }

    #[inline(never)]
    fn other(&mut self, make: impl FnOnce() -> Made, numbered: bool) -> Made {
        let made = make();
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
