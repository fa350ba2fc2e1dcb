//! Exceptions (`spec/bridge.md` section 8).

use crate::flat::{put_str, put_text};
use crate::opcode;
use crate::reader::Reader;
use crate::reference::Reference;
use crate::text::Text;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::{Code, Fault};

/// The reply to a call that raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throw<'a> {
    /// The exception.
    pub object: Reference,
    /// The name of its class.
    pub class: Cow<'a, str>,
    /// The error's code, if the bridge refused the call, and not the program.
    pub code: Option<Code>,
    /// Its message.
    pub message: Option<Text<'a>>,
    /// The traceback, from Python.
    pub trace: Text<'a>,
}

impl<'a> Throw<'a> {
    /// Appends the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(opcode::THROW);
        self.object.write(out);
        put_str(out, &self.class);
        put_str(out, self.code.map_or("", Code::as_str));
        out.push(u8::from(self.message.is_some()));
        if let Some(text) = self.message {
            put_text(out, text);
        }
        put_text(out, self.trace);
    }

    /// Reads the body.
    ///
    /// # Errors
    /// `malformed` at an invalid reference, code or byte; `bad_utf8` at a name; `bad_number`, `truncated`.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Fault> {
        let object = reader.reference()?;
        let class = reader.name()?;
        let at = reader.at();
        let code = match &*reader.name()? {
            "" => None,
            name => match Code::named(name) {
                Some(code) => Some(code),
                None => return Err(reader.malformed(at, "expected no code, or one of spec/errors.md")),
            },
        };
        let message = if reader.bool()? { Some(reader.text()?) } else { None };
        Ok(Throw { object, class, code, message, trace: reader.text()? })
    }
}
