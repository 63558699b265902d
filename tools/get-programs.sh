#!/bin/sh
# The page is tested in a real Chromium and the files for hosts with a real nginx: Debian's packages, installed where this
# may be done, named where it may not. Of Chromium the one without windows, which does the same for a quarter less.
PATH="$PATH:/usr/sbin:/sbin"
wanted=
missing=
command -v chromium-headless-shell >/dev/null 2>&1 || wanted="$wanted chromium-headless-shell"
command -v nginx >/dev/null 2>&1 || wanted="$wanted nginx-light"
[ -z "$wanted" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "limina: installing$wanted for the tests"
    mkdir -p build
    # nginx is not to be started by its package, only by our tests.
    export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
    {
        apt-get update
        for package in $wanted; do apt-get install -y --no-install-recommends "$package"; done
    } >build/programs.log 2>&1
fi
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && found=$name && break
done
[ -n "${found:-}" ] || missing="chromium-headless-shell (the page is not tested in a browser)"
command -v nginx >/dev/null 2>&1 || missing="$missing${missing:+ and }nginx-light (its example is not tested)"
[ -z "$missing" ] || echo "limina: not here: $missing: install it" >&2
exit 0
