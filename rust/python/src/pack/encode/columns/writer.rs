//! Writes columns (`spec/columns.md` sections 2 to 6).

use super::super::{Done, Encoder};
use super::column::{Column, Numbers, Values};
use crate::core::fault::Fault;
use crate::pack::plan::Node;
use samewire_pack::path::Segment;
use samewire_pack::wire::KEY_CELLS;

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    /// The column of a part.
    ///
    /// # Safety
    /// The objects that it holds must be alive.
    pub(super) unsafe fn column_part(&mut self, column: &Column, step: Segment<'p>) -> Done {
        // SAFETY: the objects that it holds are alive, as this function asks.
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
                Values::Bits(bits) => self.w.extend_bytes(bits.bytes()),
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
                Values::Texts(site, texts) => {
                    self.w.text_column(*site as usize, &texts.all)?;
                    if !texts.rest.is_empty() {
                        return self.column_texts(*site, &texts.rest);
                    }
                }
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
                    self.w.extend_bytes(bits.bytes());
                    if let Node::Option(item) = column.node {
                        self.w.charge(self.plan.weights.present(item) * bits.ones())?;
                    }
                    return self.column(inner);
                }
                Values::List(counts, inner) => {
                    self.column_counts(column, counts)?;
                    return self.column_part(inner, Segment::Elements);
                }
                Values::Map(counts, inner) => {
                    self.column_counts(column, counts)?;
                    self.column_part(&inner[0], Segment::Keys)?;
                    return self.column_part(&inner[1], Segment::Values);
                }
                Values::Parts(parts) => return self.column_parts(column, parts),
            }
        }
        Ok(())
    }

    /// The counts of a column of lists, sets or maps, and the cells of their elements.
    fn column_counts(&mut self, column: &Column, counts: &[u32]) -> Done {
        let weights = &self.plan.weights;
        let cells = match column.node {
            Node::List(item) | Node::Series(item) => weights.slot(item),
            Node::Set(item, _) => KEY_CELLS + weights.slot(item),
            Node::Map(key, item) => weights.entry(key, item),
            _ => 1,
        };
        let total = counts.iter().map(|&count| count as usize).sum();
        self.w.hold(total, counts.len(), cells)?;
        self.w.column_integers(counts);
        Ok(())
    }

    unsafe fn column_parts(&mut self, column: &Column, parts: &[Column]) -> Done {
        let plan = self.plan;
        for (i, part) in parts.iter().enumerate() {
            let step = match column.node {
                Node::Record(at) => Segment::Field(&plan.record(at).fields[i].name),
                _ => Segment::Index(i),
            };
            // SAFETY: the objects that the column holds are alive.
            unsafe { self.column_part(part, step)? };
        }
        Ok(())
    }
}
