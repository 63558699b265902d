#!/bin/sh
# Installs what pyproject.toml asks for in these extras, in the versions of constraints.txt: install.sh EXTRA...
# By uv, which is ten times as fast, where it is there and reaches the packages; otherwise by pip. What is never imported
# need not be compiled.
set -eu
wanted=$(.venv/bin/python tools/requirements.py "$@")
if [ -x .venv/bin/uv ] && echo "$wanted" | .venv/bin/uv pip install --quiet --python .venv/bin/python -c constraints.txt -r -; then
    exit 0
fi
echo "$wanted" | .venv/bin/pip install --disable-pip-version-check --no-compile -c constraints.txt -r /dev/stdin
