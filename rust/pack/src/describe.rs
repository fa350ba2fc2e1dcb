//! Compiles native types into schema text and the codec's table of links.
//!
//! Several paths may lead to one struct, and all share the dedup slots of its one definition. Which path comes first depends
//! on the codec's root type, so the number of a dedup slot cannot be a constant of the native type. Instead every struct has a
//! run of places in a table made once per codec: one for each `string`, `any` and struct in its fields. The place of a struct
//! holds the start of that struct's own run. Writing a nested struct costs one load.

use crate::link::Link;
use crate::schema::Schema;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use samewire_core::path::{path_text, push_quoted, Segment};
use samewire_core::{Code, Error};

/// Collects the description of a type.
#[derive(Default)]
pub struct Describe {
    text: String,
    runs: Vec<Run>,
    current: usize,
    /// The native type and, for structs, the run of each name.
    names: BTreeMap<String, (&'static str, usize)>,
    /// By the name of a generic struct, those of its instances.
    instances: BTreeMap<&'static str, BTreeSet<String>>,
    /// The generic structs whose one instance has their name.
    settled: BTreeSet<&'static str>,
    /// Structs that occurred again: their runs, and the fields of that occurrence.
    again: Vec<(usize, Vec<Outline>)>,
    /// Instances of generic structs that have the name of a run's, by their native types: each is described once.
    twins: BTreeSet<(usize, &'static str)>,
    /// Their runs, after that of the first.
    alike: Vec<(usize, usize)>,
    /// The fields of the struct that is occurring again.
    repeated: Option<Vec<Outline>>,
    /// Whether only an outline is made.
    outlining: bool,
    /// Whether the outline is for the name of an instance, in which no name is settled.
    labelling: bool,
    /// Whether a member of a union comes next.
    at_member: bool,
    /// Where the type that is described stands.
    path: Vec<Segment<'static>>,
    problem: Option<Error>,
}

/// The places of a struct, or of the root.
#[derive(Default)]
struct Run {
    name: String,
    places: Vec<Option<usize>>,
    fields: Vec<Outline>,
}

/// A field's name, and its type with structs and enums as their names alone.
type Outline = (String, String);

/// The compiled description of a codec's type.
pub(crate) struct Description {
    pub(crate) schema: Schema,
    pub(crate) links: Box<[Link]>,
}

impl Describe {
    /// Runs the description of a codec's type.
    pub(crate) fn of(root: fn(&mut Describe)) -> Result<Description, Error> {
        let run = |settled| {
            let mut describe = Describe { runs: vec![Run::default()], settled, ..Describe::default() };
            root(&mut describe);
            describe
        };
        let mut describe = run(BTreeSet::new());
        // How many instances a generic struct has is known at the end.
        let settled = describe.to_settle();
        if !settled.is_empty() {
            describe = run(settled);
        }
        describe.compare();
        if let Some(problem) = describe.problem {
            return Err(problem);
        }
        let schema = Schema::parse(&describe.text).map_err(|error| refused(&error, &describe.text))?;
        let mut bases = Vec::new();
        let mut length = 0;
        for run in &describe.runs {
            bases.push(length);
            length += run.places.len();
        }
        let mut rows = vec![(false, 0, 0); describe.runs.len()];
        for (index, made) in schema.structs().iter().enumerate() {
            let run = describe.names.get(made.name.as_str()).map_or(0, |name| name.1);
            rows[run] = (made.recursive, schema.cells().row(index), schema.width(index));
        }
        let link = |run: usize| Link::new(bases[run], rows[run].0, rows[run].1, rows[run].2);
        let places = describe.runs.iter().flat_map(|run| &run.places);
        let links = places.map(|place| place.map_or(Link::default(), link)).collect();
        Ok(Description { schema, links })
    }

    /// A scalar type's word.
    pub fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }

    /// `string` or `any`: a dedup slot.
    pub fn dedup_slot(&mut self, word: &str) {
        self.word(word);
        if !self.outlining {
            self.runs[self.current].places.push(None);
        }
    }

    /// A type with types inside, as in `list<…>`.
    pub fn generic(&mut self, word: &str, parts: &[fn(&mut Describe)]) {
        self.text.push_str(word);
        self.text.push('<');
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            let (start, length) = (self.text.len(), self.path.len());
            self.path.extend(segment(word, i));
            part(self);
            self.path.truncate(length);
            if word == "option" {
                self.check_option(start);
            }
        }
        self.text.push('>');
    }

    /// Refuses an option of what may be null itself, whose description starts there.
    fn check_option(&mut self, start: usize) {
        let inner = &self.text[start..];
        if inner.starts_with("option<") {
            self.refuse(
                "an option holds no option, since the schema has one null: write Option<T>, or an enum of three \
                 variants, as enum Change { Keep, Clear, Set(T) }",
            );
        } else if inner == "any" {
            self.refuse("an option holds no any, which may be null itself: write Any, and Any::Null for None");
        }
    }

    /// Notes a problem of the type that is described.
    fn refuse(&mut self, text: impl Into<String>) {
        if !self.outlining && self.problem.is_none() {
            let error = Error::new(Code::Misuse, text.into());
            self.problem = Some(error.path(path_text(self.path.iter().copied())));
        }
    }

    /// Refuses a struct without fields that is no member of a union.
    fn check_fields(&mut self, run: usize, is_member: bool) {
        let run = &self.runs[run];
        if run.fields.is_empty() && !is_member {
            let text = format!(
                "{} has no fields, as only the member of a union may: leave it out by #[pack(skip)], or give it a field",
                run.name
            );
            self.refuse(text);
        }
    }

    /// An enum. `native` names the Rust type, `fallback` the place of a symbol.
    pub fn enumeration(
        &mut self,
        name: &'static str,
        native: &'static str,
        aliases: &[&str],
        symbols: &[&str],
        fallback: Option<usize>,
    ) {
        if self.outlining || !self.define(String::from(name), native, 0, false) {
            push_quoted(name, &mut self.text);
            return;
        }
        self.text.push_str("enum ");
        push_quoted(name, &mut self.text);
        self.aliases(aliases);
        for (i, symbol) in symbols.iter().enumerate() {
            self.text.push(if i == 0 { '{' } else { ',' });
            push_quoted(symbol, &mut self.text);
            if fallback == Some(i) {
                self.text.push_str("@fallback");
            }
        }
        self.text.push('}');
    }

    /// A struct. `fields` calls [`field`](Self::field) for each. `arguments` are the types that a generic one is of.
    pub fn structure(
        &mut self,
        name: &'static str,
        arguments: &[fn(&mut Describe)],
        native: &'static str,
        aliases: &[&str],
        fields: impl FnOnce(&mut Describe),
    ) {
        let is_member = core::mem::take(&mut self.at_member);
        let given = name;
        let name = self.instance(name, arguments);
        if self.outlining {
            push_quoted(&name, &mut self.text);
            return;
        }
        if is_member && name != given {
            // Members are in the order of their names, which the compiler has found without those of the arguments.
            let text = format!(
                "{name}, one of several instances of {given}, is a member of a union: make a struct that holds it"
            );
            self.problem.get_or_insert(Error::new(Code::Misuse, text));
        }
        let run = self.runs.len();
        if !self.define(name.clone(), native, run, !arguments.is_empty()) {
            let known = self.names.get(&name).map_or(0, |name| name.1);
            self.runs[self.current].places.push(Some(known));
            push_quoted(&name, &mut self.text);
            if self.names[&name].0 != native && self.twins.insert((known, native)) {
                // Its dedup slots must be those of the first, whose run it shares.
                let text = core::mem::take(&mut self.text);
                self.runs.push(Run { name, ..Run::default() });
                let outer = core::mem::replace(&mut self.current, run);
                fields(self);
                self.current = outer;
                self.text = text;
                self.check_fields(run, is_member);
                self.alike.push((known, run));
                return;
            }
            self.repeated = Some(Vec::new());
            fields(self);
            self.again.extend(self.repeated.take().map(|fields| (known, fields)));
            self.check_fields(known, is_member);
            return;
        }
        self.runs[self.current].places.push(Some(run));
        self.text.push_str("struct ");
        push_quoted(&name, &mut self.text);
        self.runs.push(Run { name, ..Run::default() });
        let outer = core::mem::replace(&mut self.current, run);
        self.aliases(aliases);
        self.text.push('{');
        fields(self);
        self.text.push('}');
        self.current = outer;
        self.check_fields(run, is_member);
    }

    /// A struct's field, whose type `describe` describes.
    pub fn field(&mut self, name: &'static str, describe: fn(&mut Describe), defaulted: bool, aliases: &[&str]) {
        let field = (String::from(name), self.outline(describe));
        if let Some(repeated) = &mut self.repeated {
            repeated.push(field);
            return;
        }
        let run = &mut self.runs[self.current];
        run.fields.push(field);
        if run.fields.len() > 1 {
            self.text.push(',');
        }
        push_quoted(name, &mut self.text);
        self.text.push(':');
        self.path.push(Segment::Field(name));
        describe(self);
        self.path.pop();
        if defaulted {
            self.text.push_str("@default");
        }
        self.aliases(aliases);
    }

    fn aliases(&mut self, aliases: &[&str]) {
        for (i, alias) in aliases.iter().enumerate() {
            self.text.push_str(if i == 0 { "@alias(" } else { "," });
            push_quoted(alias, &mut self.text);
        }
        if !aliases.is_empty() {
            self.text.push(')');
        }
    }

    /// A union of structs; `fallback` is the place of a member.
    pub fn union(&mut self, members: &[fn(&mut Describe)], fallback: Option<usize>) {
        self.text.push_str("union{");
        for (i, member) in members.iter().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            self.at_member = true;
            member(self);
            if fallback == Some(i) {
                self.text.push_str("@fallback");
            }
        }
        self.text.push('}');
    }

    fn outline(&mut self, describe: fn(&mut Describe)) -> String {
        let text = core::mem::take(&mut self.text);
        let outlining = core::mem::replace(&mut self.outlining, true);
        describe(self);
        self.outlining = outlining;
        core::mem::replace(&mut self.text, text)
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
        if !self.outlining {
            self.instances.entry(name).or_default().insert(full.clone());
        }
        if self.settled.contains(name) && !self.labelling {
            return String::from(name);
        }
        full
    }

    /// The generic structs of one instance, unless another type has their name.
    fn to_settle(&self) -> BTreeSet<&'static str> {
        let single = self.instances.iter().filter(|(name, all)| all.len() == 1 && !self.names.contains_key(**name));
        single.map(|(name, _)| *name).collect()
    }

    /// Refuses structs of one name that are not one struct: variants of two enums in a module have the same native name,
    /// and so have types in two blocks of a function. A struct may be met again before all its fields are known, so this
    /// comes last.
    fn compare(&mut self) {
        for (known, fields) in &self.again {
            let run = &self.runs[*known];
            if run.fields != *fields {
                let text = format!("two structs with other fields are both called {:?}: rename one", run.name);
                self.problem.get_or_insert(Error::new(Code::Misuse, text));
            }
        }
        for &(known, other) in &self.alike {
            let (known, other) = (&self.runs[known], &self.runs[other]);
            if known.fields != other.fields || known.places != other.places {
                let text = format!("two structs with other fields are both called {:?}: rename one", known.name);
                self.problem.get_or_insert(Error::new(Code::Misuse, text));
            }
        }
    }

    /// Returns whether the name is new. Instances of one generic struct may share it, as those of `String` and `PathBuf`:
    /// `compare` proves them equal. The same name for other native types is an error.
    fn define(&mut self, name: String, native: &'static str, run: usize, generic: bool) -> bool {
        match self.names.get(&name) {
            None => {
                self.names.insert(name, (native, run));
                true
            }
            Some((known, other)) => {
                let base = |native: &'static str| native.split_once('<').map(|(base, _)| base);
                // A variant's native name may be that of an enum.
                let is_same = *known == native && (*other == 0) == (run == 0);
                let is_alike = generic && base(known) == base(native);
                if !(is_same || is_alike) {
                    let text = format!("the types {known} and {native} are both called {name:?}: rename one");
                    self.problem.get_or_insert(Error::new(Code::Misuse, text));
                }
                false
            }
        }
    }
}

/// The step from a type to the one at this place inside it.
fn segment(word: &str, place: usize) -> Option<Segment<'static>> {
    match (word, place) {
        ("list" | "set", _) => Some(Segment::Elements),
        ("map", 0) => Some(Segment::Keys),
        ("map", _) => Some(Segment::Values),
        ("tuple", _) => Some(Segment::Index(place)),
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

/// Returns the error for a native type whose schema text is refused: a limit of schema text, or `misuse`.
fn refused(error: &Error, text: &str) -> Error {
    match error.code {
        Code::LimitDepth | Code::LimitSize | Code::LimitItems => {
            Error::new(error.code, format!("the type is too much for a schema: {}", error.text)).at(0)
        }
        _ => Error::new(Code::Misuse, format!("the type has no schema: {error} in {text:?}")),
    }
}
