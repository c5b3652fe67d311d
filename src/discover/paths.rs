//! Arithmetic on paths that does not look at the disk.

use std::path::{Component, Path, PathBuf};

/// The path with `.` and `..` taken out, links not looked at.
pub fn normalize(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !matches!(result.components().next_back(), None | Some(Component::RootDir | Component::Prefix(_))) {
                    result.pop();
                }
            }
            other => result.push(other),
        }
    }
    result
}

/// `path` taken from `base`, with `.` and `..` taken out.
pub fn join(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    normalize(&base.join(path))
}

/// The path relative to `base` with `/`, or `None` if it does not lie in it.
pub fn relative(path: &Path, base: &Path) -> Option<String> {
    let rest = path.strip_prefix(base).ok()?;
    Some(rest.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// The path relative to `base` even if that takes `..`, with `/`.
pub fn relative_with_parents(path: &Path, base: &Path) -> String {
    let common = path.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    let up = base.components().skip(common).map(|_| "..".into());
    let down = path.components().skip(common).map(|c| c.as_os_str().to_string_lossy());
    let parts: Vec<std::borrow::Cow<'_, str>> = up.chain(down).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// The folders from `top` down to `bottom`, both included; empty if `bottom` does not lie in `top`.
pub fn chain(top: &Path, bottom: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        bottom.ancestors().take_while(|a| a.starts_with(top)).map(Path::to_path_buf).collect();
    folders.reverse();
    folders
}

/// The last part of a path as text.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}
