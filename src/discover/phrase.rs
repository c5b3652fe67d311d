//! A small pattern language for phrases, and its matcher.
//!
//! A general expression engine is dear to prepare for phrases with bounded gaps of thousands of characters, and most
//! texts hold none of them. Here a phrase is tried only where its first letters stand, and these places are found for all
//! phrases of a set in one pass. All places are then carried through the phrase together, so that the time grows with the
//! length of the text and not with the number of ways to match it.

use std::ops::Range;

/// Characters that the gap `…` spans if no number follows it.
const GAP: usize = 2048;

/// Words that the gap `~` spans if no number follows it.
const WORDS: usize = 8;

/// A part of a phrase.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// Text in lower case.
    Literal(String),
    /// One character.
    One(Class),
    /// One after the other.
    All(Vec<Part>),
    /// One of them.
    Any(Vec<Part>),
    /// So often, at least and at most.
    Times(Box<Part>, usize, usize),
    /// The edge of a word.
    Edge,
}

/// A kind of character.
#[derive(Debug, Clone, PartialEq)]
struct Class {
    negated: bool,
    word: bool,
    space: bool,
    ranges: Vec<(char, char)>,
}

impl Class {
    const WORD: Self = Self { negated: false, word: true, space: false, ranges: Vec::new() };
    const SPACE: Self = Self { negated: false, word: false, space: true, ranges: Vec::new() };

    fn holds(&self, c: char) -> bool {
        let listed = (self.word && is_word(c))
            || (self.space && c.is_whitespace())
            || self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
        listed != self.negated
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// A phrase, ready to be looked for in lower-case text.
#[derive(Debug, Clone)]
pub struct Phrase {
    part: Part,
    /// What a match begins with: one of these.
    beginnings: Vec<String>,
}

impl Phrase {
    /// Reads a phrase. The language is described at [`crate::host::schema::Scan::phrases`].
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(says: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: says.chars().peekable() };
        let part = reader.choice()?;
        if let Some(c) = reader.rest.next() {
            return Err(format!("`{c}` does not belong there in `{says}`"));
        }
        let beginnings = beginnings(&part)
            .filter(|b| b.iter().all(|text| !text.is_empty()))
            .ok_or_else(|| format!("`{says}` does not begin with fixed text"))?;
        Ok(Self { part, beginnings })
    }

    /// The first of the places, in order, at which the phrase stands, and where it ends at the earliest.
    fn first(&self, text: &str, starts: &[usize]) -> Option<Range<usize>> {
        let stands = |starts: &[usize]| !after(&self.part, text, starts.to_vec()).is_empty();
        if starts.is_empty() || !stands(starts) {
            return None;
        }
        let (mut without, mut with) = (0, starts.len());
        while with - without > 1 {
            let middle = without.midpoint(with);
            match stands(&starts[..middle]) {
                true => with = middle,
                false => without = middle,
            }
        }
        let start = starts[without];
        let end = after(&self.part, text, vec![start]).first().copied()?;
        Some(start..end)
    }
}

/// Phrases that are looked for together.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    phrases: Vec<Phrase>,
    /// By the first byte of a beginning: the phrase and the beginning.
    by_byte: Vec<Vec<(usize, String)>>,
}

impl Phrases {
    /// Makes them ready.
    pub fn new(phrases: Vec<Phrase>) -> Self {
        let mut by_byte = vec![Vec::new(); 256];
        for (index, phrase) in phrases.iter().enumerate() {
            for beginning in &phrase.beginnings {
                if let Some(slot) = beginning.bytes().next().and_then(|b| by_byte.get_mut(usize::from(b))) {
                    slot.push((index, beginning.clone()));
                }
            }
        }
        Self { phrases, by_byte }
    }

    /// The first match of each phrase in a lower-case text, by the phrase's number.
    pub fn find(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let mut starts: Vec<Vec<usize>> = vec![Vec::new(); self.phrases.len()];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            for (index, beginning) in self.by_byte.get(usize::from(*byte)).into_iter().flatten() {
                if bytes[at..].starts_with(beginning.as_bytes())
                    && let Some(starts) = starts.get_mut(*index)
                    && starts.last() != Some(&at)
                {
                    starts.push(at);
                }
            }
        }
        let phrases = self.phrases.iter().zip(&starts).enumerate();
        phrases.filter_map(|(index, (phrase, starts))| Some((index, phrase.first(text, starts)?))).collect()
    }
}

/// Where a part can end if it begins at one of the places, in order.
fn after(part: &Part, text: &str, starts: Vec<usize>) -> Vec<usize> {
    match part {
        Part::Literal(literal) => {
            starts.into_iter().filter(|at| text[*at..].starts_with(literal)).map(|at| at + literal.len()).collect()
        }
        Part::One(class) => starts
            .into_iter()
            .filter_map(|at| text[at..].chars().next().filter(|c| class.holds(*c)).map(|c| at + c.len_utf8()))
            .collect(),
        Part::All(parts) => parts.iter().fold(starts, |at, part| match at.is_empty() {
            true => at,
            false => after(part, text, at),
        }),
        Part::Any(parts) => merged(parts.iter().flat_map(|part| after(part, text, starts.clone())).collect::<Vec<_>>()),
        Part::Edge => starts.into_iter().filter(|at| is_edge(text, *at)).collect(),
        Part::Times(part, least, most) => {
            if let Part::One(class) = &**part {
                return run(class, text, &starts, *least, *most);
            }
            let mut ends = if *least == 0 { starts.clone() } else { Vec::new() };
            let mut at = starts;
            for round in 1..=*most {
                at = merged(after(part, text, at));
                if round > *least {
                    // What was reached with fewer rounds goes on from there already.
                    at.retain(|place| ends.binary_search(place).is_err());
                }
                if at.is_empty() {
                    break;
                }
                if round >= *least {
                    ends = merged([ends, at.clone()].concat());
                }
            }
            ends
        }
    }
}

/// Where a run of one kind of character can end, of so many at least and at most.
fn run(class: &Class, text: &str, starts: &[usize], least: usize, most: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut ahead = starts.iter().copied().peekable();
    // The starts of this run, by the number of characters that were passed, and the last that is far enough behind.
    let (mut behind, mut nearest): (Vec<usize>, usize) = (Vec::new(), 0);
    let Some(mut at) = ahead.peek().copied() else { return ends };
    let mut passed = 0;
    loop {
        if ahead.next_if_eq(&at).is_some() {
            behind.push(passed);
        }
        while behind.get(nearest + 1).is_some_and(|start| start + least <= passed) {
            nearest += 1;
        }
        let distance = behind.get(nearest).and_then(|start| passed.checked_sub(*start));
        if distance.is_some_and(|distance| (least..=most).contains(&distance)) {
            ends.push(at);
        }
        let goes_on = behind.last().is_some_and(|start| passed - start < most);
        match text[at..].chars().next().filter(|c| goes_on && class.holds(*c)) {
            Some(c) => {
                at += c.len_utf8();
                passed += 1;
            }
            None => {
                // The next run begins at the next start, which lies behind this place.
                let Some(next) = ahead.peek() else { return ends };
                (at, nearest) = (*next, 0);
                behind.clear();
            }
        }
    }
}

fn merged(mut places: Vec<usize>) -> Vec<usize> {
    if !places.is_sorted() {
        places.sort_unstable();
    }
    places.dedup();
    places
}

fn is_edge(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().is_some_and(is_word);
    let behind = text[at..].chars().next().is_some_and(is_word);
    before != behind
}

/// Fixed texts of which one begins every match.
fn beginnings(part: &Part) -> Option<Vec<String>> {
    match part {
        Part::Literal(literal) => Some(vec![literal.clone()]),
        Part::All(parts) => beginnings(parts.iter().find(|p| **p != Part::Edge)?),
        Part::Any(parts) => Some(parts.iter().map(beginnings).collect::<Option<Vec<_>>>()?.concat()),
        Part::Times(part, 1.., _) => beginnings(part),
        _ => None,
    }
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Reader<'_> {
    fn choice(&mut self) -> Result<Part, String> {
        let mut ways = vec![self.sequence()?];
        while self.rest.next_if_eq(&'|').is_some() {
            ways.push(self.sequence()?);
        }
        Ok(if ways.len() == 1 { ways.remove(0) } else { Part::Any(ways) })
    }

    fn sequence(&mut self) -> Result<Part, String> {
        let mut parts: Vec<Part> = Vec::new();
        while let Some(c) = self.rest.peek().copied().filter(|c| !['|', ')'].contains(c)) {
            self.rest.next();
            let part = self.part(c)?;
            match (self.times()?, part, parts.last_mut()) {
                // Plain characters that follow each other are one text.
                (None, Part::Literal(more), Some(Part::Literal(text))) => text.push_str(&more),
                (None, part, _) => parts.push(part),
                (Some((least, most)), part, _) => parts.push(Part::Times(Box::new(part), least, most)),
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::All(parts) })
    }

    fn part(&mut self, c: char) -> Result<Part, String> {
        Ok(match c {
            ' ' => Part::Times(Box::new(Part::One(Class::SPACE)), 1, usize::MAX),
            '~' => {
                let word = Part::Times(Box::new(Part::One(Class::WORD)), 1, usize::MAX);
                let space = Part::Times(Box::new(Part::One(Class::SPACE)), 1, usize::MAX);
                let most = self.number().unwrap_or(WORDS);
                Part::Times(Box::new(Part::All(vec![word, space])), 0, most)
            }
            '…' => {
                let line = Class { negated: true, ranges: vec![('\n', '\n')], word: false, space: false };
                let most = self.number().unwrap_or(GAP);
                Part::Times(Box::new(Part::One(line)), 0, most)
            }
            '(' => {
                let inner = self.choice()?;
                self.rest.next_if_eq(&')').ok_or("a `(` has no `)`")?;
                inner
            }
            '[' => Part::One(self.class()?),
            '\\' => match self.rest.next().ok_or("nothing follows the `\\`")? {
                'w' => Part::One(Class::WORD),
                's' => Part::One(Class::SPACE),
                'b' => Part::Edge,
                other => literal(other),
            },
            '?' | '*' | '+' | '{' => return Err(format!("`{c}` follows nothing")),
            other => literal(other),
        })
    }

    fn class(&mut self) -> Result<Class, String> {
        let mut class =
            Class { negated: self.rest.next_if_eq(&'^').is_some(), word: false, space: false, ranges: vec![] };
        loop {
            match self.rest.next().ok_or("a `[` has no `]`")? {
                ']' => return Ok(class),
                '\\' => match self.rest.next().ok_or("nothing follows the `\\`")? {
                    'w' => class.word = true,
                    's' => class.space = true,
                    'n' => class.ranges.push(('\n', '\n')),
                    other => class.ranges.push((other, other)),
                },
                first => {
                    let mut ahead = self.rest.clone();
                    match (ahead.next(), ahead.next()) {
                        (Some('-'), Some(last)) if last != ']' => {
                            self.rest.next();
                            self.rest.next();
                            class.ranges.push((first, last));
                        }
                        _ => class.ranges.push((first, first)),
                    }
                }
            }
        }
    }

    fn times(&mut self) -> Result<Option<(usize, usize)>, String> {
        let bounds = match self.rest.peek() {
            Some('?') => (0, 1),
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('{') => {
                self.rest.next();
                let least = self.number().unwrap_or(0);
                let most = match self.rest.next_if_eq(&',') {
                    Some(_) => self.number().unwrap_or(usize::MAX),
                    None => least,
                };
                return match self.rest.next() {
                    Some('}') => Ok(Some((least, most))),
                    _ => Err("a `{` has no `}`".to_owned()),
                };
            }
            _ => return Ok(None),
        };
        self.rest.next();
        Ok(Some(bounds))
    }

    fn number(&mut self) -> Option<usize> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok()
    }
}

fn literal(c: char) -> Part {
    Part::Literal(c.to_lowercase().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(says: &str, text: &str) -> bool {
        !Phrases::new(vec![Phrase::parse(says).unwrap()]).find(&text.to_lowercase()).is_empty()
    }

    #[test]
    fn a_blank_is_any_white_space_and_a_gap_so_many_words() {
        let says = "ignore ~(previous|all) ~instructions";
        for text in
            ["ignore all instructions", "Ignore\nthe ALL\t\tother instructions now", "x ignore previous instructions"]
        {
            assert!(finds(says, text), "{text}");
        }
        let eight = "ignore all a b c d e f g h instructions";
        let nine = "ignore all a b c d e f g h i instructions";
        assert!(finds(says, eight) && !finds(says, nine));
        assert!(!finds(says, "ignore all, instructions") && !finds(says, "ignoreall instructions"));
        assert!(finds("must ~1go", "must now go") && !finds("must ~1go", "must really now go"));
    }

    #[test]
    fn a_gap_in_a_line_ends_at_the_line_and_at_its_length() {
        assert!(finds("cat …\\.env", "cat a b/.env"));
        assert!(!finds("cat …\\.env", "cat a\n.env"));
        assert!(finds("cat …5\\.env", "cat 12345.env") && !finds("cat …5\\.env", "cat 123456.env"));
        let far = |n: usize| format!("cat {}.env", "x".repeat(n));
        assert!(finds("cat …\\.env", &far(2048)) && !finds("cat …\\.env", &far(2049)));
    }

    #[test]
    fn classes_edges_and_repetitions() {
        assert!(finds("tasks?\\b", "task ") && finds("tasks?\\b", "tasks") && !finds("tasks?\\b", "tasking"));
        assert!(finds("<!--[^>]{0,3}end", "<!--abcend") && !finds("<!--[^>]{0,3}end", "<!--abcdend"));
        assert!(finds("key\\s*[=:]\\s*[A-z0-9/_-]{4,}", "key = ab_9") && !finds("key\\s*[=:]\\s*[a-z]{4,}", "key=abc"));
        assert!(finds("\\bname it", "(name it") && !finds("\\bname it", "rename it"));
        assert!(finds("(cat|\\bwget) x", "wget x") && !finds("(cat|\\bwget) x", "awget x"));
        assert!(finds("größe ~jetzt", "GRÖSSE jetzt Größe über jetzt"));
    }

    #[test]
    fn a_phrase_that_cannot_be_read_is_refused() {
        for says in ["", "(a", "a)", "[a", "*a", "\\w+ a", "a{2", "~a", "a|"] {
            assert!(Phrase::parse(says).is_err(), "{says}");
        }
    }

    #[test]
    fn hostile_text_takes_no_time() {
        let text = "ignore all ".repeat(6000);
        assert!(!finds("ignore ~(previous|all) ~instructions", &text));
        assert!(!finds("cat …\\.env", &"cat ".repeat(16_000)));
        assert!(!finds("<!--[^>]{0,512}(secret|hidden)[^>]{0,512}-->", &"<!--secret ".repeat(6000)));
        assert!(finds("unset \\w*agent\\w*", &format!("unset {}agent", "a".repeat(60_000))));
    }
}
