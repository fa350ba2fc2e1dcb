//! An encoder with scratch memory of its own.

use crate::link::Link;
use crate::output::Output;
use crate::pack::Pack;
use crate::wire::Message;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use samewire_core::{Error, Fault};

/// Encodes one value after another. Made by [`Codec::encoder`](crate::Codec::encoder).
pub struct Encoder<T> {
    output: Output,
    message: Message,
    buffer: Vec<u8>,
    types: PhantomData<fn() -> T>,
}

impl<T: Pack> Encoder<T> {
    pub(crate) fn new(links: Box<[Link]>, message: Message) -> Self {
        Encoder { output: Output::new(links), message, buffer: Vec::new(), types: PhantomData }
    }

    #[cfg(feature = "arrow")]
    pub(crate) fn message(&self) -> &Message {
        &self.message
    }

    /// Encodes a value and returns its bytes, which stay in the encoder's buffer until the next call.
    ///
    /// # Errors
    /// As [`Codec::encode`](crate::Codec::encode).
    #[inline]
    pub fn encode(&mut self, value: &T) -> Result<&[u8], Error> {
        self.buffer.clear();
        encode(value, &mut self.output, &self.message, &mut self.buffer)?;
        Ok(&self.buffer)
    }

    /// Appends an encoded value to `out`.
    ///
    /// # Errors
    /// As [`Codec::encode`](crate::Codec::encode); `out` is then unchanged.
    #[inline]
    pub fn encode_into(&mut self, value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        encode(value, &mut self.output, &self.message, out)
    }
}

/// Appends one message to `out`. Code of the value's type is compiled once for all callers.
#[inline(always)]
pub(crate) fn encode<T: Pack + ?Sized>(
    value: &T,
    output: &mut Output,
    message: &Message,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    output.begin(out, message);
    match write_root(value, output) {
        Ok(()) => output.finish(out),
        Err(Fault) => {
            output.abort(out);
            Err(output.failure())
        }
    }
}

/// The row of one slot.
pub(crate) fn write_root<T: Pack + ?Sized>(value: &T, output: &mut Output) -> Result<(), Fault> {
    let cells = T::slot_cells(output.links(), 0);
    output.charge(cells)?;
    if T::FLAGGED {
        output.flag_word(u64::from(value.flag()), 1);
    }
    value.write(output, 0)
}
