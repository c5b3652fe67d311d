//! The size from which on a host does not send its request at all.

use super::context::{Context, Loads};
use super::resolve::Resolver;
use crate::host::schema::{RequestLimit, TokenEstimate};
use serde_json::Value;

/// From this length on, in UTF-16 units, a text is guessed by its length alone.
const LONG: u64 = 100_000;

/// Why the first request is not sent, if its text is too long.
pub fn refusal(resolver: &Resolver<'_>, limit: &RequestLimit, context: &Context) -> Option<String> {
    let tokens = match &limit.tokens {
        Value::String(parameter) => resolver.parameter(parameter.trim_start_matches('$')).value.as_u64()?,
        other => other.as_u64()?,
    };
    let counts = |source: &String| limit.sources.contains(source);
    let pieces = context.pieces.iter().filter(|p| p.loads == Loads::AtLaunch && !p.inline && counts(&p.source));
    let text: String = pieces.map(|p| p.text.flatten()).collect();
    let guess = estimate(&text, limit.estimate);
    (guess > tokens).then(|| limit.why.replace("{tokens}", &guess.to_string()).replace("{limit}", &tokens.to_string()))
}

/// The tokens of a text, as a host guesses them.
fn estimate(text: &str, by: TokenEstimate) -> u64 {
    match by {
        TokenEstimate::QuarterOrWeighted => {
            let units = text.chars().map(|c| c.len_utf16() as u64).sum::<u64>();
            if units > LONG {
                return units / 4;
            }
            let ascii = text.chars().filter(char::is_ascii).count() as u64;
            let other = text.chars().count() as u64 - ascii;
            // In quarters, so that nothing is lost before it is rounded down.
            (ascii + other * 6) / 4
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gemini CLI 0.61.0: short texts by character, long ones by length.
    #[test]
    fn tokens_are_guessed_by_kind_of_character_or_by_length() {
        let guess = |text: &str| estimate(text, TokenEstimate::QuarterOrWeighted);
        assert_eq!(guess("abcdefg"), 1);
        assert_eq!(guess("éé"), 3);
        assert_eq!(guess(&"é".repeat(100_000)), 150_000);
        assert_eq!(guess(&"é".repeat(100_004)), 25_001);
    }
}
