//! Texts that are not Latin-1, and subclasses of `str`.

use super::{Done, Encoder, Object};
use crate::core::fault::{Fault, Why};
use crate::core::memory::room;
use crate::core::object::text::{chars, Chars};
use pyo3::ffi;
use samewire_pack::Code;

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    /// Refuses what is no text, or holds a lone surrogate.
    pub(super) unsafe fn check_text(&mut self, value: Object) -> Done {
        // SAFETY: a subclass of str has a str's layout.
        unsafe {
            if ffi::PyUnicode_Check(value) == 0 {
                return Err(self.mismatch("str", value));
            }
            let lone = match chars(value) {
                Chars::Latin1(_) => false,
                Chars::Wide(units) => units.iter().any(|unit| unit & 0xf800 == 0xd800),
                Chars::Full(characters) => characters.iter().any(|&character| char::from_u32(character).is_none()),
            };
            if lone {
                return Err(self.lone_surrogate());
            }
        }
        Ok(())
    }

    #[cold]
    fn lone_surrogate(&mut self) -> Fault {
        self.why = Why::Coded(Code::BadUtf8, "the text holds a lone surrogate".into());
        Fault
    }

    #[inline(never)]
    pub(super) unsafe fn other_text(&mut self, site: u32, value: Object) -> Done {
        // SAFETY: a subclass of str has a str's layout.
        unsafe {
            if ffi::PyUnicode_Check(value) == 0 {
                return Err(self.mismatch("str", value));
            }
            let site = site as usize;
            match chars(value) {
                Chars::Latin1(latin1) => self.w.latin1(site, latin1)?,
                Chars::Wide(units) => {
                    if units.iter().fold(false, |any, unit| any | (unit & 0xf800 == 0xd800)) {
                        return Err(self.lone_surrogate());
                    }
                    self.w.wide(site, units)?;
                }
                Chars::Full(characters) => {
                    let mut units = room(characters.len() * 2);
                    for &character in characters {
                        let Some(character) = char::from_u32(character) else {
                            return Err(self.lone_surrogate());
                        };
                        units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                    }
                    self.w.wide(site, &units)?;
                }
            }
        }
        Ok(())
    }
}
