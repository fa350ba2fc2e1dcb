//! What records are appended to.

use alloc::vec::Vec;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};

/// A file that can be cut and synced: what appending needs beside reading, writing and seeking.
pub trait RecordFile: Read + Write + Seek {
    /// Cuts what stands behind `size` bytes.
    ///
    /// # Errors
    /// What keeps the file from being cut.
    fn cut(&mut self, size: u64) -> io::Result<()>;

    /// Returns once what was written would survive a power cut.
    ///
    /// # Errors
    /// What keeps the file from being written.
    fn sync(&mut self) -> io::Result<()>;
}

impl RecordFile for File {
    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

impl RecordFile for Cursor<Vec<u8>> {
    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.get_mut().truncate(usize::try_from(size).unwrap_or(usize::MAX));
        Ok(())
    }

    /// Does nothing: memory does not survive its process.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: RecordFile + ?Sized> RecordFile for &mut F {
    fn cut(&mut self, size: u64) -> io::Result<()> {
        (**self).cut(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}
