//! The codec's table of links: an entry for each `string`, `any` and struct of a type.

/// A place in the table of links: for a struct, where the places of its own fields start, and whether it is recursive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    base: u32,
    /// The cells of the struct's row: below 2^31.
    cells: u32,
    /// The columns that the struct needs.
    width: u32,
}

impl Link {
    const RECURSIVE: u32 = 1 << 31;

    pub(crate) fn new(base: usize, recursive: bool, cells: u32, width: u32) -> Self {
        Link { base: base as u32 | if recursive { Self::RECURSIVE } else { 0 }, cells, width }
    }

    /// Where the places of the struct's fields start.
    #[inline(always)]
    pub fn base(self) -> usize {
        (self.base & !Self::RECURSIVE) as usize
    }

    /// The cells of the struct's row.
    #[inline(always)]
    pub fn row_cells(self) -> u64 {
        u64::from(self.cells)
    }

    /// The cells of a slot of the struct: a recursive one does not lie inline.
    #[inline(always)]
    pub fn slot_cells(self) -> u64 {
        if self.recursive() {
            1
        } else {
            self.row_cells()
        }
    }

    /// The cells that are charged where the row begins without lying inline; a recursive struct charges them itself.
    #[inline(always)]
    pub fn present_cells(self) -> u64 {
        if self.recursive() {
            0
        } else {
            self.row_cells()
        }
    }

    /// The columns that the struct needs.
    #[inline(always)]
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Whether the struct can contain itself.
    #[inline(always)]
    pub fn recursive(self) -> bool {
        self.base & Self::RECURSIVE != 0
    }
}
