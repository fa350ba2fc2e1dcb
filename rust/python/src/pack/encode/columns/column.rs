//! The buffers in which the values of a column are gathered.

use crate::core::memory::{prefetch, push, LINE};
use crate::pack::encode::Object;
use crate::pack::plan::{Adapter, Kind, Node, Plan};
use crate::pack::sink::{Sink, TextColumn};

/// Offset of an int's digits, a list's items, and approximately of other data that is read.
const BEHIND_HEAD: usize = 24;

/// The most cache lines of an object that are prefetched. The others of a large one follow by the hardware's
/// prefetching, since fields are read in order.
const MOST_LINES: usize = 4;

/// A type, and values of it in their order.
pub(super) struct Column {
    pub(super) node: Node,
    pub(super) values: Values,
    /// The adapter of the program's values, if any.
    pub(super) adapter: Option<Adapter>,
    /// Cells of each value beyond those of the format.
    pub(super) overhead: u64,
    /// Cache lines of an object that are read.
    lines: usize,
}

/// Values in their written form.
pub(super) enum Values {
    Bits(Bits),
    Numbers(Numbers),
    Dates(Vec<i32>),
    Times(Vec<u64>),
    /// Whole seconds, rounded down, and nanoseconds.
    Instants(Vec<(i64, u32)>),
    /// Indices of symbols.
    Symbols(Vec<u32>),
    Texts(u32, Texts),
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

/// Texts.
pub(super) struct Texts {
    pub(super) all: Box<TextColumn>,
    /// The text objects after the point where texts are not looked up any more: the quick encoder reads these only
    /// once, when it writes them.
    pub(super) rest: Vec<Object>,
}

/// A bit for each value, least significant first.
#[derive(Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Bits {
    /// Appends the lowest `count` bits, at most 64. The others must be zero.
    #[inline(always)]
    pub(super) fn push(&mut self, bits: u64, count: usize) {
        let shift = self.count % 64;
        if shift == 0 {
            push(&mut self.words, bits);
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= bits << shift;
            }
            if shift + count > 64 {
                push(&mut self.words, bits >> (64 - shift));
            }
        }
        self.count += count;
    }

    /// How many bits are set.
    pub(super) fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The bytes as they are written.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.words.iter().flat_map(|word| word.to_le_bytes()).take(self.count.div_ceil(8))
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
    /// Prefetches the data that is read of objects when they are gathered.
    #[inline(always)]
    pub(super) fn prefetch(&self, items: &[Object]) {
        let lines = self.lines();
        if lines == 1 {
            // Objects start at any multiple of 16: what is looked at behind the head lies in the next line now and then.
            items.iter().for_each(|item| prefetch(item.wrapping_byte_add(BEHIND_HEAD)));
        }
        for line in 0..lines {
            items.iter().for_each(|item| prefetch(item.wrapping_byte_add(line * LINE)));
        }
    }

    /// Bytes of an object that are looked at when it is gathered, in lines of the cache.
    #[inline(always)]
    fn lines(&self) -> usize {
        match &self.values {
            Values::Texts(_, texts) if texts.all.has_given_up() => 0,
            _ => self.lines,
        }
    }

    /// An empty column. The recursion ends, since types with columnar lists have a limited number of columns.
    pub(super) fn new(plan: &Plan, sink: &mut Sink, node: Node) -> Column {
        let mut inner = |item: Node| Column::new(plan, sink, item);
        let mut boxed = |item: Node| Box::new(inner(item));
        let values = match node {
            Node::Bool => Values::Bits(Bits::default()),
            Node::Number(kind) => Values::Numbers(Numbers::of(kind)),
            Node::Date => Values::Dates(Vec::new()),
            Node::Time(_) => Values::Times(Vec::new()),
            Node::Timestamp(_) | Node::Duration(_) => Values::Instants(Vec::new()),
            Node::Enum(_) => Values::Symbols(Vec::new()),
            Node::Text(site) => Values::Texts(site, Texts { all: sink.lend_column(), rest: Vec::new() }),
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
                let inner = inner(cast.node);
                return Column { adapter: cast.adapter, overhead: inner.overhead + cast.cells, ..inner };
            }
            _ => Values::Slots(Vec::new()),
        };
        let lines = match (node, &values) {
            (Node::Record(at), _) => plan.record(at).lines().min(MOST_LINES),
            (_, Values::Texts(..)) => 2,
            _ => 1,
        };
        let overhead = if let Node::Numbers(_, form) = node { form.overhead() } else { 0 };
        Column { node, values, adapter: None, overhead, lines }
    }

    /// Returns the memory of its texts to the sink.
    pub(super) fn give_back(self, sink: &mut Sink) {
        match self.values {
            Values::Texts(_, texts) => sink.take_back_column(texts.all),
            Values::Option(_, inner) | Values::List(_, inner) => inner.give_back(sink),
            Values::Map(_, inner) => inner.into_iter().for_each(|column| column.give_back(sink)),
            Values::Parts(parts) => parts.into_iter().for_each(|column| column.give_back(sink)),
            _ => {}
        }
    }
}
