//! The three records of the reference data, owned, and the same with texts that point into the bytes they were decoded from.

use samewire_pack::{Map, Pack};
use serde::{Deserialize, Serialize};

/// A small record.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Pack,
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    bincode::Encode,
    bincode::Decode,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub struct Event {
    pub i: i32,
    pub b: bool,
}

/// A flat record.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Pack,
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    bincode::Encode,
    bincode::Decode,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub struct Book {
    pub id: String,
    pub name: String,
    pub author: String,
    #[serde(rename = "publicationYear")]
    pub publication_year: i32,
}

/// A recursive record; bitcode, which works by columns, has no recursive types.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Pack,
    Serialize,
    Deserialize,
    bincode::Encode,
    bincode::Decode,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
#[rkyv(
    serialize_bounds(__S: rkyv::ser::Writer + rkyv::ser::Allocator, __S::Error: rkyv::rancor::Source),
    deserialize_bounds(__D::Error: rkyv::rancor::Source),
    bytecheck(bounds(__C: rkyv::validation::ArchiveContext, __C::Error: rkyv::rancor::Source))
)]
pub struct Node {
    pub name: String,
    pub color: String,
    #[rkyv(omit_bounds)]
    pub children: Vec<Node>,
}

/// [`Book`], borrowed.
#[derive(Debug, PartialEq, Pack, Deserialize, bitcode::Decode, bincode::BorrowDecode)]
pub struct BookView<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub author: &'a str,
    #[serde(rename = "publicationYear")]
    pub publication_year: i32,
}

/// [`Node`], borrowed.
#[derive(Debug, PartialEq, Pack, Deserialize, bincode::BorrowDecode)]
pub struct NodeView<'a> {
    pub name: &'a str,
    pub color: &'a str,
    #[serde(borrow)]
    pub children: Vec<NodeView<'a>>,
}

/// The borrowed form of a type.
pub trait View {
    /// Texts point into bytes that live for `'a`; the rest is owned.
    type Of<'a>;
}

impl View for i32 {
    type Of<'a> = i32;
}

impl View for f64 {
    type Of<'a> = f64;
}

impl View for String {
    type Of<'a> = &'a str;
}

impl View for (String, i32) {
    type Of<'a> = (&'a str, i32);
}

impl View for Event {
    type Of<'a> = Event;
}

impl View for Book {
    type Of<'a> = BookView<'a>;
}

impl View for Node {
    type Of<'a> = NodeView<'a>;
}

impl<T: View> View for Vec<T> {
    type Of<'a> = Vec<T::Of<'a>>;
}

impl View for Map<String, i32> {
    type Of<'a> = Map<&'a str, i32>;
}
