//! Names that a reader knows its types and fields by (`spec/pack.md` section 13).

use crate::schema::{Schema, Struct};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

/// Gives a writer's types and fields the reader's names where they have an alias of them. The text and the digest stay.
pub fn adopt(writer: &mut Schema, reader: &Schema) {
    let theirs: BTreeSet<String> = writer.names().map(String::from).collect();
    let mut renamed = BTreeMap::new();
    let structs = reader.structs().iter().map(|made| (&made.name, &made.aliases));
    for (name, aliases) in structs.chain(reader.enums().iter().map(|made| (&made.name, &made.aliases))) {
        if let Some(old) = alias(name, aliases, |name| theirs.contains(name)) {
            renamed.insert(old.clone(), name.clone());
        }
    }
    writer.rename(&renamed);
    let ours: BTreeMap<&String, &Struct> = reader.structs().iter().map(|made| (&made.name, made)).collect();
    writer.each_struct(|made| {
        if let Some(reader) = ours.get(&made.name) {
            adopt_fields(made, reader);
        }
    });
}

fn adopt_fields(writer: &mut Struct, reader: &Struct) {
    if reader.fields.iter().all(|field| field.aliases.is_empty()) {
        return;
    }
    let places: BTreeMap<String, usize> =
        writer.fields.iter().enumerate().map(|(place, field)| (field.name.clone(), place)).collect();
    for field in &reader.fields {
        if let Some(old) = alias(&field.name, &field.aliases, |name| places.contains_key(name)) {
            writer.fields[places[old]].name.clone_from(&field.name);
        }
    }
}

/// The alias that the writer has in place of a name: none if it has the name itself.
fn alias<'r>(name: &str, aliases: &'r [String], has: impl Fn(&str) -> bool) -> Option<&'r String> {
    if has(name) {
        return None;
    }
    aliases.iter().find(|alias| has(alias))
}
