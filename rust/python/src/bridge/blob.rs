//! Large values, which follow their message (`spec/bridge.md` section 10): out of memory that lies elsewhere, and into such.

use super::channel::{Channel, Missing, ROOM};
use super::transport::{Stop, Transport};
use pyo3::prelude::*;
use samewire_bridge::{frame, message};
use samewire_core::{Code, Error};

impl Channel {
    /// Sends bytes that lie elsewhere as blob messages.
    pub fn send_blob(&mut self, py: Python<'_>, bytes: &[u8]) -> Result<(), Stop> {
        if let Transport::Process(process) = &mut self.transport {
            process.lend(bytes);
            return Ok(());
        }
        for part in bytes.chunks(message::MOST_BLOB_PART) {
            let mut head = [0; frame::HEAD + 1];
            head[..frame::HEAD].copy_from_slice(&(part.len() as u32 + 1).to_le_bytes());
            head[frame::HEAD] = message::BLOB;
            self.transport.write(py, &head)?;
            self.transport.write(py, part)?;
        }
        Ok(())
    }

    /// Fills memory with the blob messages that follow.
    pub fn fill(&mut self, py: Python<'_>, into: &mut [u8]) -> Result<(), Missing> {
        if let Transport::Process(process) = &mut self.transport {
            return process.fill(into).map_err(Missing::Wrong);
        }
        let mut filled = 0;
        while filled < into.len() {
            let part = self.blob_head(py, into.len() - filled)?;
            let until = filled + part;
            while filled < until {
                filled += self.take(py, &mut into[filled..until])?;
            }
        }
        Ok(())
    }

    /// Takes so many bytes of blob messages, and drops them.
    pub fn drain(&mut self, py: Python<'_>, length: usize) -> Result<(), Missing> {
        if let Transport::Process(process) = &mut self.transport {
            return process.drain(length).map_err(Missing::Wrong);
        }
        let mut scratch = vec![0; length.min(ROOM)];
        let mut left = length;
        while left > 0 {
            let mut part = self.blob_head(py, left)?;
            left -= part;
            while part > 0 {
                let most = part.min(scratch.len());
                part -= self.take(py, &mut scratch[..most])?;
            }
        }
        Ok(())
    }

    /// Takes bytes that are there, or waits for some.
    fn take(&mut self, py: Python<'_>, into: &mut [u8]) -> Result<usize, Missing> {
        let ready = into.len().min(self.end - self.start);
        if ready == 0 {
            return self.transport.read(py, into, self.until).map_err(Missing::Stop);
        }
        into[..ready].copy_from_slice(&self.input[self.start..self.start + ready]);
        self.start += ready;
        Ok(ready)
    }

    /// Takes the head of a blob message, of at most `left` bytes, and returns how many there are.
    fn blob_head(&mut self, py: Python<'_>, left: usize) -> Result<usize, Missing> {
        const HEAD: usize = frame::HEAD + 1;
        while self.end - self.start < HEAD {
            self.make_room(HEAD);
            let room = self.end..self.input.len();
            self.end += self.transport.read(py, &mut self.input[room], self.until).map_err(Missing::Stop)?;
        }
        let head = &self.input[self.start..self.start + HEAD];
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if head[frame::HEAD] != message::BLOB || length < 2 || length - 1 > left.min(message::MOST_BLOB_PART) {
            let text = "expected a blob message of what is left of the blob, at most 1 MiB";
            return Err(Missing::Wrong(Error::new(Code::Malformed, text).at(0)));
        }
        self.start += HEAD;
        Ok(length - 1)
    }
}
