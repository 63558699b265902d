#!/bin/sh
# Builds the kernel with the address and undefined behavior sanitizers in build/sanitize, and runs the kernel's tests on it.
set -eu
compiler=${CXX:-c++}
asan=$("$compiler" -print-file-name=libasan.so)
if [ ! -e "$asan" ]; then
    echo "limina: the sanitizers were not run: $compiler has no libasan (install the compiler's libasan)" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 0
fi
python=.venv/bin/python
cmake=.venv/bin/cmake
$python tools/run_step.py --quiet "the kernel could not be built with sanitizers" $cmake -S . -B build/sanitize -G Ninja \
    -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-g1 \
    -DLIMINA_SANITIZE=ON -DLIMINA_WERROR=ON \
    -Dnanobind_DIR="$($python -m nanobind --cmake_dir)" -DPython_EXECUTABLE="$PWD/.venv/bin/python"
$python tools/run_step.py --quiet "the kernel could not be built with sanitizers" \
    $cmake --build build/sanitize --parallel 2
# No leak detection: Python itself does not free everything when it exits.
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD="$asan $("$compiler" -print-file-name=libstdc++.so)" \
    LIMINA_KERNEL="$PWD/build/sanitize" PYTHONPATH=tests $python -m kernel.sanitized
