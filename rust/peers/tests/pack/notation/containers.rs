//! Options, lists and sets.

use samewire_peers::pack::notation::{read, write};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn a_set_of_texts_is_in_the_order_of_utf16_units() {
    // U+1F600 is D83D DE00 in UTF-16, so it stands before U+FFFD though its code point is greater.
    let set: BTreeSet<String> = ["\u{fffd}", "\u{1f600}", "a"].map(String::from).into();
    let notation = json!(["a", "\u{1f600}", "\u{fffd}"]);
    assert_eq!(write(&set), notation);
    assert_eq!(read::<BTreeSet<String>>(&notation).unwrap(), set);
    assert!(read::<BTreeSet<String>>(&json!(["a", "a"])).is_err());
}

#[test]
fn options_and_lists() {
    let value = vec![None, Some(true), Some(false)];
    assert_eq!(write(&value), json!([null, true, false]));
    assert_eq!(read::<Vec<Option<bool>>>(&json!([null, true, false])).unwrap(), value);
    assert!(read::<Vec<bool>>(&json!([null])).is_err());
}
