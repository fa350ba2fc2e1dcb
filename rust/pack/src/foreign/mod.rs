//! `Pack` for types of other crates, each behind a feature of the crate's name.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(any(feature = "chrono", feature = "time"))]
fn mismatch(text: &'static str) -> samewire_core::Error {
    samewire_core::Error::new(samewire_core::Code::TypeMismatch, text)
}

/// The text of a date or an instant that the format does not have.
#[cfg(any(feature = "chrono", feature = "time"))]
const YEARS: &str = "dates and timestamps lie in the years 1 to 9999";
