//! Encodes Python values as a message.
//!
//! One generic source makes two encoders. The *quick* one takes exact types only and never runs Python code, so
//! borrowed pointers stay valid all the way down: it calls no method that is written in Python, looks up no key with a
//! comparison of its own, and holds off the cyclic collector where it makes an object that the collector counts, since
//! finalizers are Python code, too. On anything else (a subclass, an iterable, a bad value) it gives up. Then the
//! *careful* one starts again from the root: it owns the objects that it holds, runs the user's code where it must, and
//! reports the errors.

mod any;
mod buffer;
mod columns;
mod container;
mod decimal;
mod fast_row_writer;
mod nested;
mod numbers;
mod placed;
mod record;
mod scalar;
mod shown;
mod text;
mod time;
mod unrepeated;

use crate::core::fault::{self, Fault, Why};
use crate::core::ffi;
use crate::core::object::owned::Owned;
use crate::core::object::text::{chars, Chars};
use crate::core::stack;
use crate::pack::plan::{Adapter, Kind, Node, Plan};
use crate::pack::sink::{Sink, Start};
use samewire_pack::path::Segment;
use samewire_pack::Profile;

type Done = Result<(), Fault>;
type Object = *mut ffi::PyObject;

/// One value being written.
pub struct Encoder<'p, const CAREFUL: bool> {
    w: &'p mut Sink,
    plan: &'p Plan,
    why: Why,
    path: Vec<Segment<'p>>,
    /// The lowest address that recursion may reach.
    floor: usize,
    /// Objects behind `ref`, kept alive so that no address is used twice in one message.
    shared: Vec<Owned>,
    /// Long lists of structs are written as columns.
    columns: bool,
    /// Objects that columns hold, kept alive until the message is written.
    kept: Vec<Owned>,
    /// Vectors that are gathered in, one for each level of containers.
    spare: Vec<Vec<Object>>,
    /// The failure came where slots of a column were written.
    late: bool,
}

/// Writes the message of `value` into the sink and returns its length. A fault: Python's exception is set.
///
/// # Safety
/// The GIL must be held, `value` alive.
#[inline(always)]
pub unsafe fn encode(w: &mut Sink, plan: &Plan, value: Object) -> Result<usize, Fault> {
    let start = Start { sites: plan.sites, profile: plan.profile, limits: plan.limits };
    if !plan.careful {
        w.begin(&start);
        // SAFETY: the GIL is held and the value alive.
        if unsafe { Encoder::<false>::new(w, plan).root(value) }.is_ok() {
            return w.finish(&plan.mark, &plan.limits).map_err(too_long);
        }
    }
    // SAFETY: the GIL is held and the value alive.
    unsafe { encode_carefully(w, plan, value, &start)? };
    w.finish(&plan.mark, &plan.limits).map_err(too_long)
}

#[cold]
fn too_long(error: samewire_pack::Error) -> Fault {
    fault::set(fault::raise(error))
}

#[cold]
#[inline(never)]
unsafe fn encode_carefully(w: &mut Sink, plan: &Plan, value: Object, start: &Start) -> Done {
    // SAFETY: the GIL is held. What the quick encoder has raised will be raised again; Python's code must not find it.
    unsafe { ffi::PyErr_Clear() };
    stack::check()?;
    w.begin(start);
    let mut careful = Encoder::<true>::new(w, plan);
    // SAFETY: the GIL is held and the value alive.
    if unsafe { careful.root(value) }.is_ok() {
        return Ok(());
    }
    let late = careful.late && !matches!(careful.why, Why::Raised);
    let mut error = careful.error();
    if late {
        // Slots were looked into after all else. Rows meet the first mistake first, and know its path.
        w.begin(start);
        let mut rows = Encoder::<true>::new(w, plan);
        rows.columns = false;
        // SAFETY: the GIL is held and the value alive.
        if unsafe { rows.root(value) }.is_err() && !matches!(rows.why, Why::Raised) {
            error = rows.error();
        }
        // SAFETY: callers hold the GIL, for which this function is unsafe.
        unsafe { ffi::PyErr_Clear() };
    }
    Err(fault::set(error))
}

impl<'p, const CAREFUL: bool> Encoder<'p, CAREFUL> {
    fn new(w: &'p mut Sink, plan: &'p Plan) -> Self {
        Encoder {
            w,
            plan,
            why: Why::Core,
            path: Vec::new(),
            floor: stack::UNKNOWN,
            shared: Vec::new(),
            columns: plan.profile == Profile::Compact,
            kept: Vec::new(),
            spare: Vec::new(),
            late: false,
        }
    }

    unsafe fn root(&mut self, value: Object) -> Done {
        self.w.charge(self.plan.weights.root.into())?;
        // SAFETY: the GIL is held and the value alive; the root is a row of one slot.
        unsafe { self.row_of_one(self.plan.root, value) }
    }

    /// A row of a single slot.
    unsafe fn row_of_one(&mut self, node: Node, value: Object) -> Done {
        let flags = if node.flagged() { self.w.flags(1) } else { 0 };
        // SAFETY: the GIL is held and the value alive.
        unsafe { self.slot(flags, 0, node, value) }
    }

    fn error(&mut self) -> pyo3::PyErr {
        if self.w.is_over() {
            self.path.clear();
        }
        self.path.reverse();
        let core = matches!(self.why, Why::Core).then(|| self.w.fault());
        std::mem::replace(&mut self.why, Why::Core).error(core, &self.path)
    }

    /// A value that does not fit; the text says what was wanted and what came.
    #[cold]
    #[inline(never)]
    unsafe fn mismatch(&mut self, wanted: &str, came: Object) -> Fault {
        if CAREFUL {
            // SAFETY: the GIL is held and the value alive.
            self.why = Why::mismatch(format!("expected {wanted}, got {}", unsafe { shown::shown(came) }));
        }
        Fault
    }

    #[cold]
    #[inline(never)]
    fn refuse(&mut self, text: String) -> Fault {
        self.why = Why::mismatch(text);
        Fault
    }

    /// Python has raised.
    #[cold]
    fn raised(&mut self) -> Fault {
        self.why = Why::Raised;
        Fault
    }

    /// Takes over a new reference.
    unsafe fn steal(&mut self, object: Object) -> Result<Owned, Fault> {
        // SAFETY: the GIL is held and the value alive.
        unsafe { Owned::steal(object) }.map_err(|_| self.raised())
    }

    #[cold]
    #[inline(never)]
    fn inside(&mut self, segment: Segment<'p>) -> Fault {
        self.path.push(segment);
        Fault
    }

    /// Enters a recursive struct or a container of an `any`.
    #[inline(always)]
    fn enter(&mut self) -> Done {
        let here = 0u8;
        if (&raw const here as usize) < self.floor {
            self.low(&raw const here as usize)?;
        }
        self.w.enter()
    }

    /// Finds the floor; below it, ends.
    #[cold]
    #[inline(never)]
    fn low(&mut self, here: usize) -> Done {
        if self.floor == stack::UNKNOWN {
            self.floor = stack::floor(here);
        }
        if here < self.floor {
            return Err(self.w.fail(samewire_pack::Code::LimitDepth));
        }
        Ok(())
    }

    /// A value in its slot, with its flag if it has one.
    #[inline(never)]
    unsafe fn slot(&mut self, flags: usize, flag: usize, node: Node, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive; `flags` are those of the row, of which `flag` is one.
        unsafe {
            match node {
                Node::Bool => {
                    if value == ffi::Py_True() {
                        self.w.set_flag(flags, flag);
                    } else if value != ffi::Py_False() {
                        return Err(self.mismatch("bool", value));
                    }
                    Ok(())
                }
                Node::Option(item) => {
                    if value == ffi::Py_None() {
                        return Ok(());
                    }
                    self.w.set_flag(flags, flag);
                    self.w.charge(self.plan.weights.present(item))?;
                    self.value(self.plan.node(item), value)
                }
                _ => self.value(node, value),
            }
        }
    }

    /// A value without its flag.
    #[inline(never)]
    unsafe fn value(&mut self, node: Node, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            match node {
                Node::Text(site) => self.text(site, value),
                Node::Number(kind) => self.number(kind, value),
                Node::Record(at) => self.single_record(at, value),
                Node::List(item) | Node::Series(item) => self.list(item, value),
                Node::Numbers(kind, form) => {
                    self.w.charge(form.overhead())?;
                    self.numbers(kind, value)
                }
                Node::Enum(at) => self.choice(at, value),
                Node::Map(key, item) => self.map(key, item, value),
                Node::Union(at) => self.union(at, value),
                Node::Any(site) => self.any(site, value),
                Node::Tuple(row) => self.tuple(row, value),
                Node::Bytes(_) => self.bytes(value),
                Node::Set(item, _) => self.set(item, value),
                Node::Ref(at) => self.reference(at, value),
                Node::Cast(at) => {
                    let cast = &self.plan.casts[at as usize];
                    self.w.charge(cast.cells)?;
                    let Some(adapter) = cast.adapter else { return self.value(cast.node, value) };
                    let made = self.adapted(adapter, value)?;
                    self.value(cast.node, made.as_ptr())
                }
                Node::BigInt => self.bigint(value),
                Node::Decimal => self.decimal(value),
                Node::Uuid => self.uuid(value),
                Node::Date => self.date(value),
                Node::Time(nanos) => self.time(nanos, value),
                Node::Timestamp(nanos) => self.timestamp(nanos, value),
                Node::Duration(nanos) => self.duration(nanos, value),
                // The value of an `option<bool>`: a byte.
                Node::Bool if value == ffi::Py_True() || value == ffi::Py_False() => {
                    self.w.byte(u8::from(value == ffi::Py_True()));
                    Ok(())
                }
                Node::Bool
                | Node::Option(_)
                | Node::OrDefault(_)
                | Node::Float(..)
                | Node::Widened(..)
                | Node::Dropped(_) => Err(self.mismatch("bool", value)),
            }
        }
    }

    /// What an adapter makes of a value.
    #[cold]
    #[inline(never)]
    unsafe fn adapted(&mut self, adapter: Adapter, value: Object) -> Result<Owned, Fault> {
        if !CAREFUL {
            return Err(Fault);
        }
        // SAFETY: the GIL is held and the value alive; the plan keeps function and class alive.
        unsafe {
            if !adapter.class.is_null() {
                match ffi::PyObject_IsInstance(value, adapter.class) {
                    ..0 => return Err(self.raised()),
                    0 => {
                        let wanted = (*adapter.class.cast::<ffi::PyTypeObject>()).tp_name;
                        let wanted = std::ffi::CStr::from_ptr(wanted).to_string_lossy();
                        return Err(self.mismatch(&wanted, value));
                    }
                    _ => {}
                }
            }
            self.steal(ffi::PyObject_CallOneArg(adapter.encode, value))
        }
    }

    /// A single number.
    #[inline(never)]
    unsafe fn number(&mut self, kind: Kind, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            match kind {
                Kind::I64 => self.integer::<i64>(value),
                Kind::I32 => self.integer::<i32>(value),
                Kind::F64 => {
                    let number = self.float(value)?;
                    self.w.f64(number);
                    Ok(())
                }
                Kind::I8 => self.integer::<i8>(value),
                Kind::I16 => self.integer::<i16>(value),
                Kind::U8 => self.integer::<u8>(value),
                Kind::U16 => self.integer::<u16>(value),
                Kind::U32 => self.integer::<u32>(value),
                Kind::U64 => self.integer::<u64>(value),
                Kind::F32 => {
                    let number = self.float32(value)?;
                    self.w.f32(number);
                    Ok(())
                }
            }
        }
    }

    /// A text.
    #[inline(always)]
    unsafe fn text(&mut self, site: u32, value: Object) -> Done {
        // SAFETY: the GIL is held and the value alive.
        unsafe {
            if ffi::PyUnicode_CheckExact(value) != 0 {
                if let Chars::Latin1(latin1) = chars(value) {
                    return self.w.latin1(site as usize, latin1);
                }
            }
            self.other_text(site, value)
        }
    }
}
