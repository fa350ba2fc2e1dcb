//! Columns to bytes (`spec/columns.md` sections 2 to 6).

use super::super::{Done, Encoder, Object};
use super::column::{Column, Numbers, Values};
use crate::core::fault::Fault;
use crate::core::memory::room;
use crate::core::object::text::{chars, Chars};
use samewire_pack::path::Segment;
use samewire_pack::wire::columns::Hasher;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// The column of a part.
    ///
    /// # Safety
    /// The objects that it holds must be alive.
    pub(super) unsafe fn column_part(&mut self, column: &Column, step: Segment<'p>) -> Done {
        // SAFETY: the caller's.
        match unsafe { self.column(column) } {
            Ok(()) => Ok(()),
            Err(Fault) => Err(self.inside(step)),
        }
    }

    unsafe fn column(&mut self, column: &Column) -> Done {
        self.w.bounded()?;
        // SAFETY: the objects that the column holds are alive.
        unsafe {
            match &column.values {
                Values::Bits(bits) => self.w.extend(&bits.bytes),
                Values::Numbers(numbers) => match numbers {
                    Numbers::I8(numbers) => self.w.column_integers(numbers),
                    Numbers::I16(numbers) => self.w.column_integers(numbers),
                    Numbers::I32(numbers) => self.w.column_integers(numbers),
                    Numbers::I64(numbers) => self.w.column_integers(numbers),
                    Numbers::U8(numbers) => self.w.column_integers(numbers),
                    Numbers::U16(numbers) => self.w.column_integers(numbers),
                    Numbers::U32(numbers) => self.w.column_integers(numbers),
                    Numbers::U64(numbers) => self.w.column_integers(numbers),
                    Numbers::F32(numbers) => self.w.raw_column(numbers),
                    Numbers::F64(numbers) => self.w.column_doubles(numbers),
                },
                Values::Dates(days) => self.w.column_integers(days),
                Values::Times(times) => self.w.column_integers(times),
                Values::Instants(instants) => self.w.column_times(instants),
                Values::Symbols(indices) => self.w.column_integers(indices),
                Values::Texts(site, texts) => return self.column_texts(*site, texts),
                Values::Uuids(uuids) => self.w.extend(uuids.as_flattened()),
                Values::Bytes(lengths, bytes) => {
                    self.w.column_integers(lengths);
                    self.w.extend(bytes);
                }
                Values::Slots(slots) => {
                    for &slot in slots {
                        if self.value(column.node, slot).is_err() {
                            self.late = true;
                            return Err(Fault);
                        }
                    }
                }
                Values::Option(bits, inner) => {
                    self.w.extend(&bits.bytes);
                    return self.column(inner);
                }
                Values::List(counts, inner) => {
                    self.w.column_integers(counts);
                    return self.column_part(inner, Segment::Elements);
                }
                Values::Map(counts, inner) => {
                    self.w.column_integers(counts);
                    self.column_part(&inner[0], Segment::Keys)?;
                    return self.column_part(&inner[1], Segment::Values);
                }
                Values::Parts(parts) => return self.column_parts(column, parts),
            }
        }
        Ok(())
    }

    unsafe fn column_parts(&mut self, column: &Column, parts: &[Column]) -> Done {
        let plan = self.plan;
        for (i, part) in parts.iter().enumerate() {
            let step = match column.node {
                crate::pack::plan::Node::Record(at) => Segment::Field(&plan.record(at).fields[i].name),
                _ => Segment::Index(i),
            };
            // SAFETY: the objects that the column holds are alive.
            unsafe { self.column_part(part, step)? };
        }
        Ok(())
    }

    unsafe fn column_texts(&mut self, site: u32, texts: &[Object]) -> Done {
        if texts.is_empty() {
            return Ok(());
        }
        let node = crate::pack::plan::Node::Text(site);
        // SAFETY: the texts are alive.
        unsafe {
            let hash = |hasher: Hasher, i: usize| hasher.text(bytes(texts[i]));
            if !self.w.find_repeated(texts.len(), hash, |i, k| same(texts[i], texts[k])) {
                self.w.byte(0);
                return self.row(node, texts, Segment::Index);
            }
            let dictionary = self.w.dictionary();
            let mut firsts = room(dictionary.firsts().len());
            firsts.extend(dictionary.firsts().iter().map(|&first| texts[first as usize]));
            self.w.byte(1);
            self.w.varint(firsts.len() as u64);
            self.row(node, &firsts, Segment::Index)?;
            self.w.column_indices();
        }
        Ok(())
    }
}

/// The characters of a `str` as bytes of its own width.
unsafe fn bytes<'t>(text: Object) -> &'t [u8] {
    // SAFETY: the caller keeps the text; units and characters are plain memory.
    unsafe {
        match chars(text) {
            Chars::Latin1(latin1) => latin1,
            Chars::Wide(units) => std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)),
            Chars::Full(characters) => std::slice::from_raw_parts(characters.as_ptr().cast(), size_of_val(characters)),
        }
    }
}

/// Whether two texts are equal. CPython keeps each in the narrowest width.
unsafe fn same(one: Object, other: Object) -> bool {
    // SAFETY: the caller keeps the texts.
    unsafe {
        one == other
            || match (chars(one), chars(other)) {
                (Chars::Latin1(one), Chars::Latin1(other)) => one == other,
                (Chars::Wide(one), Chars::Wide(other)) => one == other,
                (Chars::Full(one), Chars::Full(other)) => one == other,
                _ => false,
            }
    }
}
