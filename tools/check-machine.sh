#!/bin/sh
# Says what is missing on this machine, and how to get it, before anything long is begun.
python=${1:-python3}
fail() { echo "limina: $1" >&2; exit 1; }

command -v "$python" >/dev/null 2>&1 || fail "no Python found: install Python 3.11 or newer, or say where it is with make PYTHON=..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old: install Python 3.11 or newer, or say where it is with make PYTHON=..."
"$python" -c 'import venv, ensurepip' 2>/dev/null || fail "Python has no venv module: install python3-venv"
command -v "${CXX:-c++}" >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1 ||
    fail "no C++ compiler found: install g++"
