//! Generic structs: the names of their instances, the same as in Python and Java.

use samewire_pack::{Code, Codec, Pack};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

#[derive(Pack, PartialEq, Debug)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Pack, PartialEq, Debug)]
struct Pair<A, B> {
    first: A,
    second: B,
}

/// Holds itself.
#[derive(Pack, PartialEq, Debug)]
struct Node<T> {
    value: T,
    next: Option<Box<Node<T>>>,
}

fn text<T: Pack>() -> String {
    Codec::<T>::new().schema().text().into()
}

#[test]
fn one_instance_has_the_struct_s_own_name() {
    assert_eq!(text::<Page<i64>>(), "struct Page { items: list<i64> }");
    assert_eq!(text::<(Page<i64>, Page<i64>)>(), "tuple<struct Page { items: list<i64> }, Page>");
    assert_eq!(text::<Node<String>>(), "struct Node { value: string, next: option<Node> }");
}

#[test]
fn several_instances_are_named_by_their_arguments() {
    #[derive(Pack, PartialEq, Debug)]
    struct Outer {
        a: Page<String>,
        b: Page<i64>,
        c: Page<Option<BTreeMap<String, i32>>>,
    }
    let codec = Codec::<Outer>::new();
    assert_eq!(
        codec.schema().text(),
        "struct Outer { a: struct Page_string { items: list<string> }, b: struct Page_i64 { items: list<i64> }, \
         c: struct Page_option_map_string_i32 { items: list<option<map<string, i32>>> } }"
    );
    let value = Outer {
        a: Page { items: vec!["x".into()] },
        b: Page { items: vec![1, 2] },
        c: Page { items: vec![None, Some([("y".into(), 3)].into())] },
    };
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
}

#[test]
fn names_of_arguments_are_not_settled() {
    assert_eq!(
        text::<(Page<Pair<i8, bool>>, Page<i64>)>(),
        "tuple<struct Page_Pair_i8_bool { items: list<struct Pair { first: i8, second: bool }> }, \
         struct Page_i64 { items: list<i64> }>"
    );
}

#[test]
fn instances_that_hold_themselves() {
    let codec = Codec::<(Node<i8>, Node<String>)>::new();
    assert_eq!(
        codec.schema().text(),
        "tuple<struct Node_i8 { value: i8, next: option<Node_i8> }, \
         struct Node_string { value: string, next: option<Node_string> }>"
    );
    let node = |value: &str| Node { value: value.to_owned(), next: None };
    let value = (Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) }, node("x"));
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
}

#[test]
fn another_struct_of_the_name_is_beside_an_instance() {
    mod other {
        #[derive(samewire_pack::Pack)]
        pub struct Page {
            pub number: i32,
        }
    }
    assert_eq!(
        text::<(other::Page, Page<i64>)>(),
        "tuple<struct Page { number: i32 }, struct Page_i64 { items: list<i64> }>"
    );
}

#[test]
fn a_member_of_a_union_may_be_the_one_instance() {
    #[derive(Pack, PartialEq, Debug)]
    enum Reply {
        Found(Page<i64>),
        Missing { name: String },
    }
    #[derive(Pack)]
    enum Other {
        Found(Page<String>),
        Missing { name: String },
    }
    let codec = Codec::<Reply>::new();
    assert_eq!(codec.schema().text(), "union { struct Missing { name: string }, struct Page { items: list<i64> } }");
    let value = Reply::Found(Page { items: vec![7] });
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()).unwrap(), value);
    let error = Codec::<(Reply, Other)>::try_new().expect_err("two instances as members");
    assert_eq!(error.code, Code::Misuse);
    assert!(error.text.contains("Page_i64, one of several instances of Page"), "{}", error.text);
}

#[test]
fn arguments_of_one_type_in_the_schema_make_one_struct() {
    #[derive(Pack, PartialEq, Debug)]
    struct Outer {
        paths: Vec<Page<PathBuf>>,
        texts: Vec<Page<String>>,
        chars: Page<char>,
        hashed: Page<HashMap<String, i64>>,
        sorted: Page<BTreeMap<String, i64>>,
        nodes: (Node<PathBuf>, Node<String>),
    }
    #[derive(Pack, PartialEq, Debug)]
    #[pack(name = "Outer")]
    struct OneClass {
        paths: Vec<Page<String>>,
        texts: Vec<Page<String>>,
        chars: Page<String>,
        hashed: Page<BTreeMap<String, i64>>,
        sorted: Page<BTreeMap<String, i64>>,
        nodes: (Node<String>, Node<String>),
    }
    let (codec, one) = (Codec::<Outer>::new(), Codec::<OneClass>::new());
    assert_eq!(codec.schema().text(), one.schema().text());
    let names = || (0..300).map(|i| format!("p{}", i % 200));
    let entries = || [(String::from("k"), 1)];
    let node = |text: &str| Node { value: String::from(text), next: None };
    let value = Outer {
        paths: names().map(|name| Page { items: vec![name.into()] }).collect(),
        texts: names().map(|name| Page { items: vec![name] }).collect(),
        chars: Page { items: vec!['a'] },
        hashed: Page { items: vec![entries().into()] },
        sorted: Page { items: vec![entries().into()] },
        nodes: (Node { value: "a".into(), next: Some(Box::new(Node { value: "b".into(), next: None })) }, node("c")),
    };
    let same = OneClass {
        paths: names().map(|name| Page { items: vec![name] }).collect(),
        texts: names().map(|name| Page { items: vec![name] }).collect(),
        chars: Page { items: vec!["a".into()] },
        hashed: Page { items: vec![entries().into()] },
        sorted: Page { items: vec![entries().into()] },
        nodes: (Node { value: "a".into(), next: Some(Box::new(node("b"))) }, node("c")),
    };
    assert_eq!(codec.encode(&value).unwrap(), one.encode(&same).unwrap());
    assert_eq!(codec.decode(&one.encode(&same).unwrap()).unwrap(), value);
}
