#!/bin/sh
# Installs what pyproject.toml asks for in these extras, in the versions of constraints.txt: install.sh EXTRA...
# By uv, which is ten times as fast, where it is there and reaches the packages; otherwise by pip. What is never imported
# need not be compiled.
set -u
wanted=$(.venv/bin/python tools/requirements.py "$@") || exit

# If the installation is killed, this file stays, and the next `make` creates the environment again.
touch .venv/.installing
{ [ -x .venv/bin/uv ] && echo "$wanted" | .venv/bin/uv pip install --quiet --python .venv/bin/python -c constraints.txt -r -; } ||
    echo "$wanted" | .venv/bin/pip install --disable-pip-version-check --no-compile -c constraints.txt -r /dev/stdin
status=$?
rm .venv/.installing
exit $status
