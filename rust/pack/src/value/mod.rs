//! Native types of the schema's types.

mod address;
mod any;
mod array;
mod bigint;
mod bytes;
mod decimal;
mod deque;
mod distinct;
mod list;
mod map;
mod native;
mod number;
mod option;
#[cfg(feature = "std")]
mod path;
mod pointer;
mod reference;
mod set;
mod sorted;
#[cfg(feature = "std")]
mod system_time;
mod table;
mod text;
mod time;
mod tuple;
mod uuid;

pub use any::Any;
pub use bigint::BigInt;
pub use bytes::{Bytes, BytesRef};
pub use decimal::Decimal;
pub use map::Map;
pub(crate) use option::resolve_present;
pub use time::{Date, Duration, Time, Timestamp};
pub use uuid::Uuid;
