#!/bin/sh
# Says what is missing for building the page, before anything long is begun.
fail() { echo "limina: $1" >&2; exit 1; }

command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
    fail "the page is built with Node: install nodejs 20.19 or newer, with npm"
node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)' ||
    fail "Node $(node --version) is too old for building the page: install nodejs 20.19 or newer"
