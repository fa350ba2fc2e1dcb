//! The notation of values, without any codec.

mod any;
mod containers;
mod hex;
mod labels;
mod numbers;
mod plain;
mod times;
