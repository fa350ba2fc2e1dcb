//! Dates and times.

use samewire_pack::{Date, Duration, Time, Timestamp};
use samewire_peers::pack::notation::{read, write};
use serde_json::json;

#[test]
fn seconds_are_rounded_down() {
    let value: Duration = read(&json!("-1")).unwrap();
    assert_eq!((value.seconds(), value.nanos()), (-1, 999_999_999));
    assert_eq!(write(&value), json!("-1"));
    let least = json!("-9223372036854775808000000000");
    assert_eq!(write(&read::<Duration>(&least).unwrap()), least);
    assert!(read::<Duration>(&json!("-9223372036854775808000000001")).is_err());
}

#[test]
fn the_ranges_of_the_types_hold() {
    assert!(read::<Date>(&json!("2932897")).is_err());
    assert!(read::<Time>(&json!("86400000000000")).is_err());
    assert!(read::<Timestamp>(&json!("253402300800000000000")).is_err());
    assert_eq!(write(&read::<Timestamp>(&json!("253402300799999999999")).unwrap()), json!("253402300799999999999"));
}
