//! `rename_all`: how the names of fields and variants are spelled in the schema, in the words of serde.

use syn::{LitStr, Result};

/// A spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub fn of(text: &LitStr) -> Result<Self> {
        let given = text.value();
        CASES.iter().find(|(name, _)| *name == given).map(|(_, case)| *case).ok_or_else(|| {
            let names: Vec<_> = CASES.iter().map(|(name, _)| *name).collect();
            syn::Error::new_spanned(text, format!("expected one of {}, got {given:?}", names.join(", ")))
        })
    }

    /// The name of a field, which Rust spells in snake case.
    pub fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => name.split('_').map(capitalized).collect(),
            Case::Camel => uncapitalized(&Case::Pascal.field(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => Case::ScreamingSnake.field(name).replace('_', "-"),
        }
    }

    /// The name of a variant, which Rust spells in Pascal case.
    pub fn variant(self, name: &str) -> String {
        match self {
            Case::Pascal => name.to_owned(),
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Camel => uncapitalized(name),
            Case::Snake => snake(name),
            Case::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Case::Kebab => snake(name).replace('_', "-"),
            Case::ScreamingKebab => Case::ScreamingSnake.variant(name).replace('_', "-"),
        }
    }
}

fn snake(name: &str) -> String {
    let mut made = String::new();
    for (i, letter) in name.char_indices() {
        if i > 0 && letter.is_uppercase() {
            made.push('_');
        }
        made.push(letter.to_ascii_lowercase());
    }
    made
}

fn with_first(word: &str, first: fn(&char) -> char) -> String {
    let mut letters = word.chars();
    letters.next().map(|letter| first(&letter)).into_iter().chain(letters).collect()
}

fn capitalized(word: &str) -> String {
    with_first(word, char::to_ascii_uppercase)
}

fn uncapitalized(word: &str) -> String {
    with_first(word, char::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_by_serde() {
        let spelled = |name: &str| CASES.map(|(_, case)| case.field(name));
        let names = ["first_name", "FIRST_NAME", "FirstName", "firstName", "first_name", "FIRST_NAME", "first-name"];
        assert_eq!(spelled("first_name")[..7], names);
        assert_eq!(Case::ScreamingKebab.field("first_name"), "FIRST-NAME");
        assert_eq!((Case::Camel.field("x"), Case::Pascal.field("_a__b1")), ("x".into(), "AB1".into()));
        let spelled = CASES.map(|(_, case)| case.variant("VeryTasty"));
        let names = ["verytasty", "VERYTASTY", "VeryTasty", "veryTasty", "very_tasty", "VERY_TASTY", "very-tasty"];
        assert_eq!(spelled[..7], names);
        assert_eq!(
            (Case::ScreamingKebab.variant("VeryTasty"), Case::Snake.variant("Z42")),
            ("VERY-TASTY".into(), "z42".into())
        );
    }
}
