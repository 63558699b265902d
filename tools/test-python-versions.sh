#!/bin/sh
# Builds and tries limina with other Pythons, each in an environment of its own: pythons.sh PYTHON...
# One that is not to be had here is said, and not tried.
set -eu
for python in "$@"; do
    if ! command -v "$python" >/dev/null; then
        echo "limina: $python is not to be had here: not tried"
        continue
    fi
    version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_python_version() + sys.abiflags)')
    home=build/pythons/$version
    [ -x "$home/bin/limina" ] || { "$python" -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check .[rl]; }
    "$home/bin/limina" --version --verbose
    "$home/bin/limina" arena limes novice casual --games 2
    "$home/bin/limina" arena limit novice casual --games 2 --option size=4
    "$home/bin/python" tools/check_thread_safety.py
    echo "limina: Python $version passed"
done
