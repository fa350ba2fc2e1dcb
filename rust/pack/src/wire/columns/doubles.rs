//! Columns of floats of 8 bytes (`spec/columns.md` section 5).

use super::dictionary::Dictionary;
use super::form::{sample, DECIMAL, DIGITS, DOUBLES, MOST_DECIMALS, MOST_DIGITS, RAW, SAMPLE};
use super::integers::write_integers;
use super::spare::recast;
use crate::wire::byte_sink::ByteSink;
use crate::wire::number::{extend_from_raw, push_raw};
use crate::wire::reader::Reader;
use alloc::vec::Vec;
use core::mem::take;
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
        let start = out.len();
        // Where nothing stands before them, the digits stand where the numbers will: such vectors are collected in place.
        let mut digits = if start == 0 { recast(take(out)).unwrap_or_default() } else { Vec::new() };
        self.column_integers(&DIGITS, m, &mut digits)?;
        let numbers = digits.into_iter().map(|digits| digits as f64 / ten);
        if start == 0 {
            *out = numbers.collect();
        } else {
            out.extend(numbers);
        }
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

/// Around this, doubles are the integers: what is added to it is rounded to the nearest one.
const ABOVE: f64 = (3u64 << 51) as f64;
/// Below this the digits of a decimal number are the nearest integer, whatever was rounded.
const EASY: i64 = 1 << 50;
/// So many numbers are tried at once.
const BLOCK: usize = 64;

/// The digits of a number, and 0 if it is decimal with them and this power of ten; else [`decimal`] has to tell. It has no
/// branches, so that loops over it become vectors.
///
/// If `digits` ÷ `ten` is the number, its product with `ten` is less than 0.3 from them, as two roundings of 2^-53 each take at
/// most 2^-2 of 2^50. Both the nearest integer and `floor(product + 0.5)` are then the digits. Products that are not below
/// 2^50, or no numbers, leave other bits than those of integers around `ABOVE`.
#[inline(always)]
fn likely(value: f64, ten: f64) -> (i64, u64) {
    let shifted = value * ten + ABOVE;
    let digits = (shifted.to_bits() as i64).wrapping_sub(ABOVE.to_bits() as i64);
    let differs = ((shifted - ABOVE) / ten).to_bits() ^ value.to_bits();
    (digits, differs | digits.wrapping_add(EASY) as u64 >> 51)
}

/// [`likely`] of at most a block of numbers. Returns all flaws that occur.
#[inline(never)]
fn likely_digits(values: &[f64], ten: f64, digits: &mut [i64; BLOCK], flaws: &mut [u64; BLOCK]) -> u64 {
    let mut flawed = 0;
    for ((digits, flaw), &value) in digits.iter_mut().zip(flaws).zip(values) {
        (*digits, *flaw) = likely(value, ten);
        flawed |= *flaw;
    }
    flawed
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
    let mut tried = [0.0; SAMPLE];
    let size = sample(values.len()).len();
    for (value, position) in tried.iter_mut().zip(sample(values.len())) {
        *value = values[position];
    }
    let most = size - (7 * size).div_ceil(8);
    (0..=MOST_DECIMALS).find(|&exponent| {
        let ten = TENS[usize::from(exponent)];
        let mut others = 0;
        for &value in &tried[..size] {
            others += usize::from(likely(value, ten).1 != 0 && decimal(value, ten).is_none());
            if others > most {
                return false;
            }
        }
        true
    })
}

/// Returns the digits of numbers with that exponent, or `None` if more than an eighth of them are not decimal.
pub fn decimals<'s, S: ByteSink>(values: &[f64], exponent: u8, scratch: &'s mut DoubleScratch) -> Option<Decimals<'s>> {
    let DoubleScratch { digits, exceptions, .. } = scratch;
    let (ten, most) = (TENS[usize::from(exponent)], values.len() / 8);
    digits.clear();
    exceptions.clear();
    S::reserve(digits, values.len());
    S::reserve(exceptions, most);
    let (mut block, mut flaws) = ([0; BLOCK], [0; BLOCK]);
    for part in values.chunks(BLOCK) {
        if likely_digits(part, ten, &mut block, &mut flaws) != 0 {
            let start = digits.len();
            let last = digits.last().copied().unwrap_or_default();
            for (i, &value) in part.iter().enumerate().filter(|&(i, _)| flaws[i] != 0) {
                match decimal(value, ten) {
                    Some(found) => block[i] = found,
                    None if exceptions.len() < most => {
                        exceptions.push((start + i) as u32);
                        block[i] = if i == 0 { last } else { block[i - 1] };
                    }
                    None => return None,
                }
            }
        }
        digits.extend_from_slice(&block[..part.len()]);
    }
    Some(Decimals { digits, exceptions })
}

/// Appends a column of numbers, at least one.
///
/// # Panics
/// If there is none, or if there are 2^32.
pub fn write_doubles<S: ByteSink>(
    values: &[f64],
    scratch: &mut DoubleScratch,
    dictionary: &mut Dictionary,
    to: &mut S,
) {
    if let Some(exponent) = decimal_exponent(values) {
        if decimals::<S>(values, exponent, scratch).is_some() {
            return write_decimals(values, exponent, scratch, to);
        }
    }
    if !dictionary.find_numbers::<S>(values) {
        to.byte(RAW);
        return push_raw(values, to);
    }
    to.byte(DOUBLES);
    to.varint(dictionary.firsts().len() as u64);
    scratch.numbers.clear();
    S::reserve(&mut scratch.numbers, dictionary.firsts().len());
    scratch.numbers.extend(dictionary.firsts().iter().map(|&first| values[first as usize]));
    push_raw(&scratch.numbers, to);
    write_integers(dictionary.indices(), to);
}

fn write_decimals<S: ByteSink>(values: &[f64], exponent: u8, scratch: &mut DoubleScratch, to: &mut S) {
    let DoubleScratch { digits, exceptions, numbers } = scratch;
    to.bytes(&[DECIMAL, exponent]);
    to.varint(exceptions.len() as u64);
    write_integers(digits, to);
    if !exceptions.is_empty() {
        write_integers(exceptions, to);
        numbers.clear();
        S::reserve(numbers, exceptions.len());
        numbers.extend(exceptions.iter().map(|&position| values[position as usize]));
        push_raw(numbers, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every size, decimal ones, their neighbours, and those that are no numbers.
    fn numbers(ten: f64) -> Vec<f64> {
        let mut state = 1u64;
        let mut numbers =
            vec![0.0, -0.0, 0.5, -0.5, 0.49999999999999994, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 5e-324];
        for round in 0..if cfg!(miri) { 100 } else { 4000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (state >> (8 + round % 56)) as f64;
            for digits in [digits, digits + 0.5, f64::from_bits(state)] {
                let number = digits / ten;
                let bits = number.to_bits();
                numbers.extend([number, -number, f64::from_bits(bits + 1), f64::from_bits(bits.saturating_sub(1))]);
            }
        }
        numbers
    }

    #[test]
    fn numbers_that_are_likely_decimal_are() {
        for ten in TENS {
            let mut found = 0;
            for number in numbers(ten) {
                let (digits, flaw) = likely(number, ten);
                let defined = decimal(number, ten);
                if flaw == 0 {
                    assert_eq!(defined, Some(digits), "{number:e} × {ten:e}");
                    found += 1;
                }
                assert!(flaw == 0 || defined.is_none_or(|digits| digits.abs() >= EASY), "{number:e} × {ten:e}");
            }
            assert!(found > 100);
        }
    }

    #[test]
    fn an_exception_has_the_digits_before_it_wherever_it_stands() {
        for exceptions in [&[0, 1, 63, 64, 65, 127][..], &[64], &[128, 129], &[]] {
            let values: Vec<f64> =
                (0..130).map(|i| if exceptions.contains(&i) { 1e200 } else { f64::from(i) / 4.0 }).collect();
            let mut scratch = DoubleScratch::default();
            let found = decimals::<Vec<u8>>(&values, 2, &mut scratch).expect("few exceptions");
            assert_eq!(found.exceptions, exceptions);
            let mut last = 0;
            for (i, &digits) in (0..).zip(found.digits) {
                last = if exceptions.contains(&i) { last } else { i64::from(i) * 25 };
                assert_eq!(digits, last, "{i}");
            }
        }
    }
}
