# Builds of only the runtime, which ./dev test --full tests too: for boards, for older compilers, and with the thread
# sanitizer. libopc_runtime.so and its tests need no LLVM.
#
#   thread   clang 22 with the thread sanitizer
#   gcc11    g++ 11, the oldest compiler
#   aarch64  Debian's cross compiler; tests run under qemu-user

runtime_flavours=(thread gcc11 aarch64)

# runtime_options <flavour>: options for CMake, one word per line.
runtime_options() {
  printf '%s\n' -DOPC_RUNTIME_ONLY=ON -DCMAKE_BUILD_TYPE=Release
  case "$1" in
    thread) printf '%s\n' -DOPC_SANITIZE_THREAD=ON -DCMAKE_C_COMPILER=/usr/bin/clang-22 -DCMAKE_CXX_COMPILER=/usr/bin/clang++-22 ;;
    gcc11) printf '%s\n' -DCMAKE_C_COMPILER=/usr/bin/gcc-11 -DCMAKE_CXX_COMPILER=/usr/bin/g++-11 ;;
    aarch64) printf '%s\n' "-DCMAKE_TOOLCHAIN_FILE=$root/tools/cmake/Aarch64.cmake" ;;
  esac
}

# Packages of packages-aarch64.txt that are not installed, by their names for apt-get.
missing_board_packages() {
  local package
  for package in $(sed 's/#.*//' "$root/tools/dev/packages-aarch64.txt"); do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

setup_boards() {
  local missing
  missing=$(missing_board_packages)
  [ -n "$missing" ] || return 0
  choose_privilege
  dpkg --print-foreign-architectures | grep -qx arm64 || as_root dpkg --add-architecture arm64
  say "installing$(one_line "$missing")"
  as_root apt-get update -q >"$(log apt-update)" 2>&1 ||
    say "note: apt-get update ended with an error, going on with the lists at hand (see build/log/apt-update.log)"
  # shellcheck disable=SC2086
  as_root apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 $missing >&2 ||
    fail 6 "apt-get could not install the packages of tools/dev/packages-aarch64.txt; its message is above"
}

# test_runtime <flavour> [options of ctest]
test_runtime() {
  local flavour=$1
  shift
  build "$flavour"
  # TBB is not instrumented: data that its threads pass to each other through it looks unordered.
  export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$root/tools/dev/thread-suppressions.txt"
  say "testing $(build_folder "$flavour"), seed $OPC_TEST_SEED"
  ctest --test-dir "$(build_folder "$flavour")" --parallel "${OPC_JOBS:-$(nproc)}" --output-on-failure \
    --no-label-summary --no-tests=error "$@" || exit 1
}
