#!/usr/bin/env bash
# Prints the Python interpreter that the oracle runs on: the first that has NumPy. (The first `python3` on the path may be
# another one than that of the system, for which the package python3-numpy is.)
set -euo pipefail

for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import numpy' >/dev/null 2>&1; then
        command -v "$python"
        exit 0
    fi
done
echo "no python3 with NumPy: make setup" >&2
exit 1
