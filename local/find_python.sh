#!/bin/sh
# Prints the path of a Python of the version in .python-version, or one line that says what to do.
#
# A name on PATH is not proof: `python3` may be another version, and a pyenv shim named python3.13
# fails where pyenv does not select a 3.13. So every candidate is run before it is believed.
# CARDROOM_PYTHON names one that goes first.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
version=$(cat "$root/.python-version")

usable() {
    # The base interpreter is printed, so that an environment is never made from another one.
    "$1" -c "
import sys
if '.'.join(map(str, sys.version_info[:2])) != '$version':
    sys.exit(1)
print(getattr(sys, '_base_executable', '') or sys.executable)
" 2>/dev/null
}

try() {
    if found=$(usable "$1") && [ -n "$found" ]; then
        if ! "$found" -c 'import ensurepip, venv' 2>/dev/null; then
            echo "cardroom: $found has no venv module. Install it (Debian: apt-get install python$version-venv) and run make again." >&2
            exit 1
        fi
        echo "$found"
        exit 0
    fi
}

for candidate in "${CARDROOM_PYTHON:-}" "python$version" python3 python; do
    if [ -n "$candidate" ]; then
        try "$candidate"
    fi
done
for candidate in "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/"$version"*/bin/"python$version"; do
    try "$candidate"
done

echo "cardroom: no Python $version found. Install it (for example: pyenv install $version), or name one with CARDROOM_PYTHON=/path/to/python$version, and run make again." >&2
exit 1
