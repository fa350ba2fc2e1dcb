//! Texts that are not Latin-1, and subclasses of `str`.

use super::{Done, Encoder, Object};
use crate::core::fault::{Fault, Why};
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::text::{chars, wide, Chars};
use crate::pack::sink::{bytes_of, Choice, Form, TextColumn};
use samewire_pack::wire::{utf16_to_utf8, SLACK};
use samewire_pack::Code;
use std::borrow::Cow;

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
            self.with_form(value, |this, form, text| match form {
                Form::Latin1 => this.w.latin1(site, text),
                _ => this.w.other(site, form, text),
            })
        }
    }

    /// Adds a text that is not an exact `str` of Latin-1 to a column.
    #[inline(never)]
    pub(super) unsafe fn gather_other_text(&mut self, texts: &mut TextColumn, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_form(value, |_, form, text| {
                let hash = texts.hash(text);
                match form {
                    Form::Latin1 => texts.latin1(text, hash),
                    _ => texts.other(form, text, hash),
                }
                Ok(())
            })
        }
    }

    /// Any text in its form.
    #[inline(always)]
    unsafe fn with_form<R>(
        &mut self,
        value: Object,
        write: impl FnOnce(&mut Self, Form, &[u8]) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        // SAFETY: a subclass of str has a str's layout.
        unsafe {
            if ffi::PyUnicode_Check(value) == 0 {
                return Err(self.mismatch("str", value));
            }
            match chars(value) {
                Chars::Latin1(latin1) => write(self, Form::Latin1, latin1),
                Chars::Wide(units) => match Choice::of_wide(units) {
                    Choice::None => Err(self.lone_surrogate()),
                    Choice::Utf16 => write(self, Form::Wide, &little_endian(units)),
                    Choice::Utf8 => {
                        let (mut few, mut many) = ([0; MOST_OF_FEW], Vec::new());
                        let bytes = space(3 * units.len() + SLACK, &mut few, &mut many);
                        // There is no surrogate.
                        let n = utf16_to_utf8(&little_endian(units), bytes).unwrap_or_default();
                        write(self, Form::Utf8, &bytes[..n])
                    }
                },
                Chars::Full(characters) => {
                    let (mut few, mut many) = ([0; MOST_OF_FEW], Vec::new());
                    let bytes = space(4 * characters.len(), &mut few, &mut many);
                    let chars = characters.iter().map(|&character| char::from_u32(character).unwrap_or_default());
                    let mut n = 0;
                    let form = match Choice::of_full(characters) {
                        Choice::None => return Err(self.lone_surrogate()),
                        Choice::Utf16 => {
                            for char in chars {
                                for unit in char.encode_utf16(&mut [0; 2]) {
                                    bytes[n..n + 2].copy_from_slice(&unit.to_le_bytes());
                                    n += 2;
                                }
                            }
                            Form::Wide
                        }
                        Choice::Utf8 => {
                            for char in chars {
                                n += char.encode_utf8(&mut bytes[n..]).len();
                            }
                            Form::Utf8
                        }
                    };
                    write(self, form, &bytes[..n])
                }
            }
        }
    }
}

/// The units of an exact `str` of characters below U+10000 that is not Latin-1, if memory has them in the form of the
/// wide block.
///
/// # Safety
/// As [`wide`].
#[inline(always)]
pub(super) unsafe fn units<'a>(text: Object) -> Option<&'a [u8]> {
    // SAFETY: the object is an exact `str` that lives as long as the slice, which is the condition of this function too.
    unsafe { wide(text) }.filter(|_| cfg!(target_endian = "little")).map(bytes_of)
}

/// The units of a text that is written in UTF-16.
///
/// # Safety
/// As [`wide`].
#[inline(always)]
pub(super) unsafe fn utf16<'a>(text: Object) -> Option<&'a [u8]> {
    // SAFETY: the object is an exact `str` that lives as long as the slice, which is the condition of this function too.
    let units = unsafe { wide(text) }.filter(|_| cfg!(target_endian = "little"))?;
    (Choice::of_wide(units) == Choice::Utf16).then(|| bytes_of(units))
}

fn little_endian(units: &[u16]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        return bytes_of(units).into();
    }
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

/// Bytes that are converted without an allocation.
const MOST_OF_FEW: usize = 224;

/// A zeroed buffer of at least this size.
fn space<'s>(bytes: usize, few: &'s mut [u8; MOST_OF_FEW], many: &'s mut Vec<u8>) -> &'s mut [u8] {
    if bytes <= MOST_OF_FEW {
        return few;
    }
    *many = room(bytes);
    many.resize(bytes, 0);
    many
}
