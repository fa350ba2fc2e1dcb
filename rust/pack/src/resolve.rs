//! Resolution: a pair of the writer's and the reader's schema, compiled once (`spec/pack.md` section 13).

use crate::aliases::adopt;
use crate::schema::{self, label, named, Cells, Field, Schema, Type, TypeId};
use crate::widening::widens;
use crate::wire::MOST_CELLS;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use samewire_core::path::{path_text, Segment};
use samewire_core::{Code, Error};

/// A step of a plan: an index into its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepId(pub u32);

/// How one type of the writer is read as one of the reader.
#[derive(Clone, Debug)]
pub struct Step {
    /// The writer's type: it says how the bytes are laid out, flags included.
    pub writer: Type,
    /// What to do.
    pub action: Action,
    /// The cells of a slot of the writer's type.
    pub slot_cells: u32,
    /// The cells that are charged where a present `option` of the writer's type is read.
    pub present_cells: u32,
}

/// What to do with the bytes of one of the writer's types.
#[derive(Clone, Debug)]
pub enum Action {
    /// A scalar (`any` included) of the same type.
    Same,
    /// A number that becomes one of another type, the reader's, which has it exactly.
    Widen(Type),
    /// The writer's type is no option, the reader's is one of what this step reads.
    Present(StepId),
    /// An option of both.
    Option(StepId),
    /// The writer's type is an option, the reader's field is none and has a default for null.
    OrDefault(StepId),
    /// A list of both.
    List(StepId),
    /// A set of both.
    Set(StepId),
    /// A map of both: keys and values.
    Map(StepId, StepId),
    /// A tuple of both.
    Tuple(Box<[StepId]>),
    /// For each of the writer's symbols its index in the reader's enum, or that of the fallback, if it has one.
    Enum(Box<[Option<u32>]>),
    /// A struct of both: an index into [`ResolutionPlan::structs`].
    Struct(usize),
    /// For each of the writer's members the index of the reader's member and an index into [`ResolutionPlan::structs`], if the reader has it.
    Union(Members),
    /// A shared struct of both: an index into [`ResolutionPlan::structs`].
    Ref(usize),
}

/// For each of the writer's members the reader's, and how to read it.
pub type Members = Box<[Option<(u32, usize)>]>;

/// How a struct of the writer is read as one of the reader.
#[derive(Clone, Debug, Default)]
pub struct StructPlan {
    /// The writer's struct, an index into its [`Schema::structs`].
    pub writer: usize,
    /// The reader's struct.
    pub reader: usize,
    /// Whether the writer's struct is recursive.
    pub recursive: bool,
    /// The flags of the writer's row.
    pub flags: usize,
    /// The writer's fields in order.
    pub fields: Box<[FieldPlan]>,
    /// The reader's fields that the writer lacks: they take their default, or null.
    pub missing: Box<[usize]>,
    /// The cells of the writer's row, with those of the reader's missing fields.
    pub row_cells: u32,
    /// Where the reader's struct is the fallback of a union: the name of the writer's member. All its fields are skipped.
    pub stands_for: Option<String>,
}

impl StructPlan {
    /// The cells that are charged where the row begins without lying inline; a recursive struct charges them itself.
    #[inline]
    pub fn present_cells(&self) -> u64 {
        if self.recursive {
            0
        } else {
            self.row_cells.into()
        }
    }
}

/// What becomes of one of the writer's fields.
#[derive(Clone, Debug)]
pub struct FieldPlan {
    /// Whether it has a flag in the writer's row.
    pub flagged: bool,
    /// The reader's field (its index) and how to read it; `None`: skip.
    pub target: Option<(usize, StepId)>,
}

/// Why a pair does not resolve: the first difference that no rule bridges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The place, like `$.books[].year`.
    pub path: String,
    /// What stands there in the writer's schema: a type without its parts, or `no such field`.
    pub writer: String,
    /// What stands there in the reader's.
    pub reader: String,
    /// What makes the pair resolve.
    pub remedy: Remedy,
}

/// What a reader can do about a [`Mismatch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// No rule leads from one type to the other: declare the writer's.
    Nothing,
    /// Give the reader's struct or enum this name.
    Rename(String),
    /// Give the reader's field a default, or make it an option.
    Default,
}

const NO_RULE: &str =
    "no rule leads from one to the other: declare the writer's type, or give a field of another type another name";

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the writer has {}, the reader {}: ", self.writer, self.reader)?;
        match &self.remedy {
            Remedy::Nothing => f.write_str(NO_RULE),
            Remedy::Rename(name) => write!(f, "names must agree; name the reader's type {name:?} if it is the same"),
            Remedy::Default => f.write_str("give it a default, or make it optional"),
        }
    }
}

impl From<Mismatch> for Error {
    fn from(mismatch: Mismatch) -> Error {
        Error::new(Code::SchemaMismatch, mismatch.to_string()).path(mismatch.path)
    }
}

/// A compiled pair.
#[derive(Clone, Debug)]
pub struct ResolutionPlan {
    writer: Schema,
    cells: Cells,
    steps: Vec<Step>,
    structs: Vec<StructPlan>,
    root: StepId,
}

impl ResolutionPlan {
    /// Compiles a pair.
    ///
    /// # Errors
    /// The first difference that no rule bridges.
    pub fn new(mut writer: Schema, reader: &Schema) -> Result<ResolutionPlan, Mismatch> {
        adopt(&mut writer, reader);
        let cells = Cells::resolved(&writer, reader);
        let mut planner = Planner {
            writer: &writer,
            cells: &cells,
            reader,
            steps: Vec::new(),
            structs: Vec::new(),
            met: BTreeMap::new(),
            path: Vec::new(),
        };
        match planner.types(writer.root(), reader.root()) {
            Ok(root) => {
                let Planner { steps, structs, .. } = planner;
                Ok(ResolutionPlan { writer, cells, steps, structs, root })
            }
            Err(Differs { writer, reader, remedy }) => {
                let path = path_text(planner.path.iter().copied());
                Err(Mismatch { path, writer, reader, remedy })
            }
        }
    }

    /// The writer's schema, in the reader's names where that has aliases.
    pub fn writer(&self) -> &Schema {
        &self.writer
    }

    /// What values of the writer's types take when this reader reads them, in cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The step that reads the root.
    pub fn root(&self) -> StepId {
        self.root
    }

    /// A step.
    #[inline]
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// The cells that a value which this step reads is charged at least.
    pub(crate) fn least_cells(&self, id: StepId) -> u64 {
        let step = self.step(id);
        match step.action {
            Action::Struct(structure) => self.structs[structure].row_cells.into(),
            _ => step.slot_cells.into(),
        }
    }

    /// Whether what a step reads is written as the columns of its parts: a tuple, or a struct that is not recursive.
    pub fn is_flat(&self, id: StepId) -> bool {
        match self.step(id).writer {
            Type::Tuple(_) => true,
            Type::Struct(index) => !self.writer.structs()[index].recursive,
            _ => false,
        }
    }

    /// The plans of structs.
    #[inline]
    pub fn structs(&self) -> &[StructPlan] {
        &self.structs
    }
}

/// A difference that no rule bridges; the path leads to it.
struct Differs {
    writer: String,
    reader: String,
    remedy: Remedy,
}

struct Planner<'s> {
    writer: &'s Schema,
    cells: &'s Cells,
    reader: &'s Schema,
    steps: Vec<Step>,
    structs: Vec<StructPlan>,
    /// Pairs of structs and their plans; a recursive pair is met before its plan is complete.
    met: BTreeMap<(usize, usize), usize>,
    path: Vec<Segment<'s>>,
}

impl<'s> Planner<'s> {
    fn inside(&mut self, segment: Segment<'s>, writer: TypeId, reader: TypeId) -> Result<StepId, Differs> {
        self.path.push(segment);
        let step = self.types(writer, reader)?;
        self.path.pop();
        Ok(step)
    }

    fn types(&mut self, writer_id: TypeId, reader_id: TypeId) -> Result<StepId, Differs> {
        let (writer, reader) = (self.writer.ty(writer_id), self.reader.ty(reader_id));
        let action = match (writer, reader) {
            (Type::Option(theirs), Type::Option(ours)) => Action::Option(self.types(*theirs, *ours)?),
            (_, Type::Option(ours)) => Action::Present(self.types(writer_id, *ours)?),
            (Type::List(theirs), Type::List(ours)) => Action::List(self.inside(Segment::Elements, *theirs, *ours)?),
            (Type::Set(theirs), Type::Set(ours)) => Action::Set(self.key(Segment::Elements, *theirs, *ours)?),
            (Type::Map(their_key, their_value), Type::Map(key, value)) => {
                let key = self.key(Segment::Keys, *their_key, *key)?;
                Action::Map(key, self.inside(Segment::Values, *their_value, *value)?)
            }
            (Type::Tuple(theirs), Type::Tuple(ours)) if theirs.len() == ours.len() => {
                let mut steps = Vec::new();
                for (i, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                    steps.push(self.inside(Segment::Index(i), *theirs, *ours)?);
                }
                Action::Tuple(steps.into())
            }
            (Type::Struct(theirs), Type::Struct(ours)) => Action::Struct(self.structs(*theirs, *ours)?),
            (Type::Ref(theirs), Type::Ref(ours)) => Action::Ref(self.structs(*theirs, *ours)?),
            (Type::Union(theirs), Type::Union(ours)) => Action::Union(self.members(&theirs.structs, ours)?),
            (Type::Enum(theirs), Type::Enum(ours)) => {
                let (theirs, ours) = (&self.writer.enums()[*theirs], &self.reader.enums()[*ours]);
                if theirs.name != ours.name {
                    return Err(renamed("enum", &theirs.name, &ours.name));
                }
                let places: BTreeMap<_, _> = ours.symbols.iter().zip(0..).collect();
                let fallback = ours.fallback.map(|place| place as u32);
                Action::Enum(theirs.symbols.iter().map(|symbol| places.get(symbol).copied().or(fallback)).collect())
            }
            _ if writer.word().is_some() && writer.word() == reader.word() => Action::Same,
            _ if widens(writer, reader) => Action::Widen(reader.clone()),
            _ => {
                let (writer, reader) = (label(self.writer, writer_id), label(self.reader, reader_id));
                return Err(Differs { writer, reader, remedy: Remedy::Nothing });
            }
        };
        Ok(self.step(writer_id, action))
    }

    /// A key does not fall back: two of them could become one.
    fn key(&mut self, segment: Segment<'s>, writer_id: TypeId, reader_id: TypeId) -> Result<StepId, Differs> {
        let id = self.inside(segment, writer_id, reader_id)?;
        if let (Type::Enum(theirs), Type::Enum(ours)) = (self.writer.ty(writer_id), self.reader.ty(reader_id)) {
            let (theirs, ours) = (&self.writer.enums()[*theirs], &self.reader.enums()[*ours]);
            if let Action::Enum(symbols) = &mut self.steps[id.0 as usize].action {
                for (found, symbol) in symbols.iter_mut().zip(&theirs.symbols) {
                    *found = found.filter(|&place| ours.symbols[place as usize] == *symbol);
                }
            }
        }
        Ok(id)
    }

    /// A field that both have. Null, where the reader has no option, takes the default.
    fn field(&mut self, segment: Segment<'s>, writer_id: TypeId, field: &Field) -> Result<StepId, Differs> {
        let (Type::Option(inner), true) = (self.writer.ty(writer_id), field.defaulted) else {
            return self.inside(segment, writer_id, field.ty);
        };
        let inner = self.inside(segment, *inner, field.ty)?;
        Ok(self.step(writer_id, Action::OrDefault(inner)))
    }

    fn step(&mut self, writer_id: TypeId, action: Action) -> StepId {
        let (slot_cells, present_cells) = (self.cells.slot(writer_id), self.cells.present(self.writer, writer_id));
        let writer = self.writer.ty(writer_id).clone();
        self.steps.push(Step { writer, action, slot_cells, present_cells });
        StepId(self.steps.len() as u32 - 1)
    }

    /// Members in the reader's order, since that is the order in which differences are found.
    fn members(&mut self, theirs: &[usize], ours: &schema::Members) -> Result<Members, Differs> {
        let (writer, reader) = (self.writer, self.reader);
        let places: BTreeMap<_, _> =
            theirs.iter().enumerate().map(|(i, &made)| (&writer.structs()[made].name, i)).collect();
        let mut members = vec![None; theirs.len()];
        for (i, &made) in ours.structs.iter().enumerate() {
            if let Some(&place) = places.get(&reader.structs()[made].name) {
                members[place] = Some((i as u32, self.structs(theirs[place], made)?));
            }
        }
        if let Some(fallback) = ours.fallback {
            for (member, &made) in members.iter_mut().zip(theirs) {
                if member.is_none() {
                    *member = Some((fallback as u32, self.stand_in(made, ours.structs[fallback])));
                }
            }
        }
        Ok(members.into())
    }

    /// A member that the reader lacks: its fields are skipped, and the fallback is made with its name.
    fn stand_in(&mut self, theirs: usize, ours: usize) -> usize {
        let (writer, reader) = (&self.writer.structs()[theirs], &self.reader.structs()[ours]);
        let fields =
            writer.fields.iter().map(|field| FieldPlan { flagged: self.writer.ty(field.ty).flagged(), target: None });
        let cells = u64::from(self.cells.row(theirs)) + Cells::stand_in(reader, &writer.name);
        self.structs.push(StructPlan {
            writer: theirs,
            reader: ours,
            recursive: writer.recursive,
            flags: writer.flags,
            fields: fields.collect(),
            missing: (0..reader.fields.len()).collect(),
            row_cells: cells.min(MOST_CELLS) as u32,
            stands_for: Some(writer.name.clone()),
        });
        self.structs.len() - 1
    }

    fn structs(&mut self, theirs: usize, ours: usize) -> Result<usize, Differs> {
        if let Some(&plan) = self.met.get(&(theirs, ours)) {
            return Ok(plan);
        }
        let (writer, reader) = (&self.writer.structs()[theirs], &self.reader.structs()[ours]);
        if writer.name != reader.name {
            return Err(renamed("struct", &writer.name, &reader.name));
        }
        let index = self.structs.len();
        self.met.insert((theirs, ours), index);
        self.structs.push(StructPlan::default());
        let places: BTreeMap<_, _> = writer.fields.iter().enumerate().map(|(i, field)| (&field.name, i)).collect();
        let mut targets = vec![None; writer.fields.len()];
        let mut missing = Vec::new();
        for (i, field) in reader.fields.iter().enumerate() {
            let segment = Segment::Field(&field.name);
            if let Some(&place) = places.get(&field.name) {
                targets[place] = Some((i, self.field(segment, writer.fields[place].ty, field)?));
            } else if field.defaulted || matches!(self.reader.ty(field.ty), Type::Option(_)) {
                missing.push(i);
            } else {
                self.path.push(segment);
                let (writer, reader) = (String::from("no such field"), String::from("one without a default"));
                return Err(Differs { writer, reader, remedy: Remedy::Default });
            }
        }
        let fields = writer
            .fields
            .iter()
            .zip(targets)
            .map(|(field, target)| FieldPlan { flagged: self.writer.ty(field.ty).flagged(), target });
        self.structs[index] = StructPlan {
            writer: theirs,
            reader: ours,
            recursive: writer.recursive,
            flags: writer.flags,
            fields: fields.collect(),
            missing: missing.into(),
            row_cells: self.cells.row(theirs),
            stands_for: None,
        };
        Ok(index)
    }
}

fn renamed(kind: &str, theirs: &str, ours: &str) -> Differs {
    Differs { writer: named(kind, theirs), reader: named(kind, ours), remedy: Remedy::Rename(theirs.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(writer: &str, reader: &str) -> Option<alloc::string::String> {
        let writer = Schema::parse(writer).unwrap();
        ResolutionPlan::new(writer, &Schema::parse(reader).unwrap()).err().map(|mismatch| mismatch.path)
    }

    #[test]
    fn the_table_of_widening() {
        let types = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "f32", "f64"];
        let wider = |ty: &str| match ty {
            "i8" => "i16 i32 i64 bigint f32 f64",
            "i16" => "i32 i64 bigint f32 f64",
            "i32" => "i64 bigint f32 f64",
            "i64" | "u64" => "bigint f32 f64",
            "u8" => "u16 u32 u64 i16 i32 i64 bigint f32 f64",
            "u16" => "u32 u64 i32 i64 bigint f32 f64",
            "u32" => "u64 i64 bigint f32 f64",
            "f32" => "f64",
            _ => "",
        };
        for writer in types {
            for reader in types {
                let fits = writer == reader || wider(writer).split(' ').any(|ty| ty == reader);
                assert_eq!(path(writer, reader).is_none(), fits, "{writer} {reader}");
                let optional = alloc::format!("option<{reader}>");
                assert_eq!(path(writer, &optional).is_none(), fits, "{writer} {optional}");
            }
        }
    }

    #[test]
    fn a_mismatch_names_both_sides_and_what_to_do() {
        let text = |writer: &str, reader: &str| {
            let pair = ResolutionPlan::new(Schema::parse(writer).unwrap(), &Schema::parse(reader).unwrap());
            Error::from(pair.unwrap_err()).text.into_owned()
        };
        assert_eq!(text("f64", "i64"), alloc::format!("the writer has f64, the reader i64: {NO_RULE}"));
        assert_eq!(
            text("struct A { x: i8 }", "struct B { x: i8 }"),
            "the writer has struct A, the reader struct B: names must agree; name the reader's type \"A\" if it is the same"
        );
        assert_eq!(
            text("struct A { x: i8 }", "struct A { x: i8, y: i8 }"),
            "the writer has no such field, the reader one without a default: give it a default, or make it optional"
        );
    }

    #[test]
    fn a_field_only_the_reader_has_needs_a_default() {
        let writer = "struct A { x: i8 }";
        assert_eq!(path(writer, "struct A { x: i8, y: option<i8> }"), None);
        assert_eq!(path(writer, "struct A { x: i8, y: i8 }").unwrap(), "$.y");
        assert_eq!(path(writer, "struct A { x: i8, y: i8 @default }"), None);
        assert_eq!(path("struct A { x: option<i8> }", "struct A { x: i16 @default }"), None);
        assert_eq!(path("struct A { x: option<i8> }", "struct A { x: i16 }").unwrap(), "$.x");
    }
}
