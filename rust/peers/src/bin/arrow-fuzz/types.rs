//! Types of tables.

use samewire_peers::random::Random;
use std::fmt::{self, Write};

/// A type that a column may have.
#[derive(Clone, Debug)]
pub enum Type {
    /// One without parts, by its word in a schema.
    Leaf(&'static str),
    Enum(usize),
    Option(Box<Type>),
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Tuple(Vec<Type>),
    Struct(usize, Vec<Type>),
    /// The structs of its members.
    Union(Vec<(usize, Vec<Type>)>),
}

/// In canonical order.
pub const SYMBOLS: [&str; 4] = ["A", "BUY", "a", "é"];

const KEYS: [&str; 15] = [
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "bigint",
    "string",
    "uuid",
    "date",
    "time",
    "timestamp",
];
const OTHERS: [&str; 9] = ["f32", "f64", "decimal", "bytes", "duration", "string", "string", "i64", "bool"];

/// Makes types; the structs, enums and members get numbers.
pub struct Maker {
    numbers: usize,
    left: usize,
}

impl Maker {
    /// A struct of a few columns.
    pub fn rows(random: &mut Random) -> Type {
        let mut maker = Maker { numbers: 0, left: 12 };
        let number = maker.number();
        Type::Struct(number, (0..1 + random.below(3)).map(|_| maker.any(random, 3)).collect())
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    fn key(&mut self, random: &mut Random) -> Type {
        match random.below(8) {
            0 => Type::Enum(self.number()),
            1 => Type::Leaf("duration"),
            _ => Type::Leaf(random.pick::<&str>(&KEYS)),
        }
    }

    fn any(&mut self, random: &mut Random, depth: usize) -> Type {
        if depth == 0 || self.left == 0 || random.once_in(3) {
            return if random.once_in(2) { self.key(random) } else { Type::Leaf(random.pick::<&str>(&OTHERS)) };
        }
        self.left -= 1;
        match random.below(9) {
            0 | 1 => match self.any(random, depth - 1) {
                inner @ Type::Option(_) => inner,
                inner => Type::Option(Box::new(inner)),
            },
            2 | 3 => Type::List(Box::new(self.any(random, depth - 1))),
            4 => Type::Set(Box::new(self.key(random))),
            5 => Type::Map(Box::new(self.key(random)), Box::new(self.any(random, depth - 1))),
            6 => Type::Tuple((0..1 + random.below(3)).map(|_| self.any(random, depth - 1)).collect()),
            7 => Type::Struct(self.number(), (0..1 + random.below(3)).map(|_| self.any(random, depth - 1)).collect()),
            _ => Type::Union(
                (0..1 + random.below(3))
                    .map(|_| {
                        let number = self.number();
                        (number, (0..random.below(3)).map(|_| self.any(random, depth - 1)).collect())
                    })
                    .collect(),
            ),
        }
    }
}

/// The text of a schema.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Leaf(word) => f.write_str(word),
            Type::Enum(number) => {
                let symbols: Vec<String> = SYMBOLS.iter().map(|symbol| format!("{symbol:?}")).collect();
                write!(f, "enum E{number} {{ {} }}", symbols.join(", "))
            }
            Type::Option(inner) => write!(f, "option<{inner}>"),
            Type::List(item) => write!(f, "list<{item}>"),
            Type::Set(key) => write!(f, "set<{key}>"),
            Type::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "tuple<{}>", parts.join(", "))
            }
            Type::Struct(number, fields) => structure(f, *number, fields),
            Type::Union(members) => {
                f.write_str("union { ")?;
                for (i, (number, fields)) in members.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    structure(f, *number, fields)?;
                }
                f.write_str(" }")
            }
        }
    }
}

fn structure(f: &mut impl Write, number: usize, fields: &[Type]) -> fmt::Result {
    let fields: Vec<String> = fields.iter().enumerate().map(|(i, ty)| format!("f{i}: {ty}")).collect();
    write!(f, "struct S{number} {{ {} }}", fields.join(", "))
}
