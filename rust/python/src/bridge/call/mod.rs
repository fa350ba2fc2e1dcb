//! Calls of both sides: a [callee](callee) is [called](invoke), its message [exchanged](exchange) for a [reply](reply),
//! and the gateway's nested calls are [served](serve).

pub mod callbacks;
pub mod callee;
pub mod describe;
pub mod exchange;
mod invoke;
mod message;
pub mod postponed;
pub mod recording;
pub mod reply;
pub mod serve;
pub mod throw;
mod thrown;
