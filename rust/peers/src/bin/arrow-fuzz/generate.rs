//! Arrays for types, each in one of the Arrow formats that may hold it.

use crate::arrays::Array;
use crate::types::{Type, SYMBOLS};
use samewire_peers::random::Random;

const TEXTS: [&str; 9] = ["", "a", "a", "exactly 12 b", "a text of more than twelve", "é", "日本語", "😀", "BUY"];
const INTEGERS: [(&str, usize); 8] = [("c", 1), ("s", 2), ("i", 4), ("l", 8), ("C", 1), ("S", 2), ("I", 4), ("L", 8)];

/// So many values of a type, behind an offset.
pub fn array(ty: &Type, name: &str, count: usize, random: &mut Random) -> Array {
    let offset = if random.once_in(4) { random.below(4) } else { 0 };
    let mut made = whole(ty, count + offset, random);
    made.name = name.into();
    made.offset = offset as i64;
    made.length = count as i64;
    made
}

fn whole(ty: &Type, count: usize, random: &mut Random) -> Array {
    if let Type::Option(inner) = ty {
        if random.once_in(12) {
            return Array { format: "n".into(), null_count: count as i64, ..Array::default() };
        }
        let mut made = whole(inner, count, random);
        // Nulls of a union are its members'; a dictionary's may be its values'.
        if !made.format.starts_with("+u") {
            made.buffers[0] = Some(bits(count, random));
            made.null_count = -1;
        }
        return made;
    }
    match ty {
        Type::Leaf(_) | Type::Enum(_) => leaf(ty, count, random),
        Type::List(item) => list(item, count, random),
        Type::Set(key) => list(key, count, random),
        Type::Map(key, value) => map(key, value, count, random),
        Type::Tuple(parts) | Type::Struct(_, parts) => structure(parts, count, random),
        Type::Union(members) => union(members, count, random),
        Type::Option(_) => Array::default(),
    }
}

fn bits(count: usize, random: &mut Random) -> Vec<u8> {
    (0..count.div_ceil(8)).map(|_| random.byte() | random.byte()).collect()
}

fn of(format: &str, buffers: Vec<Vec<u8>>) -> Array {
    let buffers = std::iter::once(None).chain(buffers.into_iter().map(Some)).collect();
    Array { format: format.into(), buffers, ..Array::default() }
}

/// Values of so many bytes each, little-endian.
fn numbers(format: &str, size: usize, count: usize, mut next: impl FnMut() -> i128) -> Array {
    let mut bytes = Vec::new();
    for _ in 0..count {
        let value = next();
        let low = value.to_le_bytes();
        bytes.extend_from_slice(&low[..size.min(16)]);
        bytes.resize(bytes.len() + size.saturating_sub(16), if value < 0 { 0xff } else { 0 });
    }
    of(format, vec![bytes])
}

fn leaf(ty: &Type, count: usize, random: &mut Random) -> Array {
    if random.once_in(5) {
        let values = 1 + random.below(5);
        let mut held = plain(ty, values, random);
        held.length = values as i64;
        if random.once_in(6) {
            held.buffers[0] = Some(vec![0xff]);
            held.null_count = -1;
        }
        let (format, size) = *random.pick(&INTEGERS);
        let mut made = numbers(format, size, count, || random.below(values) as i128);
        made.dictionary = Some(Box::new(held));
        return made;
    }
    plain(ty, count, random)
}

fn plain(ty: &Type, count: usize, random: &mut Random) -> Array {
    let Type::Leaf(word) = ty else {
        let made: Vec<&str> = (0..count).map(|_| *random.pick::<&str>(&SYMBOLS)).collect();
        return texts(["u", "U", "vu"][random.below(3)], made.iter().map(|text| text.as_bytes().to_vec()).collect());
    };
    match *word {
        "bool" => of("b", vec![bits(count, random)]),
        "f32" | "f64" if random.once_in(2) => {
            let (format, size) = *random.pick(&[("f", 4), ("g", 8)]);
            numbers(format, size, count, || i128::from(random.bits()))
        }
        "decimal" => {
            let (format, size) = *random.pick(&[("d:38,2", 16), ("d:76,4,256", 32), ("d:38,-3", 16)]);
            numbers(format, size, count, || random.below(1000) as i128 - 500)
        }
        "string" => {
            let made = (0..count).map(|_| random.pick::<&str>(&TEXTS).as_bytes().to_vec()).collect();
            texts(["u", "U", "vu"][random.below(3)], made)
        }
        "bytes" if random.once_in(4) => of("w:3", vec![(0..3 * count).map(|_| random.byte()).collect()]),
        "bytes" => {
            let made = (0..count).map(|_| vec![random.byte(); random.below(20)]).collect();
            texts(["z", "Z", "vz"][random.below(3)], made)
        }
        "uuid" if random.once_in(3) => texts("u", vec![b"0f8fad5b-d9cb-469f-a165-70867728950e".to_vec(); count]),
        "uuid" => of("w:16", vec![(0..16 * count).map(|_| random.byte()).collect()]),
        "date" if random.once_in(2) => numbers("tdm", 8, count, || random.below(90_000) as i128 * 86_400_000),
        "date" => numbers("tdD", 4, count, || random.below(90_000) as i128),
        "time" | "timestamp" | "duration" => {
            let unit = ["s", "m", "u", "n"][random.below(4)];
            let (format, size) = match *word {
                "time" => (format!("tt{unit}"), if unit == "s" || unit == "m" { 4 } else { 8 }),
                "timestamp" => (format!("ts{unit}:UTC"), 8),
                _ => (format!("tD{unit}"), 8),
            };
            numbers(&format, size, count, || random.below(80_000) as i128)
        }
        _ => {
            let big = random.once_in(5);
            let (format, size) = if big { ("d:38,0", 16) } else { *random.pick(&INTEGERS) };
            numbers(format, size, count, || random.below(120) as i128)
        }
    }
}

fn ends(lengths: impl Iterator<Item = usize>, wide: bool) -> Vec<u8> {
    let (mut end, mut out) = (0, Vec::new());
    let mut add = |end: usize| match wide {
        true => out.extend_from_slice(&(end as i64).to_le_bytes()),
        false => out.extend_from_slice(&(end as i32).to_le_bytes()),
    };
    add(0);
    for length in lengths {
        end += length;
        add(end);
    }
    out
}

fn texts(format: &str, texts: Vec<Vec<u8>>) -> Array {
    let lengths = texts.iter().map(Vec::len);
    if !format.starts_with('v') {
        return of(format, vec![ends(lengths, matches!(format, "U" | "Z")), texts.concat()]);
    }
    let (mut views, mut long) = (Vec::new(), Vec::new());
    for text in texts {
        let mut view = (text.len() as i32).to_le_bytes().to_vec();
        if text.len() <= 12 {
            view.extend_from_slice(&text);
            view.resize(16, 0);
        } else {
            view.extend_from_slice(&text[..4]);
            view.extend_from_slice(&0i32.to_le_bytes());
            view.extend_from_slice(&(long.len() as i32).to_le_bytes());
            long.extend_from_slice(&text);
        }
        views.extend(view);
    }
    let sizes = (long.len() as i64).to_le_bytes().to_vec();
    of(format, vec![views, long, sizes])
}

/// A list in each of its formats, around an array of all its elements.
fn lists(count: usize, random: &mut Random, child: impl Fn(usize, &mut Random) -> Array) -> Array {
    let format = *random.pick(&["+l", "+L", "+vl", "+vL", "+w:2"]);
    let lengths: Vec<usize> = (0..count).map(|_| random.below(4)).collect();
    let total = lengths.iter().sum();
    let mut made = match format {
        "+w:2" => of(format, Vec::new()),
        "+l" | "+L" => of(format, vec![ends(lengths.iter().copied(), format == "+L")]),
        _ => {
            let (mut at, mut starts) = (0, Vec::new());
            for length in &lengths {
                starts.push(at as i128);
                at += length;
            }
            let size = if format == "+vl" { 4 } else { 8 };
            let (mut starts, mut sizes) = (starts.into_iter(), lengths.iter());
            let starts = numbers("", size, count, || starts.next().unwrap_or(0));
            let sizes = numbers("", size, count, || sizes.next().copied().unwrap_or(0) as i128);
            of(
                format,
                vec![starts.buffers[1].clone().unwrap_or_default(), sizes.buffers[1].clone().unwrap_or_default()],
            )
        }
    };
    made.children = vec![Some(child(if format == "+w:2" { 2 * count } else { total }, random))];
    made
}

fn list(item: &Type, count: usize, random: &mut Random) -> Array {
    lists(count, random, |count, random| array(item, "item", count, random))
}

fn map(key: &Type, value: &Type, count: usize, random: &mut Random) -> Array {
    let entries = |count: usize, random: &mut Random| {
        let mut entries = of("+s", Vec::new());
        entries.length = count as i64;
        entries.children = vec![Some(array(key, "key", count, random)), Some(array(value, "value", count, random))];
        entries
    };
    let mut made = lists(count, random, entries);
    if made.format == "+l" && random.once_in(2) {
        made.format = "+m".into();
    }
    made
}

fn structure(fields: &[Type], count: usize, random: &mut Random) -> Array {
    let mut made = of("+s", Vec::new());
    let fields = fields.iter().enumerate();
    made.children = fields.map(|(i, ty)| Some(array(ty, &format!("f{i}"), count, random))).collect();
    made
}

fn union(members: &[(usize, Vec<Type>)], count: usize, random: &mut Random) -> Array {
    let dense = random.once_in(2);
    let ids: Vec<usize> = (0..members.len()).map(|i| 5 * i).collect();
    let chosen: Vec<usize> = (0..count).map(|_| random.below(members.len())).collect();
    let mut taken = vec![0; members.len()];
    let mut places = Vec::new();
    for &member in &chosen {
        places.extend_from_slice(&(taken[member] as i32).to_le_bytes());
        taken[member] += 1;
    }
    let listed: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let mut made = of(&format!("+u{}:{}", if dense { "d" } else { "s" }, listed.join(",")), Vec::new());
    made.buffers = vec![Some(chosen.iter().map(|&member| ids[member] as u8).collect())];
    if dense {
        made.buffers.push(Some(places));
    }
    for (i, (number, fields)) in members.iter().enumerate() {
        let mut child = structure(fields, if dense { taken[i] } else { count }, random);
        child.name = format!("S{number}");
        child.length = if dense { taken[i] } else { count } as i64;
        made.children.push(Some(child));
    }
    made
}

/// Makes every buffer as long as its array says, which is what a producer answers for. Where that is too long to be
/// made there is none.
pub fn settle(array: &mut Array, random: &mut Random) {
    array.children.iter_mut().flatten().for_each(|child| settle(child, random));
    if let Some(dictionary) = &mut array.dictionary {
        settle(dictionary, random);
    }
    let end = array.offset.checked_add(array.length).filter(|_| array.offset >= 0 && array.length >= 0);
    let end = end.and_then(|end| usize::try_from(end).ok());
    let format = array.format.clone();
    let count = array.buffers.len();
    let bits = end.map(|end| end.div_ceil(8));
    let each = |size: usize| end.and_then(|end| end.checked_mul(size));
    if format.starts_with("+u") {
        let dense = format.starts_with("+ud");
        let first = count.saturating_sub(1 + usize::from(dense));
        claim(array, first, each(1), random);
        if dense {
            claim(array, first + 1, each(4), random);
        }
        return;
    }
    claim(array, 0, bits, random);
    match format.as_str() {
        "b" => claim(array, 1, bits, random),
        "u" | "z" | "U" | "Z" => {
            let size = if matches!(format.as_str(), "u" | "z") { 4 } else { 8 };
            claim(array, 1, end.and_then(|end| end.checked_add(1)?.checked_mul(size)), random);
            let last = last_end(array, size, random);
            claim(array, 2, Some(last), random);
        }
        "vu" | "vz" => {
            claim(array, 1, each(16), random);
            if count >= 3 {
                claim(array, count - 1, Some(8 * (count - 3)), random);
                let lengths: Vec<usize> =
                    (2..count - 1).map(|i| array.buffers[i].as_ref().map_or(0, Vec::len)).collect();
                if let Some(sizes) = &mut array.buffers[count - 1] {
                    for (i, &length) in lengths.iter().enumerate() {
                        let said = i64::from_le_bytes(sizes[8 * i..8 * i + 8].try_into().unwrap_or_default());
                        sizes[8 * i..8 * i + 8].copy_from_slice(&said.min(length as i64).to_le_bytes());
                    }
                }
            }
        }
        "+l" | "+m" => claim(array, 1, end.and_then(|end| end.checked_add(1)?.checked_mul(4)), random),
        "+L" => claim(array, 1, end.and_then(|end| end.checked_add(1)?.checked_mul(8)), random),
        "+vl" | "+vL" => {
            let size = if format == "+vl" { 4 } else { 8 };
            claim(array, 1, each(size), random);
            claim(array, 2, each(size), random);
        }
        "n" => {}
        _ => claim(array, 1, each(width(&format)), random),
    }
}

/// The bytes of one value; more than there may be, where nothing is known.
fn width(format: &str) -> usize {
    match format {
        "c" | "C" => 1,
        "s" | "S" => 2,
        "i" | "I" | "f" | "tdD" | "tts" | "ttm" => 4,
        _ if format.starts_with("d:") => {
            if format.ends_with(",256") {
                32
            } else {
                16
            }
        }
        _ if format.starts_with("w:") => format[2..].parse().unwrap_or(0),
        _ if format.starts_with('+') => 0,
        _ => 8,
    }
}

fn claim(array: &mut Array, buffer: usize, length: Option<usize>, random: &mut Random) {
    let Some(place) = array.buffers.get_mut(buffer) else { return };
    match (length.filter(|&length| length <= crate::guarded::SLOT), place.as_mut()) {
        (_, None) => {}
        (Some(length), Some(bytes)) => {
            let fill = *random.pick(&[0, 0, 1, 0xff]);
            bytes.resize(length, fill);
        }
        (None, _) => *place = None,
    }
}

/// The last end of texts; one that says more than can be made says less then.
fn last_end(array: &mut Array, size: usize, random: &mut Random) -> usize {
    let Some(Some(ends)) = array.buffers.get_mut(1) else { return 0 };
    let Some(at) = ends.len().checked_sub(size) else { return 0 };
    let mut wide = [0; 8];
    wide[..size].copy_from_slice(&ends[at..]);
    let last = if size == 4 {
        i64::from(i32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]))
    } else {
        i64::from_le_bytes(wide)
    };
    if last <= crate::guarded::SLOT as i64 {
        return usize::try_from(last).unwrap_or(0);
    }
    let last = random.below(200);
    ends[at..].copy_from_slice(&(last as u64).to_le_bytes()[..size]);
    last
}
