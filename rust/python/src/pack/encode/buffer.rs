//! Values with a buffer: `bytearray`, `memoryview`, `array.array`, numpy's arrays.

use super::{Done, Encoder, Object};
use crate::core::fault::Fault;
use crate::core::ffi;
use crate::core::object::buffer::Buffer;
use crate::pack::plan::Kind;
use crate::pack::tag;
use samewire_pack::wire::{Number, ANY_BYTES_CELLS};

impl<const CAREFUL: bool> Encoder<'_, CAREFUL> {
    /// The bytes of any object with a contiguous buffer of bytes.
    #[inline(never)]
    pub(super) unsafe fn buffer_bytes(&mut self, value: Object) -> Result<Buffer, Fault> {
        // SAFETY: the buffer is held while its memory is read.
        unsafe {
            let buffer = self.buffer(value)?;
            if !matches!(buffer.kind(), None | Some(Kind::U8 | Kind::I8)) || buffer.width() != 1 {
                return Err(self.mismatch("bytes", value));
            }
            Ok(buffer)
        }
    }

    /// A numeric row of any object with a contiguous buffer of exactly this kind.
    #[inline(never)]
    pub(super) unsafe fn buffer_row(&mut self, kind: Kind, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let buffer = self.number_buffer(kind, value)?;
            self.raw_row(kind, &buffer)
        }
    }

    /// The buffer of any object with a contiguous buffer of exactly this kind.
    pub(super) unsafe fn number_buffer(&mut self, kind: Kind, value: Object) -> Result<Buffer, Fault> {
        // SAFETY: the buffer is held while its memory is read.
        unsafe {
            let buffer = self.buffer(value)?;
            let bytes_like = kind == Kind::U8 && buffer.kind().is_none() && buffer.width() == 1;
            if buffer.kind() != Some(kind) && !bytes_like {
                let text = format!("expected numbers of {kind:?}, got a buffer of {}", buffer.format());
                return Err(self.refuse(text.to_lowercase()));
            }
            Ok(buffer)
        }
    }

    /// Whether the numbers of a value are read from its buffer.
    pub(super) unsafe fn is_buffer(&self, value: Object) -> bool {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            let plain = ffi::PyList_CheckExact(value) != 0 || ffi::PyTuple_CheckExact(value) != 0;
            !plain && ffi::PyObject_CheckBuffer(value) != 0
        }
    }

    unsafe fn raw_row(&mut self, kind: Kind, buffer: &Buffer) -> Done {
        self.w.container(buffer.len(), 1)?;
        match kind {
            Kind::I8 => self.typed_row::<i8>(buffer),
            Kind::I16 => self.typed_row::<i16>(buffer),
            Kind::I32 => self.typed_row::<i32>(buffer),
            Kind::I64 => self.typed_row::<i64>(buffer),
            Kind::U8 => self.typed_row::<u8>(buffer),
            Kind::U16 => self.typed_row::<u16>(buffer),
            Kind::U32 => self.typed_row::<u32>(buffer),
            Kind::U64 => self.typed_row::<u64>(buffer),
            Kind::F32 => self.typed_row::<f32>(buffer),
            Kind::F64 => self.typed_row::<f64>(buffer),
        }
        Ok(())
    }

    fn typed_row<T: Number>(&mut self, buffer: &Buffer) {
        // SAFETY: the buffer's format says that its memory holds such numbers, for which every pattern of bits is good.
        let (before, numbers, after) = unsafe { buffer.bytes().align_to::<T>() };
        if before.is_empty() && after.is_empty() && cfg!(target_endian = "little") {
            self.w.numbers(numbers);
        } else {
            let numbers: Vec<T> = buffer.bytes().chunks_exact(T::WIDTH).map(T::from_raw).collect();
            self.w.numbers(&numbers);
        }
    }

    unsafe fn buffer(&mut self, value: Object) -> Result<Buffer, Fault> {
        if !CAREFUL {
            // Only these export a buffer without running Python code; before 3.12 no class written in Python could
            // export one.
            // SAFETY: the GIL is held and the value alive.
            let plain = unsafe {
                cfg!(not(Py_3_12))
                    || ffi::PyByteArray_CheckExact(value) != 0
                    || ffi::PyMemoryView_Check(value) != 0
                    || crate::core::object::buffer::is_array(value)
            };
            if !plain {
                return Err(Fault);
            }
        }
        // SAFETY: the GIL is held and the value alive.
        match unsafe { Buffer::of(value) } {
            Ok(Some(buffer)) => Ok(buffer),
            Ok(None) => Err(self.refuse("expected one dimension of contiguous memory".into())),
            Err(Fault) => Err(self.raised()),
        }
    }

    /// A buffer inside an `any`: bytes, or a list of numbers with its tag. None for other objects.
    pub(super) unsafe fn any_buffer(&mut self, value: Object) -> Option<Done> {
        // SAFETY: the buffer is held while its memory is read.
        unsafe {
            if ffi::PyObject_CheckBuffer(value) == 0 {
                return None;
            }
            let buffer = match self.buffer(value) {
                Ok(buffer) => buffer,
                Err(Fault) => return Some(Err(Fault)),
            };
            let numbers =
                buffer.kind().and_then(|kind| Some((kind, tag::KINDS.iter().position(|&other| other == kind)?)));
            Some(match numbers {
                Some((kind, place)) => {
                    self.w.byte(tag::NUMBERS + place as u8);
                    self.raw_row(kind, &buffer)
                }
                None if buffer.width() == 1 => {
                    self.w.byte(tag::BYTES);
                    self.w.charge(ANY_BYTES_CELLS).and_then(|()| self.w.bytes(buffer.bytes()))
                }
                None => Err(self.mismatch("a value for Any", value)),
            })
        }
    }
}
