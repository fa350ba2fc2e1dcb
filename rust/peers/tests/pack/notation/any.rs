//! Values of any kind.

use samewire_pack::Any;
use samewire_peers::pack::notation::{read, write};
use serde_json::json;

#[test]
fn every_kind_comes_back() {
    let notation = json!({"list": [
        null, true, {"int": "5"}, {"bigint": "9223372036854775808"}, {"f64": "7ff0000000000000"}, {"string": "\u{e9}"},
        {"bytes": "00"}, {"map": [[{"int": "1"}, {"list": []}]]}, {"decimal": "1/-1"},
        {"uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}, {"date": "0"}, {"time": "1"}, {"timestamp": "-1"},
        {"duration": "-1"}, {"i8s": ["-1"]}, {"i16s": []}, {"i32s": []}, {"i64s": []}, {"u16s": ["65535"]},
        {"u32s": []}, {"u64s": []}, {"f32s": ["80000000"]}, {"f64s": []},
    ]});
    let value: Any = read(&notation).unwrap();
    assert_eq!(write(&value), notation);
    assert!(read::<Any>(&json!({"u8s": []})).is_err());
    assert!(read::<Any>(&json!("text")).is_err());
}

#[test]
fn an_integer_of_64_bits_is_no_big_one() {
    let value: Any = read(&json!({"bigint": "5"})).unwrap();
    assert_eq!(write(&value), json!({"int": "5"}));
}
