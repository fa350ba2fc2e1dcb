//! Bytes and UUIDs.

use samewire_pack::{Bytes, Uuid};
use samewire_peers::pack::notation::{read, write};
use serde_json::json;

#[test]
fn both_ways() {
    let uuid = json!("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
    assert_eq!(write(&read::<Uuid>(&uuid).unwrap()), uuid);
    assert_eq!(write(&Bytes(vec![0, 255])), json!("00ff"));
    assert!(read::<Uuid>(&json!("f81d4fae7dec-11d0-a765-00a0c91e6bf6")).is_err());
    assert!(read::<Bytes>(&json!("0")).is_err());
}
