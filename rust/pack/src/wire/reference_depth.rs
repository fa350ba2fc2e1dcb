//! How deep values go that references lead to.
//!
//! A message opens no more than `limits.depth` structs at once, but a struct behind a `ref` may name the one before it, and
//! so on: the values then hang from one another as deep as they are many. Who frees or compares them goes down by
//! recursion, so chains that a stack of 2 MiB might not hold are refused.

use core::mem::replace;

/// The deepest that what has been read goes, references followed, of the struct behind a `ref` that is being read.
#[derive(Default)]
pub struct ReferenceDepth(usize);

/// More may never hang from one another where `depth` structs may be open at once.
pub(crate) fn deepest(depth: u32) -> usize {
    2048 + 16 * depth as usize
}

impl ReferenceDepth {
    /// A struct behind a `ref` begins where `open` structs are open. Returns what [`end`](Self::end) takes.
    pub fn begin(&mut self, open: usize) -> ReferenceDepth {
        replace(self, ReferenceDepth(open))
    }

    /// The struct has ended; how much deeper than itself it goes.
    pub fn end(&mut self, before: ReferenceDepth, open: usize) -> usize {
        let height = self.0 - open;
        self.0 = self.0.max(before.0);
        height
    }

    /// A struct of this height is named where `open` structs are open. Whether that may be where `depth` are allowed.
    #[must_use]
    pub fn follow(&mut self, height: usize, open: usize, depth: u32) -> bool {
        self.0 = self.0.max(open + height);
        open + height <= deepest(depth)
    }
}
