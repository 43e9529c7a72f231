# ./dev test: runs every test through CTest. Prints the summary and the ten slowest tests last.

run_tests() {
  local flavour=release full='' arguments=()
  while [ $# -gt 0 ]; do
    case "$1" in
      --sanitize) flavour=sanitize ;;
      --thread) flavour=thread ;;
      --full) full=1 ;;
      --)
        shift
        arguments=("$@")
        break
        ;;
      *) fail 2 "./dev test takes --sanitize, --thread, --full and, after --, options of ctest; found '$1'" ;;
    esac
    shift
  done
  setup
  export OPC_TEST_SEED=${OPC_TEST_SEED:-1}
  # NumPy starts a thread of its BLAS for each processor, which spins beside the tests on the others.
  export OPENBLAS_NUM_THREADS=1
  # Memory of malloc in huge pages where the kernel has them on request. A compilation that proves the order of a large
  # kernel has a page fault for each 4 KiB of tens of MiB, which is a fifth of its time; clang gains a tenth.
  export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}
  if [ "$flavour" = thread ]; then
    test_runtime thread "${arguments[@]}"
    return
  fi
  build "$flavour"

  # Tests of one operator (single) are for those who name them to ctest: groups of operators have them all.
  local excluded='^(full|single)$'
  if [ -n "$full" ]; then
    export OPC_TEST_FULL=1
    excluded='^single$'
  fi
  # A finding ends the process by a signal, so that no test mistakes it for an expected failure. Poisoning by users is
  # off: LLVM's arenas poison memory that is not allocated, but libMLIR and libLLVM are not instrumented and allocate
  # from arenas that instrumented code has poisoned. Freed memory is kept for 16 MiB of it instead of 256, which halves the
  # time of tests that simulate many launches: it is the kernel's, for pages that were never used before. Of where memory
  # was allocated and freed 8 frames are kept instead of 30: to walk all takes 3 to 8 % of a compilation.
  local asan="abort_on_error=1:allow_user_poisoning=0:quarantine_size_mb=16:malloc_context_size=8"
  export ASAN_OPTIONS="$asan:detect_leaks=0"
  export UBSAN_OPTIONS=abort_on_error=1:print_stacktrace=1
  if [ "$flavour" = sanitize ]; then
    # Leak detection attaches to the process itself, which some containers forbid.
    if ASAN_OPTIONS=detect_leaks=1 "$(build_folder sanitize)/bin/opc" --version >/dev/null 2>&1; then
      export ASAN_OPTIONS="$asan:detect_leaks=1"
    else
      say "note: this machine does not let a process look for its leaks; tested without"
    fi
  fi
  say "testing $(build_folder "$flavour"), seed $OPC_TEST_SEED (OPC_TEST_SEED)"
  local outcome=0 times reports
  times=$(build_folder "$flavour")/tests.xml
  reports=$(build_folder "$flavour")/test/lit
  rm -rf "$times" "$reports"
  mkdir -p "$reports"
  ctest --test-dir "$(build_folder "$flavour")" --parallel "${OPC_JOBS:-$(nproc)}" --output-on-failure \
    --no-label-summary --no-tests=error --output-junit "$times" --label-exclude "$excluded" "${arguments[@]}" || outcome=1
  [ ! -f "$times" ] || "$venv/bin/python3" tools/dev/slowest_tests.py "$times" --lit="$reports" >&2
  [ "$outcome" = 0 ] || exit 1
  # Groups that a filter leaves empty pass and have no report.
  if [ -n "${LIT_FILTER:-}" ] && ! compgen -G "$reports/*.xml" >/dev/null; then
    fail 1 "no lit test that was chosen has '$LIT_FILTER' (LIT_FILTER) in its name"
  fi
  if [ -n "$full" ] && [ "$flavour" = release ] && [ ${#arguments[@]} -eq 0 ]; then
    setup_boards
    for flavour in "${runtime_flavours[@]}"; do
      test_runtime "$flavour"
    done
  fi
}
