//! The callee of a method, constructor or field, and the call sites that it has used.

use crate::bridge::session::code::Code;
use crate::bridge::session::reference::Object;
use crate::bridge::session::site::{Site, Used};
use crate::bridge::session::Session;
use crate::bridge::value::encode::{Attached, Encoder};
use crate::core::fault::{raise, set, Fault};
use crate::core::ffi;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use samewire_bridge::{flat, Action, MOST_ARGUMENTS};
use samewire_core::{Code as ErrorCode, Error};
use std::cell::UnsafeCell;
use std::sync::Arc;

/// Sites that one callee keeps. Others are looked up in the session.
const MOST_KEPT: usize = 16;

pub struct Callee {
    pub session: Py<Session>,
    pub action: Action,
    /// The binary name of the class, or `#` and its number.
    pub owner: String,
    pub member: String,
    /// The requested kind of result; empty for that of the declared type.
    pub result: String,
    /// Reads results of a pack schema in place of the session's hook.
    pub decode: Option<Py<PyAny>>,
    /// The call sites with the codes of their arguments, most recently used first. Sites are never removed, so a call's
    /// site stays valid during the call, even if nested calls use this callee.
    kept: UnsafeCell<Vec<Arc<Kept>>>,
}

struct Kept {
    codes: Box<[Code]>,
    site: Arc<Site>,
}

// SAFETY: `kept` is reached with the GIL held only, by functions that call no Python code while they borrow it.
unsafe impl Sync for Callee {}

impl Callee {
    pub fn new(session: Py<Session>, action: Action, owner: String, member: String, result: String) -> Self {
        Callee { session, action, owner, member, result, decode: None, kept: UnsafeCell::new(Vec::new()) }
    }

    /// Returns the callee with another kind of result.
    pub fn returning(&self, py: Python<'_>, result: String, decode: Option<Py<PyAny>>) -> Self {
        let (owner, member) = (self.owner.clone(), self.member.clone());
        Callee { decode, ..Callee::new(self.session.clone_ref(py), self.action, owner, member, result) }
    }

    /// Returns a copy of the callee.
    pub fn again(&self, py: Python<'_>) -> Self {
        self.returning(py, self.result.clone(), self.decode.as_ref().map(|decode| decode.clone_ref(py)))
    }

    /// The last used site, and the codes of its arguments.
    #[inline]
    pub fn last(&self) -> Option<(&Arc<Site>, &[Code])> {
        self.guess().map(|guess| (&guess.site, &*guess.codes))
    }

    #[inline]
    fn guess(&self) -> Option<&Kept> {
        // SAFETY: kept sites are never removed; the borrow ends at once.
        unsafe { (*self.kept.get()).first().map(|kept| &*std::ptr::from_ref(&**kept)) }
    }

    /// Appends a call: writes the arguments behind the head of the last used site, and looks for another site only if
    /// their codes differ.
    ///
    /// # Safety
    /// The GIL must be held, and the arguments alive.
    #[inline]
    pub unsafe fn append(
        &self,
        py: Python<'_>,
        session: &Session,
        out: &mut Vec<u8>,
        arguments: &[*mut ffi::PyObject],
        later: bool,
    ) -> Result<(Used<'_>, Attached), Fault> {
        let guess = self.guess();
        let start = out.len();
        let mut codes = Vec::new();
        let mut right = false;
        if let Some(guess) = guess {
            out.extend_from_slice(guess.site.head());
            right = guess.codes.len() == arguments.len();
        }
        let from = out.len();
        let mut encoder = Encoder::new(py, session, out, later);
        for (index, &argument) in arguments.iter().enumerate() {
            // SAFETY: the arguments are alive.
            let code = unsafe { encoder.argument(argument) }?;
            match guess {
                Some(guess) if right => {
                    if guess.codes[index] != code {
                        right = false;
                        codes.extend_from_slice(&guess.codes[..index]);
                        codes.push(code);
                    }
                }
                _ => codes.push(code),
            }
        }
        if let (true, Some(guess)) = (right, guess) {
            return Ok((Used::Kept(&guess.site), encoder.attached()));
        }
        let site = self.find(py, session, &codes)?;
        let attached = encoder.attached();
        out.splice(start..from, site.head().iter().copied());
        Ok((site, attached))
    }

    /// Finds the site for these arguments: among those used before, or in the session.
    #[cold]
    fn find(&self, py: Python<'_>, session: &Session, codes: &[Code]) -> Result<Used<'_>, Fault> {
        {
            // SAFETY: `py` proves that the GIL is held. No Python code runs before the borrow ends.
            let kept = unsafe { &mut *self.kept.get() };
            if let Some(index) = kept.iter().position(|kept| *kept.codes == *codes) {
                kept[..=index].rotate_right(1);
                return Ok(Used::Own(kept[0].site.clone()));
            }
        }
        // Python code runs here if the receiver is missing.
        let site = session.sites.of(py, &self.definition(py, session, codes)?);
        // SAFETY: `py` proves that the GIL is held. No Python code runs before the borrow ends.
        let kept = unsafe { &mut *self.kept.get() };
        if site.number != 0 && kept.len() < MOST_KEPT {
            kept.insert(0, Arc::new(Kept { codes: codes.into(), site: site.clone() }));
        }
        Ok(Used::Own(site))
    }

    /// The definition of the site for such arguments.
    fn definition(&self, py: Python<'_>, session: &Session, codes: &[Code]) -> Result<Vec<u8>, Fault> {
        if codes.len() > MOST_ARGUMENTS {
            let text = format!("{} arguments: expected at most {MOST_ARGUMENTS}: pass a list", codes.len());
            return Err(set(raise(Error::new(ErrorCode::LimitItems, text))));
        }
        let class = match self.action {
            Action::Method | Action::Get | Action::Set => match codes.first() {
                Some(&Code::RESULT) => String::new(),
                Some(code) if code.class().is_some() => format!("#{}", code.class().unwrap_or(0)),
                _ => return Err(self.no_receiver()),
            },
            _ => self.owner.clone(),
        };
        let mut definition = vec![self.action as u8];
        flat::put_str(&mut definition, &class);
        flat::put_str(&mut definition, &self.member);
        flat::put_varint(&mut definition, codes.len() as u64);
        for &code in codes {
            flat::put_str(&mut definition, &session.codes.text(py, code));
        }
        flat::put_str(&mut definition, &self.result);
        Ok(definition)
    }

    #[cold]
    fn no_receiver(&self) -> Fault {
        // SAFETY: what calls this holds the GIL.
        let owner = self.owner_name(unsafe { Python::assume_attached() });
        let text = format!("{owner}.{} needs an object of the class as its first argument", self.member);
        set(PyTypeError::new_err(text))
    }

    /// The number of the class, if it is known by that.
    fn owner_number(&self) -> Option<u32> {
        self.owner.strip_prefix('#').and_then(|number| number.parse().ok())
    }

    /// The name of the class, as programs know it.
    pub fn owner_name(&self, py: Python<'_>) -> String {
        let known = self.owner_number().and_then(|number| self.session.get().classes.get(py, number));
        let name = known.and_then(|known| {
            // SAFETY: a class, alive.
            let class = unsafe { Bound::from_borrowed_ptr(py, known.class().cast()) };
            class.getattr("__java__").and_then(|java| java.getattr("name")?.extract::<String>()).ok()
        });
        name.unwrap_or_else(|| self.owner.clone())
    }

    /// Whether an object may be the receiver: it is one of the class that `owner` names by its number.
    ///
    /// # Safety
    /// `object` must be alive; the GIL must be held.
    pub unsafe fn admits(&self, py: Python<'_>, object: *mut ffi::PyObject) -> bool {
        // SAFETY: `object` is alive; the GIL is held, as this function asks.
        let Some(proxy) = (unsafe { Object::of(object) }) else { return false };
        let Some(number) = self.owner_number() else { return false };
        if proxy.class() == number {
            return true;
        }
        let known = self.session.get().classes.get(py, number);
        // SAFETY: both are alive.
        known.is_some_and(|known| unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object), known.class()) != 0 })
    }
}
