//! Shared structs.

use samewire_peers::pack::notation::{read, write};
use serde_json::json;
use std::rc::Rc;

#[test]
fn identity_is_kept_and_equality_is_none() {
    let (a, b) = (Rc::new(7u8), Rc::new(7u8));
    let value = vec![Rc::clone(&a), Rc::clone(&b), b, a];
    let notation = json!([{"ref": 0, "value": "7"}, {"ref": 1, "value": "7"}, {"ref": 1}, {"ref": 0}]);
    assert_eq!(write(&value), notation);
    let back: Vec<Rc<u8>> = read(&notation).unwrap();
    assert!(Rc::ptr_eq(&back[0], &back[3]) && Rc::ptr_eq(&back[1], &back[2]) && !Rc::ptr_eq(&back[0], &back[1]));
}

#[test]
fn structs_are_numbered_when_they_end() {
    let inner = Rc::new(1i8);
    let value = Rc::new((Rc::clone(&inner), inner));
    let notation = json!({"ref": 1, "value": [{"ref": 0, "value": "1"}, {"ref": 0}]});
    assert_eq!(write(&value), notation);
    read::<Rc<(Rc<i8>, Rc<i8>)>>(&notation).unwrap();
}

#[test]
fn numbers_out_of_order_or_of_another_type_are_refused() {
    assert!(read::<Vec<Rc<i8>>>(&json!([{"ref": 1, "value": "1"}])).is_err());
    assert!(read::<Vec<Rc<i8>>>(&json!([{"ref": 0}])).is_err());
    assert!(read::<(Rc<i8>, Rc<u8>)>(&json!([{"ref": 0, "value": "1"}, {"ref": 0}])).is_err());
}
