//! Types of Rust's library: each is the same schema and bytes as the type that it is written as.

use samewire_pack::{BigInt, Bytes, Code, Codec, Error, Pack, Profile, Timestamp, Unpack};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI128, NonZeroI8, NonZeroU32, NonZeroU8, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Pack, PartialEq, Debug, Clone)]
struct Row<T> {
    value: T,
    maybe: Option<T>,
}

fn rows<T: Clone>(values: &[T]) -> Vec<Row<T>> {
    let row = |i: usize| Row {
        value: values[i % values.len()].clone(),
        maybe: (i % 3 > 0).then(|| values[i % values.len()].clone()),
    };
    (0..100).map(row).collect()
}

fn same<T, W>(values: &[T], written: &[W])
where
    T: Pack + for<'a> Unpack<'a> + PartialEq + Debug + Clone,
    W: Pack + Clone,
{
    fn agree<T, W>(value: &T, written: &W)
    where
        T: Pack + for<'a> Unpack<'a> + PartialEq + Debug,
        W: Pack,
    {
        for profile in [Profile::Fast, Profile::Compact] {
            let codec = Codec::<T>::new().profile(profile);
            let bytes = codec.encode(value).unwrap();
            assert_eq!(bytes, Codec::<W>::new().profile(profile).encode(written).unwrap());
            assert_eq!(&codec.decode(&bytes).unwrap(), value);
            assert_eq!(&codec.resolve(codec.schema().text()).unwrap().decode(&bytes).unwrap(), value);
        }
    }
    for (value, written) in values.iter().zip(written) {
        agree(value, written);
    }
    agree(&values.to_vec(), &written.to_vec());
    agree(&rows(values), &rows(written));
}

/// What a reader of `T` says of a value that is written as `W`.
fn refused<T: Pack + for<'a> Unpack<'a> + Debug, W: Pack>(value: W) -> Error {
    let message = Codec::<W>::new().encode(&value).unwrap();
    Codec::<T>::new().decode(&message).unwrap_err()
}

#[track_caller]
fn says<T: Pack + for<'a> Unpack<'a> + Debug + Clone, W: Pack + Clone>(good: &W, bad: &W, code: Code, text: &str) {
    let row = |value: &W| Row { value: value.clone(), maybe: None };
    let error = refused::<Row<T>, _>(row(bad));
    assert_eq!((error.code, error.path.as_deref(), &*error.text), (code, Some("$.value"), text));
    // In rows, in columns.
    let error = refused::<Vec<T>, _>(vec![good.clone(), bad.clone()]);
    assert_eq!((error.code, error.path.as_deref(), &*error.text), (code, Some("$[1]"), text));
    let mut many: Vec<Row<W>> = (0..100).map(|_| row(good)).collect();
    many[7] = row(bad);
    let error = refused::<Vec<Row<T>>, _>(many);
    assert_eq!((error.code, &*error.text), (code, text));
}

/// A deque whose elements lie in two pieces of memory.
fn in_two_pieces<T>(values: impl IntoIterator<Item = T>) -> VecDeque<T> {
    let mut deque = VecDeque::with_capacity(256);
    for (i, value) in values.into_iter().enumerate() {
        if i % 2 == 0 {
            deque.push_back(value);
        } else {
            deque.push_front(value);
        }
    }
    assert!(!deque.as_slices().1.is_empty());
    deque
}

#[test]
fn deques_are_lists() {
    let turned = in_two_pieces(0..40);
    let deques = [turned, VecDeque::new(), (3..9).collect()];
    same(&deques, &deques.clone().map(Vec::from));
    // Of structs, as columns.
    let turned = in_two_pieces(rows(&["a".to_owned(), "é".into()]));
    let list = Vec::from(turned.clone());
    same(&[turned], &[list]);
}

#[test]
fn arrays_are_lists_of_their_length() {
    same(&[[1i64, -2, 3], [4, 5, 6]], &[vec![1i64, -2, 3], vec![4, 5, 6]]);
    same(&[["a".to_owned(), "b".into()]], &[vec!["a".to_owned(), "b".into()]]);
    same::<[i32; 0], Vec<i32>>(&[[]], &[vec![]]);
    let pair = [[1.5f64, 2.5], [3.5, 4.5]];
    same(&[pair], &[pair.map(Vec::from).to_vec()]);
    assert_eq!(Codec::<[i32; 3]>::new().schema().text(), "list<i32>");
}

#[test]
fn arrays_refuse_another_length() {
    let text = "expected a list of 3 for an array of 3, got one of 2";
    says::<[i32; 3], _>(&vec![1, 2, 3], &vec![1, 2], Code::TypeMismatch, text);
    let text = "expected a list of 0 for an array of 0, got one of 1";
    says::<[String; 0], _>(&vec![], &vec!["a".to_owned()], Code::TypeMismatch, text);
}

#[test]
fn arrays_of_u8_are_bytes() {
    same(&[[1u8, 2, 3], [255, 0, 7]], &[Bytes(vec![1, 2, 3]), Bytes(vec![255, 0, 7])]);
    assert_eq!(Codec::<[[u8; 2]; 3]>::new().schema().text(), "list<bytes>");
    let (good, bad) = (Bytes(vec![1, 2, 3]), Bytes(vec![1]));
    says::<[u8; 3], _>(&good, &bad, Code::TypeMismatch, "expected 3 bytes for [u8; 3], got 1");
}

#[test]
fn shared_texts_and_slices_are_texts_and_lists() {
    let texts: [&str; 3] = ["", "Carrie", "日本"];
    let owned = texts.map(str::to_owned);
    same(&texts.map(Rc::<str>::from), &owned);
    same(&texts.map(Arc::<str>::from), &owned);
    same(&texts.map(Box::<str>::from), &owned);
    same(&[Rc::<[i32]>::from([1, 2])], &[vec![1, 2]]);
    same(&[Arc::<[i32]>::from([1, 2])], &[vec![1, 2]]);
    let keyed: HashMap<Arc<str>, u8> = [("b".into(), 1), ("a".into(), 2)].into();
    let tree = BTreeMap::from_iter(keyed.clone());
    same(&[keyed], &[tree]);
}

#[test]
fn characters_are_texts() {
    let chars = ['a', '\u{e9}', '\u{65e5}', '\u{1f600}', '\0'];
    same(&chars, &chars.map(String::from));
    let text = "expected a text of one character for char, got 3 that begin with \"abc\"";
    says::<char, _>(&"a".to_owned(), &"abc".to_owned(), Code::TypeMismatch, text);
    let text = "expected a text of one character for char, got an empty one";
    says::<char, _>(&"a".to_owned(), &String::new(), Code::TypeMismatch, text);
    let keyed: HashMap<char, u8> = [('\u{1f600}', 1), ('\u{ffff}', 2), ('a', 3)].into();
    let named: HashMap<String, u8> = keyed.iter().map(|(key, value)| (key.to_string(), *value)).collect();
    same(&[keyed], &[named]);
}

#[test]
fn integers_that_are_not_zero() {
    same(&[NonZeroU32::MIN, NonZeroU32::MAX], &[1u32, u32::MAX]);
    same(&[NonZeroI8::MIN, NonZeroI8::MAX], &[i8::MIN, i8::MAX]);
    same(&[NonZeroUsize::MIN], &[1u64]);
    same(&[NonZeroI128::MIN], &[i128::MIN]);
    says::<NonZeroU32, _>(&5u32, &0, Code::BadNumber, "expected another number than 0 for NonZeroU32, got 0");
    says::<NonZeroU8, _>(&5u8, &0, Code::BadNumber, "expected another number than 0 for NonZeroU8, got 0");
}

#[test]
fn integers_of_128_bits_are_bigints() {
    let signed = [0, 1, -1, i128::MAX, i128::MIN, 1 << 64];
    same(&signed, &signed.map(BigInt::from));
    let unsigned = [0, 1, 255, 1 << 127, u128::MAX, (1 << 127) - 1];
    same(&unsigned, &unsigned.map(|n| n.to_string().parse::<BigInt>().unwrap()));
    let big = |text: &str| text.parse::<BigInt>().unwrap();
    let text = "-1 is out of range for u128 (0 to 340282366920938463463374607431768211455)";
    says::<u128, _>(&big("1"), &big("-1"), Code::TypeMismatch, text);
    let text = "340282366920938463463374607431768211456 is out of range for u128 (0 to 340282366920938463463374607431768211455)";
    says::<u128, _>(&big("1"), &big("340282366920938463463374607431768211456"), Code::TypeMismatch, text);
    let text = "an integer of 416 bytes is out of range for i128";
    says::<i128, _>(&big("1"), &big(&"9".repeat(1000)), Code::TypeMismatch, text);
}

#[test]
fn paths_are_texts() {
    let texts = ["/srv/books", "a/b", "", "été"];
    same(&texts.map(PathBuf::from), &texts.map(str::to_owned));
    let borrowed = Codec::<&Path>::new().encode(&Path::new("a/b")).unwrap();
    assert_eq!(Codec::<String>::new().decode(&borrowed).unwrap(), "a/b");
}

#[test]
fn structs_of_one_field_are_keys() {
    #[derive(Pack, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Clone)]
    struct Id(String);
    #[derive(Pack, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Clone)]
    struct Number<T>(T);
    // Not a key, since what it holds is none: nobody asks.
    #[derive(Pack, PartialEq, Debug, Clone)]
    struct Weight(f64);
    let texts = ["b", "a", "\u{ffff}", "\u{1f600}"].map(str::to_owned);
    let keyed: HashMap<Id, i32> = texts.iter().cloned().map(Id).zip(0..).collect();
    let named: HashMap<String, i32> = texts.iter().cloned().zip(0..).collect();
    same(&[BTreeMap::from_iter(keyed.clone())], &[BTreeMap::from_iter(named.clone())]);
    same(&[keyed], &[named]);
    let numbers = BTreeSet::from([3u8, 1, 2]);
    same(&[numbers.iter().copied().map(Number).collect::<BTreeSet<_>>()], &[numbers]);
    same(&[Weight(1.5)], &[1.5f64]);
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_utf8_are_refused() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let path = PathBuf::from(OsString::from_vec(b"/srv/\xff".to_vec()));
    let expected = "expected a path of valid UTF-8, got \"/srv/\u{fffd}\": write its bytes by a converter";
    let error = Codec::<Row<PathBuf>>::new().encode(&Row { value: path.clone(), maybe: None }).unwrap_err();
    assert_eq!((error.code, error.path.as_deref(), &*error.text), (Code::TypeMismatch, Some("$.value"), expected));
    let error = Codec::<Vec<PathBuf>>::new().encode(&vec!["a".into(), path]).unwrap_err();
    assert_eq!((error.code, error.path.as_deref(), &*error.text), (Code::TypeMismatch, Some("$[1]"), expected));
}

#[test]
fn addresses_are_texts() {
    let v4 = [Ipv4Addr::LOCALHOST, Ipv4Addr::new(10, 0, 0, 1)];
    let v6 = [Ipv6Addr::LOCALHOST, "2001:db8::1".parse().unwrap()];
    let any = [IpAddr::V4(v4[0]), IpAddr::V6(v6[1])];
    same(&v4, &v4.map(|address| address.to_string()));
    same(&v6, &v6.map(|address| address.to_string()));
    same(&any, &any.map(|address| address.to_string()));
    let sockets = ["127.0.0.1:80", "[::1]:443"].map(|text| text.parse::<SocketAddr>().unwrap());
    same(&sockets, &sockets.map(|address| address.to_string()));
    let keyed: HashMap<IpAddr, u8> = [(any[1], 1), (any[0], 2)].into();
    let named: HashMap<String, u8> = keyed.iter().map(|(key, value)| (key.to_string(), *value)).collect();
    same(&[keyed], &[named]);
    let (good, bad) = ("::1".to_owned(), "localhost".to_owned());
    says::<IpAddr, _>(&good, &bad, Code::TypeMismatch, "expected the text of an IP address, got \"localhost\"");
    let good = "127.0.0.1".to_owned();
    says::<Ipv4Addr, _>(&good, &"::1".into(), Code::TypeMismatch, "expected the text of an IPv4 address, got \"::1\"");
}

#[test]
fn system_times_are_timestamps() {
    let times = [
        UNIX_EPOCH,
        UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_700),
        UNIX_EPOCH - Duration::new(5, 100),
        UNIX_EPOCH - Duration::new(62_000_000_000, 0),
    ];
    same(&times, &times.map(|time| Timestamp::try_from(time).unwrap()));
    let later = UNIX_EPOCH + Duration::from_secs(1 << 40);
    let error = Codec::<SystemTime>::new().encode(&later).unwrap_err();
    assert_eq!((error.code, &*error.text), (Code::TypeMismatch, "a timestamp lies in the years 1 to 9999"));
}

#[test]
fn values_of_variants() {
    #[derive(Pack, PartialEq, Debug, Clone)]
    enum Value {
        Letter(char),
        Large(u128),
        Small(usize),
        Queue(VecDeque<i32>),
    }
    let codec = Codec::<Vec<Value>>::new();
    let values = vec![Value::Letter('a'), Value::Large(u128::MAX), Value::Small(7), Value::Queue([1].into())];
    assert_eq!(codec.decode(&codec.encode(&values).unwrap()).unwrap(), values);
}
