#!/bin/sh
# Prints everything that this machine lacks in one line, with the command that installs it, and fails if there is anything.
# check-prerequisites.sh PYTHON REQUIREMENT...: each REQUIREMENT is python, compiler, node or git.
python=$1
shift
missing=
packages=
other=

for manager in apt dnf brew none; do command -v "$manager" >/dev/null 2>&1 && break; done

add_missing() { # WHAT [DEBIAN FEDORA HOMEBREW]: add what is missing, and its package for each system
    missing="$missing${missing:+, }$1"
    case $manager in
        apt) packages="$packages${2:+ $2}" ;;
        dnf) packages="$packages${3:+ $3}" ;;
        brew) packages="$packages${4:+ $4}" ;;
    esac
}

check_python() {
    # This program has to run in any version of Python.
    problems=$("$python" - 2>/dev/null <<'PYTHON'
import os, platform, sys, sysconfig
if sys.version_info < (3, 11):
    print("old " + platform.python_version())
try:
    import ensurepip, venv
except ImportError:
    print("venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    print("headers")
print("works")
PYTHON
    )
    case $(basename "$python") in python3*) name=$(basename "$python") ;; *) name=python3 ;; esac
    case $problems in
        old*)
            add_missing "Python 3.11 or newer ($python is $(echo "$problems" | sed -n 's/^old //p'))"
            other="$other, name a newer Python with make PYTHON=..."
            return
            ;;
        *works) ;;
        *) add_missing "Python 3.11 or newer" "$name $name-venv $name-dev" "$name $name-devel" python ;;
    esac
    case $problems in *venv*) add_missing "Python's venv and ensurepip modules" "$name-venv" "$name" python ;; esac
    case $problems in *headers*) add_missing "Python's headers" "$name-dev" "$name-devel" python ;; esac
}

check_compiler() {
    for compiler in ${CXX:+"$CXX"} c++ g++ clang++; do
        printf '#include <bit>\n#include <concepts>\n#include <span>\n' |
            $compiler -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1 && return
    done
    add_missing "a C++20 compiler" g++ gcc-c++
    [ "$(uname)" != Darwin ] || other="$other, run: xcode-select --install"
}

is_recent_node() { # VERSION
    echo "$1" | sed 's/^v//' | awk -F '[.+~-]' '{ exit !($1 > 20 || ($1 == 20 && $2 >= 19)) }'
}

check_node() {
    version=$(node --version 2>/dev/null)
    if [ -n "$version" ] && ! is_recent_node "$version"; then
        what="Node 20.19 or newer (node is $version)"
    elif [ -z "$version" ] || ! command -v npm >/dev/null 2>&1; then
        what="Node 20.19 or newer with npm"
    else
        return
    fi
    # Debian 12 packages a Node that is too old, so do not advise to install it.
    if [ "$manager" = apt ] && ! is_recent_node "$(apt-cache policy nodejs 2>/dev/null | sed -n 's/^ *Candidate: //p')"; then
        add_missing "$what"
        other="$other, install Node from https://nodejs.org"
    else
        add_missing "$what" "nodejs npm" "nodejs npm" node
    fi
}

check_git() { command -v git >/dev/null 2>&1 || add_missing git git git git; }

for requirement in "$@"; do "check_$requirement"; done
[ -n "$missing" ] || exit 0
sudo="sudo "
[ "$(id -u)" != 0 ] && [ "$manager" != brew ] || sudo=
advice="${packages:+, run: $sudo$manager install$packages}$other"
echo "limina: this machine lacks $missing${advice:+;${advice#,}}" >&2
exit 1
