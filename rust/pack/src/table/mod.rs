//! Messages as Arrow columns, without a value for each row (`spec/tables.md`).
//!
//! [`Field::of_list`] gives the Arrow type of a schema's type. [`read_list`] reads a message of a list of structs into
//! one [`Column`], whatever the profile it was written in; [`read_row`] appends a message of one struct, as record
//! files hold them, and [`finish`] ends such a column. [`c_data`] hands fields and columns to whoever speaks the Arrow
//! C data interface. [`from_arrow`] is the way back. With feature `arrow` both are done by [`Codec`](crate::Codec)'s
//! `table` and `encode_table`, as `RecordBatch`es of Arrow's Rust crates.
//!
//! Reading follows the walker: the same checks in the same order. Where it fails, the strict reader says what and where.
//! Reported from here is only what the walker cannot know: a good value that its Arrow type cannot hold, and nulls that take
//! more memory than the limits allow.
//!
//! ```
//! use samewire_pack::table::{read_list, Field, TableOptions};
//! use samewire_pack::{Codec, Limits, Pack};
//!
//! #[derive(Pack)]
//! struct Point {
//!     x: f64,
//!     label: Option<String>,
//! }
//!
//! let codec = Codec::<Vec<Point>>::new();
//! let data = codec.encode(&vec![Point { x: 0.5, label: None }])?;
//! let field = Field::of_list(codec.schema())?;
//! let column = read_list(codec.schema(), codec.schema().cells(), &data, &Limits::DEFAULT, &TableOptions::default(), &field)?;
//! assert_eq!((field.children[1].name.as_str(), column.len()), ("label", 1));
//! # Ok::<(), samewire_pack::Error>(())
//! ```

#[cfg(feature = "arrow")]
pub mod arrow;
mod bits;
pub mod c_data;
mod column;
mod columns;
mod decimals;
mod field;
pub mod from_arrow;
mod reading;
mod rows;
mod texts;
mod times;
mod union;

pub use column::Column;
pub use field::{Field, Kind, TableOptions, TimeUnit, DECIMAL_PRECISION, DECIMAL_SCALE};
pub use reading::{finish, read_list, read_row};
