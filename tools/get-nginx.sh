#!/bin/sh
# The files for hosts are tested with a real nginx: Debian's package, installed where this may be done.
PATH="$PATH:/usr/sbin:/sbin"
command -v nginx >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "limina: installing nginx for the tests of the files for hosts"
    mkdir -p build
    # It is not to be started by its package, only by our tests.
    { apt-get update && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light; } \
        >build/nginx.log 2>&1 || echo "limina: nginx could not be installed, its example is not tested (see build/nginx.log)" >&2
else
    echo "limina: no nginx here, its example is not tested: install the package nginx-light" >&2
fi
exit 0
