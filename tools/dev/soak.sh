# ./dev soak: what takes too long for every run of the tests.

# 1,000 processes killed while they write the kernel cache; 32 processes of 16 threads on one cache; an hour of a process
# that does everything over and over, without growth in memory, handles or threads (OPC_SOAK_SECONDS).
soak() {
  export OPC_SOAK=1
  "$(build_folder release)/test/bin/unit_cache" --gtest_filter='CacheProcesses.*' || fail 1 "the kernel cache did not hold"
  OPC_SOAK_SECONDS=${OPC_SOAK_SECONDS:-3600} "$(build_folder release)/test/bin/unit_growth" || fail 1 "the runtime grew"
}
