//! The formats of the Arrow C data interface, as far as a type of a schema may come in them.

use super::arrays::SchemaView;
use crate::wire::columns::Unit;
use alloc::vec::Vec;

/// How values stand in an array's buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Null,
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// Of 128 or 256 bits, with so many digits behind the point.
    Decimal(usize, i32),
    Text(Lengths),
    Binary(Lengths),
    FixedBinary(usize),
    Date32,
    Date64,
    Time(Unit),
    /// With a time zone: an instant.
    Timestamp(Unit),
    /// Without one.
    LocalTimestamp,
    Duration(Unit),
    List(Lengths),
    FixedList(usize),
    Map,
    Struct,
    /// Whether it is dense, and the id of each child.
    Union(bool, Vec<i8>),
}

/// Where runs of bytes or elements begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lengths {
    /// Ends of 32 bits, 0 in front.
    Short,
    /// Ends of 64 bits.
    Long,
    /// Views: of bytes; of lists a start and a length of 32 bits.
    Views,
    /// Of lists: a start and a length of 64 bits.
    LongViews,
}

impl Format {
    /// `None`: a format that no type comes in.
    pub(super) fn of(schema: SchemaView<'_>) -> Option<Format> {
        let format = schema.format();
        Some(match format {
            "n" => Format::Null,
            "b" => Format::Bool,
            "c" => Format::I8,
            "s" => Format::I16,
            "i" => Format::I32,
            "l" => Format::I64,
            "C" => Format::U8,
            "S" => Format::U16,
            "I" => Format::U32,
            "L" => Format::U64,
            "f" => Format::F32,
            "g" => Format::F64,
            "u" => Format::Text(Lengths::Short),
            "U" => Format::Text(Lengths::Long),
            "vu" => Format::Text(Lengths::Views),
            "z" => Format::Binary(Lengths::Short),
            "Z" => Format::Binary(Lengths::Long),
            "vz" => Format::Binary(Lengths::Views),
            "tdD" => Format::Date32,
            "tdm" => Format::Date64,
            "+l" => Format::List(Lengths::Short),
            "+L" => Format::List(Lengths::Long),
            "+vl" => Format::List(Lengths::Views),
            "+vL" => Format::List(Lengths::LongViews),
            "+m" => Format::Map,
            "+s" => Format::Struct,
            _ => return Format::with_parameters(format),
        })
    }

    fn with_parameters(format: &str) -> Option<Format> {
        let (head, rest) = format.split_once(':').unwrap_or((format, ""));
        let unit = || match head.as_bytes().last()? {
            b's' => Some(Unit::Seconds),
            b'm' => Some(Unit::Millis),
            b'u' => Some(Unit::Micros),
            b'n' => Some(Unit::Nanos),
            _ => None,
        };
        Some(match head {
            "d" => {
                let mut numbers = rest.split(',').map(str::parse::<i32>);
                let (_, scale) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
                match numbers.next().unwrap_or(Ok(128)).ok()? {
                    128 => Format::Decimal(128, scale),
                    256 => Format::Decimal(256, scale),
                    _ => return None,
                }
            }
            "w" => Format::FixedBinary(rest.parse().ok()?),
            "+w" => Format::FixedList(rest.parse().ok()?),
            "tts" | "ttm" | "ttu" | "ttn" => Format::Time(unit()?),
            "tss" | "tsm" | "tsu" | "tsn" if rest.is_empty() => Format::LocalTimestamp,
            "tss" | "tsm" | "tsu" | "tsn" => Format::Timestamp(unit()?),
            "tDs" | "tDm" | "tDu" | "tDn" => Format::Duration(unit()?),
            "+ud" | "+us" => {
                let ids = rest.split(',').filter(|id| !id.is_empty()).map(str::parse::<i8>);
                Format::Union(head == "+ud", ids.collect::<Result<_, _>>().ok()?)
            }
            _ => return None,
        })
    }
}
