//! Runs every case of `spec/vectors/redis` and says how many of each file hold.

use samewire_core::{Code, Error, Limits};
use samewire_redis::{read, write_command, write_value, Argument, Scan, Scanner, Value};
use serde_json::{json, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn bytes(hex: &Json) -> Vec<u8> {
    let hex = hex.as_str().expect("hexadecimal text").as_bytes();
    hex.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// A reply in the notation of the vectors.
fn notation(value: &Value<'_>) -> Json {
    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
    let all = |values: &[Value<'_>]| values.iter().map(notation).collect::<Vec<_>>();
    match value {
        Value::Null => Json::Null,
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!({"integer": value.to_string()}),
        Value::Double(value) if value.is_nan() => json!({"double": "7ff8000000000000"}),
        Value::Double(value) => json!({"double": format!("{:016x}", value.to_bits())}),
        Value::BigNumber(digits) => json!({"big": std::str::from_utf8(digits).unwrap()}),
        Value::Simple(text) => json!({"simple": hex(text)}),
        Value::Error(text) => json!({"error": hex(text)}),
        Value::Bulk(text) => json!({"bulk": hex(text)}),
        Value::Verbatim(format, text) => json!({"verbatim": [hex(format), hex(text)]}),
        Value::Array(values) => json!({"array": all(values)}),
        Value::Set(values) => json!({"set": all(values)}),
        Value::Push(values) => json!({"push": all(values)}),
        Value::Map(entries) => {
            json!({"map": entries.iter().map(|(key, value)| json!([notation(key), notation(value)])).collect::<Vec<_>>()})
        }
    }
}

fn with(limits: &Json) -> Limits {
    let mut set = Limits::DEFAULT;
    for (name, value) in limits.as_object().into_iter().flatten() {
        let value = value.as_u64().unwrap();
        match name.as_str() {
            "depth" => set.depth = value as u32,
            "items" => set.items = value,
            "cells" => set.cells = value,
            "frame_bytes" => set.frame_bytes = value as usize,
            other => panic!("no limit of a reply is called {other}"),
        }
    }
    set
}

/// Places to cut at: all of them, or some of a long stream.
fn cuts(length: usize) -> impl Iterator<Item = usize> {
    (0..=length).step_by(if length < 3000 { 1 } else { 9973 })
}

/// The replies of a stream that is cut at one place, and what ends it.
fn scanned(stream: &[u8], cut: usize, limits: Limits) -> (Vec<Json>, Option<(Code, usize)>) {
    let mut scanner = Scanner::new(limits);
    let (mut from, mut values) = (0, Vec::new());
    for end in [cut, stream.len()] {
        loop {
            match scanner.scan(&stream[from..end]) {
                Ok(Scan::Reply(length)) => {
                    values.push(notation(&read(&stream[from..from + length], &limits).unwrap()));
                    from += length;
                }
                Ok(Scan::More(_)) => break,
                Err(Error { code, at, .. }) => return (values, Some((code, at.unwrap()))),
            }
        }
    }
    (values, (from < stream.len()).then_some((Code::Truncated, stream.len())))
}

fn wanted(case: &Json) -> Option<(String, usize)> {
    Some((case["error"].as_str()?.to_owned(), case["at"].as_u64()? as usize))
}

fn named(error: Option<(Code, usize)>) -> Option<(String, usize)> {
    error.map(|(code, at)| (code.as_str().to_owned(), at))
}

fn reply(case: &Json) {
    let data = bytes(&case["hex"]);
    let value = read(&data, &Limits::DEFAULT).unwrap();
    assert_eq!(notation(&value), case["value"]);
    let mut written = Vec::new();
    write_value(&value, &mut written);
    let canonical = if case["kind"] == "canonical" { data.clone() } else { bytes(&case["canonical"]) };
    assert_eq!(written, canonical);
    for cut in cuts(data.len()) {
        assert_eq!(scanned(&data, cut, Limits::DEFAULT), (vec![case["value"].clone()], None), "cut at {cut}");
        if cut > 0 && cut < data.len() {
            let short = read(&data[..cut], &Limits::DEFAULT).unwrap_err();
            assert_eq!((short.code, short.at), (Code::Truncated, Some(cut)));
        }
    }
    let twice = data.repeat(2);
    assert_eq!(scanned(&twice, data.len() - 1, Limits::DEFAULT).0.len(), 2);
    let trailing = read(&twice, &Limits::DEFAULT).unwrap_err();
    assert_eq!((trailing.code, trailing.at), (Code::Trailing, Some(data.len())));
    let codes =
        [("depth", "limit_depth"), ("items", "limit_items"), ("cells", "limit_items"), ("frame_bytes", "limit_size")];
    for (name, code) in codes {
        let used = case["uses"][name].as_u64().unwrap();
        if used > 0 {
            assert!(read(&data, &with(&json!({ name: used }))).is_ok(), "{name}: {used}");
        }
        if used > 1 {
            let limits = with(&json!({ name: used - 1 }));
            assert_eq!(read(&data, &limits).unwrap_err().code.as_str(), code, "{name}: {used} - 1");
            assert_eq!(scanned(&data, 0, limits).1.unwrap().0.as_str(), code);
        }
    }
}

fn rejected(case: &Json) {
    let data = bytes(&case["hex"]);
    let limits = with(&case["limits"]);
    let error = read(&data, &limits).unwrap_err();
    assert_eq!(named(error.at.map(|at| (error.code, at))), wanted(case));
    if data.is_empty() {
        return;
    }
    for cut in cuts(data.len()) {
        assert_eq!(named(scanned(&data, cut, limits).1), wanted(case), "cut at {cut}");
    }
}

fn stream(case: &Json) {
    let data = bytes(&case["hex"]);
    for cut in cuts(data.len()) {
        let (values, error) = scanned(&data, cut, Limits::DEFAULT);
        assert_eq!(json!(values), case["values"]);
        assert_eq!(named(error), wanted(case));
    }
}

fn command(case: &Json) {
    let owned: Vec<(Cow<'_, str>, Vec<u8>)> = case["arguments"].as_array().unwrap().iter().map(argument).collect();
    let arguments: Vec<Argument<'_>> = owned
        .iter()
        .map(
            |(number, bytes)| {
                if number.is_empty() {
                    Argument::Bytes(bytes)
                } else {
                    Argument::Integer(number.parse().unwrap())
                }
            },
        )
        .collect();
    let mut out = b"before".to_vec();
    write_command(&arguments, &mut out);
    assert_eq!(out, [&b"before"[..], &bytes(&case["hex"])].concat());
    assert_eq!(scanned(&out[6..], 3, Limits::DEFAULT).0.len(), 1);
}

fn argument(of: &Json) -> (Cow<'_, str>, Vec<u8>) {
    match of["integer"].as_str() {
        Some(number) => (number.into(), Vec::new()),
        None => ("".into(), bytes(&of["bytes"])),
    }
}

#[test]
fn every_case_holds() {
    let folder = root().join("spec/vectors/redis");
    let mut executed: BTreeMap<String, usize> = BTreeMap::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let file = format!("redis/{}", path.file_name().unwrap().to_string_lossy());
        let text = fs::read_to_string(&path).unwrap();
        let mut reader = serde_json::Deserializer::from_str(&text);
        reader.disable_recursion_limit();
        let topic: Json = serde::Deserialize::deserialize(&mut reader).unwrap();
        for case in topic["cases"].as_array().unwrap() {
            println!("{file}: {}", case["name"]);
            match case["kind"].as_str().unwrap() {
                "canonical" | "accepted" => reply(case),
                "rejected" => rejected(case),
                "stream" => stream(case),
                "command" => command(case),
                other => panic!("{file}: unknown kind {other}"),
            }
            *executed.entry(file.clone()).or_default() += 1;
        }
    }
    let folder = root().join("build/executed");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rust-redis.json"), format!("{:#}\n", json!({"vectors": executed}))).unwrap();
}
