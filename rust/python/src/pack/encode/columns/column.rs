//! The values of a column, while they are gathered.

use crate::pack::encode::Object;
use crate::pack::plan::{Adapter, Kind, Node, Plan};
use crate::pack::sink::{Sink, TextColumn};
use std::ptr;

/// How many objects a column of texts remembers.
const RECENT: usize = 64;

/// A type, and values of it in their order.
pub(super) struct Column {
    pub(super) node: Node,
    pub(super) values: Values,
    /// What makes the values of the program's.
    pub(super) adapter: Option<Adapter>,
}

/// Values as they are written.
pub(super) enum Values {
    Bits(Bits),
    Numbers(Numbers),
    Dates(Vec<i32>),
    Times(Vec<u64>),
    /// Whole seconds, rounded down, and nanoseconds.
    Instants(Vec<(i64, u32)>),
    /// Indices of symbols.
    Symbols(Vec<u32>),
    Texts(u32, Box<Texts>),
    Uuids(Vec<[u8; 16]>),
    /// Lengths, and all bytes.
    Bytes(Vec<u32>, Vec<u8>),
    /// Written one by one.
    Slots(Vec<Object>),
    Option(Bits, Box<Column>),
    /// Counts of lists or sets, and all their elements.
    List(Vec<u32>, Box<Column>),
    /// Counts of maps, all keys and all values.
    Map(Vec<u32>, Box<[Column; 2]>),
    /// The parts of a struct or tuple.
    Parts(Vec<Column>),
}

/// Texts, and of the objects that were seen lately which text each is.
pub(super) struct Texts {
    pub(super) all: TextColumn,
    /// The objects behind those, where no text is looked up any more: the quick encoder looks at these once, as it writes
    /// them.
    pub(super) rest: Vec<Object>,
    recent: [(Object, u32); RECENT],
}

impl Texts {
    fn new(sink: &Sink) -> Texts {
        Texts { all: TextColumn::new(sink), rest: Vec::new(), recent: [(ptr::null_mut(), 0); RECENT] }
    }

    /// The place of an object among those seen lately. They are 16 bytes apart at least.
    #[inline(always)]
    pub(super) fn seen(&mut self, object: Object) -> &mut (Object, u32) {
        &mut self.recent[object as usize / 16 % RECENT]
    }
}

/// A bit for each value, least significant first.
#[derive(Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    /// Appends a bit. A byte of memory must have been reserved for each eight.
    #[inline(always)]
    pub(super) fn push(&mut self, bit: bool) {
        let shift = self.count % 8;
        if shift == 0 {
            self.bytes.push(0);
        }
        let last = self.bytes.len() - 1;
        self.bytes[last] |= u8::from(bit) << shift;
        self.count += 1;
    }
}

/// Numbers of one kind.
pub(super) enum Numbers {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Numbers {
    fn of(kind: Kind) -> Numbers {
        match kind {
            Kind::I8 => Numbers::I8(Vec::new()),
            Kind::I16 => Numbers::I16(Vec::new()),
            Kind::I32 => Numbers::I32(Vec::new()),
            Kind::I64 => Numbers::I64(Vec::new()),
            Kind::U8 => Numbers::U8(Vec::new()),
            Kind::U16 => Numbers::U16(Vec::new()),
            Kind::U32 => Numbers::U32(Vec::new()),
            Kind::U64 => Numbers::U64(Vec::new()),
            Kind::F32 => Numbers::F32(Vec::new()),
            Kind::F64 => Numbers::F64(Vec::new()),
        }
    }
}

impl Column {
    /// Bytes of an object that are looked at when it is gathered, in lines of the cache.
    #[inline(always)]
    pub(super) fn lines(&self) -> usize {
        match &self.values {
            Values::Texts(_, texts) if texts.all.has_given_up() => 0,
            Values::Texts(..) => 2,
            _ => 1,
        }
    }

    /// An empty column. Types whose lists may be columnar have so few columns that this ends.
    pub(super) fn new(plan: &Plan, sink: &Sink, node: Node) -> Column {
        let inner = |item: Node| Column::new(plan, sink, item);
        let boxed = |item: Node| Box::new(inner(item));
        let values = match node {
            Node::Bool => Values::Bits(Bits::default()),
            Node::Number(kind) => Values::Numbers(Numbers::of(kind)),
            Node::Date => Values::Dates(Vec::new()),
            Node::Time(_) => Values::Times(Vec::new()),
            Node::Timestamp(_) | Node::Duration(_) => Values::Instants(Vec::new()),
            Node::Enum(_) => Values::Symbols(Vec::new()),
            Node::Text(site) => Values::Texts(site, Box::new(Texts::new(sink))),
            Node::Uuid => Values::Uuids(Vec::new()),
            Node::Bytes(_) => Values::Bytes(Vec::new(), Vec::new()),
            Node::Option(item) => Values::Option(Bits::default(), boxed(plan.node(item))),
            Node::List(item) | Node::Series(item) | Node::Set(item, _) => {
                Values::List(Vec::new(), boxed(plan.node(item)))
            }
            Node::Numbers(kind, _) => Values::List(Vec::new(), boxed(Node::Number(kind))),
            Node::Map(key, item) => Values::Map(Vec::new(), Box::new([inner(plan.node(key)), inner(plan.node(item))])),
            Node::Tuple(row) => Values::Parts(plan.rows[row as usize].iter().map(|&item| inner(item)).collect()),
            Node::Record(at) if !plan.record(at).recursive => {
                Values::Parts(plan.record(at).steps.iter().map(|step| inner(step.node)).collect())
            }
            Node::Cast(at) => {
                let cast = &plan.casts[at as usize];
                return Column { adapter: cast.adapter, ..inner(cast.node) };
            }
            _ => Values::Slots(Vec::new()),
        };
        Column { node, values, adapter: None }
    }
}
