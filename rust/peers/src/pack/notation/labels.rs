//! Shared structs: the same `Rc` is written in full where it first stands, and by its number afterwards.

use super::{Notation, Unfit, Value};
use serde_json::Map;
use std::any::Any;
use std::collections::HashMap;
use std::rc::Rc;

/// The shared structs of a value that is being read, by number. Numbers count the structs in the order in which they end.
#[derive(Default)]
pub struct Reading {
    known: Vec<Rc<dyn Any>>,
}

/// The shared structs of a value that is being written: the number of each address.
///
/// Addresses are those of living, distinct values: an `Rc` has room of its own, and the whole value is borrowed.
#[derive(Default)]
pub struct Writing {
    numbers: HashMap<usize, u64>,
}

impl<T: Notation> Notation for Rc<T> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        let number = value.get("ref").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let Some(number) = number else { return Err(Unfit::expected("a shared struct", value)) };
        let Some(held) = value.get("value") else {
            let known = labels.known.get(number).cloned().and_then(|known| known.downcast().ok());
            return known.ok_or_else(|| Unfit::expected("the number of a struct of this type", value));
        };
        let shared = Rc::new(T::from_json(held, labels)?);
        if number != labels.known.len() {
            return Err(Unfit::expected(&format!("number {}", labels.known.len()), value));
        }
        labels.known.push(Rc::clone(&shared) as Rc<dyn Any>);
        Ok(shared)
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        let address = Rc::as_ptr(self).cast::<()>() as usize;
        let mut object = Map::new();
        if let Some(number) = labels.numbers.get(&address) {
            object.insert("ref".into(), (*number).into());
            return Value::Object(object);
        }
        let held = T::to_json(self, labels);
        let number = labels.numbers.len() as u64;
        labels.numbers.insert(address, number);
        object.insert("ref".into(), number.into());
        object.insert("value".into(), held);
        Value::Object(object)
    }
}
