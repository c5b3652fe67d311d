//! The `agentsctl` binary: an exit code and nothing else.

fn main() -> std::process::ExitCode {
    agentsctl::cli::run()
}
