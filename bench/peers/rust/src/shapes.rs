//! A peer on each shape of the reference data.

use crate::arguments::Plan;
use crate::library::{Borrowing, Codec, Library};
use crate::reference::{digest, Dump};
use crate::report::{line, report};
use serde_json::json;

fn told<T: Dump>(value: T) -> T {
    line(&json!({ "digest": format!("{:016x}", digest(&value)) }));
    value
}

/// A library whose values own all that they hold.
pub fn owned<T: PartialEq + Dump, C: Codec<T>>(value: T, mut codec: C, library: &Library, plan: Plan) {
    report(&told(value), &mut codec, library, plan, None);
}

/// One that has a borrowed form, too.
pub fn viewed<T: PartialEq + Dump, C: Borrowing<T>>(value: T, mut codec: C, library: &Library, plan: Plan) {
    report(&told(value), &mut codec, library, plan, Some(C::borrowed));
}

/// `shapes!(how, library, shape, plan, |value| codec)` calls `how`, one of the functions above, with the value of a shape and the codec for
/// it. A `map` that is not a list of pairs is named at the end, and so is `tree: none` where there are no recursive types.
#[macro_export]
macro_rules! shapes {
    ($run:ident, $library:expr, $shape:expr, $plan:expr, |$value:ident| $codec:expr $(, map: $map:expr)?) => {
        $crate::shapes!(@all $run, $library, $shape, $plan, |$value| $codec, [$($map,)? $crate::reference::map(),],
            "tree" => $crate::reference::tree())
    };
    ($run:ident, $library:expr, $shape:expr, $plan:expr, |$value:ident| $codec:expr, tree: none) => {
        $crate::shapes!(@all $run, $library, $shape, $plan, |$value| $codec, [$crate::reference::map(),],)
    };
    (@all $run:ident, $library:expr, $shape:expr, $plan:expr, |$value:ident| $codec:expr, [$map:expr, $($_:expr,)*],
        $($name:literal => $extra:expr)?) => {{
        macro_rules! with {
            ($made:expr) => {{
                let $value = $made;
                let codec = $codec;
                $crate::shapes::$run($value, codec, &$library, $plan)
            }};
        }
        match $shape {
            "event" => with!($crate::reference::event()),
            "ints" => with!($crate::reference::ints()),
            "doubles" => with!($crate::reference::doubles()),
            "strings" => with!($crate::reference::strings()),
            "map" => with!($map),
            "booksRandom" => with!($crate::reference::books_random()),
            "booksNum" => with!($crate::reference::books_num()),
            "uniqueStrings" => with!($crate::reference::unique_strings()),
            "uniqueRecords" => with!($crate::reference::unique_records()),
            $($name => with!($extra),)?
            shape => panic!("no shape {shape}"),
        }
    }};
}
