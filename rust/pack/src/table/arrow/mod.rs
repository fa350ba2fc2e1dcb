//! Tables as `RecordBatch`es of Arrow's Rust crates, and back: feature `arrow` (`spec/tables.md` section 8).
//!
//! [`Codec::table`](crate::Codec::table) and [`Codec::encode_table`](crate::Codec::encode_table) are for messages,
//! [`RecordTables`](crate::records::RecordTables) and [`RecordWriter::write_table`](crate::records::RecordWriter::write_table)
//! for record files. Buffers go over by the C data interface, without a copy: a batch keeps its columns alive.
//!
//! ```
//! use samewire_pack::records::{RecordTables, RecordWriter};
//! use samewire_pack::table::TableOptions;
//! use samewire_pack::{Codec, Pack};
//!
//! #[derive(Pack)]
//! struct Order {
//!     side: String,
//!     price: f64,
//! }
//!
//! let orders = vec![Order { side: "buy".into(), price: 9.5 }, Order { side: "sell".into(), price: 10.25 }];
//! let codec = Codec::<Vec<Order>>::new();
//! let data = codec.encode(&orders)?;
//!
//! let batch = codec.table(&data, &TableOptions::default())?; // arrow_array::RecordBatch
//! assert_eq!((batch.num_rows(), batch.schema().field(1).name().as_str()), (2, "price"));
//! assert_eq!(codec.encode_table([&batch])?, data); // and back, of any batches
//!
//! let mut file = RecordWriter::new(Vec::new(), Codec::<Order>::new())?;
//! file.write_table(&batch)?; // a record for each row
//! let file = file.close()?;
//! for batch in RecordTables::new(&file[..], &TableOptions::default())? {
//!     assert_eq!(batch?.num_rows(), 2); // 65,536 rows at a time
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codec;
mod record_batch;

pub use codec::read_table;
pub(crate) use record_batch::{taken, BatchType};
