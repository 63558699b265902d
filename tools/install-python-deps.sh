#!/bin/sh
# Installs the requirements of extras of pyproject.toml, locked by version and hash in constraints.txt:
# install-python-deps.sh EXTRA...
# Uses uv, which is ten times as fast as pip, and falls back to pip if uv is missing or fails. Does not compile the
# modules, because most are never imported.
set -u
requirements=$(.venv/bin/python tools/print_requirements.py "$@") || exit

with_uv() { .venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -c constraints.txt -r -; }
with_pip() {
    .venv/bin/python -m pip install --disable-pip-version-check --no-compile --require-hashes -c constraints.txt -r /dev/stdin
}

# If the installation is killed, this file stays, and the next `make` creates the environment again.
touch .venv/.installing
{ [ -x .venv/bin/uv ] && echo "$requirements" | with_uv; } || echo "$requirements" | with_pip
status=$?
rm .venv/.installing
exit $status
