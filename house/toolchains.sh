#!/usr/bin/env bash
# Stops with one line when a toolchain is absent or too old. Toolchains are the user's own choice
# (Debian's, a version manager's), so they are named here and never installed.
#
# usage: toolchains.sh [python] [rust] [java] [node] [go] [miri]
set -eu

missing=()
packages=()

# lacks NAME HAVE WANT: true when HAVE is empty or an older version than WANT.
older() { [ -z "$1" ] || [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" != "$2" ]; }
version() { "$@" 2>&1 | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1 || true; }
lacks() { missing+=("$1"); packages+=("${@:2}"); }

for tool in "${@:-}"; do
  case "$tool" in
    python)
      older "$(version "${PYTHON:-python3}" --version)" 3.11 && lacks "CPython 3.11 or newer" python3 python3-venv ;;
    rust)
      older "$(version cargo --version)" 1.85 && lacks "cargo 1.85 or newer (stable Rust, from rustup or your distribution)" ;;
    java)
      older "$(version javac -version)" 17 && lacks "JDK 17 or newer" openjdk-17-jdk-headless
      older "$(version mvn --version)" 3.8 && lacks "Maven 3.8 or newer" maven ;;
    node)
      older "$(version node --version)" 20 && lacks "Node.js 20 or newer (from nodejs.org or a version manager)"
      older "$(version npm --version)" 9 && lacks "npm 9 or newer (comes with Node.js)" ;;
    go)
      older "$(version go version)" 1.26 && lacks "Go 1.26 or newer" ;;
    miri)
      older "$(version env RUSTUP_AUTO_INSTALL=0 cargo +nightly miri --version)" 0.1 &&
        lacks "Miri of nightly Rust (type: rustup toolchain install nightly --component miri,rust-src)" ;;
    *) echo "toolchains.sh: unknown toolchain '$tool'" >&2; exit 2 ;;
  esac
done

[ ${#missing[@]} -eq 0 ] && exit 0
line="missing: $(printf '%s, ' "${missing[@]}" | sed 's/, $//')"
[ ${#packages[@]} -gt 0 ] && line="$line; type: apt-get install ${packages[*]}"
echo "$line" >&2
exit 1
