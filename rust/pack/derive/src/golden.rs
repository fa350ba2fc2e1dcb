//! `error_texts.txt`: the error texts of mistakes that are made most, as their users read them. The tests of the derive
//! macro and of the codec keep a part each.

use std::fmt::Write;
use std::path::Path;

/// Compares what was said of each mistake with its part of the file: titles that start with this word, or do not.
/// `REWRITE=1` writes that part anew.
pub fn check(file: &Path, derive: bool, said: &[(&str, String)]) {
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    let (mut ours, mut others) = (String::new(), String::new());
    let mut lines = kept.lines();
    while let (Some(title), Some(text)) = (lines.next(), lines.next()) {
        let part = if title.starts_with("derive: ") == derive { &mut ours } else { &mut others };
        writeln!(part, "{title}\n{text}").expect("memory");
    }
    let mut found = String::new();
    for (title, text) in said {
        writeln!(found, "{title}\n    {text}").expect("memory");
    }
    if std::env::var_os("REWRITE").is_some() {
        let whole = if derive { others + &found } else { found + &others };
        std::fs::write(file, whole).expect("the file can be written");
    } else {
        assert_eq!(found, ours, "REWRITE=1 writes {} anew", file.display());
    }
}
