//! Schemas and arrays of another library, as the Arrow C data interface hands them over.
//!
//! Checked here: lengths, offsets, the number of buffers and children, and null pointers. The last end of texts says
//! how long their bytes are, and no other may lead beyond it. What cannot be checked is that a buffer is as long as
//! the array says, that its memory is readable, and that nobody writes to it before the release: the interface has no
//! size for most buffers. Who hands over an array must keep to it, as for any other consumer.

use super::super::c_data::{ArrowArray, ArrowSchema};
use super::refused::{broken, Refused};
use alloc::vec::Vec;
use core::ffi::{c_char, CStr};
use core::marker::PhantomData;

/// The bytes of two times so many values, of 32 bytes at most, do not overflow.
const MOST_VALUES: usize = usize::MAX >> 7;
/// A start and a length do not overflow together.
const MOST_BYTES: usize = isize::MAX as usize >> 1;

/// A schema that was moved out of its producer's struct. It is released when it is dropped.
pub struct OwnedSchema(ArrowSchema);

/// An array that was moved out of its producer's struct. It is released when it is dropped.
pub struct OwnedArray(ArrowArray);

macro_rules! owned {
    ($owned:ident, $raw:ident) => {
        impl $owned {
            /// Takes over what the struct refers to.
            ///
            /// # Safety
            /// The struct must keep to the Arrow C data interface, and nobody else may release it or refer to it: the
            /// struct that it was moved out of has no `release` any more.
            pub unsafe fn new(raw: $raw) -> Self {
                $owned(raw)
            }
        }

        impl Drop for $owned {
            fn drop(&mut self) {
                if let Some(release) = self.0.release {
                    // SAFETY: `new`: this is the one owner, and drops once.
                    unsafe { release(&mut self.0) };
                }
            }
        }

        // SAFETY: the interface lets any thread read and release the struct.
        unsafe impl Send for $owned {}
        // SAFETY: it is read alone until it is dropped.
        unsafe impl Sync for $owned {}
    };
}

owned!(OwnedSchema, ArrowSchema);
owned!(OwnedArray, ArrowArray);

/// A field of a schema that lives as long as `'a`.
#[derive(Clone, Copy)]
pub(super) struct SchemaView<'a>(&'a ArrowSchema);

impl OwnedSchema {
    pub(super) fn view(&self) -> SchemaView<'_> {
        SchemaView(&self.0)
    }
}

impl<'a> SchemaView<'a> {
    pub(super) fn format(self) -> &'a str {
        self.text(self.0.format).unwrap_or("")
    }

    /// The name; `None` if it is not valid UTF-8.
    pub(super) fn name(self) -> Option<&'a str> {
        self.text(self.0.name)
    }

    fn text(self, text: *const c_char) -> Option<&'a str> {
        if text.is_null() {
            return Some("");
        }
        // SAFETY: the interface: a text ends at a NUL and lives until the release.
        unsafe { CStr::from_ptr(text) }.to_str().ok()
    }

    pub(super) fn children(self) -> impl ExactSizeIterator<Item = Option<SchemaView<'a>>> {
        let count = if self.0.children.is_null() { 0 } else { usize::try_from(self.0.n_children).unwrap_or(0) };
        let children = self.0.children;
        // SAFETY: the interface: there are so many pointers, each to a schema that lives until the release, or,
        // against it, null.
        (0..count).map(move |i| unsafe { (*children.add(i)).as_ref().map(SchemaView) })
    }

    pub(super) fn dictionary(self) -> Option<SchemaView<'a>> {
        // SAFETY: the interface: null, or a schema that lives until the release.
        unsafe { self.0.dictionary.as_ref().map(SchemaView) }
    }
}

/// A part of an array that lives as long as `'a`: `len` values from `offset` on. Indices below count from there.
#[derive(Clone, Copy)]
pub(super) struct ArrayView<'a> {
    raw: &'a ArrowArray,
    offset: usize,
    len: usize,
}

impl OwnedArray {
    /// How many rows it says that it has. Whether there are so many is checked where they are read.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.0.length).unwrap_or(u64::MAX)
    }

    pub(super) fn view(&self) -> Result<ArrayView<'_>, Refused> {
        ArrayView::of(&self.0)
    }
}

impl<'a> ArrayView<'a> {
    fn of(raw: &'a ArrowArray) -> Result<Self, Refused> {
        let (len, offset) = (usize::try_from(raw.length), usize::try_from(raw.offset));
        match (len, offset) {
            (Ok(len), Ok(offset)) if len.max(offset) <= MOST_VALUES => Ok(ArrayView { raw, offset, len }),
            _ => Err(broken(format!("its length is {}, its offset {}", raw.length, raw.offset))),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All of the array that this is a part of.
    pub(super) fn whole(&self) -> Result<ArrayView<'a>, Refused> {
        ArrayView::of(self.raw)
    }

    /// Where its values end, counted from the start of its buffers.
    pub(super) fn end(&self) -> usize {
        self.offset + self.len
    }

    /// The child, whole: of lists, and of dense unions.
    pub(super) fn child(&self, i: usize) -> Result<ArrayView<'a>, Refused> {
        if self.raw.children.is_null() || usize::try_from(self.raw.n_children).map_or(true, |count| i >= count) {
            return Err(broken(format!("it has {} children, not {} at least", self.raw.n_children, i + 1)));
        }
        // SAFETY: the interface: there are `n_children` pointers, each to an array that lives until the release, or,
        // against it, null.
        let child = unsafe { (*self.raw.children.add(i)).as_ref() };
        ArrayView::of(child.ok_or_else(|| broken("a child is missing"))?)
    }

    /// The child whose values stand where this array's do: of structs, and of sparse unions.
    pub(super) fn beside(&self, i: usize) -> Result<ArrayView<'a>, Refused> {
        let child = self.child(i)?;
        if self.offset + self.len > child.len {
            return Err(broken(format!("a child has {} values, not {}", child.len, self.offset + self.len)));
        }
        Ok(ArrayView { offset: child.offset + self.offset, len: self.len, ..child })
    }

    pub(super) fn dictionary(&self) -> Result<ArrayView<'a>, Refused> {
        // SAFETY: the interface: null, or an array that lives until the release.
        let dictionary = unsafe { self.raw.dictionary.as_ref() };
        ArrayView::of(dictionary.ok_or_else(|| broken("it has no dictionary"))?)
    }

    pub(super) fn buffers(&self) -> usize {
        if self.raw.buffers.is_null() {
            0
        } else {
            usize::try_from(self.raw.n_buffers).unwrap_or(0)
        }
    }

    fn buffer(&self, i: usize) -> Result<*const u8, Refused> {
        if i >= self.buffers() {
            return Err(broken(format!("it has {} buffers, not {} at least", self.buffers(), i + 1)));
        }
        // SAFETY: the interface: there are `n_buffers` pointers.
        Ok(unsafe { (*self.raw.buffers.add(i)).cast() })
    }

    /// Which values are there; `None` if all are.
    pub(super) fn validity(&self) -> Result<Option<Bits<'a>>, Refused> {
        if self.raw.null_count == 0 || self.buffer(0)?.is_null() {
            return Ok(None);
        }
        self.bits(0).map(Some)
    }

    /// A buffer of bits.
    pub(super) fn bits(&self, i: usize) -> Result<Bits<'a>, Refused> {
        let bytes = self.raw_values::<u8>(i, (self.offset + self.len).div_ceil(8))?;
        Ok(Bits { bytes, offset: self.offset })
    }

    /// A buffer of values of one width, and so many behind those of the array.
    pub(super) fn values<T: Raw>(&self, i: usize, more: usize) -> Result<Raws<'a, T>, Refused> {
        let more = if self.len == 0 { 0 } else { more };
        let all = self.raw_values::<T>(i, self.offset + self.len + more)?;
        if self.len == 0 {
            return Ok(Raws { len: 0, ..all });
        }
        // SAFETY: `offset` is at most the number of values.
        Ok(Raws { start: unsafe { all.start.add(self.offset * size_of::<T>()) }, len: self.len + more, ..all })
    }

    /// A buffer from its start: the offset does not count.
    fn raw_values<T: Raw>(&self, i: usize, len: usize) -> Result<Raws<'a, T>, Refused> {
        let start = self.buffer(i)?;
        if start.is_null() && len > 0 && self.len > 0 {
            return Err(broken(format!("buffer {i} is missing")));
        }
        Ok(Raws { start, len: if start.is_null() { 0 } else { len }, values: PhantomData })
    }

    /// A buffer of bytes that other buffers lead into.
    pub(super) fn bytes(&self, i: usize) -> Result<Blob<'a>, Refused> {
        Ok(Blob { start: self.buffer(i)?, bytes: PhantomData })
    }

    /// The buffers of a column of views, and their sizes.
    pub(super) fn variadic(&self) -> Result<(Vec<Blob<'a>>, Raws<'a, i64>), Refused> {
        let count =
            self.buffers().checked_sub(3).ok_or_else(|| broken("a column of views has three buffers at least"))?;
        let sizes = self.raw_values::<i64>(2 + count, count)?;
        if sizes.len < count {
            return Err(broken("the sizes of its buffers are missing"));
        }
        Ok(((0..count).map(|i| self.bytes(2 + i)).collect::<Result<_, _>>()?, sizes))
    }
}

/// Bits, least significant first.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    bytes: Raws<'a, u8>,
    offset: usize,
}

impl Bits<'_> {
    #[inline]
    pub(super) fn is_set(&self, i: usize) -> bool {
        let at = self.offset + i;
        self.bytes.get(at / 8) >> (at % 8) & 1 == 1
    }
}

/// Values of which any bytes make one.
///
/// # Safety
/// All bit patterns must be values, and there must be no padding.
pub(super) unsafe trait Raw: Copy {}

macro_rules! raw {
    ($($type:ty),*) => {$(
        // SAFETY: numbers, and arrays of bytes.
        unsafe impl Raw for $type {}
    )*};
}

raw!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, i128, [u8; 16], [u8; 32]);

/// Values of a buffer, which need not be aligned.
pub(super) struct Raws<'a, T> {
    start: *const u8,
    len: usize,
    values: PhantomData<&'a T>,
}

impl<T> Clone for Raws<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Raws<'_, T> {}

impl<T: Raw> Raws<'_, T> {
    #[inline]
    pub(super) fn get(&self, i: usize) -> T {
        assert!(i < self.len);
        // SAFETY: the index is within what the array says of the buffer; any bytes are a value (`Raw`).
        unsafe { self.start.add(i * size_of::<T>()).cast::<T>().read_unaligned() }
    }

    /// Appends the values from `start` on.
    pub(super) fn extend(&self, start: usize, len: usize, out: &mut Vec<T>) {
        assert!(start <= self.len && len <= self.len - start);
        out.reserve(len);
        // SAFETY: as `get`, and there is room for so many, which are values once they are copied.
        unsafe {
            let to = out.as_mut_ptr().add(out.len()).cast::<u8>();
            if len > 0 {
                to.copy_from_nonoverlapping(self.start.add(start * size_of::<T>()), len * size_of::<T>());
            }
            out.set_len(out.len() + len);
        }
    }
}

/// Bytes of a buffer whose length nobody says.
#[derive(Clone, Copy)]
pub(super) struct Blob<'a> {
    start: *const u8,
    bytes: PhantomData<&'a [u8]>,
}

impl<'a> Blob<'a> {
    pub(super) fn slice(&self, start: usize, len: usize) -> Result<&'a [u8], Refused> {
        if len == 0 {
            return Ok(&[]);
        }
        if self.start.is_null() || start > MOST_BYTES || len > MOST_BYTES {
            return Err(broken(format!("its bytes are missing from {start} on, {len} of them")));
        }
        // SAFETY: the interface: what offsets lead to is there until the release. Its end cannot be checked.
        Ok(unsafe { core::slice::from_raw_parts(self.start.add(start), len) })
    }
}

impl<'a> Raws<'a, [u8; 16]> {
    /// The bytes of one value, where they are.
    pub(super) fn bytes(&self, i: usize) -> &'a [u8] {
        assert!(i < self.len);
        // SAFETY: as `get`.
        unsafe { core::slice::from_raw_parts(self.start.add(i * 16), 16) }
    }
}

/// A span that must lie within so many values.
pub(super) fn span(start: i64, len: i64, most: usize) -> Result<(usize, usize), Refused> {
    match (usize::try_from(start), usize::try_from(len)) {
        (Ok(start), Ok(len)) if start <= most && len <= most - start => Ok((start, len)),
        _ => Err(broken(format!("{len} values from {start} on do not lie within {most}"))),
    }
}
