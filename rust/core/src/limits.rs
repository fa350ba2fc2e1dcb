//! Limits (`spec/limits.md`).

/// The limits of one codec or scanner. There is no value for "unlimited".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Recursive structs and lists or maps inside `any` that are open at once; 64.
    pub depth: u32,
    /// The length of one message, read or written; 64 MiB.
    pub frame_bytes: usize,
    /// Bytes of both text blocks of one message together; 64 MiB.
    pub text_bytes: usize,
    /// Elements of all lists, sets and maps of one message, nested ones summed; 16,777,216.
    pub items: u64,
    /// Cells of memory that the values of one message take, fields as well as elements; 16,777,216.
    pub cells: u64,
    /// Bytes a frame scanner buffers for an unfinished frame; 64 MiB and five bytes.
    pub buffered_bytes: usize,
}

impl Limits {
    /// The defaults of `spec/limits.md`.
    pub const DEFAULT: Limits = Limits {
        depth: 64,
        frame_bytes: 67_108_864,
        text_bytes: 67_108_864,
        items: 16_777_216,
        cells: 16_777_216,
        buffered_bytes: 67_108_869,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
