//! The number types that have rows of their own (`spec/pack.md` section 9).

use super::byte_sink::ByteSink;

mod sealed {
    pub trait Sealed {}
}

/// A fixed-width number: the eight integers, `f32` and `f64`.
pub trait Number: Copy + PartialOrd + Default + sealed::Sealed + 'static {
    /// Bytes of the raw form.
    const WIDTH: usize;
    /// Whether rows are always raw: one-byte integers and floats.
    const RAW: bool;
    /// Whether there are negative integers of this type.
    const SIGNED: bool;
    /// The raw form in the first `WIDTH` of eight bytes.
    fn to_word(self) -> u64;
    /// A number from its raw form, `WIDTH` bytes.
    fn from_raw(bytes: &[u8]) -> Self;
    /// The integer, sign-extended; of a float its bits.
    fn to_i64(self) -> i64;
    /// The integer whose low bits these are.
    fn truncate(value: u64) -> Self;
}

/// A signed number as an unsigned one that is small where it is.
#[inline(always)]
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The bits of the signed number whose zigzag form this is.
#[inline(always)]
pub(super) fn unzigzag(value: u64) -> u64 {
    value >> 1 ^ (value & 1).wrapping_neg()
}

/// The bits of a number that stands alone: a NaN becomes the one NaN.
#[inline(always)]
pub(crate) fn one_nan_32(value: f32) -> u32 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        value.to_bits()
    }
}

/// As [`one_nan_32`].
#[inline(always)]
pub(crate) fn one_nan_64(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        value.to_bits()
    }
}

macro_rules! integers {
    ($($type:ident $signed:literal),*) => {$(
        impl sealed::Sealed for $type {}
        impl Number for $type {
            const WIDTH: usize = size_of::<$type>();
            const RAW: bool = size_of::<$type>() == 1;
            const SIGNED: bool = $signed;
            #[inline(always)]
            fn to_word(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn from_raw(bytes: &[u8]) -> Self {
                $type::from_le_bytes(bytes.try_into().expect("bytes of one number"))
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn truncate(value: u64) -> Self {
                value as $type
            }
        }
    )*};
}

integers!(i8 true, i16 true, i32 true, i64 true, u8 false, u16 false, u32 false, u64 false);

macro_rules! floats {
    ($($type:ident $bits:ident),*) => {$(
        impl sealed::Sealed for $type {}
        impl Number for $type {
            const WIDTH: usize = size_of::<$type>();
            const RAW: bool = true;
            const SIGNED: bool = false;
            #[inline(always)]
            fn to_word(self) -> u64 {
                u64::from(self.to_bits())
            }
            #[inline(always)]
            fn from_raw(bytes: &[u8]) -> Self {
                $type::from_le_bytes(bytes.try_into().expect("bytes of one number"))
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                i64::from_ne_bytes(u64::from(self.to_bits()).to_ne_bytes())
            }
            #[inline(always)]
            fn truncate(value: u64) -> Self {
                $type::from_bits(value as $bits)
            }
        }
    )*};
}

floats!(f32 u32, f64 u64);

/// Appends the raw form of `numbers`.
pub(super) fn push_raw<T: Number>(numbers: &[T], out: &mut impl ByteSink) {
    if cfg!(target_endian = "little") {
        // SAFETY: the sealed number types have neither padding nor invalid bytes, and the slice of bytes covers
        // exactly the memory of the slice of numbers; on a little-endian machine that memory is the raw form.
        let bytes = unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers)) };
        out.bytes(bytes);
    } else {
        for number in numbers {
            out.bytes(&number.to_word().to_le_bytes()[..T::WIDTH]);
        }
    }
}

/// Appends to `out` the numbers whose raw form is `bytes`.
pub(super) fn extend_from_raw<T: Number>(bytes: &[u8], out: &mut alloc::vec::Vec<T>) {
    let n = bytes.len() / T::WIDTH;
    if cfg!(target_endian = "little") {
        out.reserve(n);
        let len = out.len();
        // SAFETY: `reserve` made room for n numbers after `len`, n * WIDTH <= bytes.len() bytes are copied there, and
        // every pattern of bits is a valid number, so the first len + n elements are initialised.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), out.as_mut_ptr().add(len).cast::<u8>(), n * T::WIDTH);
            out.set_len(len + n);
        }
    } else {
        out.extend(bytes.chunks_exact(T::WIDTH).map(T::from_raw));
    }
}

/// The numbers whose raw form is `bytes`, in place, if this machine can look at them so.
pub(super) fn view_raw<T: Number>(bytes: &[u8]) -> Option<&[T]> {
    if !cfg!(target_endian = "little") {
        return None;
    }
    // SAFETY: every pattern of bits is a valid number.
    let (before, numbers, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(numbers)
}
