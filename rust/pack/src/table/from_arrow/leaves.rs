//! Values without parts, from each Arrow format that holds them.

use super::arrays::{span, ArrayView, Blob, Raw, Raws};
use super::big::Big;
use super::formats::{Format, Lengths};
use super::refused::{broken, Refused};
use super::runs::{indices, total, Run};
use super::values::Values;
use crate::order::compare_utf16;
use crate::schema::{Schema, Type};
use crate::wire::columns::Unit;
use crate::wire::{DATE_MAX, DATE_MIN, TIMESTAMP_MAX, TIMESTAMP_MIN, TIME_MAX};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use samewire_core::Code;

const DAY_MILLIS: i64 = 86_400_000;
/// The characters of a text that an error shows.
const SHOWN: usize = 40;

/// Appends the values of these runs, of which none is null.
pub(super) fn append<'a>(
    schema: &Schema,
    ty: &Type,
    format: &Format,
    array: ArrayView<'a>,
    runs: &[Run],
    out: &mut Values<'a>,
) -> Result<(), Refused> {
    match (ty, out) {
        (Type::Bool, Values::Bool(out)) => {
            let bits = array.bits(1)?;
            out.all.extend(indices(runs).map(|i| bits.is_set(i)));
            Ok(())
        }
        (Type::I8, Values::I8(out)) => integers(format, &Format::I8, array, runs, &mut out.all),
        (Type::I16, Values::I16(out)) => integers(format, &Format::I16, array, runs, &mut out.all),
        (Type::I32, Values::I32(out)) => integers(format, &Format::I32, array, runs, &mut out.all),
        (Type::I64, Values::I64(out)) => integers(format, &Format::I64, array, runs, &mut out.all),
        (Type::U8, Values::U8(out)) => integers(format, &Format::U8, array, runs, &mut out.all),
        (Type::U16, Values::U16(out)) => integers(format, &Format::U16, array, runs, &mut out.all),
        (Type::U32, Values::U32(out)) => integers(format, &Format::U32, array, runs, &mut out.all),
        (Type::U64, Values::U64(out)) => integers(format, &Format::U64, array, runs, &mut out.all),
        (Type::F64, Values::F64(out)) => doubles(format, array, runs, &mut out.all),
        (Type::F32, Values::F32(out)) => singles(format, array, runs, &mut out.all),
        (Type::BigInt | Type::Decimal, Values::Big(out, _)) => each_big(format, array, runs, |_, big| {
            out.all.push(big);
            Ok(())
        }),
        (Type::String(_), Values::Text(out)) => Slices::of(format, array)?.texts(runs, &mut out.all),
        (Type::Bytes, Values::Bytes(out)) => {
            let slices = Slices::of(format, array)?;
            each(runs, &mut out.all, |i| slices.get(i))
        }
        (Type::Uuid, Values::Uuid(out)) => {
            let slices = Slices::of(format, array)?;
            let textual = matches!(format, Format::Text(_));
            each(runs, &mut out.all, |i| {
                let bytes = slices.get(i)?;
                let uuid = if textual { uuid_of(bytes) } else { bytes.try_into().ok() };
                uuid.ok_or_else(|| Refused::value(format!("expected a UUID, got {}", shown(bytes, textual)), i))
            })
        }
        (Type::Enum(index), Values::U32(out)) => {
            let (slices, symbols) = (Slices::of(format, array)?, &schema.enums()[*index].symbols);
            each(runs, &mut out.all, |i| {
                let text = slices.text(i)?;
                // Canonical order: by UTF-16 units.
                let found = symbols.binary_search_by(|symbol| compare_utf16(symbol, text));
                found.map(|place| place as u32).map_err(|_| {
                    let name = &schema.enums()[*index].name;
                    Refused::value(format!("expected a symbol of {name}, got {}", shown(text.as_bytes(), true)), i)
                })
            })
        }
        (Type::Date, Values::I32(out)) => dates(format, array, runs, &mut out.all),
        (Type::Time, Values::U64(out)) => each_time(format, array, runs, |i, count, unit| {
            let nanos = u64::try_from(i128::from(count) * i128::from(unit.nanos())).ok();
            out.all.push(nanos.filter(|&nanos| nanos <= TIME_MAX).ok_or_else(|| {
                let unit = unit.in_a_second();
                Refused::value(format!("expected a time of day, got {count} of which a second has {unit}"), i)
            })?);
            Ok(())
        }),
        (Type::Timestamp, Values::Time(out)) => each_time(format, array, runs, |i, count, unit| {
            let (seconds, nanos) = split(count, unit);
            if !(TIMESTAMP_MIN..=TIMESTAMP_MAX).contains(&seconds) {
                let text = format!("expected an instant of the years 1 to 9999, got {seconds} seconds since 1970");
                return Err(Refused::value(text, i));
            }
            out.all.push((seconds, nanos));
            Ok(())
        }),
        (Type::Duration, Values::Time(out)) => each_time(format, array, runs, |_, count, unit| {
            out.all.push(split(count, unit));
            Ok(())
        }),
        _ => Err(broken("it is not of its schema's type")),
    }
}

fn each<T>(runs: &[Run], out: &mut Vec<T>, get: impl Fn(usize) -> Result<T, Refused>) -> Result<(), Refused> {
    out.reserve(total(runs));
    for i in indices(runs) {
        out.push(get(i)?);
    }
    Ok(())
}

/// Numbers as they are.
fn copied<T: Raw>(array: ArrayView<'_>, runs: &[Run], out: &mut Vec<T>) -> Result<(), Refused> {
    let values = array.values::<T>(1, 0)?;
    out.reserve(total(runs));
    for run in runs {
        values.extend(run.start, run.len, out);
    }
    Ok(())
}

/// An integer type of a schema.
trait Whole: Raw + TryFrom<i128> {
    const RANGE: (&'static str, i128, i128);
}

macro_rules! whole {
    ($($type:ident),*) => {$(
        impl Whole for $type {
            const RANGE: (&'static str, i128, i128) = (stringify!($type), $type::MIN as i128, $type::MAX as i128);
        }
    )*};
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64);

fn integers<T: Whole>(
    format: &Format,
    same: &Format,
    array: ArrayView<'_>,
    runs: &[Run],
    out: &mut Vec<T>,
) -> Result<(), Refused> {
    if format == same {
        return copied(array, runs, out);
    }
    let out_of_range = |shown: String, i| {
        let (name, least, most) = T::RANGE;
        Refused::value(format!("{shown} is out of range for {name} ({least} to {most})"), i)
    };
    if let Format::Decimal(..) = format {
        return each_big(format, array, runs, |i, big| {
            let fits = big.narrow().and_then(|wide| T::try_from(wide).ok());
            out.push(fits.ok_or_else(|| out_of_range(big.shown(), i))?);
            Ok(())
        });
    }
    each_integer(format, array, runs, |i, wide| {
        out.push(T::try_from(wide).map_err(|_| out_of_range(wide.to_string(), i))?);
        Ok(())
    })
}

/// Calls `to` with the index and the value of each integer.
#[inline]
fn each_integer(
    format: &Format,
    array: ArrayView<'_>,
    runs: &[Run],
    to: impl FnMut(usize, i128) -> Result<(), Refused>,
) -> Result<(), Refused> {
    fn of<S: Raw + Into<i128>>(
        array: ArrayView<'_>,
        runs: &[Run],
        mut to: impl FnMut(usize, i128) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let values = array.values::<S>(1, 0)?;
        indices(runs).try_for_each(|i| to(i, values.get(i).into()))
    }
    match format {
        Format::I8 => of::<i8>(array, runs, to),
        Format::I16 => of::<i16>(array, runs, to),
        Format::I32 => of::<i32>(array, runs, to),
        Format::I64 => of::<i64>(array, runs, to),
        Format::U8 => of::<u8>(array, runs, to),
        Format::U16 => of::<u16>(array, runs, to),
        Format::U32 => of::<u32>(array, runs, to),
        Format::U64 => of::<u64>(array, runs, to),
        _ => Err(broken("it holds no integers")),
    }
}

/// Calls `to` with the index and the digits of each integer or decimal.
fn each_big(
    format: &Format,
    array: ArrayView<'_>,
    runs: &[Run],
    mut to: impl FnMut(usize, Big) -> Result<(), Refused>,
) -> Result<(), Refused> {
    match format {
        Format::Decimal(128, _) => {
            let values = array.values::<i128>(1, 0)?;
            indices(runs).try_for_each(|i| to(i, values.get(i).into()))
        }
        Format::Decimal(..) => {
            let values = array.values::<[u8; 32]>(1, 0)?;
            indices(runs).try_for_each(|i| {
                let mut bytes = values.get(i);
                if cfg!(target_endian = "little") {
                    bytes.reverse();
                }
                to(i, Big(bytes))
            })
        }
        _ => each_integer(format, array, runs, |i, wide| to(i, wide.into())),
    }
}

fn doubles(format: &Format, array: ArrayView<'_>, runs: &[Run], out: &mut Vec<f64>) -> Result<(), Refused> {
    match format {
        Format::F64 => copied(array, runs, out),
        Format::F32 => {
            let values = array.values::<f32>(1, 0)?;
            each(runs, out, |i| Ok(values.get(i).into()))
        }
        _ => each_big(format, array, runs, |i, big| {
            out.push(exact(big, i)?);
            Ok(())
        }),
    }
}

fn singles(format: &Format, array: ArrayView<'_>, runs: &[Run], out: &mut Vec<f32>) -> Result<(), Refused> {
    match format {
        Format::F32 => copied(array, runs, out),
        Format::F64 => {
            let values = array.values::<f64>(1, 0)?;
            each(runs, out, |i| narrowed(values.get(i), i))
        }
        _ => each_big(format, array, runs, |i, big| {
            out.push(narrowed(exact(big, i)?, i)?);
            Ok(())
        }),
    }
}

/// An integer of 64 bits as a float, if one holds it exactly.
fn exact(big: Big, i: usize) -> Result<f64, Refused> {
    let held = big.narrow().and_then(|wide| i64::try_from(wide).ok());
    let held = held.filter(|&int| int as f64 as i128 == i128::from(int));
    held.map(|int| int as f64)
        .ok_or_else(|| Refused::value(format!("{} is an integer that no float holds exactly", big.shown()), i))
}

/// The nearest float of 4 bytes, as `encode` takes it.
fn narrowed(wide: f64, i: usize) -> Result<f32, Refused> {
    let narrow = wide as f32;
    if narrow.is_infinite() && wide.is_finite() {
        let text = format!("{wide:e} is out of range for f32 (-3.4028235e+38 to 3.4028235e+38)");
        return Err(Refused::value(text, i));
    }
    Ok(narrow)
}

fn dates(format: &Format, array: ArrayView<'_>, runs: &[Run], out: &mut Vec<i32>) -> Result<(), Refused> {
    let in_range = |days: i64, i| match i32::try_from(days) {
        Ok(days) if (DATE_MIN..=DATE_MAX).contains(&days) => Ok(days),
        _ => Err(Refused::value(format!("expected a day of the years 1 to 9999, got {days} days since 1970"), i)),
    };
    if *format == Format::Date32 {
        let values = array.values::<i32>(1, 0)?;
        return each(runs, out, |i| in_range(values.get(i).into(), i));
    }
    let values = array.values::<i64>(1, 0)?;
    each(runs, out, |i| {
        let millis = values.get(i);
        if millis % DAY_MILLIS != 0 {
            let text = format!(
                "expected whole days, got {millis} milliseconds since 1970: cast to date32, or use a timestamp"
            );
            return Err(Refused::value(text, i));
        }
        in_range(millis / DAY_MILLIS, i)
    })
}

/// Calls `to` with the index, the number and the unit of each time.
fn each_time(
    format: &Format,
    array: ArrayView<'_>,
    runs: &[Run],
    mut to: impl FnMut(usize, i64, Unit) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let (Format::Time(unit) | Format::Timestamp(unit) | Format::Duration(unit)) = *format else {
        return Err(broken("it holds no times"));
    };
    if matches!(format, Format::Time(Unit::Seconds | Unit::Millis)) {
        let values = array.values::<i32>(1, 0)?;
        return indices(runs).try_for_each(|i| to(i, values.get(i).into(), unit));
    }
    let values = array.values::<i64>(1, 0)?;
    indices(runs).try_for_each(|i| to(i, values.get(i), unit))
}

/// Seconds, rounded down, and nanoseconds.
fn split(count: i64, unit: Unit) -> (i64, u32) {
    let each = unit.in_a_second();
    (count.div_euclid(each), (count.rem_euclid(each) * unit.nanos()) as u32)
}

/// The UUID of RFC 9562's text form.
fn uuid_of(text: &[u8]) -> Option<[u8; 16]> {
    let hyphens = text.len() == 36 && [8, 13, 18, 23].iter().all(|&at| text[at] == b'-');
    let mut digits = text.iter().filter(|&&byte| byte != b'-').map(|&byte| char::from(byte).to_digit(16));
    let mut uuid = [0; 16];
    for byte in &mut uuid {
        *byte = (digits.next()?? << 4 | digits.next()??) as u8;
    }
    (hyphens && digits.next().is_none()).then_some(uuid)
}

fn shown(bytes: &[u8], textual: bool) -> String {
    if !textual {
        return format!("{} bytes", bytes.len());
    }
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Texts or bytes.
enum Slices<'a> {
    /// The last end says how many bytes there are: none of the others may lead beyond it.
    Ends(Raws<'a, i32>, Blob<'a>, usize),
    LongEnds(Raws<'a, i64>, Blob<'a>, usize),
    Views(Raws<'a, [u8; 16]>, Vec<Blob<'a>>, Raws<'a, i64>),
    /// Of one length; the first starts so far behind the start.
    Fixed(usize, usize, Blob<'a>),
}

impl<'a> Slices<'a> {
    fn of(format: &Format, array: ArrayView<'a>) -> Result<Self, Refused> {
        Ok(match format {
            Format::Text(Lengths::Short) | Format::Binary(Lengths::Short) => {
                let (ends, most) = ends(array)?;
                Slices::Ends(ends, array.bytes(2)?, most)
            }
            Format::Text(Lengths::Long) | Format::Binary(Lengths::Long) => {
                let (ends, most) = ends(array)?;
                Slices::LongEnds(ends, array.bytes(2)?, most)
            }
            Format::Text(_) | Format::Binary(_) => {
                let (blobs, sizes) = array.variadic()?;
                Slices::Views(array.values(1, 0)?, blobs, sizes)
            }
            Format::FixedBinary(size) => Slices::Fixed(*size, array.end() - array.len(), array.bytes(1)?),
            _ => return Err(broken("it holds neither texts nor bytes")),
        })
    }

    fn get(&self, i: usize) -> Result<&'a [u8], Refused> {
        match self {
            Slices::Ends(..) | Slices::LongEnds(..) => self.block(i, i + 1).map(|(_, bytes)| bytes),
            Slices::Views(views, blobs, sizes) => {
                let view = views.bytes(i);
                let word = |at: usize| i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
                let length = word(0);
                if (0..=12).contains(&length) {
                    return Ok(&view[4..4 + length as usize]);
                }
                let buffer = usize::try_from(word(8)).ok().filter(|&buffer| buffer < blobs.len());
                let buffer = buffer.ok_or_else(|| broken(format!("a view leads to buffer {}", word(8))))?;
                let most = usize::try_from(sizes.get(buffer)).unwrap_or(0);
                let (start, len) = span(word(12).into(), length.into(), most)?;
                blobs[buffer].slice(start, len)
            }
            Slices::Fixed(size, offset, blob) => {
                let start = (offset + i).checked_mul(*size).ok_or_else(|| broken("its values are too long"))?;
                blob.slice(start, *size)
            }
        }
    }

    /// The bytes from one value up to another, of those that have ends, and where they start.
    fn block(&self, from: usize, to: usize) -> Result<(i64, &'a [u8]), Refused> {
        let (start, end, blob, most) = match self {
            Slices::Ends(ends, blob, most) => (ends.get(from).into(), ends.get(to).into(), blob, *most),
            Slices::LongEnds(ends, blob, most) => (ends.get(from), ends.get(to), blob, *most),
            _ => return Err(broken("its values have no ends")),
        };
        let (at, len) = span(start, end.wrapping_sub(start), most)?;
        Ok((start, blob.slice(at, len)?))
    }

    fn text(&self, i: usize) -> Result<&'a str, Refused> {
        core::str::from_utf8(self.get(i)?).map_err(|error| {
            let text =
                format!("expected valid UTF-8, got another byte at {}: cast the column to binary", error.valid_up_to());
            Refused::new(Code::BadUtf8, text, Some(i))
        })
    }

    /// Appends texts. Those of a run are checked as one, and cut where a character ends.
    fn texts(&self, runs: &[Run], out: &mut Vec<&'a str>) -> Result<(), Refused> {
        out.reserve(total(runs));
        for &run in runs {
            match self {
                Slices::Ends(ends, ..) if run.len > 1 => self.cut(run, |i| ends.get(i).into(), out)?,
                Slices::LongEnds(ends, ..) if run.len > 1 => self.cut(run, |i| ends.get(i), out)?,
                _ => {
                    for i in run.indices() {
                        out.push(self.text(i)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn cut(&self, run: Run, end: impl Fn(usize) -> i64, out: &mut Vec<&'a str>) -> Result<(), Refused> {
        let (start, block) = self.block(run.start, run.start + run.len)?;
        let Ok(text) = core::str::from_utf8(block) else {
            // One of them is to be named.
            return run.indices().try_for_each(|i| self.text(i).map(|text| out.push(text)));
        };
        let mut from = 0;
        for i in run.indices() {
            let to = usize::try_from(end(i + 1).wrapping_sub(start)).unwrap_or(usize::MAX);
            match text.get(from..to) {
                Some(text) => out.push(text),
                // Ends that descend, or lie within a character.
                None => out.push(self.text(i)?),
            }
            from = to;
        }
        Ok(())
    }
}

/// The ends of texts or bytes, and the last of the whole array, which may go on behind this part of it: so many bytes
/// there are.
fn ends<T: Raw + Into<i64>>(array: ArrayView<'_>) -> Result<(Raws<'_, T>, usize), Refused> {
    let whole = array.whole()?;
    let last = if whole.len() == 0 { 0 } else { whole.values::<T>(1, 1)?.get(whole.len()).into() };
    Ok((array.values(1, 1)?, usize::try_from(last).unwrap_or(0)))
}

/// The indices of a dictionary of so many values.
pub(super) enum Indices<'a> {
    I8(Raws<'a, i8>, usize),
    I16(Raws<'a, i16>, usize),
    I32(Raws<'a, i32>, usize),
    I64(Raws<'a, i64>, usize),
    U8(Raws<'a, u8>, usize),
    U16(Raws<'a, u16>, usize),
    U32(Raws<'a, u32>, usize),
    U64(Raws<'a, u64>, usize),
}

impl<'a> Indices<'a> {
    pub(super) fn of(format: &Format, array: ArrayView<'a>, most: usize) -> Result<Self, Refused> {
        Ok(match format {
            Format::I8 => Indices::I8(array.values(1, 0)?, most),
            Format::I16 => Indices::I16(array.values(1, 0)?, most),
            Format::I32 => Indices::I32(array.values(1, 0)?, most),
            Format::I64 => Indices::I64(array.values(1, 0)?, most),
            Format::U8 => Indices::U8(array.values(1, 0)?, most),
            Format::U16 => Indices::U16(array.values(1, 0)?, most),
            Format::U32 => Indices::U32(array.values(1, 0)?, most),
            Format::U64 => Indices::U64(array.values(1, 0)?, most),
            _ => return Err(broken("its indices are no integers")),
        })
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> Result<usize, Refused> {
        fn checked(index: impl TryInto<usize> + Display + Copy, most: usize) -> Result<usize, Refused> {
            match index.try_into() {
                Ok(place) if place < most => Ok(place),
                _ => Err(broken(format!("the index {index} leads beyond a dictionary of {most}"))),
            }
        }
        match self {
            Indices::I8(indices, most) => checked(indices.get(i), *most),
            Indices::I16(indices, most) => checked(indices.get(i), *most),
            Indices::I32(indices, most) => checked(indices.get(i), *most),
            Indices::I64(indices, most) => checked(indices.get(i), *most),
            Indices::U8(indices, most) => checked(indices.get(i), *most),
            Indices::U16(indices, most) => checked(indices.get(i), *most),
            Indices::U32(indices, most) => checked(indices.get(i), *most),
            Indices::U64(indices, most) => checked(indices.get(i), *most),
        }
    }
}
