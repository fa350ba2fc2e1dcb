//! Numbers.

use samewire_pack::{BigInt, Decimal};
use samewire_peers::pack::notation::{read, write};
use serde_json::json;

#[test]
fn integers_have_their_ranges() {
    assert_eq!(read::<i8>(&json!("-128")), Ok(-128));
    assert!(read::<i8>(&json!("128")).is_err());
    assert!(read::<u8>(&json!("+1")).is_err());
    assert!(read::<u8>(&json!(1)).is_err());
    assert_eq!(write(&u64::MAX), json!("18446744073709551615"));
}

#[test]
fn floats_are_bits_and_every_nan_is_one() {
    assert_eq!(write(&-0.0f64), json!("8000000000000000"));
    assert_eq!(write(&f32::from_bits(0xffc0_0001)), json!("7fc00000"));
    assert_eq!(read::<f32>(&json!("3fc00000")), Ok(1.5));
    assert!(read::<f64>(&json!("3fc00000")).is_err());
}

#[test]
fn big_integers_and_decimals() {
    let value: BigInt = read(&json!("-170141183460469231731687303715884105729")).unwrap();
    assert_eq!(write(&value), json!("-170141183460469231731687303715884105729"));
    let value: Decimal = read(&json!("-105/2")).unwrap();
    assert_eq!(write(&value), json!("-105/2"));
    assert!(read::<Decimal>(&json!("105")).is_err());
}
