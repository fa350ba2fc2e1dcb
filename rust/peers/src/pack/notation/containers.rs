//! Options, lists, sets and maps.

use super::{array, Notation, Reading, Unfit, Value, Writing};
use samewire_pack::{Key, Map};
use std::collections::BTreeSet;

impl<T: Notation> Notation for Option<T> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        (!value.is_null()).then(|| T::from_json(value, labels)).transpose()
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        self.as_ref().map_or(Value::Null, |value| value.to_json(labels))
    }
}

impl<T: Notation> Notation for Box<T> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        T::from_json(value, labels).map(Box::new)
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        T::to_json(self, labels)
    }
}

impl<T: Notation> Notation for Vec<T> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        array(value, "a list")?.iter().map(|item| T::from_json(item, labels)).collect()
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        Value::Array(self.iter().map(|item| item.to_json(labels)).collect())
    }
}

impl<K: Notation + Key + Ord> Notation for BTreeSet<K> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        let keys = array(value, "a set")?;
        let set: Self = keys.iter().map(|key| K::from_json(key, labels)).collect::<Result<_, _>>()?;
        if set.len() == keys.len() {
            Ok(set)
        } else {
            Err(Unfit::expected("distinct keys", value))
        }
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        let mut keys: Vec<&K> = self.iter().collect();
        keys.sort_by(|a, b| a.order(b));
        Value::Array(keys.into_iter().map(|key| key.to_json(labels)).collect())
    }
}

impl<K: Notation + Key, V: Notation> Notation for Map<K, V> {
    fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
        let pairs = array(value, "a map")?.iter().map(|pair| <(K, V)>::from_json(pair, labels));
        let pairs: Vec<(K, V)> = pairs.collect::<Result<_, _>>()?;
        Map::try_from(pairs).map_err(|error| Unfit::expected(&error.text, value))
    }

    fn to_json(&self, labels: &mut Writing) -> Value {
        let pair = |(key, value): &(K, V)| Value::Array(vec![key.to_json(labels), value.to_json(labels)]);
        Value::Array(self.iter().map(pair).collect())
    }
}
