#!/usr/bin/env bash
# Runs a command as a named step and says how long it took:  scripts/step.sh NAME COMMAND…
set -euo pipefail

name=$1
shift
echo "== $name: $*"
start=$SECONDS
status=0
"$@" || status=$?
((status == 0)) && verdict=ok || verdict="FAILED ($status)"
echo "== $name: $verdict, $((SECONDS - start)) s"
exit "$status"
