//! Decodes messages to Python values.
//!
//! The decoder only detects that a message is invalid; the core's walker then reads the same bytes again and finds the
//! error and its place. Only errors that the walker cannot know are reported from here: a native type that cannot hold
//! a valid value, a symbol or member that the reader's type lacks, an exception of the user's code.

mod any;
mod columns;
mod container;
mod numbers;
mod record;
mod reference;
mod scalar;
mod shared;
mod text;
mod widening;

use self::shared::Shared;
use crate::core::fault::{self, Fault, Why};
use crate::core::ffi;
use crate::core::object::collector::Paused;
use crate::core::object::generation::Checkpoint;
use crate::core::object::number::make_i64;
use crate::core::object::owned::Owned;
use crate::core::stack;
use crate::pack::plan::{Hot, Node, Plan, Step};
use pyo3::PyErr;
use samewire_pack::path::{path_text, Segment};
use samewire_pack::wire::{header, Reader};
use samewire_pack::{walker, Code, Error};

type Object = *mut ffi::PyObject;
type Made = Result<Owned, Fault>;

/// The items, of 64 bytes each, that all rows together may reserve per byte of the message before they are read
/// (`spec/pack.md` section 12).
const CREDIT: usize = 64 / size_of::<Object>();

/// One message being read.
struct Decoder<'p, 'a> {
    r: Reader<'a>,
    plan: &'p Plan,
    why: Why,
    path: Vec<Segment<'p>>,
    /// Whether texts are kept for back references.
    refs: bool,
    /// Numbered texts. Borrowed from the value under construction, but owned where that might drop one (`Plan::hooks`).
    texts: &'a mut Vec<Object>,
    shared: Shared,
    /// The texts of columns' dictionaries, kept to the message's end: the table of texts borrows them.
    dictionaries: Vec<Vec<Owned>>,
    /// Where reading of columns ended with an error.
    columns_end: Option<usize>,
    /// The remaining items that rows may reserve before they are read.
    credit: usize,
    /// The lowest address that recursion may reach.
    floor: usize,
    /// The owner of the message's bytes, for views into it.
    source: Object,
}

/// Reads one message. A fault: Python's exception is set. `table` is empty, and lent for the numbered texts.
///
/// # Safety
/// The GIL must be held; `source` lends `data`, which nothing changes during the call.
pub unsafe fn decode<'a>(plan: &Plan, data: &'a [u8], source: Object, table: &'a mut Vec<Object>) -> Made {
    if plan.hooks {
        stack::check()?;
    }
    if plan.digest_required && header::lacks_digest(data) && data.len() <= plan.limits.frame_bytes {
        return Err(fault::set(fault::raise(header::without_digest())));
    }
    let mut decoder = Decoder {
        refs: false,
        // Made in place: it is too large to be moved.
        r: Reader::closed(data, &plan.limits),
        plan,
        why: Why::Core,
        path: Vec::new(),
        texts: table,
        shared: Shared::new(),
        dictionaries: Vec::new(),
        columns_end: None,
        credit: data.len().saturating_mul(CREDIT),
        floor: stack::UNKNOWN,
        source,
    };
    if decoder.r.open(Some(plan.digest), &plan.limits).is_err() {
        return Err(fault::set(fault::raise(decoder.r.fault().path("$"))));
    }
    decoder.refs = decoder.r.header() & header::REFS != 0;
    // SAFETY: the GIL is held and the source alive.
    let made = unsafe {
        if plan.bounded {
            decoder.root()
        } else {
            let paused = Paused::new();
            let checkpoint = Checkpoint::new();
            let made = decoder.root();
            if made.is_ok() && plan.quiet && paused.was_on() {
                checkpoint.promote();
            }
            made
        }
    };
    made.map_err(|Fault| fault::set(decoder.error()))
}

impl Drop for Decoder<'_, '_> {
    fn drop(&mut self) {
        if self.plan.hooks {
            for &text in &*self.texts {
                // SAFETY: with hooks each text in the table is owned by it.
                unsafe { ffi::Py_DECREF(text) };
            }
        }
        self.texts.clear();
    }
}

impl<'p, 'a> Decoder<'p, 'a> {
    unsafe fn root(&mut self) -> Made {
        let node = self.plan.root;
        self.r.charge_here(self.plan.weights.root.into())?;
        let flags = self.r.flags(usize::from(node.flagged()))?;
        // SAFETY: the GIL is held and the source alive.
        let value = unsafe { self.slot(flags, 0, node)? };
        self.r.finish()?;
        Ok(value)
    }

    #[cold]
    fn error(&mut self) -> PyErr {
        self.path.reverse();
        match std::mem::replace(&mut self.why, Why::Core) {
            Why::Core => {
                match walker::check_with(&self.plan.named, &self.plan.cells, self.r.data(), &self.plan.limits) {
                    Err(error) => fault::raise(error),
                    // The walker does not charge what `overhead` does.
                    Ok(()) if self.r.fault().code == Code::LimitItems => {
                        fault::raise(self.r.fault().path(path_text(self.path.iter().copied())))
                    }
                    Ok(()) => Why::mismatch("the declared type cannot hold what came".into()).error(None, &self.path),
                }
            }
            Why::Raised => Why::Raised.error(None, &self.path),
            why => match self.before_columns_end() {
                Some(error) => fault::raise(error),
                None => why.error(None, &self.path),
            },
        }
    }

    /// An error of the message before the place where reading of columns failed: a repeated key, which would have been
    /// detected when the keys were made.
    fn before_columns_end(&self) -> Option<Error> {
        let end = self.columns_end?;
        walker::check_with(&self.plan.named, &self.plan.cells, self.r.data(), &self.plan.limits)
            .err()
            .filter(|error| error.at.is_some_and(|at| at < end))
    }

    /// A valid value that the declared native type cannot hold.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, text: String) -> Fault {
        self.why = Why::mismatch(text);
        Fault
    }

    /// Charges a value's memory beyond the cells that the format charges for it (`spec/limits.md`, Python). Called
    /// before the value is read.
    #[inline(always)]
    fn overhead(&mut self, cells: u64) -> Result<(), Fault> {
        let at = self.r.position();
        if self.r.charge(at, cells).is_err() {
            self.why = Why::At(
                Code::LimitItems,
                at,
                "more memory than limits.cells allows: raise it for data that you trust".into(),
            );
            return Err(Fault);
        }
        Ok(())
    }

    /// Python has raised.
    #[cold]
    fn raised(&mut self) -> Fault {
        self.why = Why::Raised;
        Fault
    }

    /// A result of the object layer, which fails only by raising.
    #[inline(always)]
    fn made(&mut self, made: Made) -> Made {
        match made {
            Ok(value) => Ok(value),
            Err(Fault) => Err(self.raised()),
        }
    }

    #[cold]
    #[inline(never)]
    fn inside(&mut self, segment: Segment<'p>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// Enters a recursive struct or a container of an `any`, which begins at `at`.
    #[inline(always)]
    fn enter(&mut self, at: usize) -> Result<(), Fault> {
        let here = 0u8;
        if (&raw const here as usize) < self.floor {
            self.low(&raw const here as usize, at)?;
        }
        self.r.enter(at)
    }

    /// Computes the floor. Below it, fails for good: the walker does not check the stack, so it must not be used to
    /// find the error.
    #[cold]
    #[inline(never)]
    fn low(&mut self, here: usize, at: usize) -> Result<(), Fault> {
        if self.floor == stack::UNKNOWN {
            self.floor = stack::floor(here);
        }
        if here >= self.floor {
            return Ok(());
        }
        self.why = Why::At(Code::LimitDepth, at, "nested deeper than the stack of this thread allows".into());
        Err(Fault)
    }

    /// A slot of a record; the most frequent types are read without a call.
    #[inline(always)]
    unsafe fn hot_slot(&mut self, flags: &[u8], step: &Step) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match step.hot {
                Hot::Text => self.text(),
                Hot::Int32 => {
                    let made = make_i64(self.zigzag::<i32>()?);
                    self.made(made)
                }
                Hot::Int64 => {
                    let made = make_i64(self.zigzag::<i64>()?);
                    self.made(made)
                }
                Hot::Bool => Ok(boolean(is_set(flags, step.flag as usize))),
                Hot::List | Hot::Rows => self.list(step.place),
                Hot::OptionText | Hot::Option | Hot::Other => self.slot(flags, step.flag as usize, step.node),
            }
        }
    }

    /// A value from its slot and its flag.
    #[inline(never)]
    unsafe fn slot(&mut self, flags: &[u8], flag: usize, node: Node) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match node {
                Node::Bool => Ok(boolean(is_set(flags, flag))),
                Node::Option(item) => {
                    if is_set(flags, flag) {
                        self.r.charge_here(self.plan.weights.present(item))?;
                        self.value(self.plan.node(item))
                    } else {
                        Ok(Owned::borrow(ffi::Py_None()))
                    }
                }
                Node::OrDefault(at) => {
                    if is_set(flags, flag) {
                        let item = self.plan.or_defaults[at as usize].item;
                        self.r.charge_here(self.plan.weights.present(item))?;
                        self.value(self.plan.node(item))
                    } else {
                        self.null(at)
                    }
                }
                _ => self.value(node),
            }
        }
    }

    /// A value without its flag.
    #[inline(never)]
    unsafe fn value(&mut self, node: Node) -> Made {
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe {
            match node {
                Node::Text(_) => self.text(),
                Node::Number(kind) => self.number(kind),
                Node::Float(kind, wanted) => self.float(kind, wanted),
                Node::Record(at) => self.single_record(at),
                Node::List(item) => self.list(item),
                Node::Numbers(kind, form) => self.numbers(kind, form),
                Node::Widened(kind, wanted, form) => self.widened(kind, wanted, form),
                Node::Enum(at) => self.choice(at),
                Node::Map(key, item) => self.map(key, item),
                Node::Union(at) => self.union(at),
                Node::Any(_) => self.any(),
                Node::Tuple(row) => self.tuple(row),
                Node::Series(item) => self.series(item),
                Node::Bytes(form) => self.bytes(form),
                Node::Set(item, frozen) => self.set(item, frozen),
                Node::Ref(at) => self.reference(at),
                Node::Dropped(at) => self.dropped(at),
                Node::Cast(at) => self.cast(at),
                Node::BigInt => self.bigint(),
                Node::Decimal => self.decimal(),
                Node::Uuid => self.uuid(),
                Node::Date => self.date(),
                Node::Time(nanos) => self.time(nanos),
                Node::Timestamp(nanos) => self.timestamp(nanos),
                Node::Duration(nanos) => self.duration(nanos),
                Node::Bool => Ok(boolean(self.r.bool()?)),
                Node::Option(_) | Node::OrDefault(_) => Err(self.refuse("an option within an option".into())),
            }
        }
    }
}

#[inline(always)]
fn is_set(flags: &[u8], flag: usize) -> bool {
    flags[flag / 8] >> (flag % 8) & 1 == 1
}

/// `True` or `False`.
///
/// # Safety
/// The GIL must be held.
#[inline(always)]
unsafe fn boolean(value: bool) -> Owned {
    // SAFETY: the two objects live for ever.
    unsafe { Owned::borrow(if value { ffi::Py_True() } else { ffi::Py_False() }) }
}
