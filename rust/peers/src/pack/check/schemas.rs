//! Schema texts.

use super::{fails, same, works, Failure};
use crate::pack::vectors::Vector;
use samewire_pack::schema::Schema;

pub(super) fn read(vector: &Vector) -> Result<(), Failure> {
    let schema = works("reading", Schema::parse(vector.text("text")))?;
    same("the canonical text", schema.text(), vector.text("canonical"))?;
    same("the digest", &format!("{:016x}", schema.digest())[..], vector.text("digest"))?;
    let again = works("reading the canonical text", Schema::parse(schema.text()))?;
    same("the canonical text of the canonical text", again.text(), schema.text())?;
    let annotated = vector.optional("annotated").unwrap_or(schema.text());
    let again_annotated = works("reading the annotated text", Schema::parse(annotated))?;
    same("the annotated text", &schema.annotated()[..], annotated)?;
    same("the annotated text of the annotated text", &again_annotated.annotated()[..], annotated)?;
    same("a difference", again.difference(&schema), None)
}

pub(super) fn differ(vector: &Vector) -> Result<(), Failure> {
    let here = works("reading", Schema::parse(vector.text("here")))?;
    let there = works("reading", Schema::parse(vector.text("there")))?;
    same("the difference", here.difference(&there), vector.difference())?;
    same("whether the texts are equal", here.text() == there.text(), vector.difference().is_none())?;
    same("whether the other way differs", there.difference(&here).is_none(), vector.difference().is_none())
}

pub(super) fn refused(vector: &Vector) -> Result<(), Failure> {
    let schema = Schema::parse(vector.text("text"));
    fails("reading", schema.map(|_| ()), vector.text("error"), vector.at(), None)
}
