//! Why a record file cannot be written or read.

use core::fmt;
use samewire_core::Error;
use std::io;

/// Why a record file cannot be written or read.
#[derive(Debug)]
pub enum RecordError {
    /// What is wrong with a record, the file's bytes, or the use of the writer or reader.
    Pack(Error),
    /// What the file failed with.
    File(io::Error),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Pack(error) => error.fmt(f),
            RecordError::File(error) => write!(f, "the record file: {error}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<Error> for RecordError {
    fn from(error: Error) -> Self {
        RecordError::Pack(error)
    }
}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> Self {
        RecordError::File(error)
    }
}
