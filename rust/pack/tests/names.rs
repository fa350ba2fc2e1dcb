//! Two native types of one name in the schema: one struct, or a mistake.

use samewire_pack::{Code, Codec, Pack};

#[derive(Pack, PartialEq, Debug)]
enum Shape {
    Square { side: i32 },
    Unknown,
}

#[derive(Pack, PartialEq, Debug)]
enum Stamp {
    Square { name: String },
    Unknown,
}

/// The same structs in other native types.
#[derive(Pack, PartialEq, Debug)]
enum Tile {
    Square { side: Box<i32> },
    Unknown,
}

/// Met again inside itself, before all its fields are known.
#[derive(Pack, PartialEq, Debug)]
enum Tree {
    Leaf { of: Vec<Bush> },
    Stump { rings: u8 },
}

#[derive(Pack, PartialEq, Debug)]
enum Bush {
    Leaf { of: Vec<Tree>, green: bool },
    Twig { trees: Vec<Tree> },
}

fn refused<T: Pack>() -> String {
    let error = Codec::<T>::try_new().expect_err("two structs of one name");
    assert_eq!(error.code, Code::Misuse);
    error.text.into_owned()
}

#[test]
fn equal_variants_of_two_enums_are_one_struct() {
    let codec = Codec::<(Shape, Tile)>::new();
    let union = "union { struct Square { side: i32 }, struct Unknown {} }";
    assert_eq!(codec.schema().text(), format!("tuple<{union}, union {{ Square, Unknown }}>"));
    let value = (Shape::Square { side: 3 }, Tile::Square { side: Box::new(4) });
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
}

#[test]
fn rejects_different_variants_of_one_name() {
    assert!(refused::<(Shape, Stamp)>().contains("\"Square\""));
    assert!(refused::<(Stamp, Shape)>().contains("\"Square\""));
    assert!(refused::<Tree>().contains("\"Leaf\""));
    assert!(refused::<Bush>().contains("\"Leaf\""));
}

#[test]
fn rejects_different_types_of_one_name() {
    fn both<A: Pack, B: Pack>(_: &A, _: &B) -> String {
        refused::<(A, B)>()
    }
    let first = {
        #[derive(Pack)]
        struct Local {
            x: u8,
        }
        Local { x: 1 }
    };
    let second = {
        #[derive(Pack)]
        struct Local {
            x: String,
        }
        Local { x: String::new() }
    };
    assert!(both(&first, &second).contains("\"Local\""));
}
