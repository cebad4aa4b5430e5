//! Flat JSON objects, member by member.

use std::borrow::Cow;

/// A value that is not itself an object or array.
#[derive(Debug, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    /// A number, `true` or `false`, as it is spelled.
    Bare(&'a str),
    Text(Cow<'a, str>),
    /// An object, or an array in an array, skipped.
    Nested,
    /// An array of so many elements.
    Array(usize),
}

/// Calls `member` with the name and value of each member of the object that `line` is; of a member `a` that is an array first
/// of its elements `a[0]`, `a[1]`, ….
///
/// # Errors
/// What is wrong with it.
pub(super) fn members<'a>(
    line: &'a str,
    mut member: impl FnMut(Cow<'a, str>, Value<'a>),
) -> Result<(), String> {
    let mut cursor = Cursor { rest: line.trim() };
    cursor.expect('{')?;
    if !cursor.eat('}') {
        loop {
            let name = cursor.string()?;
            cursor.expect(':')?;
            match cursor.eat('[') {
                true => {
                    let len = cursor.array(&name, &mut member)?;
                    member(name, Value::Array(len));
                }
                false => member(name, cursor.value(0)?),
            }
            if !cursor.eat(',') {
                break;
            }
        }
        cursor.expect('}')?;
    }
    match cursor.rest.is_empty() {
        true => Ok(()),
        false => Err("there is text behind the object".to_owned()),
    }
}

/// Deeper values are refused instead of filling the stack.
const DEEPEST: usize = 128;

struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn eat(&mut self, wanted: char) -> bool {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix(wanted) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.eat(wanted) {
            return Ok(());
        }
        Err(match self.rest.chars().next() {
            Some(found) => format!("expected `{wanted}`, found `{found}`"),
            None => format!("expected `{wanted}`, found the end of the line"),
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, String> {
        if depth > DEEPEST {
            return Err("values are nested too deeply".to_owned());
        }
        if self.rest.starts_with('"') {
            return Ok(Value::Text(self.string()?));
        }
        for (open, close) in [('{', '}'), ('[', ']')] {
            if self.eat(open) {
                return self.nested(open, close, depth);
            }
        }
        let is_end = |c: char| matches!(c, ',' | '}' | ']') || c.is_ascii_whitespace();
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        match word {
            "null" => Ok(Value::Null),
            "true" | "false" => Ok(Value::Bare(word)),
            _ if is_number(word) => Ok(Value::Bare(word)),
            _ => Err(format!("`{word}` is no JSON value")),
        }
    }

    /// The elements of an array, behind its `[`; gives how many there are.
    fn array(
        &mut self,
        name: &str,
        member: &mut impl FnMut(Cow<'a, str>, Value<'a>),
    ) -> Result<usize, String> {
        let mut len = 0;
        if self.eat(']') {
            return Ok(len);
        }
        loop {
            let value = self.value(1)?;
            member(Cow::Owned(format!("{name}[{len}]")), value);
            len += 1;
            if !self.eat(',') {
                break;
            }
        }
        self.expect(']')?;
        Ok(len)
    }

    fn nested(&mut self, open: char, close: char, depth: usize) -> Result<Value<'a>, String> {
        if self.eat(close) {
            return Ok(Value::Nested);
        }
        loop {
            if open == '{' {
                self.string()?;
                self.expect(':')?;
            }
            self.value(depth + 1)?;
            if !self.eat(',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(Value::Nested)
    }

    fn string(&mut self) -> Result<Cow<'a, str>, String> {
        let unclosed = || "a string is not closed".to_owned();
        let Some(text) = self.rest.strip_prefix('"') else {
            self.expect('"')?;
            return Err(unclosed());
        };
        let end = text.find(['"', '\\']).ok_or_else(unclosed)?;
        if text[end..].starts_with('"') {
            self.rest = &text[end + 1..];
            return Ok(Cow::Borrowed(&text[..end]));
        }
        let mut whole = text[..end].to_owned();
        let mut rest = &text[end..];
        loop {
            let mut letters = rest.chars();
            match letters.next().ok_or_else(unclosed)? {
                '"' => break,
                '\\' => rest = escape(letters.as_str(), &mut whole)?,
                letter => {
                    whole.push(letter);
                    rest = letters.as_str();
                }
            }
        }
        self.rest = &rest[1..];
        Ok(Cow::Owned(whole))
    }
}

/// Reads what follows a backslash; gives what is behind it.
fn escape<'a>(text: &'a str, whole: &mut String) -> Result<&'a str, String> {
    let mut letters = text.chars();
    let letter = letters.next().ok_or("a string is not closed")?;
    let rest = letters.as_str();
    whole.push(match letter {
        '"' | '\\' | '/' => letter,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode(rest, whole),
        _ => return Err(format!("`\\{letter}` is no escape of JSON")),
    });
    Ok(rest)
}

/// Four hexadecimal digits, or two times four for a character beyond 16 bits.
fn unicode<'a>(text: &'a str, whole: &mut String) -> Result<&'a str, String> {
    let wrong = || "`\\u` is not followed by the code of a character".to_owned();
    let unit = |text: &'a str| -> Option<(u16, &'a str)> {
        let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        Some((u16::from_str_radix(digits, 16).ok()?, &text[4..]))
    };
    let (first, rest) = unit(text).ok_or_else(wrong)?;
    let pair = rest.strip_prefix("\\u").and_then(unit);
    let (units, rest) = match pair {
        Some((second, rest)) if (0xd800..0xdc00).contains(&first) => (vec![first, second], rest),
        _ => (vec![first], rest),
    };
    whole.push_str(&String::from_utf16(&units).map_err(|_| wrong())?);
    Ok(rest)
}

fn is_number(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    starts && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Result<Vec<(String, String)>, String> {
        let mut found = Vec::new();
        members(line, |name, value| found.push((name.into_owned(), format!("{value:?}"))))?;
        Ok(found)
    }

    #[test]
    fn objects_are_taken_apart() {
        let found =
            all(r#" {"a" : -1.5e3, "b\n":"x\"\u00e9\ud83d\ude00", "c":null,"d":[1,{"e":[]}],"f":true}"#);
        let found = found.unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b\n", "c", "d[0]", "d[1]", "d", "f"]);
        let values: Vec<&str> = found.iter().map(|(_, value)| value.as_str()).collect();
        let (first, last) =
            (["Bare(\"-1.5e3\")", "Text(\"x\\\"é😀\")", "Null"], ["Array(2)", "Bare(\"true\")"]);
        assert_eq!(values, [&first[..], &["Bare(\"1\")", "Nested"], &last].concat());
        assert_eq!(all("{}").unwrap(), []);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for line in [
            "",
            "[]",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1}x",
            "{\"a\":\"",
            "{\"a\":tru}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":[1}",
            "{a:1}",
        ] {
            assert!(all(line).is_err(), "{line}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert!(all(&deep).is_err());
    }
}
