//! Tuples.

use super::{array, Notation, Reading, Unfit, Value, Writing};

macro_rules! tuple {
    ($($name:ident $place:tt)+) => {
        impl<$($name: Notation),+> Notation for ($($name,)+) {
            fn from_json(value: &Value, labels: &mut Reading) -> Result<Self, Unfit> {
                const SIZE: usize = [$($place),+].len();
                let items = array(value, "a tuple")?;
                if items.len() != SIZE {
                    return Err(Unfit::expected(&format!("{SIZE} values"), value));
                }
                Ok(($($name::from_json(&items[$place], labels)?,)+))
            }

            fn to_json(&self, labels: &mut Writing) -> Value {
                Value::Array(vec![$(self.$place.to_json(labels)),+])
            }
        }
    };
}

/// Each prefix of the list is a tuple.
macro_rules! tuples {
    (@ ($($done:tt)*)) => {};
    (@ ($($done:tt)*) $name:ident $place:tt $($rest:tt)*) => {
        tuple!($($done)* $name $place);
        tuples!(@ ($($done)* $name $place) $($rest)*);
    };
}

tuples!(@ () A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15 Q 16 R 17 S 18 T 19 U 20 V 21 W 22 X 23);
