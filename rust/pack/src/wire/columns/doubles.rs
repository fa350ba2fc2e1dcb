//! Columns of floats of 8 bytes (`spec/columns.md` section 5).

use super::dictionary::Dictionary;
use super::form::{sample, DECIMAL, DIGITS, DOUBLES, MOST_DECIMALS, MOST_DIGITS, RAW};
use super::integers::write_integers;
use crate::wire::byte_sink::ByteSink;
use crate::wire::number::{extend_from_raw, push_raw};
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// Powers of ten that a double holds exactly.
const TENS: [f64; MOST_DECIMALS as usize + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

impl Reader<'_> {
    /// Reads a column of `m` numbers and appends them to `out`.
    ///
    /// # Errors
    /// As `spec/columns.md` section 5 says.
    pub fn column_doubles(&mut self, m: usize, out: &mut Vec<f64>) -> Result<(), Fault> {
        if m == 0 {
            return Ok(());
        }
        let at = self.position();
        match self.byte()? {
            RAW => self.raw_doubles(m, out),
            DECIMAL => self.decimals(m, out),
            DOUBLES => {
                let size = self.dictionary_size(m)?;
                let mut numbers = Vec::new();
                self.raw_doubles(size, &mut numbers)?;
                let mut indices = Vec::new();
                self.column_indices(size, m, &mut indices)?;
                out.extend(indices.into_iter().map(|index| numbers[index as usize]));
                Ok(())
            }
            _ => Err(self.fail(Code::Malformed, at)),
        }
    }

    fn raw_doubles(&mut self, m: usize, out: &mut Vec<f64>) -> Result<(), Fault> {
        extend_from_raw(self.take(m.saturating_mul(size_of::<f64>()))?, out);
        Ok(())
    }

    fn decimals(&mut self, m: usize, out: &mut Vec<f64>) -> Result<(), Fault> {
        let at = self.position();
        let exponent = self.byte()?;
        let Some(&ten) = TENS.get(usize::from(exponent)) else { return Err(self.fail(Code::Malformed, at)) };
        let at = self.position();
        let exceptions = self.length()?;
        if exceptions > m {
            return Err(self.fail(Code::Malformed, at));
        }
        let mut digits = Vec::new();
        self.column_integers(&DIGITS, m, &mut digits)?;
        let start = out.len();
        out.extend(digits.into_iter().map(|digits| digits as f64 / ten));
        if exceptions == 0 {
            return Ok(());
        }
        let at = self.position();
        let mut positions = Vec::<u32>::new();
        self.column_integers(&(0..=u32::MAX), exceptions, &mut positions)?;
        let ascending = positions.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || positions[exceptions - 1] as usize >= m {
            return Err(self.fail(Code::Malformed, at));
        }
        let mut numbers = Vec::new();
        self.raw_doubles(exceptions, &mut numbers)?;
        for (position, number) in positions.into_iter().zip(numbers) {
            out[start + position as usize] = number;
        }
        Ok(())
    }
}

/// The memory that a column of numbers is written with.
#[derive(Debug, Default)]
pub struct DoubleScratch {
    digits: Vec<i64>,
    exceptions: Vec<u32>,
    numbers: Vec<f64>,
}

impl DoubleScratch {
    /// Bytes held.
    pub fn footprint(&self) -> usize {
        self.digits.capacity() * size_of::<i64>()
            + self.exceptions.capacity() * size_of::<u32>()
            + self.numbers.capacity() * size_of::<f64>()
    }
}

/// The digits of decimal numbers, and where there are none.
#[derive(Debug)]
pub struct Decimals<'s> {
    /// For each number its digits; for an exception those of the number before.
    pub digits: &'s [i64],
    /// The positions of the exceptions.
    pub exceptions: &'s [u32],
}

/// The digits of a number that is decimal with this power of ten.
#[inline(always)]
fn decimal(value: f64, ten: f64) -> Option<i64> {
    let scaled = value * ten + 0.5;
    // Beyond 2^53 there are even numbers alone; a NaN is not within either.
    if !(-MOST_DIGITS as f64..=MOST_DIGITS as f64).contains(&scaled) {
        return None;
    }
    let whole = scaled as i64;
    let digits = whole - i64::from(whole as f64 > scaled);
    (digits as f64 / ten).to_bits().eq(&value.to_bits()).then_some(digits)
}

/// Returns the least exponent with which enough of a sample of the numbers are decimal.
pub fn decimal_exponent(values: &[f64]) -> Option<u8> {
    let tried = sample(values.len());
    let most = tried.len() - (7 * tried.len()).div_ceil(8);
    (0..=MOST_DECIMALS).find(|&exponent| {
        let ten = TENS[usize::from(exponent)];
        let mut others = 0;
        for position in tried.clone() {
            others += usize::from(decimal(values[position], ten).is_none());
            if others > most {
                return false;
            }
        }
        true
    })
}

/// Returns the digits of numbers with that exponent, or `None` if more than an eighth of them are not decimal.
pub fn decimals<'s>(values: &[f64], exponent: u8, scratch: &'s mut DoubleScratch) -> Option<Decimals<'s>> {
    let DoubleScratch { digits, exceptions, .. } = scratch;
    let (ten, most) = (TENS[usize::from(exponent)], values.len() / 8);
    digits.clear();
    exceptions.clear();
    let mut last = 0;
    digits.reserve(values.len());
    for (i, &value) in values.iter().enumerate() {
        match decimal(value, ten) {
            Some(found) => last = found,
            None if exceptions.len() < most => exceptions.push(i as u32),
            None => return None,
        }
        digits.push(last);
    }
    Some(Decimals { digits, exceptions })
}

/// Appends a column of numbers, at least one.
///
/// # Panics
/// If there is none, or if there are 2^32.
pub fn write_doubles(values: &[f64], scratch: &mut DoubleScratch, dictionary: &mut Dictionary, to: &mut impl ByteSink) {
    if let Some(exponent) = decimal_exponent(values) {
        if decimals(values, exponent, scratch).is_some() {
            return write_decimals(values, exponent, scratch, to);
        }
    }
    let bits = |i: usize| values[i].to_bits();
    if !dictionary.find(values.len(), |seed, i| seed.number(bits(i)), |i, j| bits(i) == bits(j)) {
        to.byte(RAW);
        return push_raw(values, to);
    }
    to.byte(DOUBLES);
    to.varint(dictionary.firsts().len() as u64);
    scratch.numbers.clear();
    scratch.numbers.extend(dictionary.firsts().iter().map(|&first| values[first as usize]));
    push_raw(&scratch.numbers, to);
    write_integers(dictionary.indices(), to);
}

fn write_decimals(values: &[f64], exponent: u8, scratch: &mut DoubleScratch, to: &mut impl ByteSink) {
    let DoubleScratch { digits, exceptions, numbers } = scratch;
    to.bytes(&[DECIMAL, exponent]);
    to.varint(exceptions.len() as u64);
    write_integers(digits, to);
    if !exceptions.is_empty() {
        write_integers(exceptions, to);
        numbers.clear();
        numbers.extend(exceptions.iter().map(|&position| values[position as usize]));
        push_raw(numbers, to);
    }
}
