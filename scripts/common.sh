# Functions of the shell scripts. Sourced, never run; `root` is the repository.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The scripts print to stderr: stdout is the program's.
say() { printf 'setup: %s\n' "$*" >&2; }

runs() { [ -x "$1" ] && "$1" --version >/dev/null 2>&1; }

# Succeeds if warplint finds an nvcc by itself.
has_known_nvcc() {
  local on_path
  on_path=$(type -P nvcc || true)
  runs "${CUDA_PATH:-}/bin/nvcc" || runs "${CUDA_HOME:-}/bin/nvcc" || runs "$on_path"
}

# Prints the root of a toolkit that warplint does not find by itself: one that is
# installed outside the search paths, else the project's own.
other_toolkit() {
  local folder
  for folder in /usr/local/cuda /usr/local/cuda-* "$root/.toolkit"; do
    if runs "$folder/bin/nvcc"; then
      printf '%s\n' "$folder"
      return
    fi
  done
  return 1
}

export_toolkit() {
  if ! has_known_nvcc; then
    CUDA_PATH=$(other_toolkit)
    export CUDA_PATH
  fi
  if [ -d "$root/.toolkit-nvdisasm" ]; then
    export PATH="$PATH:$root/.toolkit-nvdisasm/bin"
  fi
}

# Succeeds if warplint finds an nvdisasm, beside nvcc or on PATH.
has_disassembler() (
  export_toolkit
  nvcc=$(type -P "${CUDA_PATH:-${CUDA_HOME:-}}/bin/nvcc" || type -P nvcc || true)
  runs "$(dirname "$(readlink -f "$nvcc")")/nvdisasm" || runs "$(type -P nvdisasm || true)"
)

fail() {
  say "$*"
  exit 2
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install PACKAGE...: those of them that are missing.
install() {
  command -v dpkg-query >/dev/null ||
    fail "this is not Debian, so install by hand what these Debian packages hold: $*"
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then return; fi

  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "neither root nor sudo here; as root: apt-get install --no-install-recommends ${missing[*]}"
    apt=(sudo "${apt[@]}")
  fi
  say "installing ${missing[*]}"
  local install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")
  # A fresh machine has no package lists, an old one outdated ones.
  if ! "${install[@]}" >/dev/null 2>&1; then
    say "reading the package lists"
    "${apt[@]}" update >&2
    "${install[@]}" >/dev/null || fail "apt-get could not install ${missing[*]}"
  fi
}

# One job per processor, and no more than fit into memory: compiling one source
# with Clang's headers takes up to 2 GiB.
job_count() {
  local processors room
  processors=$(nproc)
  room=$(awk '/^MemTotal/ { print int($2 / 1048576 / 2 + 0.5) }' /proc/meminfo)
  local most=$((room < processors ? room : processors))
  echo $((most < 1 ? 1 : most))
}

# build TARGET...: configures once, builds what is out of date, and prints
# nothing if all is up to date.
build() {
  if [ ! -f "$root/build/build.ninja" ]; then
    say "configuring build/"
    cmake -S "$root" --preset release >&2 || return
  fi
  # ccache refuses to compile where it cannot keep its cache.
  if [ ! -w "${CCACHE_DIR:-${HOME:-/}}" ]; then export CCACHE_DISABLE=1; fi
  if [ ! -x "$root/build/warplint" ]; then
    say "building in build/, some minutes the first time"
  fi
  # Drops Ninja's "no work to do" and its messages on globs.
  ninja -C "$root/build" -j "$(job_count)" "$@" |
    { grep --line-buffered -v -e '^ninja: [En]' -e 'Re-checking globbed' >&2 || true; }
}
