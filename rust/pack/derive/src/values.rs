//! Which types of a variant's one unnamed field are values, not structs: what the macro can tell by their names.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// Rust's own. What a program may call a struct, as `Date`, is taken for one unless it says otherwise.
const VALUES: [&str; 25] = [
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "str", "String", "Vec", "Option",
    "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "char", "i128", "u128", "isize", "usize",
];
/// Types that are what they hold.
const HOLDERS: [&str; 4] = ["Box", "Rc", "Arc", "Cow"];

/// Whether a type is a value.
pub fn is_value(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(of_segment),
        Type::Reference(reference) => is_value(&reference.elem),
        Type::Group(group) => is_value(&group.elem),
        Type::Paren(paren) => is_value(&paren.elem),
        Type::Slice(_) | Type::Array(_) | Type::Tuple(_) => true,
        _ => false,
    }
}

fn of_segment(segment: &PathSegment) -> bool {
    if HOLDERS.iter().any(|holder| segment.ident == holder) {
        return held(&segment.arguments).is_some_and(is_value);
    }
    VALUES.iter().any(|value| segment.ident == value)
}

fn held(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::is_value;

    fn told(ty: &str) -> bool {
        is_value(&syn::parse_str(ty).expect("a type"))
    }

    #[test]
    fn values_are_told_from_structs() {
        for ty in [
            "i32",
            "String",
            "&'a str",
            "Box<str>",
            "Cow<'a, str>",
            "Vec<Book>",
            "(i32, Book)",
            "std::string::String",
            "&'a [u8]",
        ] {
            assert!(told(ty), "{ty}");
        }
        for ty in ["Book", "Box<Book>", "Rc<shelf::Book>", "T", "Page<i32>"] {
            assert!(!told(ty), "{ty}");
        }
    }
}
