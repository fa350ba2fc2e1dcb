//! Texts that are not Latin-1, and subclasses of `str`.

use super::{Done, Encoder, Object};
use crate::core::fault::{Fault, Why};
use crate::core::memory::room;
use crate::core::object::text::{chars, Chars};
use crate::pack::sink::{bytes_of, TextColumn};
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

    /// Adds a text that is not an exact `str` of Latin-1 to a column.
    #[inline(never)]
    pub(super) unsafe fn gather_other_text(&mut self, texts: &mut TextColumn, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            self.with_units(value, |_, text| {
                match text {
                    Units::Latin1(latin1) => texts.latin1(latin1, texts.hash(latin1)),
                    Units::Wide(units) => texts.wide(units, texts.hash(bytes_of(units))),
                }
                Ok(())
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
                    if has_surrogate(units) {
                        return Err(self.lone_surrogate());
                    }
                    write(self, Units::Wide(units))
                }
                Chars::Full(characters) => {
                    let (mut few, mut many);
                    let units = if characters.len() <= FEW {
                        few = [0; 2 * FEW];
                        &mut few[..]
                    } else {
                        many = room(characters.len() * 2);
                        many.resize(characters.len() * 2, 0);
                        &mut many[..]
                    };
                    let mut n = 0;
                    for &character in characters {
                        let Some(character) = char::from_u32(character) else {
                            return Err(self.lone_surrogate());
                        };
                        n += character.encode_utf16(&mut units[n..]).len();
                    }
                    write(self, Units::Wide(&units[..n]))
                }
            }
        }
    }
}

/// Whether any unit is a surrogate, a lone one in a `str`.
#[inline(always)]
pub(super) fn has_surrogate(units: &[u16]) -> bool {
    const EACH: u64 = 0x0001_0001_0001_0001;
    /// Not zero if any of four units is a surrogate: then their difference in the upper five bits is zero, and one less
    /// borrows.
    fn marks(four: [u16; 4]) -> u64 {
        let differs =
            (u64::from(four[0]) | u64::from(four[1]) << 16 | u64::from(four[2]) << 32 | u64::from(four[3]) << 48)
                & (0xf800 * EACH)
                ^ (0xd800 * EACH);
        differs.wrapping_sub(EACH) & !differs & (0x8000 * EACH)
    }
    let Some(last) = units.last_chunk::<4>() else {
        return units.iter().fold(false, |any, unit| any | (unit & 0xf800 == 0xd800));
    };
    units.chunks_exact(4).fold(marks(*last), |all, four| all | marks([four[0], four[1], four[2], four[3]])) != 0
}

/// Characters that are converted without asking for memory.
const FEW: usize = 32;

/// Characters as they are written.
enum Units<'a> {
    Latin1(&'a [u8]),
    Wide(&'a [u16]),
}
