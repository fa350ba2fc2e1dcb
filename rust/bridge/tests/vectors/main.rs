//! Runs every case of `spec/vectors/bridge` and says how many of each file hold.

mod notation;

use notation::{hex, message, value, Site};
use samewire_bridge::frame::FrameScanner;
use samewire_bridge::{skip, Budget, Kind, Passed, Reader, Value, MOST_BLOB};
use samewire_core::{Code, Error, Limits};
use serde_json::{json, Value as Json};
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

/// The limits that a case sets, and the most bytes of a blob.
fn limits(of: &Json) -> (Limits, usize) {
    let (mut set, mut blob_bytes) = (Limits::DEFAULT, MOST_BLOB);
    for (name, value) in of.as_object().into_iter().flatten() {
        let value = value.as_u64().unwrap();
        match name.as_str() {
            "depth" => set.depth = value as u32,
            "items" => set.items = value,
            "cells" => set.cells = value,
            "frame_bytes" => set.frame_bytes = value as usize,
            "blob_bytes" => blob_bytes = value as usize,
            other => panic!("no limit of a message is called {other}"),
        }
    }
    (set, blob_bytes)
}

/// What a case's bytes are, and what is written for it.
fn read(case: &Json, data: &[u8], set: &Json) -> Result<(Json, Vec<u8>), Error> {
    let (limits, blob_bytes) = limits(set);
    let mut budget = Budget::new(&limits, blob_bytes);
    let Some(of) = case["of"].as_str() else {
        return message(data, &Site::of(&case["site"]), &mut budget);
    };
    let kind = Kind::parse(of).unwrap();
    assert_eq!(kind.to_string(), of);
    let (mut reader, mut skipper, mut allowance) = (Reader::new(data, 0), Reader::new(data, 0), budget);
    let read = Value::read(&mut reader, &kind, &mut budget).and_then(|read| reader.finish().map(|()| read));
    let mut passed = Passed { blobs: 0, received: &mut |_, _| {} };
    let skipped = skip(&mut skipper, &kind, &mut allowance, &mut passed).and_then(|()| skipper.finish());
    match (read, skipped) {
        (Ok(read), Ok(())) => {
            let mut out = Vec::new();
            read.write(&kind, &mut out);
            Ok((value(&read), out))
        }
        (Err(_), Err(_)) => {
            assert_eq!(reader.error(), skipper.error());
            Err(reader.error())
        }
        (read, skipped) => panic!("{read:?} is read, {skipped:?} skipped"),
    }
}

fn accepted(case: &Json) {
    let data = bytes(&case["hex"]);
    let (found, written) = read(case, &data, &Json::Null).unwrap();
    assert_eq!(found, case["value"]);
    assert_eq!(hex(&written), hex(&if case["kind"] == "canonical" { data.clone() } else { bytes(&case["canonical"]) }));
    if case["value"]["blob"].is_string() && case["of"].is_null() {
        return;
    }
    for end in 0..data.len() {
        if end < 300 || end % 97 == 0 {
            let short = read(case, &data[..end], &Json::Null).unwrap_err();
            assert_eq!((short.code, short.at), (Code::Truncated, Some(end)), "cut at {end}");
        }
    }
    if data.len() < 65_536 {
        let long = read(case, &[&data[..], b"\0"].concat(), &Json::Null).unwrap_err();
        assert_eq!((long.code, long.at), (Code::Trailing, Some(data.len())));
    }
    for (name, code) in [("depth", "limit_depth"), ("items", "limit_items"), ("cells", "limit_items")] {
        let used = case["uses"][name].as_u64().unwrap();
        if used > 0 {
            assert!(read(case, &data, &json!({ name: used })).is_ok(), "{name}: {used}");
        }
        if used > 1 {
            let refused = read(case, &data, &json!({ name: used - 1 })).unwrap_err();
            assert_eq!(refused.code.as_str(), code, "{name}: {used} - 1");
        }
    }
}

fn wanted(case: &Json) -> Option<(&str, usize)> {
    Some((case["error"].as_str()?, case["at"].as_u64()? as usize))
}

fn rejected(case: &Json) {
    let error = read(case, &bytes(&case["hex"]), &case["limits"]).unwrap_err();
    assert_eq!(Some((error.code.as_str(), error.at.unwrap())), wanted(case), "{error}");
}

fn frames(case: &Json) {
    let data = bytes(&case["hex"]);
    let (limits, _) = limits(&case["limits"]);
    for cut in 0..=data.len() {
        let mut scanner = FrameScanner::new(limits.frame_bytes);
        let (mut found, mut failed) = (Vec::new(), None);
        for piece in [&data[..cut], &data[cut..]] {
            scanner.feed(piece);
            while failed.is_none() {
                match scanner.next() {
                    Ok(Some(message)) => found.push(hex(message)),
                    Ok(None) => break,
                    Err(error) => failed = Some(error),
                }
            }
        }
        let failed = failed.or_else(|| scanner.end().err());
        assert_eq!(json!(found), case["messages"]);
        assert_eq!(failed.as_ref().map(|error| (error.code.as_str(), error.at.unwrap())), wanted(case), "cut at {cut}");
    }
}

#[test]
fn every_case_holds() {
    let folder = root().join("spec/vectors/bridge");
    let mut executed: BTreeMap<String, usize> = BTreeMap::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let file = format!("bridge/{}", path.file_name().unwrap().to_string_lossy());
        let text = fs::read_to_string(&path).unwrap();
        let mut reader = serde_json::Deserializer::from_str(&text);
        reader.disable_recursion_limit();
        let topic: Json = serde::Deserialize::deserialize(&mut reader).unwrap();
        for case in topic["cases"].as_array().unwrap() {
            println!("{file}: {}", case["name"]);
            match case["kind"].as_str().unwrap() {
                "canonical" | "accepted" => accepted(case),
                "rejected" => rejected(case),
                "frames" => frames(case),
                other => panic!("{file}: unknown kind {other}"),
            }
            *executed.entry(file.clone()).or_default() += 1;
        }
    }
    let folder = root().join("build/executed");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rust-bridge.json"), format!("{:#}\n", json!({"vectors": executed}))).unwrap();
}
