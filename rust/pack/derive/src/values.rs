//! Which types of a variant's one unnamed field are values, not structs: what the macro can tell by their names.

use syn::{DeriveInput, GenericArgument, Ident, PathArguments, PathSegment, Type};

/// Rust's own. What a program may call a struct, as `Date`, is taken for one unless it says otherwise.
const VALUES: [&str; 25] = [
    "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "str", "String", "Vec", "Option",
    "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "char", "i128", "u128", "isize", "usize",
];
/// Types that are what they hold.
const HOLDERS: [&str; 4] = ["Box", "Rc", "Arc", "Cow"];

/// The names that stand for values in one enum.
pub struct Values {
    own: Vec<Ident>,
}

impl Values {
    /// Besides Rust's own types: the enum itself, and its type parameters.
    pub fn of(input: &DeriveInput) -> Self {
        let parameters = input.generics.type_params().map(|parameter| parameter.ident.clone());
        let own = [input.ident.clone(), Ident::new("Self", input.ident.span())];
        Self { own: own.into_iter().chain(parameters).collect() }
    }

    /// Whether a type is a value.
    pub fn holds(&self, ty: &Type) -> bool {
        match ty {
            Type::Path(path) => path.path.segments.last().is_some_and(|segment| self.of_segment(segment)),
            Type::Reference(reference) => self.holds(&reference.elem),
            Type::Group(group) => self.holds(&group.elem),
            Type::Paren(paren) => self.holds(&paren.elem),
            Type::Slice(_) | Type::Array(_) | Type::Tuple(_) => true,
            _ => false,
        }
    }

    fn of_segment(&self, segment: &PathSegment) -> bool {
        if HOLDERS.iter().any(|holder| segment.ident == holder) {
            return held(&segment.arguments).is_some_and(|ty| self.holds(ty));
        }
        VALUES.iter().any(|value| segment.ident == value) || self.own.contains(&segment.ident)
    }
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
    use super::Values;

    fn told(ty: &str) -> bool {
        let input = syn::parse_str("enum Tree<T> { Leaf }").expect("an enum");
        Values::of(&input).holds(&syn::parse_str(ty).expect("a type"))
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
            "T",
            "Box<Tree<T>>",
            "Rc<Self>",
        ] {
            assert!(told(ty), "{ty}");
        }
        for ty in ["Book", "Box<Book>", "Rc<shelf::Book>", "Page<i32>"] {
            assert!(!told(ty), "{ty}");
        }
    }
}
