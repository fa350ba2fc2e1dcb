//! Tokens of schema text.

use alloc::format;
use alloc::string::String;
use samewire_core::path::{is_identifier, push_quoted};
use samewire_core::{Code, Error};

/// Names may have this many UTF-16 code units.
const NAME_MAX: usize = 255;
const WORDS: [&str; 9] = ["option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"];

/// Whether `word` may not stand as a name without quotes.
pub(super) fn is_keyword(word: &str) -> bool {
    WORDS.contains(&word) || super::types::Type::scalar(word).is_some()
}

/// Appends a name as schema text has it: in quotes only where it needs them.
pub(super) fn push_name(name: &str, out: &mut String) {
    if is_identifier(name) && !is_keyword(name) {
        out.push_str(name);
    } else {
        push_quoted(name, out);
    }
}

/// A cursor over the tokens of a text. A token is a slice of the text: a word, an
/// annotation (`@default`), one of `<>{}(),:`, a quoted name with its
/// quotes, or nothing at the end.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lexer { text, at: 0 }
    }

    /// The text from its next token on.
    fn rest(&mut self) -> &'t str {
        let rest = without_space(&self.text[self.at..]);
        self.at = self.text.len() - rest.len();
        rest
    }

    /// Where the next token begins. Looks at nothing else, which may be no token.
    pub(super) fn upcoming(&mut self) -> usize {
        self.rest();
        self.at
    }

    /// Takes a `?`, and returns its offset, if it comes next. Looks at nothing else, which may be no token.
    pub(super) fn question_mark(&mut self) -> Option<usize> {
        let at = self.rest().starts_with('?').then_some(self.at)?;
        self.at += 1;
        Some(at)
    }

    /// The next token and its offset, without taking it.
    pub(super) fn peek(&mut self) -> Result<(&'t str, usize), Error> {
        let rest = self.rest();
        let length = match rest.bytes().next() {
            None => 0,
            Some(b'<' | b'>' | b'{' | b'}' | b'(' | b')' | b',' | b':' | b'?') => 1,
            Some(b'"') => self.quoted_len(rest)?,
            Some(b'@') if word_len(&rest[1..]) > 0 => 1 + word_len(&rest[1..]),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => word_len(rest),
            Some(_) => {
                let sign = rest.chars().next().unwrap_or_default();
                return Err(malformed(self.at, format!("no token starts with {sign:?}{}", remedy(sign))));
            }
        };
        Ok((&rest[..length], self.at))
    }

    fn quoted_len(&self, rest: &str) -> Result<usize, Error> {
        let mut bytes = rest.bytes().enumerate().skip(1);
        while let Some((i, byte)) = bytes.next() {
            match byte {
                b'"' => return Ok(i + 1),
                b'\\' => {
                    bytes.next();
                }
                _ => {}
            }
        }
        Err(malformed(self.text.len(), "the text ends inside a quoted name"))
    }

    pub(super) fn next(&mut self) -> Result<(&'t str, usize), Error> {
        let (token, at) = self.peek()?;
        self.at += token.len();
        Ok((token, at))
    }

    /// Takes one of two tokens and returns whether it was the first.
    pub(super) fn either(&mut self, first: &str, second: &str) -> Result<bool, Error> {
        let (token, at) = self.next()?;
        if token == first || token == second {
            return Ok(token == first);
        }
        Err(malformed(at, format!("expected {first} or {second}, got {}", got(token))))
    }

    pub(super) fn expect(&mut self, wanted: &str) -> Result<(), Error> {
        let (token, at) = self.next()?;
        if token == wanted {
            return Ok(());
        }
        Err(malformed(at, format!("expected {wanted}, got {}", got(token))))
    }

    /// Takes the name of a struct or enum, quoted or not, and returns its offset too.
    pub(super) fn name(&mut self) -> Result<(String, usize), Error> {
        let (token, at) = self.peek()?;
        if is_keyword(token) {
            let text = format!("expected a name, got {}, a word of the schema's own: write it in quotes", got(token));
            return Err(malformed(at, text));
        }
        self.label()
    }

    /// Takes the name of a field, a symbol or an alias, which may be a keyword.
    pub(super) fn label(&mut self) -> Result<(String, usize), Error> {
        let (token, at) = self.next()?;
        let name = match token.bytes().next() {
            Some(b'"') => match unquote(&token[1..token.len() - 1]) {
                Some(name) => name,
                None => {
                    return Err(malformed(at, "a quoted name knows \\\" \\\\ \\u00XX below U+0020, nothing else"));
                }
            },
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => String::from(token),
            _ => return Err(malformed(at, format!("expected a name, got {}", got(token)))),
        };
        if name.is_empty() || name.encode_utf16().count() > NAME_MAX {
            return Err(malformed(at, "a name has 1 to 255 UTF-16 code units"));
        }
        Ok((name, at))
    }
}

/// What to write in the place of a sign that other notations have.
fn remedy(sign: char) -> &'static str {
    match sign {
        ';' => ": commas are between fields",
        '[' | ']' => ": a list is list<...>",
        '|' => ": what may be null is option<...>, or has a ? behind it; one of several structs is a union { ... }",
        '=' => ": schema text has no values, leave it out",
        '/' | '*' => ": a comment is // or # and the rest of the line",
        '-' | '$' | '\'' | '`' | '.' => ": a name with other signs than letters, digits and _ is in double quotes",
        _ if sign.is_alphanumeric() => ": a name with other signs than letters, digits and _ is in double quotes",
        _ => "",
    }
}

/// A text from its first token on.
fn without_space(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches([' ', '\t', '\r', '\n']);
        if !text.starts_with('#') && !text.starts_with("//") {
            return text;
        }
        text = text.find('\n').map_or("", |end| &text[end..]);
    }
}

/// The length of the word at the start of a text; 0 if there is none.
fn word_len(text: &str) -> usize {
    match text.bytes().next() {
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
            text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
        }
        _ => 0,
    }
}

fn unquote(body: &str) -> Option<String> {
    let mut name = String::new();
    let mut rest = body;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '\\' => {
                let (char, length) = escape(rest)?;
                name.push(char);
                length
            }
            '\0'..='\x1f' => return None,
            _ => {
                name.push(char);
                char.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Some(name)
}

fn escape(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes() {
        [b'\\', quoted @ (b'"' | b'\\'), ..] => Some((char::from(*quoted), 2)),
        [b'\\', b'u', b'0', b'0', high @ (b'0' | b'1'), low @ (b'0'..=b'9' | b'a'..=b'f'), ..] => {
            let digit = char::from(*low).to_digit(16)? as u8;
            Some((char::from((high - b'0') << 4 | digit), 6))
        }
        _ => None,
    }
}

/// What stands where something else was expected.
pub(super) fn got(token: &str) -> String {
    match token {
        "" => "the end of the text".into(),
        token => format!("{token:?}"),
    }
}

pub(super) fn malformed(at: usize, text: impl Into<alloc::borrow::Cow<'static, str>>) -> Error {
    Error::new(Code::Malformed, text).at(at)
}
