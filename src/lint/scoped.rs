//! Scoped rules against the repository's files: which patterns match something, and what was meant by those that do not.

use super::material::Material;
use super::reach::RuleFile;
use crate::discover::scope::{self, Matcher, RuleScope};
use crate::document::frontmatter::Scalar;
use crate::host::schema::GlobDialect;

/// One pattern of a rule, as one host takes it.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The pattern.
    pub text: String,
    /// Where it is written, in bytes of the file; the whole key's value if that is not known, empty at 0 if neither is.
    pub span: std::ops::Range<usize>,
    /// The span is the pattern and nothing else.
    pub exact: bool,
    /// It matches a file of the repository.
    pub matches: bool,
    /// Another way to write it, which matches something; only where it matches nothing itself.
    pub meant: Option<String>,
}

/// The patterns of a rule; `None` if the rule has none for this host.
pub fn patterns(material: &Material<'_>, rule: &RuleFile<'_>) -> Option<Vec<Pattern>> {
    let document = &rule.file.document;
    let RuleScope::Patterns(written) = scope::read(&document.text, rule.dialect).scope else { return None };
    let header = document.frontmatter.as_ref();
    let key = rule.dialect.keys.iter().find_map(|key| header?.get(key));
    let scalars: Vec<Scalar> = key.and_then(|entry| header?.globs(&entry.key)).map_or_else(Vec::new, |g| g.patterns);
    let whole = key.map_or(0..0, |entry| entry.value_span.clone());
    let any = |pattern: &str| matches_any(material, rule, pattern);
    // Patterns that take something out match by not matching.
    let has_negative = written.iter().any(|p| p.starts_with('!'));
    let found = written.into_iter().map(|text| {
        let scalar = scalars.iter().find(|s| s.text.trim() == text);
        let matches = text.starts_with('!') || any(&text);
        let meant = if matches || has_negative { None } else { other_forms(&text).into_iter().find(|form| any(form)) };
        Pattern {
            span: scalar.map_or_else(|| whole.clone(), |s| s.span.clone()),
            exact: scalar.is_some_and(|s| s.text == text),
            text,
            matches,
            meant,
        }
    });
    Some(found.collect())
}

/// Whether a pattern matches any file of the repository below the folder that patterns count from.
fn matches_any(material: &Material<'_>, rule: &RuleFile<'_>, pattern: &str) -> bool {
    let matcher = Matcher::new(vec![pattern.to_owned()], rule.dialect.globs);
    let tree = material.project.tree();
    let files = tree.under(&rule.base).filter(|entry| entry.kind != crate::project::EntryKind::Directory);
    let strip = if rule.base.is_empty() { 0 } else { rule.base.len() + 1 };
    files.into_iter().any(|entry| entry.path.get(strip..).is_some_and(|path| matcher.find(path).is_some()))
        || material.project.is_ignored(literal(pattern)) && !literal(pattern).is_empty()
}

/// The part of a pattern before its first sign.
fn literal(pattern: &str) -> &str {
    let end = pattern.find(['*', '?', '[', '{', '!']).unwrap_or(pattern.len());
    pattern.get(..end).unwrap_or_default().trim_start_matches("./").trim_start_matches('/')
}

/// What people write for a pattern in the belief that it is the same.
fn other_forms(pattern: &str) -> Vec<String> {
    let mut plain = pattern.replace('\\', "/");
    while let Some(rest) = plain.strip_prefix("./") {
        plain = rest.to_owned();
    }
    let plain = plain.trim_start_matches('/').trim_matches(['"', '\'']).to_owned();
    let mut forms = vec![plain.clone()];
    if let Some(folder) = plain.strip_suffix('/') {
        forms.push(format!("{folder}/**"));
        forms.push(format!("{folder}/**/*"));
    } else if !plain.contains(['*', '?', '[', '{']) {
        forms.push(format!("{plain}/**"));
        forms.push(format!("{plain}/**/*"));
    }
    if let (Some(open), Some(close)) = (plain.find("@("), plain.rfind(')')) {
        let inner = plain.get(open + 2..close).unwrap_or_default().replace('|', ",");
        forms.push(format!(
            "{}{{{inner}}}{}",
            plain.get(..open).unwrap_or_default(),
            plain.get(close + 1..).unwrap_or_default()
        ));
    }
    // `src/**.ts` and `src**/*.ts`
    forms.push(plain.replace("/**.", "/**/*."));
    if plain.contains(',') && !plain.contains('{') {
        forms.push(plain.split(',').next().unwrap_or_default().trim().to_owned());
    }
    if plain.starts_with("*.") || (!plain.contains('/') && plain.contains('*')) {
        forms.push(format!("**/{plain}"));
    }
    let mut seen = std::collections::BTreeSet::from([pattern.to_owned()]);
    forms.retain(|form| !form.is_empty() && seen.insert(form.clone()));
    forms
}

/// What a dialect is called in messages.
pub fn dialect_name(dialect: GlobDialect) -> &'static str {
    match dialect {
        GlobDialect::Gitignore => "patterns as of .gitignore",
        _ => "globs",
    }
}

#[cfg(test)]
mod tests {
    use super::other_forms;

    #[test]
    fn other_forms_are_what_people_mean() {
        let has = |pattern: &str, form: &str| assert!(other_forms(pattern).contains(&form.to_owned()), "{pattern}");
        has("./src/**", "src/**");
        has("/src/**", "src/**");
        has("src/", "src/**");
        has("src", "src/**");
        has("src\\**\\*.ts", "src/**/*.ts");
        has("@(src|lib)/**", "{src,lib}/**");
        has("src/**.ts", "src/**/*.ts");
        has("*.py", "**/*.py");
        assert!(other_forms("src/**").iter().all(|form| form != "src/**"));
    }
}
