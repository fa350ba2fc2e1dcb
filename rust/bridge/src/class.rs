//! Descriptions of classes (`spec/bridge.md` section 9).

use crate::budget::Budget;
use crate::flat::{put_str, put_strs, put_varint};
use crate::reader::Reader;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use samewire_core::Fault;

/// The form of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Form {
    /// A class.
    Class = 0,
    /// An interface.
    Interface = 1,
    /// An enum.
    Enum = 2,
    /// A record.
    Record = 3,
    /// An array.
    Array = 4,
    /// A primitive type.
    Primitive = 5,
    /// An annotation.
    Annotation = 6,
}

impl Form {
    /// All of them, each at its number.
    pub const ALL: [Form; 7] =
        [Form::Class, Form::Interface, Form::Enum, Form::Record, Form::Array, Form::Primitive, Form::Annotation];
}

/// The form of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum What {
    /// A constructor.
    Constructor = 0,
    /// A method.
    Method = 1,
    /// A field.
    Field = 2,
}

/// The flags of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// It belongs to the class, not to an object.
    pub const STATIC: u8 = 1;
    /// Its last parameter takes any number of arguments.
    pub const VARARGS: u8 = 2;
    /// It cannot be overridden, or set.
    pub const FINAL: u8 = 4;
    /// An interface's method that has a body.
    pub const DEFAULT: u8 = 8;
    /// A method without a body.
    pub const ABSTRACT: u8 = 16;
    /// All of them.
    pub const ALL: u8 = 31;

    /// Whether a flag is set.
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// A public member of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// What it is.
    pub what: What,
    /// Its flags.
    pub flags: Flags,
    /// Its name.
    pub name: Cow<'a, str>,
    /// The types of its parameters, as written in source.
    pub parameters: Vec<Cow<'a, str>>,
    /// The type of its result, or of the field.
    pub result: Cow<'a, str>,
}

/// A class's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo<'a> {
    /// Its number in the session, from 1.
    pub number: u32,
    /// Its binary name.
    pub name: Cow<'a, str>,
    /// What sort of class it is.
    pub form: Form,
    /// Its superclass, or empty.
    pub superclass: Cow<'a, str>,
    /// All its superclasses and interfaces.
    pub supertypes: Vec<Cow<'a, str>>,
    /// The name of an interface's only abstract method, or empty.
    pub functional: Cow<'a, str>,
    /// Its public inner classes: the simple name, and the binary name.
    pub inner: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Its public members, inherited ones too.
    pub members: Vec<Member<'a>>,
}

impl<'a> ClassInfo<'a> {
    /// Appends a value of kind `class`.
    pub fn write(info: Option<&Self>, out: &mut Vec<u8>) {
        let Some(info) = info else {
            return out.push(0);
        };
        out.push(1);
        put_varint(out, u64::from(info.number));
        put_str(out, &info.name);
        out.push(info.form as u8);
        put_str(out, &info.superclass);
        put_strs(out, &info.supertypes);
        put_str(out, &info.functional);
        put_varint(out, info.inner.len() as u64);
        for (simple, name) in &info.inner {
            put_str(out, simple);
            put_str(out, name);
        }
        put_varint(out, info.members.len() as u64);
        for member in &info.members {
            out.push(member.what as u8);
            out.push(member.flags.0);
            put_str(out, &member.name);
            put_strs(out, &member.parameters);
            put_str(out, &member.result);
        }
    }

    /// Reads a value of kind `class`: `None` if there is no such class.
    ///
    /// # Errors
    /// `malformed` at an invalid number, form or flag; `limit_items` at a count; `bad_utf8` at a name;
    /// `bad_number`, `truncated`.
    pub fn read(reader: &mut Reader<'a>, budget: &mut Budget) -> Result<Option<Self>, Fault> {
        if !reader.bool()? {
            return Ok(None);
        }
        let at = reader.at();
        let number = reader.class()?;
        if number == 0 {
            return Err(reader.malformed(at, "expected the number of a class, from 1"));
        }
        let name = reader.name()?;
        let at = reader.at();
        let Some(&form) = Form::ALL.get(usize::from(reader.u8()?)) else {
            return Err(reader.malformed(at, "expected a form, 0 to 6"));
        };
        let superclass = reader.name()?;
        let supertypes = names(reader, budget)?;
        let functional = reader.name()?;
        let count = budget.elements(reader)?;
        let inner = (0..count).map(|_| Ok((reader.name()?, reader.name()?))).collect::<Result<_, Fault>>()?;
        let count = budget.elements(reader)?;
        let members = (0..count).map(|_| Member::read(reader, budget)).collect::<Result<_, Fault>>()?;
        Ok(Some(ClassInfo { number, name, form, superclass, supertypes, functional, inner, members }))
    }
}

impl<'a> Member<'a> {
    fn read(reader: &mut Reader<'a>, budget: &mut Budget) -> Result<Self, Fault> {
        let at = reader.at();
        let what = match reader.u8()? {
            0 => What::Constructor,
            1 => What::Method,
            2 => What::Field,
            _ => return Err(reader.malformed(at, "expected a sort of member, 0 to 2")),
        };
        let at = reader.at();
        let flags = Flags(reader.u8()?);
        if flags.0 & !Flags::ALL != 0 {
            return Err(reader.malformed(at, "expected flags of a member, 0 to 31"));
        }
        Ok(Member { what, flags, name: reader.name()?, parameters: names(reader, budget)?, result: reader.name()? })
    }
}

fn names<'a>(reader: &mut Reader<'a>, budget: &mut Budget) -> Result<Vec<Cow<'a, str>>, Fault> {
    let count = budget.elements(reader)?;
    (0..count).map(|_| reader.name()).collect()
}
