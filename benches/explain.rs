//! `explain` in a small and in a large repository, and beside `git rev-parse --show-toplevel`, in one run.
//!
//! `cargo bench --bench explain`. Prints CPU milliseconds (user and system) for one process, as the mean over many runs,
//! since the kernel counts the time of ended children in steps that are coarser than one run.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const RUNS: u32 = 200;

fn main() {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_agentsctl"));
    let folder = tempfile::tempdir().unwrap();
    let small = make_repository(&folder.path().join("small"), 10);
    let large = make_repository(&folder.path().join("large"), 100_000);
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    let explain = |repository: &Path| {
        let mut command = Command::new(&binary);
        command.args(["explain", "dir0/sub0/file0.rs"]).current_dir(repository).env("HOME", &home);
        command
    };
    let git = |repository: &Path| {
        let mut command = Command::new("git");
        command.args(["rev-parse", "--show-toplevel"]).current_dir(repository).env("HOME", &home);
        command
    };
    let rows: Vec<(&str, f64)> = vec![
        ("explain, all hosts, 10 files", mean(|| explain(&small))),
        ("explain, all hosts, 100,000 files", mean(|| explain(&large))),
        ("git rev-parse, 10 files", mean(|| git(&small))),
        ("git rev-parse, 100,000 files", mean(|| git(&large))),
    ];
    for (name, milliseconds) in &rows {
        println!("{name:<36} {milliseconds:>7.2} ms CPU");
    }
    println!("large / small: {:.2}", rows[1].1 / rows[0].1);
    println!("explain / git rev-parse: {:.2}", rows[1].1 / rows[3].1);
}

fn make_repository(folder: &Path, files: usize) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    assert!(Command::new("git").args(["init", "-q"]).current_dir(folder).status().unwrap().success());
    fs::write(folder.join("AGENTS.md"), "- Run `make test` before each commit.\n".repeat(40)).unwrap();
    fs::write(folder.join("CLAUDE.md"), "@AGENTS.md\n").unwrap();
    for n in 0..files {
        let place = folder.join(format!("dir{}/sub{}", n / 1000, n % 1000 / 100));
        if n % 100 == 0 {
            fs::create_dir_all(&place).unwrap();
        }
        fs::write(place.join(format!("file{n}.rs")), "").unwrap();
    }
    folder.to_path_buf()
}

fn mean(command: impl Fn() -> Command) -> f64 {
    let before = children_cpu();
    for _ in 0..RUNS {
        assert!(command().stdout(Stdio::null()).status().unwrap().success());
    }
    (children_cpu() - before) / f64::from(RUNS)
}

/// CPU time of all ended children of this process, in milliseconds.
fn children_cpu() -> f64 {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap();
    let milliseconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3;
    milliseconds(usage.user_time()) + milliseconds(usage.system_time())
}
