//! Hexadecimal digits.

use samewire_peers::pack::hex::{bytes, text};

#[test]
fn both_ways() {
    assert_eq!(text(&[0, 0x9f, 0xff]), "009fff");
    assert_eq!(bytes("009fff"), Some(vec![0, 0x9f, 0xff]));
    assert_eq!(bytes("9F"), None);
    assert_eq!(bytes("009"), None);
}
