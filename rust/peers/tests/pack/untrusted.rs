//! A writer's schema is untrusted: a chain of structs as long as a schema may be takes neither the stack nor
//! the time of anyone who reads it. (Tests run in threads with 2 MiB of stack.)

use samewire_pack::schema::Schema;
use samewire_pack::{walker, Code, Codec, Limits, Pack};

#[derive(Pack, Debug, PartialEq)]
#[pack(name = "Root")]
struct Reader {
    keep: u8,
}

/// Structs of which each holds the one before, defined as members of a union so that the text does not nest.
fn chain(length: usize) -> String {
    let mut members = String::from("struct S00000 { x: u8 }");
    for i in 1..length {
        members += &format!(", struct S{i:05} {{ x: S{:05} }}", i - 1);
    }
    format!("struct Root {{ skip: union {{ {members} }}, last: list<S{:05}>, keep: u8 }}", length - 1)
}

fn varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[test]
fn takes_long_chains_of_structs() {
    let text = chain(20_000);
    let schema = Schema::parse(&text).unwrap();
    assert_eq!(schema.text(), text);
    assert_eq!(schema.difference(&Schema::parse(&text).unwrap()), None);
    let decoder = Codec::<Reader>::new().resolve(&text).unwrap();

    // The shortest member is a byte; the longest is one too, 20,000 structs deep.
    for (member, deep) in [(0, false), (19_999, true)] {
        let mut data = vec![0x80];
        varint(member, &mut data);
        data.extend([7, 0, 9]);
        let checked = walker::check(&schema, &data, &Limits::DEFAULT);
        let decoded = decoder.decode(&data);
        if deep {
            assert_eq!(checked.unwrap_err().code, Code::LimitDepth);
            assert_eq!(decoded.unwrap_err().code, Code::LimitDepth);
        } else {
            checked.unwrap();
            assert_eq!(decoded, Ok(Reader { keep: 9 }));
        }
    }
}
