//! Bytes that lie: the error is that of `decode`, and a batch that is made in spite of them keeps to Arrow's rules.

use crate::rows::{rows, Row};
use arrow_array::Array;
use samewire_pack::schema::Schema;
use samewire_pack::table::arrow::read_table;
use samewire_pack::table::TableOptions;
use samewire_pack::{walker, Code, Codec, Error, Limits, Profile};

/// Whether what is refused as a table alone: what its Arrow type does not hold, and what nulls and plain strings take.
fn is_of_tables(error: &Error) -> bool {
    matches!(error.code, Code::TypeMismatch | Code::LimitItems)
}

fn check(codec: &Codec<Vec<Row>>, data: &[u8], what: &str) {
    for views in [false, true] {
        match (codec.table(data, &TableOptions { views, ..TableOptions::default() }), codec.decode(data)) {
            (Ok(batch), Ok(rows)) => {
                assert_eq!(batch.num_rows(), rows.len(), "{what}");
                for array in batch.columns() {
                    array.to_data().validate_full().unwrap();
                }
            }
            (Err(error), Ok(_)) => assert!(is_of_tables(&error), "{what}: {error}"),
            (Err(error), Err(native)) => assert!(
                is_of_tables(&error) || (error.code, error.at) == (native.code, native.at),
                "{what}: {error}; {native}"
            ),
            (Ok(_), Err(native)) => panic!("{what}: {native}"),
        }
    }
}

#[test]
fn truncated_messages_are_refused_as_by_decode() {
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = Codec::<Vec<Row>>::new().profile(profile);
        let data = codec.encode(&rows(2)).unwrap();
        for end in 0..data.len() {
            assert!(codec.table(&data[..end], &TableOptions::default()).is_err());
            check(&codec, &data[..end], &format!("{end} bytes"));
        }
    }
}

#[test]
fn changed_bytes_are_refused_as_by_decode_or_read_as_a_sound_batch() {
    for profile in [Profile::Compact, Profile::Fast] {
        let codec = Codec::<Vec<Row>>::new().profile(profile).limits(Limits { items: 10_000, ..Limits::DEFAULT });
        let data = codec.encode(&rows(4)).unwrap();
        for at in 0..data.len() {
            for change in [0x01, 0xff] {
                let mut lie = data.clone();
                lie[at] ^= change;
                check(&codec, &lie, &format!("byte {at} ^ {change:#x}"));
            }
        }
    }
}

/// One of the texts of a vector, which stand on a line each.
fn text_of(line: &str, key: &str) -> Option<String> {
    let from = line.find(&format!("\"{key}\": \""))? + key.len() + 5;
    let mut end = from;
    while line.as_bytes()[end] != b'"' {
        end += if line.as_bytes()[end] == b'\\' { 2 } else { 1 };
    }
    Some(line[from..end].replace("\\\"", "\""))
}

#[test]
fn messages_of_all_writers_are_tables_if_they_are_good() {
    let (mut good, mut bad) = (0, 0);
    for folder in ["pack", "columns"] {
        for file in std::fs::read_dir(format!("{}/../../spec/vectors/{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap() {
            let vectors = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for line in vectors.lines().filter(|line| line.contains("\"schema\": \"list<struct")) {
                let (Some(schema), Some(hex)) = (text_of(line, "schema"), text_of(line, "hex")) else { continue };
                let Ok(schema) = Schema::parse(&schema) else { continue };
                let byte = |i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
                let data: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
                let checked = walker::check(&schema, &data, &Limits::DEFAULT);
                match read_table(&schema, &data, &Limits::DEFAULT, &TableOptions::default()) {
                    Ok(batch) => {
                        assert!(checked.is_ok(), "{line}");
                        batch.columns().iter().for_each(|array| array.to_data().validate_full().unwrap());
                        good += 1;
                    }
                    Err(error) => {
                        assert!(
                            matches!(error.code, Code::TypeMismatch | Code::Unsupported)
                                || checked.is_err_and(|strict| (strict.code, strict.at) == (error.code, error.at)),
                            "{error}: {line}"
                        );
                        bad += 1;
                    }
                }
            }
        }
    }
    assert!(good > 200 && bad > 50, "{good} and {bad}");
}
