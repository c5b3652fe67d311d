#!/usr/bin/env bash
# One CI step: annotations on standard output, a summary in Markdown, a SARIF file. Exits as `agentsctl lint` does.
#
# AGENTSCTL_PATHS    files or folders, one a line; empty for the whole repository
# AGENTSCTL_FAIL_ON  the least severity that fails (default: warning)
# AGENTSCTL_SINCE    report only what is worse than in this revision
# AGENTSCTL_SARIF    where the SARIF file is written; empty for none
set -euo pipefail
arguments=(lint --fail-on "${AGENTSCTL_FAIL_ON:-warning}")
if [ -n "${GITHUB_ACTIONS:-}" ]; then arguments+=(--format github); else arguments+=(--format full); fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  # The page may have parts already, so ours is added to them.
  summary=$(mktemp)
  trap 'rm -f "$summary"' EXIT
  arguments+=(--output "markdown:$summary")
fi
if [ -n "${AGENTSCTL_SARIF:-}" ]; then arguments+=(--output "sarif:$AGENTSCTL_SARIF"); fi
if [ -n "${AGENTSCTL_SINCE:-}" ]; then arguments+=(--since "$AGENTSCTL_SINCE"); fi
if [ -n "${AGENTSCTL_PATHS:-}" ]; then
  arguments+=(--)
  while IFS= read -r path; do
    [ -z "$path" ] || arguments+=("$path")
  done <<<"$AGENTSCTL_PATHS"
fi
status=0
agentsctl "${arguments[@]}" || status=$?
if [ -n "${summary:-}" ]; then cat "$summary" >>"$GITHUB_STEP_SUMMARY"; fi
exit "$status"
