//! Values of fixed width.

/// The type of a value of fixed width, alone or as an element of a `list<N>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A byte, 0 or 1.
    Bool,
    /// A signed byte.
    I8,
    /// Two bytes.
    I16,
    /// Four bytes.
    I32,
    /// Eight bytes.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// A UTF-16 unit.
    Char,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Scalar; 8] =
        [Scalar::Bool, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F32, Scalar::F64, Scalar::Char];

    /// Its name as a kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::Char => "char",
        }
    }

    /// How many bytes it has.
    pub const fn width(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 => 1,
            Scalar::I16 | Scalar::Char => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::F64 => 8,
        }
    }

    /// The scalar of that name.
    pub fn named(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.as_str() == name)
    }
}
