//! Large values, which follow their message (`spec/bridge.md` section 10): sent from and received into the objects' own
//! memory.

use super::{Channel, Missing};
use crate::bridge::transport::{Stop, Transport};
use pyo3::prelude::*;
use samewire_bridge::{frame, message, Input};
use samewire_core::{Code, Error};

/// Size of the buffer for blobs that are dropped.
const SCRATCH: usize = 16 * 1024;

impl Channel {
    /// Sends an object's bytes as blob messages.
    pub fn send_blob(&self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        let transport = &mut *self.transport.borrow_mut();
        if let Transport::Process(process) = transport {
            process.lend(bytes);
            return Ok(());
        }
        for part in bytes.chunks(message::MOST_BLOB_PART) {
            let mut head = [0; frame::HEAD + 1];
            head[..frame::HEAD].copy_from_slice(&(part.len() as u32 + 1).to_le_bytes());
            head[frame::HEAD] = message::BLOB;
            transport.write(py, &head)?;
            transport.write(py, part)?;
        }
        Ok(())
    }

    /// Fills memory with the blob messages that follow.
    pub fn fill(&self, py: Python<'_>, into: &mut [u8]) -> Result<(), Missing> {
        if let Some(filled) = self.with_process(|process| process.fill(into)) {
            return filled.map_err(Missing::Wrong);
        }
        self.with_input(|input| {
            let mut filled = 0;
            while filled < into.len() {
                let part = self.blob_head(py, input, into.len() - filled)?;
                let until = filled + part;
                while filled < until {
                    filled += self.take(py, input, &mut into[filled..until])?;
                }
            }
            Ok(())
        })
    }

    /// Takes so many bytes of blob messages, and drops them.
    pub fn drain(&self, py: Python<'_>, length: usize) -> Result<(), Missing> {
        if let Some(drained) = self.with_process(|process| process.drain(length)) {
            return drained.map_err(Missing::Wrong);
        }
        self.with_input(|input| {
            let mut scratch = vec![0; length.min(SCRATCH)];
            let mut left = length;
            while left > 0 {
                let mut part = self.blob_head(py, input, left)?;
                left -= part;
                while part > 0 {
                    let most = part.min(scratch.len());
                    part -= self.take(py, input, &mut scratch[..most])?;
                }
            }
            Ok(())
        })
    }

    /// Takes bytes that are there, or waits for some.
    fn take(&self, py: Python<'_>, input: &mut Input, into: &mut [u8]) -> Result<usize, Missing> {
        let ready = input.ready();
        let count = into.len().min(ready.len());
        if count == 0 {
            return self.transport.borrow_mut().read(py, into, self.until.get()).map_err(Missing::Stop);
        }
        into[..count].copy_from_slice(&ready[..count]);
        input.pass(count);
        Ok(count)
    }

    /// Takes the head of a blob message, of at most `left` bytes, and returns how many there are.
    fn blob_head(&self, py: Python<'_>, input: &mut Input, left: usize) -> Result<usize, Missing> {
        const HEAD: usize = frame::HEAD + 1;
        while input.ready().len() < HEAD {
            let received = self.transport.borrow_mut().read(py, input.room(HEAD), self.until.get());
            input.received(received.map_err(Missing::Stop)?);
        }
        let head = &input.ready()[..HEAD];
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if head[frame::HEAD] != message::BLOB || length < 2 || length - 1 > left.min(message::MOST_BLOB_PART) {
            let text = "expected a blob message of what is left of the blob, at most 1 MiB";
            return Err(Missing::Wrong(Error::new(Code::Malformed, text).at(0)));
        }
        input.pass(HEAD);
        Ok(length - 1)
    }
}
