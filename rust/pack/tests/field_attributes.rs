//! `skip` and `rename_all`.

use samewire_pack::{Codec, Pack, Profile};
use std::collections::HashMap;
use std::marker::PhantomData;

/// What has no schema.
#[derive(Clone, Debug, PartialEq, Default)]
struct Cache(u32);

#[derive(Pack, Clone, Debug, PartialEq)]
struct Book {
    name: String,
    #[pack(skip)]
    cache: Cache,
    year: Option<i32>,
    #[pack(skip, default = vec![7])]
    pages: Vec<u8>,
}

fn book(i: i32, cache: Cache, pages: Vec<u8>) -> Book {
    Book { name: format!("book {i}"), cache, year: (i % 2 > 0).then_some(i), pages }
}

#[test]
fn skipped_fields_are_not_in_the_schema() {
    let schema = "struct Book { name: string, year: option<i32> }";
    assert_eq!(Codec::<Book>::new().schema().text(), schema);
    let written: Vec<_> = (0..100).map(|i| book(i, Cache(5), vec![1, 2])).collect();
    let expected: Vec<_> = (0..100).map(|i| book(i, Cache(0), vec![7])).collect();
    for profile in [Profile::Fast, Profile::Compact] {
        let codec = Codec::<Vec<Book>>::new().profile(profile);
        let bytes = codec.encode(&written).unwrap();
        assert_eq!(bytes, codec.encode(&expected).unwrap());
        assert_eq!(codec.decode(&bytes).unwrap(), expected);
        assert_eq!(codec.resolve(codec.schema().text()).unwrap().decode(&bytes).unwrap(), expected);
        let one = Codec::<Book>::new().profile(profile);
        assert_eq!(one.decode(&one.encode(&written[3]).unwrap()).unwrap(), expected[3]);
    }
    // What another writer calls so is not read.
    let codec = Codec::<Book>::new();
    let decoder = codec.resolve("struct Book { cache: u8, name: string, year: option<i32> }").unwrap();
    let other = Codec::<other::Book>::new().encode(&other::Book { cache: 9, name: "a".into(), year: None }).unwrap();
    assert_eq!(decoder.decode(&other).unwrap(), Book { name: "a".into(), ..book(0, Cache(0), vec![7]) });
}

mod other {
    #[derive(samewire_pack::Pack)]
    pub struct Book {
        pub cache: u8,
        pub name: String,
        pub year: Option<i32>,
    }
}

#[test]
fn fields_of_variants_are_skipped() {
    #[derive(Pack, Clone, Debug, PartialEq)]
    enum Shape {
        Dot {
            x: i32,
            #[pack(skip)]
            cache: Cache,
        },
        Nothing {
            #[pack(skip)]
            cache: Cache,
        },
    }
    let codec = Codec::<Vec<Shape>>::new();
    let text = "list<union { struct Dot { x: i32 }, struct Nothing {} }>";
    assert_eq!(codec.schema().text(), text);
    let written = vec![Shape::Dot { x: 1, cache: Cache(2) }, Shape::Nothing { cache: Cache(3) }];
    let bytes = codec.encode(&written).unwrap();
    let expected = vec![Shape::Dot { x: 1, cache: Cache(0) }, Shape::Nothing { cache: Cache(0) }];
    assert_eq!(codec.decode(&bytes).unwrap(), expected);
    assert_eq!(codec.resolve(text).unwrap().decode(&bytes).unwrap(), expected);
}

#[test]
fn a_skipped_field_of_a_borrowing_or_generic_struct() {
    #[derive(Pack, Debug, PartialEq)]
    struct Borrowed<'a, T> {
        name: &'a str,
        #[pack(skip)]
        of: PhantomData<T>,
        #[pack(skip)]
        seen: HashMap<String, Cache>,
    }
    let codec = Codec::<Borrowed<'_, u8>>::new();
    let bytes = codec.encode(&Borrowed { name: "a", of: PhantomData, seen: HashMap::new() }).unwrap();
    let mut scratch = samewire_pack::Scratch::new();
    assert_eq!(codec.decode_borrowed(&bytes, &mut scratch).unwrap().name, "a");
}

#[test]
fn fields_are_spelled_as_the_type_says() {
    #[derive(Pack)]
    #[pack(rename_all = "camelCase")]
    struct Person {
        first_name: String,
        r#type: i32,
        #[pack(name = "last_name")]
        last_name: String,
    }
    let codec = Codec::<Person>::new();
    assert_eq!(codec.schema().text(), "struct Person { firstName: string, type: i32, last_name: string }");
    let person = Person { first_name: "a".into(), r#type: 1, last_name: "b".into() };
    let back = codec.decode(&codec.encode(&person).unwrap()).unwrap();
    assert_eq!((back.first_name, back.r#type, back.last_name), ("a".into(), 1, "b".into()));

    #[derive(Pack)]
    #[pack(rename_all = "kebab-case", name = "P")]
    struct Kebab {
        first_name: i32,
    }
    assert_eq!(Codec::<Kebab>::new().schema().text(), "struct P { \"first-name\": i32 }");
    assert_eq!(Kebab { first_name: 1 }.first_name, 1);
}

#[test]
fn variants_are_spelled_as_the_enum_says() {
    #[derive(Pack, Clone, Copy, Debug, PartialEq)]
    #[pack(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Mood {
        VeryCalm,
        #[pack(name = "tense")]
        Tense,
    }
    assert_eq!(Codec::<Mood>::new().schema().text(), "enum Mood { VERY_CALM, tense }");
    let codec = Codec::<Vec<Mood>>::new();
    let moods = vec![Mood::VeryCalm, Mood::Tense];
    assert_eq!(codec.decode(&codec.encode(&moods).unwrap()).unwrap(), moods);

    #[derive(Pack, Debug, PartialEq)]
    #[pack(rename_all = "snake_case")]
    enum Shape {
        ThereIsNone,
        WholeNumber(i32),
        #[pack(rename_all = "PascalCase")]
        LongLine {
            from_x: i32,
        },
    }
    let codec = Codec::<Vec<Shape>>::new();
    let text =
        "list<union { struct long_line { FromX: i32 }, struct there_is_none {}, struct whole_number { value: i32 } }>";
    assert_eq!(codec.schema().text(), text);
    let shapes = vec![Shape::ThereIsNone, Shape::WholeNumber(1), Shape::LongLine { from_x: 2 }];
    assert_eq!(codec.decode(&codec.encode(&shapes).unwrap()).unwrap(), shapes);
}
