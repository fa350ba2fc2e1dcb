//! What a reply takes of each limit, counted beside the reader by the text of `spec/redis.md` section 3.

use samewire_redis::{Aggregate, Build, Chunks};

/// A builder that makes nothing and counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub items: u64,
    pub cells: u64,
    /// The most aggregates that were open at once.
    pub depth: u32,
    open: u32,
}

/// An aggregate under way.
pub struct Open {
    kind: Aggregate,
    entries: Option<usize>,
    elements: usize,
}

impl Census {
    fn leave(&mut self, open: &Open) {
        self.open -= 1;
        let entries = open.elements / open.kind.arity();
        assert_eq!(open.elements % open.kind.arity(), 0, "half an entry");
        assert!(
            open.entries.is_none_or(|announced| announced == entries),
            "{:?} announced, {entries} came",
            open.entries
        );
        self.items += entries as u64;
        self.cells += 3 + entries as u64 * if open.kind.arity() == 2 { 6 } else { 2 };
    }
}

impl<'b> Build<'b> for Census {
    type Value = ();
    type Open = Open;
    type Error = std::convert::Infallible;

    fn null(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn integer(&mut self, _: i64) -> Result<(), Self::Error> {
        Ok(())
    }

    fn double(&mut self, _: f64) -> Result<(), Self::Error> {
        Ok(())
    }

    fn boolean(&mut self, _: bool) -> Result<(), Self::Error> {
        Ok(())
    }

    fn big_number(&mut self, digits: &'b [u8]) -> Result<(), Self::Error> {
        let bare = digits.strip_prefix(b"-").or(digits.strip_prefix(b"+")).unwrap_or(digits);
        assert!(!bare.is_empty() && bare.len() <= 9_864 && bare.iter().all(u8::is_ascii_digit), "a poor big number");
        Ok(())
    }

    fn simple(&mut self, text: &'b [u8]) -> Result<(), Self::Error> {
        assert!(!text.contains(&b'\r') && !text.contains(&b'\n'), "a line with a line end in it");
        Ok(())
    }

    fn error(&mut self, _: &'b [u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn bulk(&mut self, _: &'b [u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn verbatim(&mut self, _: [u8; 3], _: &'b [u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn streamed(&mut self, chunks: Chunks<'b>) -> Result<(), Self::Error> {
        assert_eq!(chunks.length(), chunks.map(<[u8]>::len).sum::<usize>(), "the chunks' length");
        Ok(())
    }

    fn open(&mut self, kind: Aggregate, entries: Option<usize>) -> Result<Open, Self::Error> {
        self.open += 1;
        self.depth = self.depth.max(self.open);
        Ok(Open { kind, entries, elements: 0 })
    }

    fn push(&mut self, to: &mut Open, (): ()) -> Result<(), Self::Error> {
        to.elements += 1;
        Ok(())
    }

    fn close(&mut self, open: Open) -> Result<(), Self::Error> {
        assert_ne!(open.kind, Aggregate::Attribute, "an attribute is not a value");
        self.leave(&open);
        Ok(())
    }

    fn attribute(&mut self, open: Open) -> Result<(), Self::Error> {
        assert_eq!(open.kind, Aggregate::Attribute, "only attributes describe");
        self.leave(&open);
        Ok(())
    }
}
