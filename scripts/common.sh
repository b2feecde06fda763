# Set-up and build, shared by run.sh, test.sh and .ci/run. To be sourced; it moves to the root of the repository.
# All it prints goes to stderr, so that `./run.sh` with arguments has the output of `jitc` alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# LLVM's static libraries need zlib and zstd, pictures libpng; clang-19 makes the device math library.
build_packages=(g++ cmake ninja-build ccache mold llvm-19-dev clang-19 libfmt-dev libcli11-dev
                nlohmann-json3-dev zlib1g-dev libzstd-dev libpng-dev libxxhash-dev)
test_packages=(catch2 python3 python3-numpy libmpfr-dev)
check_packages=(clang-format-14)

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

# Prints those of the named Debian packages that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  local package
  for package in "$@"; do
    grep -qx "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Asks for hand-made set-up where there is no Debian 12, and says what it takes.
require_debian_12() {
  local ID=unknown VERSION_ID='' PRETTY_NAME='an unknown system'
  [[ -r /etc/os-release ]] && . /etc/os-release
  [[ $ID == debian && $VERSION_ID == 12 ]] && command -v apt-get >/dev/null && return
  say "This is $PRETTY_NAME; packages are installed for you on Debian 12 only. What jitc needs, by Debian's names:"
  say "  $*"
  say "that is: a C++20 compiler (g++ 12 or newer), CMake 3.25, Ninja, LLVM and clang 19 with their headers and static"
  say "libraries, fmt 9, CLI11 2, nlohmann-json 3, zlib, zstd, libpng, xxHash; for the tests Catch2 2.13 and NumPy."
  die "install these, then run this again with JITC_NO_INSTALL=1"
}

# Installs those of the named packages that are missing. Set JITC_NO_INSTALL=1 to leave the machine as it is.
install_packages() {
  [[ ${JITC_NO_INSTALL:-} == 1 ]] && return
  command -v dpkg-query >/dev/null || require_debian_12 "$@"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return
  require_debian_12 "$@"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "to install ${missing[*]}, run this as root or install sudo"
    as_root=(sudo)
  fi
  say "Installing ${missing[*]} …"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  "${apt[@]}" update </dev/null >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2
}

# configure PRESET [CMAKE-OPTION…]: makes build/PRESET unless it is there with exactly these options.
configure() {
  local preset=$1 folder=build/$1 wanted="$PWD $*"
  [[ -f $folder/build.ninja && $(cat "$folder/.configured" 2>/dev/null) == "$wanted" ]] && return
  # A build folder that was made elsewhere (a copied tree) cannot be reused.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  cmake --preset "$preset" "${@:2}" >&2
  printf '%s\n' "$wanted" >"$folder/.configured"
}

# build PRESET [TARGET…]: silent when all is up to date.
build() {
  local folder=build/$1
  [[ -f $folder/.ninja_log ]] || say "Building $folder: some minutes, this first time …"
  NINJA_STATUS='[%f/%t, %es] ' ninja -C "$folder" -j "$(nproc)" "${@:2}" 2>&1 |
    sed -u '/^ninja: Entering/d; /Re-checking globbed/d; /no work to do/d' >&2
}
