//! Tables as `RecordBatch`es of Arrow's crates, and back.

mod documented;
mod files;
mod hostile;
mod refused;
mod rows;
mod values;
