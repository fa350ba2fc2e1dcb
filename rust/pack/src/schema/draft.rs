//! A schema in the making: its types, and its canonical text as far as they go.

use super::cycles;
use super::digest::fnv1a;
use super::lexer::push_name;
use super::types::{Cells, Enum, Field, Schema, Struct, Type, TypeId, NESTING_MAX, TEXT_MAX};
use super::widths;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::{Code, Error};

/// Whoever walks types in canonical order calls this for each: the parser for those of a text, and a codec for native ones,
/// which need no parser so.
pub(crate) struct Draft {
    schema: Schema,
    nesting: usize,
}

impl Draft {
    pub(crate) fn new() -> Self {
        let schema = Schema {
            types: Vec::new(),
            structs: Vec::new(),
            enums: Vec::new(),
            root: TypeId(0),
            dedup_slots: 0,
            text: String::new(),
            annotations: Vec::new(),
            digest: 0,
            cells: Cells::default(),
            widths: Vec::new(),
        };
        Draft { schema, nesting: 0 }
    }

    /// The schema, whose text is complete.
    pub(crate) fn finish(self, root: TypeId) -> Result<Schema, Error> {
        let mut schema = self.schema;
        if schema.text.len() > TEXT_MAX {
            let text = "the canonical text is over 1 MiB: divide it into several schemas";
            return Err(Error::new(Code::LimitSize, text).at(0));
        }
        schema.root = root;
        schema.digest = fnv1a(schema.text.as_bytes());
        cycles::mark(&mut schema);
        schema.cells = Cells::of(&schema);
        schema.widths = widths::of(&schema);
        Ok(schema)
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.schema.text.push_str(text);
    }

    pub(crate) fn name(&mut self, name: &str) {
        push_name(name, &mut self.schema.text);
    }

    /// The comma between the parts of a type.
    pub(crate) fn comma(&mut self, place: usize) {
        if place > 0 {
            self.push(", ");
        }
    }

    /// Members in canonical order may nest definitions deeper than a parsed text did.
    pub(crate) fn open(&mut self, bracket: &str) -> Result<(), Error> {
        self.push(bracket);
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            let text = "the canonical text is nested more than 64 deep: nest fewer, or use any for the inner types";
            return Err(Error::new(Code::LimitDepth, text).at(0));
        }
        Ok(())
    }

    pub(crate) fn close(&mut self, bracket: &str) {
        self.push(bracket);
        self.nesting -= 1;
    }

    /// Keeps what is said at the end of the text so far, which is without it.
    pub(crate) fn annotation(&mut self, annotation: String) {
        self.schema.annotations.push((self.schema.text.len(), annotation));
    }

    pub(crate) fn annotate(&mut self, defaulted: bool, aliases: &[String]) {
        let mut annotation = String::from(if defaulted { " @default" } else { "" });
        for (i, alias) in aliases.iter().enumerate() {
            annotation.push_str(if i == 0 { " @alias(" } else { ", " });
            push_name(alias, &mut annotation);
        }
        if !aliases.is_empty() {
            annotation.push(')');
        }
        if !annotation.is_empty() {
            self.annotation(annotation);
        }
    }

    /// A scalar type: its word, and the dedup slot of a text.
    pub(crate) fn scalar(&mut self, scalar: Type) -> TypeId {
        self.push(scalar.word().unwrap_or_default());
        let dedup_slot = self.schema.dedup_slots as u32;
        let ty = match scalar {
            Type::String(_) => Type::String(dedup_slot),
            Type::Any(_) => Type::Any(dedup_slot),
            other => other,
        };
        self.schema.dedup_slots += usize::from(matches!(ty, Type::String(_) | Type::Any(_)));
        self.add(ty)
    }

    pub(crate) fn add(&mut self, ty: Type) -> TypeId {
        self.schema.types.push(ty);
        TypeId(self.schema.types.len() as u32 - 1)
    }

    pub(crate) fn ty(&self, id: TypeId) -> &Type {
        self.schema.ty(id)
    }

    /// The struct of a type that is one.
    pub(crate) fn struct_index(&self, id: TypeId) -> usize {
        match *self.ty(id) {
            Type::Struct(index) => index,
            _ => 0,
        }
    }

    pub(crate) fn structs(&self) -> &[Struct] {
        &self.schema.structs
    }

    /// Defines an enum, whose symbols are in canonical order, and returns its index.
    pub(crate) fn enumeration(&mut self, made: Enum) -> Result<usize, Error> {
        self.push("enum ");
        self.name(&made.name);
        self.annotate(false, &made.aliases);
        self.open(" { ")?;
        for (i, symbol) in made.symbols.iter().enumerate() {
            self.comma(i);
            self.name(symbol);
            if made.fallback == Some(i) {
                self.annotation(String::from(" @fallback"));
            }
        }
        self.close(" }");
        self.schema.enums.push(made);
        Ok(self.schema.enums.len() - 1)
    }

    /// Begins to define a struct, and returns its index: its fields come next.
    pub(crate) fn open_struct(&mut self, name: String, aliases: Vec<String>) -> Result<usize, Error> {
        self.push("struct ");
        self.name(&name);
        self.annotate(false, &aliases);
        self.schema.structs.push(Struct { name, aliases, fields: Vec::new(), recursive: false, flags: 0 });
        self.open(" {")?;
        Ok(self.schema.structs.len() - 1)
    }

    /// Begins a field: its type comes next.
    pub(crate) fn open_field(&mut self, structure: usize, name: &str) {
        self.push(if self.schema.structs[structure].fields.is_empty() { " " } else { ", " });
        self.name(name);
        self.push(": ");
        // A place for it: the text of an inner struct may come between.
        let field = Field { name: String::from(name), ty: TypeId(0), defaulted: false, aliases: Vec::new() };
        self.schema.structs[structure].fields.push(field);
    }

    pub(crate) fn close_field(&mut self, structure: usize, ty: TypeId, defaulted: bool, aliases: Vec<String>) {
        self.annotate(defaulted, &aliases);
        let flags = usize::from(self.ty(ty).flagged());
        let made = &mut self.schema.structs[structure];
        made.flags += flags;
        if let Some(field) = made.fields.last_mut() {
            (field.ty, field.defaulted, field.aliases) = (ty, defaulted, aliases);
        }
    }

    pub(crate) fn close_struct(&mut self, structure: usize) {
        self.close(if self.schema.structs[structure].fields.is_empty() { "}" } else { " }" });
    }
}
