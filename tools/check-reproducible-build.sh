#!/bin/sh
# Builds sdist and wheel twice and compares them byte by byte.
set -eu
for build in one two; do sh tools/build-wheel.sh "build/reproducible/$build"; done
cd build/reproducible
(cd one && sha256sum -- *) >one.sums
(cd two && sha256sum -c ../one.sums)
