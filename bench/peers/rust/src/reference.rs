//! The reference data, made here: BooPickle's performance suite and two shapes in which no text repeats.
//!
//! The same algorithm stands in every peer project of the lab; [`digest`] proves that they agree.

use crate::records::{Book, Event, Node};
use samewire_pack::Map;

const COLORS: [&str; 5] = ["black", "red", "white", "yellow", "blue"];
const BOOKS: [(&str, i32); 8] = [
    ("Carrie", 1974),
    ("'Salem's Lot", 1975),
    ("Rage\tBachman", 1976),
    ("Shining, The", 1976),
    ("Last Rung on the Ladder", 1977),
    ("Böögeyman", 1977),
    ("Cat from Hell", 1977),
    ("Man Who Loved Flowers", 1977),
];

/// `java.util.Random(0)`: a 48-bit linear congruential generator, as its documentation gives it.
struct Random(u64);

impl Random {
    fn new() -> Self {
        Random(0x5_DEEC_E66D)
    }

    /// A signed integer of `bits` random bits (1 to 32).
    fn next(&mut self, bits: u32) -> i32 {
        self.0 = self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & ((1 << 48) - 1);
        (self.0 >> (48 - bits)) as i32
    }

    /// Uniform in `0 <= n < bound`.
    fn below(&mut self, bound: i32) -> i32 {
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(self.next(31))) >> 31) as i32;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            if bits
                .checked_sub(value)
                .and_then(|low| low.checked_add(bound - 1))
                .is_some()
            {
                return value;
            }
        }
    }

    /// 64 bits.
    fn long(&mut self) -> u64 {
        let high = i64::from(self.next(32)) << 32;
        high.wrapping_add(i64::from(self.next(32))) as u64
    }

    /// Uniform in `0 <= x < 1`, 53 bits.
    fn double(&mut self) -> f64 {
        let high = i64::from(self.next(26)) << 27;
        (high + i64::from(self.next(27))) as f64 * 2f64.powi(-53)
    }

    fn int(&mut self) -> i32 {
        (1.0 / (1.0 + self.double() * 1e5) * 1e7) as i32
    }

    fn string(&mut self, chars: &[char]) -> String {
        let length = ((self.double() * 10.0).powi(2) + 2.0) as usize;
        (0..length).map(|_| chars[self.below(80) as usize]).collect()
    }

    fn letters(&mut self, count: i32) -> String {
        (0..count).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }
}

/// A running index over 100 UUIDs; the first one handed out is number 1.
struct Identifiers {
    texts: Vec<String>,
    index: usize,
}

impl Identifiers {
    fn new() -> Self {
        let mut random = Random::new();
        let texts = (0..100)
            .map(|_| format!("{:016x}{:016x}", random.long(), random.long()))
            .collect();
        Identifiers { texts, index: 0 }
    }

    fn next(&mut self) -> usize {
        self.index = (self.index + 1) % self.texts.len();
        self.index
    }

    fn random(&mut self) -> String {
        let index = self.next();
        let text = &self.texts[index];
        format!("R{}:{}", &text[..8], &text[8..9])
    }

    fn number(&mut self) -> String {
        (self.next() + 1000).to_string()
    }
}

fn node(random: &mut Random, ids: &mut Identifiers, most: i32, depth: i32) -> Node {
    let count = random.below(most + depth).max(depth).min(most);
    let name = ids.random();
    let color = COLORS[random.below(5) as usize].to_owned();
    let children = (0..count).map(|_| node(random, ids, most, depth - 1)).collect();
    Node { name, color, children }
}

fn books(mut identify: impl FnMut() -> String) -> Vec<Book> {
    let book = |&(name, year): &(&str, i32)| Book {
        id: identify(),
        name: name.to_owned(),
        author: "Stephen King".to_owned(),
        publication_year: year,
    };
    BOOKS.iter().map(book).collect()
}

fn identified() -> (Node, Vec<Book>, Vec<Book>) {
    let mut ids = Identifiers::new();
    let tree = node(&mut Random::new(), &mut ids, 5, 3);
    let random = books(|| ids.random());
    (tree, random, books(|| ids.number()))
}

/// The single event.
pub fn event() -> Event {
    Event { i: 42, b: true }
}

/// 10,000 integers.
pub fn ints() -> Vec<i32> {
    let mut random = Random::new();
    (0..10_000).map(|_| random.int()).collect()
}

/// 8,000 doubles.
pub fn doubles() -> Vec<f64> {
    let mut random = Random::new();
    (0..8_000).map(|_| (random.double() - 0.1) * 1e6).collect()
}

/// 1,000 strings.
pub fn strings() -> Vec<String> {
    let chars: Vec<char> = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅabcdefghijklmnopqrstuvwxyzö0123456789?_-,.          !"
        .chars()
        .collect();
    let mut random = Random::new();
    (0..1_000).map(|_| random.string(&chars)).collect()
}

/// 10,000 entries in order.
pub fn map() -> Vec<(String, i32)> {
    let mut random = Random::new();
    (0..10_000).map(|index| (format!("ID{index}"), random.int())).collect()
}

/// The tree of 392 nodes.
pub fn tree() -> Node {
    identified().0
}

/// Eight books with random identifiers.
pub fn books_random() -> Vec<Book> {
    identified().1
}

/// Eight books with numbers for identifiers.
pub fn books_num() -> Vec<Book> {
    identified().2
}

/// 10,000 strings, each once.
pub fn unique_strings() -> Vec<String> {
    let mut random = Random::new();
    let mut string = |index| {
        let count = 1 + random.below(24);
        format!("{}{index}", random.letters(count))
    };
    (0..10_000).map(&mut string).collect()
}

/// 1,000 records in which no text repeats.
pub fn unique_records() -> Vec<Book> {
    let mut random = Random::new();
    let mut record = |index| {
        let count = 8 + random.below(24);
        let name = format!("{}{index}", random.letters(count));
        let count = 5 + random.below(12);
        let author = format!("{}{index}", random.letters(count));
        Book {
            id: format!("R{index}"),
            name,
            author,
            publication_year: 1900 + random.below(120),
        }
    };
    (0..1_000).map(&mut record).collect()
}

/// FNV-1a (64 bits) of a canonical dump: text and lists with their length as u32, i32, f64, one byte a bool, little-endian.
pub fn digest(dump: &dyn Dump) -> u64 {
    let mut out = Vec::new();
    dump.dump(&mut out);
    out.iter().fold(0xCBF2_9CE4_8422_2325, |state, &byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}

/// A value that can be dumped for [`digest`].
pub trait Dump {
    /// Appends the canonical bytes.
    fn dump(&self, out: &mut Vec<u8>);
}

impl Dump for i32 {
    fn dump(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Dump for f64 {
    fn dump(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Dump for String {
    fn dump(&self, out: &mut Vec<u8>) {
        out.extend((self.len() as u32).to_le_bytes());
        out.extend(self.as_bytes());
    }
}

impl Dump for (String, i32) {
    fn dump(&self, out: &mut Vec<u8>) {
        self.0.dump(out);
        self.1.dump(out);
    }
}

impl<T: Dump> Dump for Vec<T> {
    fn dump(&self, out: &mut Vec<u8>) {
        out.extend((self.len() as u32).to_le_bytes());
        self.iter().for_each(|item| item.dump(out));
    }
}

impl Dump for Map<String, i32> {
    fn dump(&self, out: &mut Vec<u8>) {
        out.extend((self.len() as u32).to_le_bytes());
        self.iter().for_each(|entry| entry.dump(out));
    }
}

impl Dump for Event {
    fn dump(&self, out: &mut Vec<u8>) {
        self.i.dump(out);
        out.push(u8::from(self.b));
    }
}

impl Dump for Book {
    fn dump(&self, out: &mut Vec<u8>) {
        for text in [&self.id, &self.name, &self.author] {
            text.dump(out);
        }
        self.publication_year.dump(out);
    }
}

impl Dump for Node {
    fn dump(&self, out: &mut Vec<u8>) {
        self.name.dump(out);
        self.color.dump(out);
        self.children.dump(out);
    }
}
