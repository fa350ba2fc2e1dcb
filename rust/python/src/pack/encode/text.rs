//! Texts that are not Latin-1, and subclasses of `str`.

use super::{Done, Encoder, Object};
use crate::core::fault::{Fault, Why};
use crate::core::memory::room;
use crate::core::object::text::{chars, Chars};
use crate::pack::sink::TextColumn;
use pyo3::ffi;
use samewire_pack::Code;

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    #[cold]
    fn lone_surrogate(&mut self) -> Fault {
        self.why = Why::Coded(Code::BadUtf8, "the text holds a lone surrogate".into());
        Fault
    }

    #[inline(never)]
    pub(super) unsafe fn other_text(&mut self, site: u32, value: Object) -> Done {
        let site = site as usize;
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_units(value, |this, text| match text {
                Units::Latin1(latin1) => this.w.latin1(site, latin1),
                Units::Wide(units) => this.w.wide(site, units),
            })
        }
    }

    /// Adds a text that is not an exact `str` of Latin-1 to a column, and returns its index.
    #[inline(never)]
    pub(super) unsafe fn gather_other_text(&mut self, texts: &mut TextColumn, value: Object) -> Result<u32, Fault> {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_units(value, |_, text| {
                Ok(match text {
                    Units::Latin1(latin1) => texts.latin1(latin1),
                    Units::Wide(units) => texts.wide(units),
                })
            })
        }
    }

    /// The characters of any text as they are written.
    #[inline(always)]
    unsafe fn with_units<R>(
        &mut self,
        value: Object,
        write: impl FnOnce(&mut Self, Units<'_>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        // SAFETY: a subclass of str has a str's layout.
        unsafe {
            if ffi::PyUnicode_Check(value) == 0 {
                return Err(self.mismatch("str", value));
            }
            match chars(value) {
                Chars::Latin1(latin1) => write(self, Units::Latin1(latin1)),
                Chars::Wide(units) => {
                    if units.iter().fold(false, |any, unit| any | (unit & 0xf800 == 0xd800)) {
                        return Err(self.lone_surrogate());
                    }
                    write(self, Units::Wide(units))
                }
                Chars::Full(characters) => {
                    let mut units = room(characters.len() * 2);
                    for &character in characters {
                        let Some(character) = char::from_u32(character) else {
                            return Err(self.lone_surrogate());
                        };
                        units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                    }
                    write(self, Units::Wide(&units))
                }
            }
        }
    }
}

/// Characters as they are written.
enum Units<'a> {
    Latin1(&'a [u8]),
    Wide(&'a [u16]),
}
