#!/bin/sh
# Installs what pyproject.toml asks for in these extras, in the versions of constraints.txt: install.sh EXTRA...
# Nothing is installed whose hash is not in constraints.txt.
# By uv, which is ten times as fast, where it is there and reaches the packages; otherwise by pip. What is never imported
# need not be compiled.
set -u
wanted=$(.venv/bin/python tools/print_requirements.py "$@") || exit

with_uv() { .venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -c constraints.txt -r -; }
with_pip() {
    .venv/bin/python -m pip install --disable-pip-version-check --no-compile --require-hashes -c constraints.txt -r /dev/stdin
}

# If the installation is killed, this file stays, and the next `make` creates the environment again.
touch .venv/.installing
{ [ -x .venv/bin/uv ] && echo "$wanted" | with_uv; } || echo "$wanted" | with_pip
status=$?
rm .venv/.installing
exit $status
