#!/bin/sh
# The page is tested in a real Chromium: Debian's package, installed where this may be done, named where it may not.
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "limina: installing Chromium for the tests of the page"
    mkdir -p build
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } \
        >build/chromium.log 2>&1 || echo "limina: Chromium could not be installed, the page is not tested in a browser (see build/chromium.log)" >&2
else
    echo "limina: no Chromium here, the page is not tested in a browser: install the package chromium" >&2
fi
exit 0
