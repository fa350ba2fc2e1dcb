//! Aliases and defaults of native types, where the writer has an older version (`spec/pack.md` section 13).

use samewire_pack::{Code, Codec, Pack};

#[derive(Pack, Clone, PartialEq, Debug)]
enum Kind {
    Crime,
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Tome {
    title: String,
    year: i32,
    kind: Kind,
    pages: Option<i32>,
}

#[derive(Pack, Clone, PartialEq, Debug)]
#[pack(alias = "Sort", alias = "Kind")]
enum Genre {
    Crime,
    Poetry,
}

#[derive(Pack, Clone, PartialEq, Debug)]
#[pack(alias = "Tome")]
struct Book {
    title: String,
    #[pack(alias = "sort", alias = "kind")]
    genre: Genre,
    #[pack(alias = "year", default = 1900)]
    published: i64,
    #[pack(default = 7)]
    pages: i32,
}

/// A variant has aliases as a struct of its own.
#[derive(Pack, Clone, PartialEq, Debug)]
enum Shelved {
    #[pack(alias = "Tome")]
    Volume {
        title: String,
        #[pack(alias = "year")]
        published: i32,
    },
    Gap,
}

#[derive(Pack, Clone, PartialEq, Debug, Default)]
struct Size {
    width: i32,
    height: i32,
}

#[derive(Pack, Clone, PartialEq, Debug)]
#[pack(name = "Crate")]
struct MaybeSized {
    size: Option<Size>,
    pair: Option<(i32, String)>,
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Crate {
    #[pack(default = (7, "seven".to_owned()))]
    pair: (i32, String),
    #[pack(default)]
    size: Size,
}

#[test]
fn takes_structs_and_tuples_that_are_there_and_their_defaults() {
    let written: Vec<MaybeSized> = (0..9)
        .map(|i| MaybeSized {
            size: (i % 2 == 1).then_some(Size { width: i, height: i }),
            pair: (i % 3 > 0).then(|| (i, "there".into())),
        })
        .collect();
    let writer = Codec::<Vec<MaybeSized>>::new();
    let decoder = Codec::<Vec<Crate>>::new().resolve(writer.schema().text()).unwrap();
    let read = decoder.decode(&writer.encode(&written).unwrap()).unwrap();
    for (read, written) in read.into_iter().zip(written) {
        assert_eq!(read.pair, written.pair.unwrap_or((7, "seven".into())));
        assert_eq!(read.size, written.size.unwrap_or_default());
    }
}

#[derive(Pack)]
#[pack(alias = "Genre")]
struct Twice {
    genre: Genre,
}

#[test]
fn knows_fields_and_types_by_aliases_and_takes_defaults_for_null() {
    let (writer, reader) = (Codec::<Tome>::new(), Codec::<Book>::new());
    let tome = Tome { title: "Carrie".into(), year: 1974, kind: Kind::Crime, pages: None };
    let book = reader.resolve(writer.schema().text()).unwrap().decode(&writer.encode(&tome).unwrap()).unwrap();
    assert_eq!(book, Book { title: "Carrie".into(), genre: Genre::Crime, published: 1974, pages: 7 });
    assert_eq!(
        reader.schema().annotated(),
        "struct Book @alias(Tome) { title: string, genre: enum Genre @alias(Sort, Kind) { Crime, Poetry } \
         @alias(sort, kind), published: i64 @default @alias(year), pages: i32 @default }"
    );
    let shelved = Codec::<Shelved>::new().resolve("union { struct Gap {}, struct Tome { year: i16, title: string } }");
    assert_eq!(
        shelved.unwrap().decode(b"\x81\x01a\x01\x04\x01").unwrap(),
        Shelved::Volume { title: "a".into(), published: 2 }
    );
    assert_eq!(Codec::<Twice>::try_new().err().map(|error| error.code), Some(Code::Misuse));
}

#[derive(Pack, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Mood {
    Calm,
    #[pack(fallback, name = "Other")]
    Unknown,
    Tense,
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Entry {
    mood: Mood,
    moods: Vec<Mood>,
    tags: std::collections::BTreeSet<Mood>,
}

#[test]
fn takes_the_fallback_for_symbols_that_the_enum_lacks() {
    let reader = Codec::<Entry>::new();
    assert_eq!(
        reader.schema().annotated(),
        "struct Entry { mood: enum Mood { Calm, Other @fallback, Tense }, moods: list<Mood>, tags: set<Mood> }"
    );
    let writer = "struct Entry { mood: enum Mood { Angry, Calm, Grim, Tense }, moods: list<Mood>, tags: set<Mood> }";
    let resolved = reader.resolve(writer).unwrap();
    assert_eq!(
        resolved.decode(b"\x80\x00\x03\x01\x02\x03\x01\x03").unwrap(),
        Entry { mood: Mood::Unknown, moods: vec![Mood::Calm, Mood::Unknown, Mood::Tense], tags: [Mood::Tense].into() }
    );
    let refused = resolved.decode(b"\x80\x00\x00\x01\x02").unwrap_err();
    assert_eq!((refused.code, refused.at, refused.path.as_deref()), (Code::SchemaMismatch, Some(4), Some("$.tags[0]")));
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Unknown {
    name: String,
}

#[derive(Pack, Clone, PartialEq, Debug)]
enum Shape {
    Dot,
    #[pack(fallback)]
    Held(Unknown),
}

#[derive(Pack, Clone, PartialEq, Debug)]
enum Figure {
    #[pack(fallback)]
    Other {
        #[pack(default)]
        name: Box<str>,
    },
    Dot {},
}

#[derive(Pack, Clone, PartialEq, Debug)]
enum Wide {
    Dot,
    #[pack(fallback)]
    Line(Line),
}

#[derive(Pack, Clone, PartialEq, Debug)]
struct Line {
    x: i32,
}

#[test]
fn takes_the_fallback_for_members_that_the_union_lacks() {
    let writer = "list<union { struct Arc { x: i32, s: string }, struct Dot {} }>";
    let message = b"\x81\x01a\x02\x00\x02\x01\x01";
    let shapes = Codec::<Vec<Shape>>::new();
    assert_eq!(shapes.schema().annotated(), "list<union { struct Dot {}, struct Unknown { name: string } @fallback }>");
    let unknown = Unknown { name: "Arc".into() };
    assert_eq!(shapes.resolve(writer).unwrap().decode(message).unwrap(), [Shape::Held(unknown), Shape::Dot]);
    let figures = Codec::<Vec<Figure>>::new().resolve(writer).unwrap();
    assert_eq!(figures.decode(message).unwrap(), [Figure::Other { name: "Arc".into() }, Figure::Dot {}]);
    assert_eq!(Codec::<Wide>::try_new().err().map(|error| error.code), Some(Code::Misuse));
}
