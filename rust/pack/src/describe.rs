//! Compiles native types into a schema and the codec's table of links.
//!
//! Several paths may lead to one struct, and all share the dedup slots of its one definition. Which path comes first depends
//! on the codec's root type, so the number of a dedup slot cannot be a constant of the native type. Instead every struct has a
//! run of places in a table made once per codec: one for each `string`, `any` and struct in its fields. The place of a struct
//! holds the start of that struct's own run. Writing a nested struct costs one load.

use crate::link::Link;
use crate::schema::{Draft, Enum, Members, Schema, Type, TypeId, NODES_MAX};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::path::{path_text, push_quoted, Segment};
use samewire_core::{Code, Error};

/// Collects the description of a type.
///
/// A program that only encodes and decodes its own types holds this code: no maps, no sorting, no formatting, which take more
/// room in a module of WebAssembly than all else here.
pub struct Describe {
    draft: Draft,
    /// The type that was described last.
    last: TypeId,
    /// Types, fields, symbols and aliases.
    nodes: usize,
    runs: Vec<Run>,
    current: usize,
    /// All names and aliases of structs and enums, in order.
    names: Vec<Named>,
    /// The instances of generic structs, once each.
    instances: Vec<(&'static str, String)>,
    /// The generic structs whose one instance has their name.
    settled: Vec<&'static str>,
    /// Structs that occurred again: their runs, and the fields of that occurrence.
    again: Vec<(usize, Vec<Outline>)>,
    /// Instances of generic structs that have the name of another's, by its index and their native types: each is described
    /// once.
    twins: Vec<(usize, &'static str)>,
    /// Their runs, after the index of the first.
    alike: Vec<(usize, Run)>,
    /// The runs of twins while they are described, the innermost last: the draft stays as it is.
    open_twins: Vec<Run>,
    /// The fields of the struct that is occurring again.
    repeated: Option<Vec<Outline>>,
    /// The members that are fallbacks.
    fallbacks: Vec<usize>,
    /// The words of an outline, while one is made.
    outline: Option<String>,
    /// Whether the outline is for the name of an instance, in which no name is settled.
    labelling: bool,
    /// Whether a member of a union comes next.
    at_member: bool,
    /// Where the type that is described stands.
    path: Vec<Segment<'static>>,
    problem: Option<Error>,
}

/// A name that is taken.
struct Named {
    name: String,
    native: &'static str,
    kind: Kind,
}

/// What has a name.
#[derive(Clone, Copy)]
enum Kind {
    Struct(usize),
    Enum(usize),
    Alias,
}

/// The places of a struct, or of the root. That of a struct is one behind its index.
#[derive(Default, PartialEq)]
struct Run {
    places: Vec<Option<usize>>,
    fields: Vec<Outline>,
}

/// A field's name, and its type with structs and enums as their names alone.
type Outline = (&'static str, String);

/// The compiled description of a codec's type.
pub(crate) struct Description {
    pub(crate) schema: Schema,
    pub(crate) links: Box<[Link]>,
}

impl Describe {
    fn new(settled: Vec<&'static str>) -> Self {
        Describe {
            draft: Draft::new(),
            last: TypeId(0),
            nodes: 0,
            runs: vec![Run::default()],
            current: 0,
            names: Vec::new(),
            instances: Vec::new(),
            settled,
            again: Vec::new(),
            twins: Vec::new(),
            alike: Vec::new(),
            open_twins: Vec::new(),
            repeated: None,
            fallbacks: Vec::new(),
            outline: None,
            labelling: false,
            at_member: false,
            path: Vec::new(),
            problem: None,
        }
    }

    /// Runs the description of a codec's type.
    pub(crate) fn of(root: fn(&mut Describe)) -> Result<Description, Error> {
        let mut describe = Describe::new(Vec::new());
        root(&mut describe);
        // How many instances a generic struct has is known at the end.
        let settled = describe.to_settle();
        if !settled.is_empty() {
            describe = Describe::new(settled);
            root(&mut describe);
        }
        describe.finish()
    }

    fn finish(mut self) -> Result<Description, Error> {
        self.compare();
        self.check_fallbacks();
        if self.nodes > NODES_MAX {
            self.note(too_much(Error::new(
                Code::LimitItems,
                "more than 65,536 types, fields and symbols: divide it into several schemas",
            )));
        }
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let schema = self.draft.finish(self.last).map_err(too_much)?;
        let mut bases = Vec::new();
        let mut length = 0;
        for run in &self.runs {
            bases.push(length);
            length += run.places.len();
        }
        let link = |run: usize| {
            let index = run - 1;
            Link::new(bases[run], schema.structs()[index].recursive, schema.cells().row(index), schema.width(index))
        };
        let places = self.runs.iter().flat_map(|run| &run.places);
        let links = places.map(|place| place.map_or(Link::default(), link)).collect();
        Ok(Description { schema, links })
    }

    /// A scalar type.
    pub fn scalar(&mut self, scalar: Type) {
        if let Some(outline) = &mut self.outline {
            return outline.push_str(scalar.word().unwrap_or_default());
        }
        if matches!(scalar, Type::String(_) | Type::Any(_)) {
            self.run().places.push(None);
        }
        self.nodes += 1;
        if self.open_twins.is_empty() {
            self.last = self.draft.scalar(scalar);
        }
    }

    /// `option<…>`.
    pub fn option(&mut self, inner: fn(&mut Describe)) {
        self.parts("option<", &[inner], |_, inside| Type::Option(inside[0]));
        if self.outline.is_none() && self.open_twins.is_empty() {
            if let Type::Option(inner) = *self.draft.ty(self.last) {
                self.check_option(inner);
            }
        }
    }

    /// `list<…>`.
    pub fn list(&mut self, inner: fn(&mut Describe)) {
        self.parts("list<", &[inner], |_, inside| Type::List(inside[0]));
    }

    /// `set<…>`.
    pub fn set(&mut self, inner: fn(&mut Describe)) {
        self.parts("set<", &[inner], |_, inside| Type::Set(inside[0]));
    }

    /// `ref<…>` of a struct.
    pub fn reference(&mut self, inner: fn(&mut Describe)) {
        self.parts("ref<", &[inner], |draft, inside| Type::Ref(draft.struct_index(inside[0])));
    }

    /// `map<…>`.
    pub fn map(&mut self, key: fn(&mut Describe), value: fn(&mut Describe)) {
        self.parts("map<", &[key, value], |_, inside| Type::Map(inside[0], inside[1]));
    }

    /// `tuple<…>`.
    pub fn tuple(&mut self, parts: &[fn(&mut Describe)]) {
        self.parts("tuple<", parts, |_, inside| Type::Tuple(inside.into()));
    }

    /// A type with types inside.
    fn parts(&mut self, word: &'static str, parts: &[fn(&mut Describe)], make: fn(&Draft, &[TypeId]) -> Type) {
        if let Some(outline) = &mut self.outline {
            outline.push_str(word);
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    self.outline.get_or_insert_default().push(',');
                }
                part(self);
            }
            self.outline.get_or_insert_default().push('>');
            return;
        }
        self.nodes += 1;
        if !self.open_twins.is_empty() {
            return parts.iter().for_each(|part| part(self));
        }
        if !self.open(word) {
            return;
        }
        let mut inside = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            self.draft.comma(i);
            let length = self.path.len();
            self.path.extend(segment(word, i));
            part(self);
            self.path.truncate(length);
            inside.push(self.last);
        }
        self.draft.close(">");
        let ty = make(&self.draft, &inside);
        self.last = self.draft.add(ty);
    }

    /// The run of the struct that is described.
    fn run(&mut self) -> &mut Run {
        match self.open_twins.last_mut() {
            Some(run) => run,
            None => &mut self.runs[self.current],
        }
    }

    /// Opens a bracket, if not too many are.
    fn open(&mut self, bracket: &str) -> bool {
        match self.draft.open(bracket) {
            Ok(()) => true,
            Err(error) => {
                self.note(too_much(error));
                self.last = self.draft.add(Type::Bool);
                false
            }
        }
    }

    /// Refuses an option of what may be null itself.
    fn check_option(&mut self, inner: TypeId) {
        match self.draft.ty(inner) {
            Type::Option(_) => self.refuse(
                "an option holds no option, since the schema has one null: write Option<T>, or an enum of three \
                 variants, as enum Change { Keep, Clear, Set(T) }",
            ),
            Type::Any(_) => {
                self.refuse("an option holds no any, which may be null itself: write Any, and Any::Null for None")
            }
            _ => {}
        }
    }

    fn note(&mut self, problem: Error) {
        self.problem.get_or_insert(problem);
    }

    /// Notes a problem of the type that is described.
    fn refuse(&mut self, text: impl Into<alloc::borrow::Cow<'static, str>>) {
        if self.problem.is_none() {
            let error = Error::new(Code::Misuse, text);
            self.note(error.path(path_text(self.path.iter().copied())));
        }
    }

    /// Refuses a struct without fields that is no member of a union.
    fn check_fields(&mut self, structure: usize, is_member: bool) {
        if self.runs[structure + 1].fields.is_empty() && !is_member {
            let text = [
                &self.draft.structs()[structure].name,
                " has no fields, as only the member of a union may: leave it out by #[pack(skip)], or give it a field",
            ]
            .concat();
            self.refuse(text);
        }
    }

    /// An enum. `native` names the Rust type; the symbols are in canonical order, `fallback` is the place of one.
    pub fn enumeration(
        &mut self,
        name: &'static str,
        native: &'static str,
        aliases: &[&str],
        symbols: &[&str],
        fallback: Option<usize>,
    ) {
        if let Some(outline) = &mut self.outline {
            return push_quoted(name, outline);
        }
        self.nodes += 1;
        if let Some(known) = self.known(name, native, true, false) {
            return self.use_again(name, known);
        }
        if !self.open_twins.is_empty() {
            return self.other_fields(name);
        }
        self.nodes += aliases.len() + symbols.len();
        let aliases = self.aliases(aliases);
        let symbols = owned(symbols);
        match self.draft.enumeration(Enum { name: name.into(), aliases, symbols, fallback }) {
            Ok(index) => {
                self.define(name.into(), native, Kind::Enum(index));
                self.last = self.draft.add(Type::Enum(index));
            }
            Err(error) => self.note(too_much(error)),
        }
    }

    /// A struct. `fields` calls [`field`](Self::field) for each. `arguments` are the types that a generic one is of.
    pub fn structure(
        &mut self,
        name: &'static str,
        arguments: &[fn(&mut Describe)],
        native: &'static str,
        aliases: &[&str],
        fields: fn(&mut Describe),
    ) {
        let is_member = core::mem::take(&mut self.at_member);
        let given = name;
        let name = self.instance(name, arguments);
        if let Some(outline) = &mut self.outline {
            return push_quoted(&name, outline);
        }
        if is_member && name != given {
            // Members are in the order of their names, which the compiler has found without those of the arguments.
            let text = [
                &name,
                ", one of several instances of ",
                given,
                ", is a member of a union: make a struct that holds it",
            ];
            self.note(Error::new(Code::Misuse, text.concat()));
        }
        self.nodes += 1;
        if let Some(known) = self.known(&name, native, false, !arguments.is_empty()) {
            if let Kind::Struct(structure) = known {
                self.run().places.push(Some(structure + 1));
                self.describe_again(structure, &name, native, fields);
                self.check_fields(structure, is_member);
            }
            return self.use_again(&name, known);
        }
        if !self.open_twins.is_empty() {
            return self.other_fields(&name);
        }
        self.nodes += aliases.len();
        let run = self.runs.len();
        self.runs[self.current].places.push(Some(run));
        self.runs.push(Run::default());
        let aliases = self.aliases(aliases);
        let structure = match self.draft.open_struct(name.clone(), aliases) {
            Ok(structure) => structure,
            Err(error) => return self.note(too_much(error)),
        };
        self.define(name, native, Kind::Struct(structure));
        let outer = core::mem::replace(&mut self.current, run);
        fields(self);
        self.current = outer;
        self.draft.close_struct(structure);
        self.last = self.draft.add(Type::Struct(structure));
        self.check_fields(structure, is_member);
    }

    /// Notes the fields of a struct that has been described, to be compared at the end.
    fn describe_again(&mut self, structure: usize, name: &str, native: &'static str, fields: fn(&mut Describe)) {
        let is_twin = self.place(name).is_ok_and(|place| self.names[place].native != native);
        if is_twin && !self.twins.contains(&(structure, native)) {
            // Its dedup slots must be those of the first, whose run it shares.
            self.twins.push((structure, native));
            self.open_twins.push(Run::default());
            fields(self);
            self.alike.extend(self.open_twins.pop().map(|run| (structure, run)));
            return;
        }
        let outer = self.repeated.replace(Vec::new());
        fields(self);
        self.again.extend(core::mem::replace(&mut self.repeated, outer).map(|fields| (structure, fields)));
    }

    /// A struct's field, whose type `describe` describes.
    pub fn field(&mut self, name: &'static str, describe: fn(&mut Describe), defaulted: bool, aliases: &[&str]) {
        let field = (name, self.outline(describe));
        if let Some(repeated) = &mut self.repeated {
            repeated.push(field);
            return;
        }
        let run = self.current;
        self.run().fields.push(field);
        self.nodes += 1 + aliases.len();
        if !self.open_twins.is_empty() {
            return describe(self);
        }
        self.draft.open_field(run - 1, name);
        self.path.push(Segment::Field(name));
        describe(self);
        self.path.pop();
        // An option needs no default: where the writer has nothing it is null.
        let defaulted = defaulted && !matches!(self.draft.ty(self.last), Type::Option(_));
        self.draft.close_field(run - 1, self.last, defaulted, owned(aliases));
    }

    /// Takes the aliases of a struct or enum.
    fn aliases(&mut self, aliases: &[&str]) -> Vec<String> {
        for alias in aliases {
            match self.place(alias) {
                Ok(_) => self.repeated_name(alias),
                Err(_) => self.define((*alias).into(), "", Kind::Alias),
            }
        }
        owned(aliases)
    }

    fn repeated_name(&mut self, name: &str) {
        let mut text = String::new();
        push_quoted(name, &mut text);
        text.push_str(" is repeated, as a name or an alias: rename one");
        self.note(Error::new(Code::Misuse, text));
    }

    /// A union of structs: its variants, for each place in canonical order the variant there, and which is the fallback.
    pub fn union(&mut self, variants: &[fn(&mut Describe)], places: &[usize], fallback: Option<usize>) {
        if let Some(outline) = &mut self.outline {
            outline.push_str("union{");
            // In declared order, which is that of a generic struct's name.
            for variant in variants {
                self.at_member = true;
                variant(self);
                self.outline.get_or_insert_default().push(',');
            }
            self.outline.get_or_insert_default().push('}');
            return;
        }
        self.nodes += 1;
        if !self.open_twins.is_empty() {
            for variant in variants {
                self.at_member = true;
                variant(self);
            }
            return;
        }
        if !self.open("union { ") {
            return;
        }
        let first = self.run().places.len();
        let mut structs = Vec::with_capacity(places.len());
        for (i, &variant) in places.iter().enumerate() {
            self.draft.comma(i);
            self.at_member = true;
            variants[variant](self);
            structs.push(self.draft.struct_index(self.last));
            if fallback == Some(variant) {
                self.draft.annotation(String::from(" @fallback"));
                self.fallbacks.push(structs[i]);
            }
        }
        self.draft.close(" }");
        // Members were met in canonical order; their links stand in declared order.
        let run = self.run();
        let met = run.places.split_off(first);
        run.places.resize(first + variants.len(), None);
        for (&variant, place) in places.iter().zip(met) {
            run.places[first + variant] = place;
        }
        let fallback = places.iter().position(|&variant| fallback == Some(variant));
        self.last = self.draft.add(Type::Union(Members { structs, fallback }));
    }

    fn outline(&mut self, describe: fn(&mut Describe)) -> String {
        let outer = self.outline.replace(String::new());
        describe(self);
        core::mem::replace(&mut self.outline, outer).unwrap_or_default()
    }

    /// The name of a struct with these arguments: `Page_string` for one of a `string`, unless it is settled that it has its own.
    fn instance(&mut self, name: &'static str, arguments: &[fn(&mut Describe)]) -> String {
        if arguments.is_empty() {
            return String::from(name);
        }
        let mut full = String::from(name);
        for &argument in arguments {
            let labelling = core::mem::replace(&mut self.labelling, true);
            let outline = self.outline(argument);
            self.labelling = labelling;
            full.push('_');
            full.push_str(&label(&outline));
        }
        if self.outline.is_none() && !self.instances.iter().any(|known| known.0 == name && known.1 == full) {
            self.instances.push((name, full.clone()));
        }
        if self.settled.contains(&name) && !self.labelling {
            return String::from(name);
        }
        full
    }

    /// The generic structs of one instance, unless another type has their name.
    fn to_settle(&self) -> Vec<&'static str> {
        let count = |name| self.instances.iter().filter(|known| known.0 == name).count();
        let names = self.instances.iter().map(|known| known.0);
        names.filter(|&name| count(name) == 1 && self.place(name).is_err()).collect()
    }

    /// Refuses structs of one name that are not one struct: variants of two enums in a module have the same native name,
    /// and so have types in two blocks of a function. A struct may be met again before all its fields are known, so this
    /// comes last.
    fn compare(&mut self) {
        let again = self.again.iter().find(|(structure, fields)| self.runs[structure + 1].fields != *fields);
        let alike = self.alike.iter().find(|(structure, run)| self.runs[structure + 1] != *run);
        if let Some(structure) = again.map(|(structure, _)| *structure).or(alike.map(|(structure, _)| *structure)) {
            let name = self.draft.structs()[structure].name.clone();
            self.other_fields(&name);
        }
    }

    fn other_fields(&mut self, name: &str) {
        let mut text = String::from("two structs with other fields are both called ");
        push_quoted(name, &mut text);
        text.push_str(": rename one");
        self.note(Error::new(Code::Misuse, text));
    }

    /// Refuses fallbacks with other fields than a name.
    fn check_fallbacks(&mut self) {
        let differs = |structure: &&usize| match &self.draft.structs()[**structure].fields[..] {
            [] => false,
            [field] => field.name != "name" || !matches!(self.draft.ty(field.ty), Type::String(_)),
            _ => true,
        };
        if let Some(structure) = self.fallbacks.iter().find(differs) {
            let name = &self.draft.structs()[*structure].name;
            let text = [name, ": a fallback has no fields but name: string"].concat();
            self.note(Error::new(Code::Misuse, text));
        }
    }

    /// Where a name stands, or would.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.names.binary_search_by(|known| known.name.as_str().cmp(name))
    }

    /// What has a name already. Instances of one generic struct may share it, as those of `String` and `PathBuf`: `compare`
    /// proves them equal. The same name for other native types is an error.
    fn known(&mut self, name: &str, native: &str, is_enum: bool, is_generic: bool) -> Option<Kind> {
        let place = self.place(name).ok()?;
        let Named { native: known, kind, .. } = self.names[place];
        if let Kind::Alias = kind {
            self.repeated_name(name);
        } else if (known != native || matches!(kind, Kind::Enum(_)) != is_enum)
            && !(is_generic && base(known) == base(native))
        {
            // A variant's native name may be that of an enum.
            let mut text = ["the types ", known, " and ", native, " are both called "].concat();
            push_quoted(name, &mut text);
            text.push_str(": rename one");
            self.note(Error::new(Code::Misuse, text));
        }
        Some(kind)
    }

    /// A struct or enum by its name.
    fn use_again(&mut self, name: &str, kind: Kind) {
        if !self.open_twins.is_empty() {
            return;
        }
        self.draft.name(name);
        self.last = self.draft.add(match kind {
            Kind::Struct(index) => Type::Struct(index),
            Kind::Enum(index) => Type::Enum(index),
            Kind::Alias => Type::Bool,
        });
    }

    fn define(&mut self, name: String, native: &'static str, kind: Kind) {
        if let Err(place) = self.place(&name) {
            self.names.insert(place, Named { name, native, kind });
        }
    }
}

/// The native name of a generic struct without its arguments.
fn base(native: &str) -> Option<&str> {
    native.find('<').map(|end| &native[..end])
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| String::from(text)).collect()
}

/// The step from a type to the one at this place inside it.
fn segment(word: &str, place: usize) -> Option<Segment<'static>> {
    match (word, place) {
        ("list<" | "set<", _) => Some(Segment::Elements),
        ("map<", 0) => Some(Segment::Keys),
        ("map<", _) => Some(Segment::Values),
        ("tuple<", _) => Some(Segment::Index(place)),
        _ => None,
    }
}

/// A type argument in a word: a name as it is, the words of any other type.
fn label(outline: &str) -> String {
    let quoted = outline.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(name) = quoted.filter(|name| !name.contains(['"', '\\'])) {
        return String::from(name);
    }
    let words = outline.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

/// The error for a type that is beyond the limits of schemas.
fn too_much(error: Error) -> Error {
    let text = ["the type is too much for a schema: ", &error.text].concat();
    Error::new(error.code, text).at(0)
}
