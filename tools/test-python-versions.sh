#!/bin/sh
# Builds limina with other versions of Python and plays a few games with each: test-python-versions.sh PYTHON...
# Prints the versions that this machine does not have, and skips them.
set -eu
for python in "$@"; do
    if ! command -v "$python" >/dev/null; then
        echo "limina: $python is not installed: skipped"
        continue
    fi
    version=$("$python" -c 'import sys, sysconfig; print(sysconfig.get_python_version() + sys.abiflags)')
    environment=build/pythons/$version
    [ -x "$environment/bin/limina" ] || { "$python" -m venv "$environment" && "$environment/bin/pip" install --quiet --disable-pip-version-check .[rl]; }
    "$environment/bin/limina" --version --verbose
    "$environment/bin/limina" arena limes novice casual --games 2
    "$environment/bin/limina" arena limit novice casual --games 2 --option size=4
    "$environment/bin/python" tools/check_thread_safety.py
    echo "limina: Python $version passed"
done
