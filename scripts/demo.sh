#!/usr/bin/env bash
# The demonstration behind `make demo`: a query on real data, compiled to machine code.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

query=examples/sea-surface/fill.tilt
sea='sea=examples/data/sea-surface.csv,time=time (UTC),temperature=temperature (celsius)'

echo "Building tiltc (the first time this takes some minutes) …" >&2
cargo build --release --locked -p tiltc
tiltc=${CARGO_TARGET_DIR:-target}/release/tiltc

result=$(mktemp)
trap 'rm -f "$result"' EXIT

echo
echo "A year of sea temperatures, one every 30 minutes, with gaps. This query fills each gap with the mean of its day:"
echo
sed -n '/^input/,$p' "$query" | sed 's/^/    /'
echo
"$tiltc" run "$query" -i "$sea" --duplicates last -o fill="$result" --stats

echo
echo "Around the first gap (measured is false where the value was filled in):"
echo
first=$(grep -n -m1 'false$' "$result" | cut -d: -f1)
{
    head -n1 "$result"
    sed -n "$((first - 3)),$((first + 4))p" "$result"
} | awk -F, '{ printf "    %-22s%-22s%s\n", $1, $2, $3 }'
echo
echo "$(($(wc -l <"$result") - 1)) rows, $(grep -c 'false$' "$result") of them filled in."

try() { printf '    %-70s # %s\n' "$1" "$2"; }
echo
echo "What to try next:"
try "$tiltc emit --stage tir $query" "the query as TiLT IR"
try "$tiltc emit --stage loops $query" "… as loops over one piece of time"
try "$tiltc emit --stage asm $query" "… as machine code for this CPU"
try "$tiltc explain $query" "how far back and ahead it looks"
try "ls examples/*/*.tilt" "more queries"
try "make test" "everything that must hold"
