//! `spec/tables.md` shows the program that the module's documentation runs.

#[test]
fn the_page_shows_the_program_that_is_tested() {
    let page = include_str!("../../../../spec/tables.md");
    let module = include_str!("../../src/table/arrow/mod.rs");
    let (_, behind) = page.split_once("\n```rust\n").unwrap();
    let (program, _) = behind.split_once("\n```\n").unwrap();
    assert!(program.lines().count() > 5);
    let documented: String = program.lines().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect();
    assert!(module.contains(&documented), "the program of src/table/arrow/mod.rs differs");
}
