//! Compares the cost of `Project::scan` with a bare parallel walk that only counts: `scan_cost FOLDER bare|scan`.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentsctl::project::{Project, ScanOptions};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (Some(root), Some(what)) = (arguments.get(1), arguments.get(2)) else {
        eprintln!("usage: scan_cost FOLDER bare|scan");
        return;
    };
    let count = if what == "bare" {
        let count = AtomicUsize::new(0);
        ignore::WalkBuilder::new(root)
            .hidden(false)
            .ignore(false)
            .git_global(false)
            .parents(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build_parallel()
            .run(|| {
                Box::new(|entry| {
                    count.fetch_add(usize::from(entry.is_ok_and(|e| e.depth() > 0)), Ordering::Relaxed);
                    ignore::WalkState::Continue
                })
            });
        count.into_inner()
    } else {
        match Project::scan(Path::new(root), ScanOptions::default()) {
            Ok(project) => project.tree().len(),
            Err(error) => {
                eprintln!("{error}");
                return;
            }
        }
    };
    println!("{count} entries");
}
