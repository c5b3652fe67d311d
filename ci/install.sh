#!/usr/bin/env bash
# Installs agentsctl from the source beside this script, unless it is on PATH already.
set -euo pipefail
if command -v agentsctl >/dev/null; then
  agentsctl --version
  exit 0
fi
cargo install --locked --path "$(dirname "$0")/.."
