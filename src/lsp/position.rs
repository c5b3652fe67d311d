//! Places as the protocol counts them: lines from 0, columns in UTF-16 units.

use serde_json::{Value, json};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A byte offset as a position. An offset inside a character is that character's start.
pub fn of_offset(text: &str, offset: usize) -> Value {
    let offset = crate::lines::boundary(text, offset);
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let character: usize = before[start..].chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": character })
}

/// A byte range as a range.
pub fn of_span(text: &str, span: &Range<usize>) -> Value {
    json!({ "start": of_offset(text, span.start), "end": of_offset(text, span.end.max(span.start)) })
}

/// A position as a byte offset; beyond a line's end it is the end, beyond the text its end.
pub fn to_offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| position[key].as_u64().map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let (line, character) = (number("line"), number("character"));
    let mut start = 0;
    for _ in 0..line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let mut left = character;
    for (at, c) in text[start..end].char_indices() {
        if left < c.len_utf16() {
            return start + at;
        }
        left -= c.len_utf16();
    }
    end
}

/// The file that a `file:` URI names.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = &path[path.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(not(unix))]
    Some(PathBuf::from(String::from_utf8(bytes).ok()?.trim_start_matches('/')))
}

/// A file as a URI.
pub fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units_both_ways() {
        let text = "a😀b\nxé\n";
        for (offset, line, character) in [(0, 0, 0), (1, 0, 1), (5, 0, 3), (7, 1, 0), (8, 1, 1), (10, 1, 2)] {
            let position = of_offset(text, offset);
            assert_eq!(position, json!({ "line": line, "character": character }));
            assert_eq!(to_offset(text, &position), offset);
        }
        assert_eq!(to_offset(text, &json!({ "line": 0, "character": 99 })), 6);
        assert_eq!(to_offset(text, &json!({ "line": 99, "character": 0 })), text.len());
        assert_eq!(to_offset(text, &json!({ "line": 0, "character": 2 })), 1);
    }

    #[test]
    fn uris_and_paths_turn_into_each_other() {
        let path = Path::new("/a b/ü#%/AGENTS.md");
        assert_eq!(path_of(&uri_of(path)).as_deref(), Some(path));
        assert_eq!(path_of("file://localhost/x").as_deref(), Some(Path::new("/x")));
        assert_eq!(path_of("untitled:1"), None);
        assert_eq!(path_of("file:///x%4"), None);
    }
}
