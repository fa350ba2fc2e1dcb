//! Scanner and reader agree on every stream, whole, cut and damaged, and what they read is written again.

use proptest::collection::vec;
use proptest::prelude::*;
use samewire_core::{Code, Error, Limits};
use samewire_redis::{read, write_value, Build, Reader, Refusal, Scan, Scanner, Value};
use std::borrow::Cow;

/// Limits that short streams reach.
const TIGHT: Limits = Limits { depth: 3, frame_bytes: 90, items: 12, cells: 50, ..Limits::DEFAULT };

/// One element in all forms that the protocol has for it, as bytes: the writer knows the canonical ones only.
fn element() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        Just(b"_\r\n".to_vec()),
        Just(b"$-1\r\n".to_vec()),
        Just(b"*-1\r\n".to_vec()),
        any::<i64>().prop_map(|n| format!(":{n}\r\n").into_bytes()),
        (-1e9..1e9f64).prop_map(|n| format!(",{n}\r\n").into_bytes()),
        any::<bool>().prop_map(|b| if b { b"#t\r\n".to_vec() } else { b"#f\r\n".to_vec() }),
        "[0-9]{1,30}".prop_map(|n| format!("({n}\r\n").into_bytes()),
        "[ -~]{0,12}".prop_map(|t| format!("+{t}\r\n").into_bytes()),
        "[ -~]{0,12}".prop_map(|t| format!("-{t}\r\n").into_bytes()),
        vec(any::<u8>(), 0..120).prop_map(|t| blob(b'$', &t)),
        vec(any::<u8>(), 0..9).prop_map(|t| blob(b'!', &t)),
        vec(any::<u8>(), 0..9).prop_map(|t| blob(b'=', &[b"txt:", &t[..]].concat())),
        vec(vec(any::<u8>(), 1..9), 0..4).prop_map(|chunks| {
            let chunks: Vec<u8> = chunks.iter().flat_map(|chunk| blob(b';', chunk)).collect();
            [b"$?\r\n", &chunks[..], b";0\r\n"].concat()
        }),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            (prop::sample::select(b"*~".to_vec()), vec(inner.clone(), 0..5))
                .prop_map(|(kind, of)| counted(kind, 1, &of)),
            (prop::sample::select(b"*~".to_vec()), vec(inner.clone(), 0..5)).prop_map(|(kind, of)| open(kind, &of)),
            vec((inner.clone(), inner.clone()), 0..3).prop_map(|of| counted(b'%', 2, &pairs(of))),
            vec((inner.clone(), inner.clone()), 0..3).prop_map(|of| open(b'%', &pairs(of))),
            (vec((inner.clone(), inner.clone()), 0..3), inner).prop_map(|(of, value)| [
                counted(b'|', 2, &pairs(of)),
                value
            ]
            .concat()),
        ]
    })
}

fn pairs(of: Vec<(Vec<u8>, Vec<u8>)>) -> Vec<Vec<u8>> {
    of.into_iter().flat_map(|(key, value)| [key, value]).collect()
}

fn blob(kind: u8, text: &[u8]) -> Vec<u8> {
    [&[kind], text.len().to_string().as_bytes(), b"\r\n", text, b"\r\n"].concat()
}

fn counted(kind: u8, arity: usize, of: &[Vec<u8>]) -> Vec<u8> {
    [&[kind], (of.len() / arity).to_string().as_bytes(), b"\r\n", &of.concat()].concat()
}

fn open(kind: u8, of: &[Vec<u8>]) -> Vec<u8> {
    [&[kind][..], b"?\r\n", &of.concat(), b".\r\n"].concat()
}

/// What the stream holds, by a scanner that is shown it in pieces which end at `cuts`: lengths, and how it ends.
fn scanned(stream: &[u8], cuts: &[usize], limits: Limits) -> (Vec<usize>, Option<(Code, usize)>) {
    let mut scanner = Scanner::new(limits);
    let (mut from, mut lengths) = (0, Vec::new());
    for &cut in cuts.iter().chain([&stream.len()]) {
        loop {
            match scanner.scan(&stream[from..cut]) {
                Ok(Scan::Reply(length)) => {
                    lengths.push(length);
                    from += length;
                }
                Ok(Scan::More(more)) => {
                    assert!(more > 0);
                    break;
                }
                Err(Error { code, at, .. }) => {
                    assert!(scanner.scan(b"+OK\r\n").is_err(), "a dead scanner stays dead");
                    return (lengths, Some((code, at.unwrap())));
                }
            }
        }
    }
    (lengths, None)
}

/// As above, by readers alone.
fn walked(stream: &[u8], limits: &Limits) -> (Vec<usize>, Option<(Code, usize)>) {
    let (mut from, mut lengths) = (0, Vec::new());
    while from < stream.len() {
        match read(&stream[from..], limits) {
            Ok(_) => {
                lengths.push(stream.len() - from);
                return (lengths, None);
            }
            Err(error) if error.code == Code::Trailing => {
                lengths.push(error.at.unwrap());
                from += error.at.unwrap();
            }
            Err(error) if error.code == Code::Truncated => return (lengths, None),
            Err(error) => return (lengths, Some((error.code, from + error.at.unwrap()))),
        }
    }
    (lengths, None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agree_wherever_the_stream_is_cut(elements in vec(element(), 1..4), tight in any::<bool>()) {
        let limits = if tight { TIGHT } else { Limits::DEFAULT };
        let stream = elements.concat();
        let whole = scanned(&stream, &[], limits);
        prop_assert_eq!(&walked(&stream, &limits), &whole);
        if !tight {
            prop_assert_eq!(&whole, &(elements.iter().map(Vec::len).collect(), None));
        }
        for cut in 0..stream.len() {
            prop_assert_eq!(&scanned(&stream, &[cut], limits), &whole, "cut at {}", cut);
        }
        let every: Vec<usize> = (0..stream.len()).collect();
        prop_assert_eq!(&scanned(&stream, &every, limits), &whole);
    }

    #[test]
    fn agree_on_damaged_streams(
        element in element(), at in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3, tight in any::<bool>(),
    ) {
        let limits = if tight { TIGHT } else { Limits::DEFAULT };
        let mut stream = element;
        let at = at.index(stream.len());
        match how {
            0 => stream[at] = byte,
            1 => stream.insert(at, byte),
            _ => drop(stream.remove(at)),
        }
        let whole = scanned(&stream, &[], limits);
        prop_assert_eq!(&walked(&stream, &limits), &whole);
        let every: Vec<usize> = (0..stream.len()).collect();
        prop_assert_eq!(&scanned(&stream, &every, limits), &whole);
    }

    #[test]
    fn agree_on_anything(stream in vec(prop::sample::select(b"$*:+-,(#_%~>|=!?;.019tf\r\n".to_vec()), 0..40)) {
        let whole = scanned(&stream, &[], Limits::DEFAULT);
        prop_assert_eq!(&walked(&stream, &Limits::DEFAULT), &whole);
        let every: Vec<usize> = (0..stream.len()).collect();
        prop_assert_eq!(&scanned(&stream, &every, Limits::DEFAULT), &whole);
    }

    #[test]
    fn reads_what_it_writes(element in element()) {
        let value = read(&element, &Limits::DEFAULT).unwrap();
        let mut written = Vec::new();
        write_value(&value, &mut written);
        let mut again = Vec::new();
        let back = read(&written, &Limits::DEFAULT).unwrap();
        write_value(&back, &mut again);
        prop_assert_eq!(&written, &again);
        prop_assert_eq!(back, value);
    }
}

#[test]
fn allocates_nothing_for_elements_that_are_not_there() {
    struct Counts(usize);
    impl<'b> Build<'b> for Counts {
        type Value = ();
        type Open = ();
        type Error = ();
        fn null(&mut self) -> Result<(), ()> {
            Ok(())
        }
        fn integer(&mut self, _: i64) -> Result<(), ()> {
            Ok(())
        }
        fn double(&mut self, _: f64) -> Result<(), ()> {
            Ok(())
        }
        fn boolean(&mut self, _: bool) -> Result<(), ()> {
            Ok(())
        }
        fn big_number(&mut self, _: &[u8]) -> Result<(), ()> {
            Ok(())
        }
        fn simple(&mut self, _: &[u8]) -> Result<(), ()> {
            Ok(())
        }
        fn error(&mut self, _: &[u8]) -> Result<(), ()> {
            Ok(())
        }
        fn bulk(&mut self, _: &[u8]) -> Result<(), ()> {
            Ok(())
        }
        fn verbatim(&mut self, _: [u8; 3], _: &[u8]) -> Result<(), ()> {
            Ok(())
        }
        fn streamed(&mut self, _: samewire_redis::Chunks<'b>) -> Result<(), ()> {
            Ok(())
        }
        fn open(&mut self, _: samewire_redis::Aggregate, entries: Option<usize>) -> Result<(), ()> {
            self.0 += entries.unwrap_or(0);
            Ok(())
        }
        fn push(&mut self, (): &mut (), (): ()) -> Result<(), ()> {
            Ok(())
        }
        fn close(&mut self, (): ()) -> Result<(), ()> {
            Ok(())
        }
        fn attribute(&mut self, (): ()) -> Result<(), ()> {
            Ok(())
        }
    }
    let mut counts = Counts(0);
    let stream = b"*1000000\r\n*1000000\r\n*2\r\n";
    assert_eq!(Reader::new(stream, &Limits::DEFAULT).read(&mut counts), Err(Refusal::More));
    assert_eq!(counts.0, 0);
    // Counts inside one another share the bytes at hand.
    let stream = ["*100\r\n".repeat(60), "_\r\n".repeat(200)].concat();
    assert_eq!(Reader::new(stream.as_bytes(), &Limits::DEFAULT).read(&mut counts), Err(Refusal::More));
    assert!(counts.0 * 3 <= stream.len(), "{} elements of {} bytes", counts.0, stream.len());
    assert_eq!(Scanner::new(Limits::DEFAULT).scan(b"*2147483648\r\n").unwrap_err().code, Code::LimitItems);
}

#[test]
fn a_streamed_text_is_one_value() {
    let value = read(b"$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n", &Limits::DEFAULT).unwrap();
    assert_eq!(value, Value::Bulk(Cow::Borrowed(b"abc")));
}
