//! Texts in their three forms (`spec/pack.md` section 6): which is chosen, tokens, numbers, faults.

use samewire_pack::wire::{header, Message, Reader, Token, Writer};
use samewire_pack::{Any, Codec, Limits, Pack, Profile, Scratch};
use std::collections::BTreeMap;

/// The message of a row of texts, each at its dedup slot.
fn written(profile: Profile, texts: &[(usize, &str)]) -> Vec<u8> {
    let dedup_slots = texts.iter().map(|(slot, _)| slot + 1).max().unwrap_or(1);
    let mut writer = Writer::new();
    let mut out = Vec::new();
    writer.begin(&mut out, &Message { dedup_slots, profile, ..Message::default() });
    texts.iter().for_each(|(slot, text)| writer.str(*slot, text));
    writer.finish(&mut out).unwrap();
    out
}

/// The message of blocks and tokens made by hand.
fn message(refs: bool, latin: &[u8], wide: &[u8], utf8: &[u8], values: &[u8]) -> Vec<u8> {
    let mut out = vec![header::VERSION | if refs { header::REFS } else { 0 }];
    for (bit, unit, block) in [(header::TEXT, 1, latin), (header::WIDE, 2, wide), (header::UTF8, 1, utf8)] {
        if !block.is_empty() {
            out[0] |= bit;
            let length = block.len() / unit;
            if length >= 0x80 {
                out.push(length as u8 | 0x80);
                out.push((length >> 7) as u8);
            } else {
                out.push(length as u8);
            }
        }
    }
    [&out, latin, wide, utf8, values].concat()
}

/// The form of a text, what its block holds, and its token.
fn single(text: &str) -> (u8, usize, Vec<u8>) {
    let message = written(Profile::Compact, &[(0, text)]);
    let reader = Reader::new(&message, None, &Limits::DEFAULT).unwrap();
    let block = reader.latin_block().len() + reader.wide_block().len() + reader.utf8_block().len();
    (message[0] & !header::VERSION, block, message[reader.position()..].to_vec())
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_text_is_latin1_or_the_shorter_of_utf8_and_utf16() {
    for (text, bit, bytes) in [
        ("", 0, 0),
        ("a", header::TEXT, 1),
        ("ÿ", header::TEXT, 1),
        ("Ā", header::WIDE, 2),
        ("日", header::WIDE, 2),
        ("😀", header::WIDE, 4),
        // As long in both.
        ("привет", header::WIDE, 12),
        ("a日", header::WIDE, 4),
        ("aĀ", header::UTF8, 3),
        ("Ā\u{ff}a", header::UTF8, 5),
        ("привет, мир", header::UTF8, 20),
        ("ab日", header::UTF8, 5),
        ("a😀", header::UTF8, 5),
        ("日本語 text", header::UTF8, 14),
        ("日本語 tex", header::UTF8, 13),
        ("日本語 te", header::WIDE, 12),
    ] {
        let (bits, block, _) = single(text);
        assert_eq!((bits, block), (bit, bytes), "{text}");
    }
}

#[test]
fn tokens_at_every_border_of_length() {
    let token = |text: &str| single(text).2;
    for (n, bytes) in
        [(0, &[0x00][..]), (1, &[0x01]), (95, &[0x5f]), (96, &[0x60, 0]), (223, &[0x60, 127]), (224, &[0x60, 0x80, 1])]
    {
        assert_eq!(token(&"é".repeat(n)), bytes, "{n} characters");
    }
    for (n, bytes) in [
        (1, &[0x63][..]),
        (2, &[0x64]),
        (14, &[0x70]),
        (15, &[0x61, 0]),
        (47, &[0x61, 32]),
        (48, &[0x61, 33]),
        (142, &[0x61, 127]),
        (143, &[0x61, 0x80, 1]),
    ] {
        assert_eq!(token(&"日".repeat(n)), bytes, "{n} units");
    }
    for (n, bytes) in [
        (3, &[0x71][..]),
        (4, &[0x72]),
        (16, &[0x7e]),
        (17, &[0x7f, 0]),
        (95, &[0x7f, 78]),
        (96, &[0x7f, 79]),
        (144, &[0x7f, 127]),
        (145, &[0x7f, 0x80, 1]),
    ] {
        assert_eq!(token(&("Ā".to_owned() + &"a".repeat(n - 2))), bytes, "{n} bytes");
    }
}

/// Texts of each form around the borders of what is numbered, and whether each is.
fn around_the_borders() -> Vec<(String, bool)> {
    let latin = [0, 1, 2, 95, 96].map(|n| ("é".repeat(n), (2..=95).contains(&n)));
    let wide = [1, 2, 14, 15, 46, 47, 48].map(|n| ("日".repeat(n), n <= 47));
    let utf8 = [3, 16, 17, 95, 96].map(|n| ("Ā".to_owned() + &"a".repeat(n - 2), n <= 95));
    [&latin[..], &wide, &utf8].concat()
}

#[test]
fn texts_of_2_to_95_bytes_are_numbered_and_found_again() {
    let texts = around_the_borders();
    let twice: Vec<_> = texts.iter().chain(&texts).map(|(text, _)| (0, text.as_str())).collect();
    let bytes = written(Profile::Compact, &twice);
    let mut reader = Reader::new(&bytes, None, &Limits::DEFAULT).unwrap();
    let mut numbers = Vec::new();
    for (text, numbered) in &texts {
        let before = reader.texts();
        let token = reader.token().unwrap();
        let (told, form) = match token {
            Token::Latin1 { numbered, .. } => (numbered, "latin-1"),
            Token::Wide { numbered, .. } => (numbered, "utf-16"),
            Token::Utf8 { numbered, text: read } => {
                assert_eq!(read, text);
                (numbered, "utf-8")
            }
            Token::Back(_) => panic!("{text} is new"),
        };
        assert_eq!((told, reader.texts() - before), (*numbered, u32::from(*numbered)), "{form} {text}");
        numbers.push(before);
    }
    for ((text, numbered), number) in texts.iter().zip(numbers) {
        let token = reader.token().unwrap();
        assert_eq!(token == Token::Back(number), *numbered, "{text}");
    }
    reader.finish().unwrap();
    // Profile `fast` gives numbers too, and looks nothing up.
    let bytes = written(Profile::Fast, &twice);
    let mut reader = Reader::new(&bytes, None, &Limits::DEFAULT).unwrap();
    for _ in 0..2 * texts.len() {
        assert!(!matches!(reader.token(), Ok(Token::Back(_))));
    }
    assert_eq!(reader.texts() as usize, 2 * texts.iter().filter(|(_, numbered)| *numbered).count());
    reader.finish().unwrap();
}

/// Equal bytes in two blocks are not the same text.
#[test]
fn texts_of_equal_bytes_in_other_forms_are_others() {
    // 61 C4 80 as UTF-8; the same as Latin-1. 62 61 in Latin-1; the same as UTF-16.
    let texts = ["aĀ", "a\u{c4}\u{80}", "ba", "慢", "aĀ", "a\u{c4}\u{80}", "ba", "慢"];
    let bytes = written(Profile::Compact, &texts.map(|text| (0, text)));
    let codec = Codec::<(String, String, String, String, String, String, String, String)>::new();
    let read = codec.decode(&bytes).unwrap();
    assert_eq!([read.0, read.1, read.2, read.3, read.4, read.5, read.6, read.7], texts);
    assert_eq!(bytes[bytes.len() - 4..], [0x80, 0x81, 0x82, 0x83]);
}

fn failure(message: &[u8]) -> (&'static str, Option<usize>) {
    let error = Codec::<Vec<String>>::new().decode(message).unwrap_err();
    (error.code.as_str(), error.at)
}

#[test]
fn utf8_must_be_well_formed_in_each_text() {
    let faults: [&[u8]; 14] = [
        b"a\x80b",
        b"a\xc0\x80",
        b"a\xc1\xbf",
        b"a\xc3b",
        b"\xe0\x9f\xbf",
        b"\xe2\x82a",
        b"\xed\xa0\x80",
        b"\xed\xbf\xbf",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xff\xff\xff",
        b"\xf0\x9f\x98",
        b"ab\xc4",
    ];
    for fault in faults {
        let token = 0x71 + fault.len() as u8 - 3;
        let before = message(false, &[], &[], &[b"abc", fault].concat(), &[2, 0x71, token]);
        assert_eq!(failure(&before), ("bad_utf8", Some(before.len() - 1)), "{fault:x?}");
        let after = message(false, &[], &[], &[fault, b"abc"].concat(), &[2, token, 0x71]);
        assert_eq!(failure(&after), ("bad_utf8", Some(after.len() - 2)), "{fault:x?}");
    }
}

#[test]
fn a_text_that_ends_within_a_character_is_not_well_formed() {
    // The block is; its first text takes a byte of the second's.
    for (block, first, second) in [("ab日c", 3, 3), ("ab日c", 4, 3), ("a😀bc", 3, 4), ("a😀bc", 4, 3), ("abĀcd", 3, 3)]
    {
        let bytes = message(false, &[], &[], block.as_bytes(), &[2, 0x71 + first - 3, 0x71 + second - 3]);
        assert_eq!(failure(&bytes), ("bad_utf8", Some(bytes.len() - 2)), "{block} {first}");
    }
    // The length comes first, with a long token too.
    let short = message(false, &[], &[], b"\xffabc", &[1, 0x73]);
    assert_eq!(failure(&short), ("malformed", Some(short.len() - 1)));
    let short = message(false, &[], &[], &[0xff; 17], &[1, 0x7f, 1]);
    assert_eq!(failure(&short), ("malformed", Some(short.len() - 2)));
    let none = message(false, &[], &[], &[], &[1, 0x71]);
    assert_eq!(failure(&none), ("malformed", Some(none.len() - 1)));
}

#[test]
fn every_form_of_a_text_is_read() {
    let texts = |message: &[u8]| Codec::<Vec<String>>::new().decode(message).unwrap();
    assert_eq!(texts(&message(false, b"abc", &[], &[], &[1, 3])), ["abc"]);
    assert_eq!(texts(&message(false, &[], &wide("abc"), &[], &[1, 0x65])), ["abc"]);
    assert_eq!(texts(&message(false, &[], &[], b"abc", &[1, 0x71])), ["abc"]);
    assert_eq!(texts(&message(false, &[], &[], "日本語".as_bytes(), &[1, 0x71 + 6])), ["日本語"]);
    let long = "é日".repeat(40);
    assert_eq!(texts(&message(false, &[], &[], long.as_bytes(), &[1, 0x7f, 0x80 + 55, 1])), [long]);
    // The same key in two forms, and as a reference to the other, is a repeated one.
    let two = message(false, b"abc", &[], b"abc", &[2, 3, 0x71]);
    let keys = Codec::<std::collections::BTreeSet<String>>::new();
    let error = keys.decode(&two).unwrap_err();
    assert_eq!((error.code.as_str(), error.at), ("malformed", Some(two.len() - 3)));
    let wide_too = message(true, &[], &wide("abc"), b"abc", &[2, 0x71, 0x65]);
    assert_eq!(keys.decode(&wide_too).unwrap_err().code.as_str(), "malformed");
}

#[test]
fn unused_bytes_are_found_in_the_order_of_the_blocks() {
    let [latin, two, utf8] = [&b"ab"[..], &wide("日"), "aĀ".as_bytes()].map(<[u8]>::to_vec);
    for (values, block) in [(&[0][..], 0), (&[1, 2], 1), (&[2, 2, 0x63], 2)] {
        let bytes = message(false, &latin, &two, &utf8, values);
        let start = bytes.len() - values.len() - utf8.len() - two.len() - latin.len();
        let at = [start, start + 2, start + 4][block];
        assert_eq!(failure(&bytes), ("malformed", Some(at)), "{values:x?}");
    }
    let bytes = message(false, &latin, &two, &utf8, &[3, 2, 0x63, 0x71, 0]);
    assert_eq!(failure(&bytes), ("trailing", Some(bytes.len() - 1)));
    let bytes = message(false, &latin, &two, &utf8, &[3, 2, 0x63, 0x71]);
    assert_eq!(Codec::<Vec<String>>::new().decode(&bytes).unwrap(), ["ab", "日", "aĀ"]);
}

#[test]
fn what_stands_before_the_values_is_checked_in_order() {
    let fails = |bytes: &[u8]| failure(bytes);
    assert_eq!(fails(&[0x40, 0]), ("unsupported", Some(0)));
    assert_eq!(fails(&[0x80 | header::DIGEST | header::CHECK, 0]), ("malformed", Some(0)));
    assert_eq!(fails(&[0x80 | header::UTF8, 0, 0]), ("malformed", Some(1)));
    assert_eq!(fails(&[0x80 | header::UTF8, 3, b'a', b'b']), ("truncated", Some(4)));
    assert_eq!(fails(&[0x80 | header::CHECK, 1]), ("truncated", Some(2)));
    let codec = Codec::<Vec<String>>::new();
    let [first, second, ..] = codec.schema().digest().to_be_bytes();
    assert_eq!(codec.decode(&[0x80 | header::CHECK, first, second, 0]), Ok(vec![]));
    assert_eq!(fails(&[0x80 | header::CHECK, first, second ^ 1, 0]), ("schema_mismatch", Some(1)));
    // All blocks count against the limit, in order, before they are looked for.
    let limited = codec.limits(Limits { text_bytes: 7, ..Limits::DEFAULT });
    let all = header::VERSION | header::TEXT | header::WIDE | header::UTF8;
    for (lengths, at) in [([8, 1, 1], 1), ([4, 2, 1], 2), ([2, 1, 4], 3)] {
        let error = limited.decode(&[&[all][..], &lengths].concat()).unwrap_err();
        assert_eq!((error.code.as_str(), error.at), ("limit_size", Some(at)));
    }
    let error = limited.decode(&[all, 2, 1, 3]).unwrap_err();
    assert_eq!(error.code.as_str(), "truncated");
}

#[derive(Pack, PartialEq, Debug, Clone)]
struct Row<'a> {
    name: &'a str,
    note: Option<String>,
    tags: Vec<String>,
    names: BTreeMap<String, u8>,
    any: Any,
}

fn rows(texts: &[(String, bool)], n: usize) -> Vec<Row<'_>> {
    (0..n)
        .map(|i| {
            let at = |step: usize| texts[(i * step + i / 3) % texts.len()].0.as_str();
            Row {
                name: at(1),
                note: (i % 4 != 0).then(|| format!("{}{}", at(5), i % 9)),
                tags: (0..i % 3).map(|k| at(k + 2).into()).collect(),
                names: (0..i % 4).map(|k| (format!("{k}{}", at(3)), k as u8)).collect(),
                any: Any::List(vec![Any::String(at(7).into()), Any::String(at(1).into())]),
            }
        })
        .collect()
}

#[test]
fn values_with_texts_of_all_forms_come_back() {
    let texts = around_the_borders();
    // Rows, and columns (fewer than 64 are never columns).
    for n in [0, 1, 20, 63, 64, 100, 300] {
        let value = rows(&texts, n);
        for profile in [Profile::Compact, Profile::Fast] {
            let codec = Codec::<Vec<Row>>::new().profile(profile);
            let bytes = codec.encode(&value).unwrap();
            let mut scratch = Scratch::new();
            assert_eq!(codec.decode_borrowed(&bytes, &mut scratch).unwrap(), value, "{n}");
            let pieces = codec.encode_chunks(&value, 1000).unwrap();
            assert_eq!(pieces.iter().collect::<Vec<_>>().concat(), bytes);
            // A reader that lacks most of it, and one that is cut anywhere.
            let less = Codec::<Vec<Less>>::new().resolve(codec.schema().text()).unwrap();
            let notes: Vec<_> = value.iter().map(|row| Less { note: row.note.clone() }).collect();
            assert_eq!(less.decode(&bytes).unwrap(), notes, "{n}");
            for cut in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
                let mut scratch = Scratch::new();
                assert!(codec.decode_borrowed(&bytes[..cut], &mut scratch).is_err());
            }
        }
    }
}

#[derive(Pack, PartialEq, Debug)]
#[pack(name = "Row")]
struct Less {
    note: Option<String>,
}

#[test]
fn a_text_in_utf8_is_borrowed_from_the_message() {
    let codec = Codec::<Vec<&str>>::new();
    let bytes = codec.encode(&vec!["Łódź", "plain", "Łódź"]).unwrap();
    let mut scratch = Scratch::new();
    let texts = codec.decode_borrowed(&bytes, &mut scratch).unwrap();
    assert_eq!(texts, ["Łódź", "plain", "Łódź"]);
    for text in texts {
        assert!(bytes.as_ptr_range().contains(&text.as_ptr()));
    }
}

#[test]
fn a_message_of_utf8_is_given_up_when_it_is_too_long() {
    let limits = Limits { frame_bytes: 1000, ..Limits::DEFAULT };
    let codec = Codec::<Vec<String>>::new().limits(limits);
    let text = "Ā".to_owned() + &"a".repeat(98);
    assert!(codec.encode(&vec![text.clone(); 9]).is_ok());
    for n in [10, 1000] {
        assert_eq!(codec.encode(&vec![text.clone(); n]).unwrap_err().code.as_str(), "limit_size");
    }
}
