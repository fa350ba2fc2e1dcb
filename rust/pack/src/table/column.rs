//! Columns under construction, and as they are handed out: Arrow's buffers.

use super::bits::{spread, Bits, Mask};
use super::field::{Field, Kind};
use super::texts::Texts;
use super::union::Tags;
use crate::wire::CELL_BYTES;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The values of one field.
#[derive(Debug)]
pub struct Column {
    /// Which are no nulls; of a field that has none, nothing.
    pub(super) validity: Option<Validity>,
    pub(super) data: Data,
}

/// Which values are there.
#[derive(Debug)]
pub(super) struct Validity {
    pub(super) bits: Bits,
    pub(super) nulls: usize,
    /// The cells that a null takes beyond that of its slot.
    pub(super) null_cells: u64,
}

/// The values, also where there is a null.
#[derive(Debug)]
pub(super) enum Data {
    Bool(Bits),
    I8(Vec<i8>),
    I16(Vec<i16>),
    /// Integers, and days.
    I32(Vec<i32>),
    /// Integers, and times in their unit.
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    /// Integers, and indices of symbols.
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Decimal(Vec<i128>),
    Uuid(Vec<[u8; 16]>),
    Text(Texts),
    /// The ends of all, 0 in front, and the bytes: of `bytes`, and of texts that were [flattened](Column::flatten).
    Bytes(Vec<i32>, Vec<u8>),
    /// The ends of all lists or maps, 0 in front, and the elements.
    List(Vec<i32>, Box<Column>),
    /// How many, and the fields.
    Struct(usize, Vec<Column>),
    /// A union has no validity: a null is one of the first member.
    Union(Tags, Vec<Column>),
}

/// Does the same with every kind of vector that holds a value for each row.
macro_rules! of_vectors {
    ($data:expr, $vector:ident => $do:expr, $($other:pat => $else:expr),* $(,)?) => {
        match $data {
            Data::I8($vector) => $do,
            Data::I16($vector) => $do,
            Data::I32($vector) => $do,
            Data::I64($vector) => $do,
            Data::U8($vector) => $do,
            Data::U16($vector) => $do,
            Data::U32($vector) => $do,
            Data::U64($vector) => $do,
            Data::F32($vector) => $do,
            Data::F64($vector) => $do,
            Data::Decimal($vector) => $do,
            Data::Uuid($vector) => $do,
            $($other => $else),*
        }
    };
}
pub(super) use of_vectors;

impl Column {
    /// An empty column of a field.
    pub fn of(field: &Field) -> Column {
        let children = || field.children.iter().map(Column::of).collect::<Vec<_>>();
        let item = || Box::new(Column::of(&field.children[0]));
        let data = match field.kind {
            Kind::Bool => Data::Bool(Bits::default()),
            Kind::I8 => Data::I8(Vec::new()),
            Kind::I16 => Data::I16(Vec::new()),
            Kind::I32 | Kind::Date => Data::I32(Vec::new()),
            Kind::I64 | Kind::Time | Kind::Timestamp | Kind::Duration => Data::I64(Vec::new()),
            Kind::U8 => Data::U8(Vec::new()),
            Kind::U16 => Data::U16(Vec::new()),
            Kind::U32 | Kind::Enum(_) => Data::U32(Vec::new()),
            Kind::U64 => Data::U64(Vec::new()),
            Kind::F32 => Data::F32(Vec::new()),
            Kind::F64 => Data::F64(Vec::new()),
            Kind::Decimal | Kind::BigInt => Data::Decimal(Vec::new()),
            Kind::Text => Data::Text(Texts::default()),
            Kind::Binary => Data::Bytes(vec![0], Vec::new()),
            Kind::Uuid => Data::Uuid(Vec::new()),
            Kind::List | Kind::Map => Data::List(vec![0], item()),
            Kind::Struct => Data::Struct(0, children()),
            Kind::Union => Data::Union(Tags::default(), children()),
        };
        let null_cells = field.null_bytes() / CELL_BYTES;
        let validity = field.nullable.then(|| Validity { bits: Bits::default(), nulls: 0, null_cells });
        Column { validity, data }
    }

    /// How many values it holds.
    pub fn len(&self) -> usize {
        of_vectors!(&self.data, values => values.len(),
            Data::Bool(bits) => bits.len(),
            Data::Text(texts) => texts.len(),
            Data::Bytes(ends, _) | Data::List(ends, _) => ends.len() - 1,
            Data::Struct(len, _) => *len,
            Data::Union(tags, _) => tags.len(),
        )
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nulls it holds.
    pub fn nulls(&self) -> usize {
        self.validity.as_ref().map_or(0, |validity| validity.nulls)
    }

    /// Makes plain strings of all texts. Returns `None` if they take more than `left` bytes, or a column more than 2^31.
    pub(super) fn flatten(&mut self, left: &mut usize) -> Option<()> {
        match &mut self.data {
            Data::Text(texts) => {
                let (ends, bytes) = texts.flat(*left)?;
                *left -= bytes.len();
                self.data = Data::Bytes(ends, bytes);
            }
            Data::List(_, items) => items.flatten(left)?,
            Data::Struct(_, parts) => parts.iter_mut().try_for_each(|part| part.flatten(left))?,
            Data::Union(_, members) => members.iter_mut().try_for_each(|member| member.flatten(left))?,
            _ => {}
        }
        Some(())
    }

    /// Notes that the next value is there.
    pub(super) fn valid(&mut self) {
        if let Some(validity) = &mut self.validity {
            validity.bits.push(true);
        }
    }

    /// Appends a null, or what stands below one where there can be none.
    pub(super) fn push_null(&mut self) {
        if let Some(validity) = &mut self.validity {
            validity.bits.push(false);
            validity.nulls += 1;
        }
        of_vectors!(&mut self.data, values => values.push(Default::default()),
            Data::Bool(bits) => bits.push(false),
            Data::Text(texts) => texts.push_empty(),
            Data::Bytes(ends, _) | Data::List(ends, _) => ends.push(ends[ends.len() - 1]),
            Data::Struct(len, fields) => {
                *len += 1;
                fields.iter_mut().for_each(Column::push_null);
            },
            Data::Union(tags, members) => {
                tags.push(0, members[0].len());
                members[0].push_null();
            },
        );
    }

    /// The values at the end, one for each bit that is set, move to the places of their bits; what stands between is below a
    /// null.
    pub(super) fn spread(&mut self, mask: Mask<'_>) {
        if mask.zeros() == 0 {
            return;
        }
        if let Some(validity) = &mut self.validity {
            validity.bits.spread(mask);
            validity.nulls += mask.zeros();
        }
        self.data.spread(mask);
    }
}

impl Data {
    /// As [`Column::spread`].
    pub(super) fn spread(&mut self, mask: Mask<'_>) {
        if mask.zeros() == 0 {
            return;
        }
        of_vectors!(self, values => spread(values, mask, Default::default()),
            Data::Bool(bits) => bits.spread(mask),
            Data::Text(texts) => texts.spread(mask),
            Data::Bytes(ends, _) | Data::List(ends, _) => spread_ends(ends, mask),
            Data::Struct(len, fields) => {
                *len += mask.zeros();
                fields.iter_mut().for_each(|field| field.spread(mask));
            },
            Data::Union(tags, members) => {
                let first = tags.spread(mask, members[0].len());
                members[0].spread(Mask::of(first.bytes(), first.len()));
            },
        );
    }
}

/// As [`spread`]: what is not there ends where the value before it does.
fn spread_ends(ends: &mut Vec<i32>, mask: Mask<'_>) {
    let start = ends.len() - mask.ones;
    ends.resize(start + mask.m, 0);
    let mut from = start + mask.ones;
    for i in (0..mask.m).rev() {
        let set = mask.is_set(i);
        ends[start + i] = ends[from - 1];
        from -= usize::from(set);
    }
}
