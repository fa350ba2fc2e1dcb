//! The three records of the reference data, owned.

use serde::{Deserialize, Serialize};

/// A small record.
#[derive(
    Clone, Debug, PartialEq, Serialize, Deserialize, bitcode::Encode, bitcode::Decode, bincode::Encode, bincode::Decode,
)]
pub struct Event {
    pub i: i32,
    pub b: bool,
}

/// A flat record.
#[derive(
    Clone, Debug, PartialEq, Serialize, Deserialize, bitcode::Encode, bitcode::Decode, bincode::Encode, bincode::Decode,
)]
pub struct Book {
    pub id: String,
    pub name: String,
    pub author: String,
    pub year: i32,
}

/// A recursive record; bitcode, which works by columns, has no recursive types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, bincode::Encode, bincode::Decode)]
pub struct Node {
    pub name: String,
    pub color: String,
    pub children: Vec<Node>,
}
