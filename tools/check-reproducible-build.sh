#!/bin/sh
# Packs limina twice and compares what came out, byte by byte.
set -eu
for once in one two; do sh tools/build-wheel.sh "build/reproducible/$once"; done
cd build/reproducible
(cd one && sha256sum -- *) >one.sums
(cd two && sha256sum -c ../one.sums)
