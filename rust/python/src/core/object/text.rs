//! `str` objects: their characters without a call, and new ones from Latin-1, UTF-16 and UTF-8.
//!
//! If the layout is known, a new text of one or two bytes a character is made by copying the head of a template that
//! CPython made at the start; otherwise `PyUnicode_New` makes it. Whether a text is ASCII is determined from all its
//! bytes, never taken from the wire: a wrong flag would make strings that compare wrongly.

use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::memory::room;
use crate::core::object::owned::Owned;
use crate::core::object::KNOWN_LAYOUTS;
use samewire_pack::wire::{utf8_to_utf16, SLACK};
use std::cell::UnsafeCell;
use std::ptr;

/// Bytes before the characters: of an ASCII text, and of any other compact one.
const ASCII_HEAD: usize = size_of::<ffi::PyASCIIObject>();
const OTHER_HEAD: usize = size_of::<ffi::PyCompactUnicodeObject>();
const HIGH: u64 = 0x8080_8080_8080_8080;
const HIGH_UNITS: u64 = 0xff00_ff00_ff00_ff00;

#[repr(C, align(8))]
struct Heads {
    ascii: [u8; ASCII_HEAD],
    latin1: [u8; OTHER_HEAD],
    wide: [u8; OTHER_HEAD],
    /// CPython's own objects for texts of one Latin-1 character, and the empty one; never freed.
    single: [*mut ffi::PyObject; 256],
    empty: *mut ffi::PyObject,
}

struct Static(UnsafeCell<Heads>);
// SAFETY: written once by `prepare` during the module's import, read afterwards, always under the GIL.
unsafe impl Sync for Static {}

static HEADS: Static = Static(UnsafeCell::new(Heads {
    ascii: [0; ASCII_HEAD],
    latin1: [0; OTHER_HEAD],
    wide: [0; OTHER_HEAD],
    single: [ptr::null_mut(); 256],
    empty: ptr::null_mut(),
}));

#[inline(always)]
fn heads() -> &'static Heads {
    // SAFETY: see `Static`.
    unsafe { &*HEADS.0.get() }
}

/// Makes the templates; before anything else of this module, once.
///
/// # Safety
/// The GIL must be held and no other thread may use this module.
pub unsafe fn prepare() -> Result<(), Fault> {
    // SAFETY: nobody reads HEADS yet; the objects are new and at least as long as what is copied from them.
    unsafe {
        let heads = &mut *HEADS.0.get();
        for (limit, head) in
            [(0x7f, &mut heads.ascii[..]), (0xff, &mut heads.latin1[..]), (0xffff, &mut heads.wide[..])]
        {
            let sample = Owned::steal(ffi::PyUnicode_New(2, limit))?;
            ptr::copy_nonoverlapping(sample.as_ptr().cast::<u8>(), head.as_mut_ptr(), head.len());
        }
        for (character, single) in heads.single.iter_mut().enumerate() {
            *single = Owned::steal(ffi::PyUnicode_FromOrdinal(character as i32))?.give();
        }
        heads.empty = Owned::steal(ffi::PyUnicode_New(0, 0))?.give();
    }
    Ok(())
}

/// The characters of a `str`.
pub enum Chars<'a> {
    /// All below U+0100.
    Latin1(&'a [u8]),
    /// All below U+10000, at least one above U+00FF; surrogates are lone ones.
    Wide(&'a [u16]),
    /// At least one above U+FFFF.
    Full(&'a [u32]),
}

/// The characters of a `str`.
///
/// # Safety
/// `text` must be a `str` that outlives the result; the GIL must be held.
#[inline(always)]
pub unsafe fn chars<'a>(text: *mut ffi::PyObject) -> Chars<'a> {
    // SAFETY: a ready str has that many characters of its kind's width at its data.
    unsafe {
        #[cfg(not(Py_3_12))]
        if ffi::PyUnicode_IS_READY(text) == 0 {
            // Fails only without memory; the text then counts as empty, and the caller finds the exception.
            if ffi::PyUnicode_READY(text) < 0 {
                return Chars::Latin1(&[]);
            }
        }
        let (kind, data) = if KNOWN_LAYOUTS && state(text) & COMPACT != 0 {
            (u32::from(state(text) >> KIND & 7), text.cast::<u8>().add(head(state(text))))
        } else {
            (ffi::PyUnicode_KIND(text), ffi::PyUnicode_DATA(text).cast())
        };
        let length = ffi::PyUnicode_GET_LENGTH(text) as usize;
        match kind {
            ffi::PyUnicode_1BYTE_KIND => Chars::Latin1(std::slice::from_raw_parts(data, length)),
            ffi::PyUnicode_2BYTE_KIND => Chars::Wide(std::slice::from_raw_parts(data.cast(), length)),
            _ => Chars::Full(std::slice::from_raw_parts(data.cast(), length)),
        }
    }
}

/// Bits of the state of a `str`: where its kind is (three bits), compact, ASCII, and in 3.11 ready.
const KIND: u8 = 2;
const COMPACT: u8 = 1 << 5;
const ASCII: u8 = 6;
const READY: u8 = if cfg!(Py_3_12) { 0 } else { 1 << 7 };

/// The state of a `str`: after its head, its length and its hash.
#[inline(always)]
unsafe fn state(text: *mut ffi::PyObject) -> u8 {
    // SAFETY: `text` is a `str` and its layout is known: callers look at both.
    unsafe { *text.cast::<u8>().add(4 * size_of::<usize>()) }
}

/// Bytes before the characters of a compact text.
#[inline(always)]
fn head(state: u8) -> usize {
    OTHER_HEAD - usize::from(state >> ASCII & 1) * (OTHER_HEAD - ASCII_HEAD)
}

/// The characters of an exact `str` of Latin-1, which is most of them, by a single comparison where the layout is known;
/// None for others.
///
/// # Safety
/// As [`chars`]; `text` may be any object.
#[inline(always)]
pub unsafe fn latin1<'a>(text: *mut ffi::PyObject) -> Option<&'a [u8]> {
    // SAFETY: the type is compared before the layout is used.
    unsafe {
        if ffi::PyUnicode_CheckExact(text) == 0 {
            return None;
        }
        if KNOWN_LAYOUTS {
            let state = state(text);
            if state & (7 << KIND | COMPACT | READY) != 1 << KIND | COMPACT | READY {
                return None;
            }
            let length = *text.cast::<usize>().add(2);
            return Some(std::slice::from_raw_parts(text.cast::<u8>().add(head(state)), length));
        }
        match chars(text) {
            Chars::Latin1(latin1) => Some(latin1),
            _ => None,
        }
    }
}

/// The units of an exact `str` whose characters are all below U+10000, at least one above U+00FF, likewise.
///
/// # Safety
/// As [`latin1`].
#[inline(always)]
pub unsafe fn wide<'a>(text: *mut ffi::PyObject) -> Option<&'a [u16]> {
    // SAFETY: the type is compared before the layout is used.
    unsafe {
        if ffi::PyUnicode_CheckExact(text) == 0 {
            return None;
        }
        if KNOWN_LAYOUTS {
            if state(text) & (7 << KIND | COMPACT | READY) != 2 << KIND | COMPACT | READY {
                return None;
            }
            let length = *text.cast::<usize>().add(2);
            return Some(std::slice::from_raw_parts(text.cast::<u8>().add(OTHER_HEAD).cast(), length));
        }
        match chars(text) {
            Chars::Wide(units) => Some(units),
            _ => None,
        }
    }
}

/// A new text, its characters not yet written; the zero after them is.
///
/// # Safety
/// The GIL must be held; `length` is at least 2, and the caller writes all characters, of which one at least must
/// need the kind.
#[inline(always)]
unsafe fn blank<const HEAD: usize, const WIDTH: usize>(
    head: &[u8; HEAD],
    limit: u32,
    length: usize,
) -> Result<(Owned, *mut u8), Fault> {
    // SAFETY: on the templates' version a compact text is its head, the characters and a zero, from the object
    // allocator, to which its deallocator returns it; the head is that of a text of the same kind but for the length.
    unsafe {
        if KNOWN_LAYOUTS {
            let object = ffi::PyObject_Malloc(HEAD + (length + 1) * WIDTH).cast::<u8>();
            if object.is_null() {
                ffi::PyErr_NoMemory();
                return Err(Fault);
            }
            ptr::copy_nonoverlapping(head.as_ptr(), object, HEAD);
            object.cast::<usize>().add(2).write(length);
            ptr::write_bytes(object.add(HEAD + length * WIDTH), 0, WIDTH);
            Ok((Owned::steal(object.cast())?, object.add(HEAD)))
        } else {
            let object = Owned::steal(ffi::PyUnicode_New(length as isize, limit))?;
            let data = ffi::PyUnicode_DATA(object.as_ptr()).cast();
            Ok((object, data))
        }
    }
}

#[inline(always)]
unsafe fn blank_bytes(length: usize, high: u64) -> Result<(Owned, *mut u8), Fault> {
    let heads = heads();
    // SAFETY: as this function's callers', who looked for a high bit in all bytes.
    unsafe {
        if high & HIGH == 0 {
            blank::<ASCII_HEAD, 1>(&heads.ascii, 0x7f, length)
        } else {
            blank::<OTHER_HEAD, 1>(&heads.latin1, 0xff, length)
        }
    }
}

/// A `str` of Latin-1 characters.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
pub unsafe fn from_latin1(chars: &[u8]) -> Result<Owned, Fault> {
    let n = chars.len();
    let from = chars.as_ptr();
    // SAFETY: each arm loads and stores W bytes at 0 and at n - W with W <= n; `blank_bytes` returns n bytes.
    unsafe {
        macro_rules! ends {
            ($word:ty) => {{
                const W: usize = size_of::<$word>();
                let first = from.cast::<$word>().read_unaligned();
                let last = from.add(n - W).cast::<$word>().read_unaligned();
                let (object, to) = blank_bytes(n, u64::from(first | last))?;
                to.cast::<$word>().write_unaligned(first);
                to.add(n - W).cast::<$word>().write_unaligned(last);
                Ok(object)
            }};
        }
        match n {
            0 => Ok(Owned::borrow(heads().empty)),
            1 => Ok(Owned::borrow(heads().single[usize::from(chars[0])])),
            2..=3 => ends!(u16),
            4..=7 => ends!(u32),
            8..=16 => ends!(u64),
            17..=64 => {
                let word = |at: usize| from.add(at).cast::<u64>().read_unaligned();
                let mut high = word(n - 16) | word(n - 8);
                for at in (0..n - 16).step_by(16) {
                    high |= word(at) | word(at + 8);
                }
                let (object, to) = blank_bytes(n, high)?;
                for at in (0..n - 16).step_by(16) {
                    ptr::copy_nonoverlapping(from.add(at), to.add(at), 16);
                }
                ptr::copy_nonoverlapping(from.add(n - 16), to.add(n - 16), 16);
                Ok(object)
            }
            _ => {
                let (object, to) = blank_bytes(n, if chars.is_ascii() { 0 } else { HIGH })?;
                ptr::copy_nonoverlapping(from, to, n);
                Ok(object)
            }
        }
    }
}

/// The longest text that is converted without an allocation, in bytes of UTF-8.
const FEW: usize = 96;

/// A `str` of UTF-8.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn from_utf8(text: &str) -> Result<Owned, Fault> {
    // The greatest byte begins the greatest character, or one with the same number of bytes.
    let most = text.bytes().fold(0, u8::max);
    // SAFETY: the GIL is held; all characters that are asked for are written.
    unsafe {
        if most < 0xc4 {
            // Valid: a peer need not use the narrowest form.
            let narrow: Vec<u8> = text.chars().map(|character| character as u8).collect();
            return from_latin1(&narrow);
        }
        if most >= 0xf0 {
            let object = Owned::steal(ffi::PyUnicode_New(text.chars().count() as isize, 0x10_ffff))?;
            let mut to = ffi::PyUnicode_DATA(object.as_ptr()).cast::<u32>();
            for character in text.chars() {
                *to = character.into();
                to = to.add(1);
            }
            return Ok(object);
        }
        let (mut few, mut many);
        let units = if text.len() <= FEW {
            few = [0; 2 * FEW + SLACK];
            &mut few[..]
        } else {
            let bytes = 2 * text.len() + SLACK;
            many = room(bytes);
            many.resize(bytes, 0);
            &mut many[..]
        };
        let n = utf8_to_utf16(text, units);
        let units = &units[..n];
        if n < 4 || cfg!(target_endian = "big") {
            return from_utf16(units);
        }
        let (object, to) = blank::<OTHER_HEAD, 2>(&heads().wide, 0xffff, n / 2)?;
        ptr::copy_nonoverlapping(units.as_ptr(), to, n);
        Ok(object)
    }
}

/// A `str` of well-formed UTF-16LE.
///
/// # Safety
/// The GIL must be held; `units` must be an even number of bytes of well-formed UTF-16.
pub unsafe fn from_utf16(units: &[u8]) -> Result<Owned, Fault> {
    let n = units.len() / 2;
    let unit = |at: usize| u16::from_le_bytes([units[2 * at], units[2 * at + 1]]);
    let mut any = 0;
    let mut surrogates = 0;
    for at in 0..n {
        let unit = unit(at);
        any |= unit;
        surrogates += usize::from(unit & 0xfc00 == 0xd800);
    }
    // SAFETY: the GIL is held; each arm writes exactly the characters it asked for.
    unsafe {
        if u64::from(any) & HIGH_UNITS & 0xffff == 0 {
            // Valid: a peer need not use the narrowest form, but CPython needs the narrowest kind.
            let narrow: Vec<u8> = (0..n).map(|at| unit(at) as u8).collect();
            return from_latin1(&narrow);
        }
        if surrogates > 0 {
            let object = Owned::steal(ffi::PyUnicode_New((n - surrogates) as isize, 0x10_ffff))?;
            let mut to = ffi::PyUnicode_DATA(object.as_ptr()).cast::<u32>();
            for character in char::decode_utf16((0..n).map(unit)) {
                *to = character.map_or(0xfffd, u32::from);
                to = to.add(1);
            }
            return Ok(object);
        }
        if n < 2 {
            return Owned::steal(ffi::PyUnicode_FromOrdinal(i32::from(any)));
        }
        let (object, to) = blank::<OTHER_HEAD, 2>(&heads().wide, 0xffff, n)?;
        if cfg!(target_endian = "little") {
            ptr::copy_nonoverlapping(units.as_ptr(), to, 2 * n);
        } else {
            for at in 0..n {
                to.cast::<u16>().add(at).write(unit(at));
            }
        }
        Ok(object)
    }
}
