# ./dev soak: tests that take too long for every run.

# Kills 1,000 processes while they write the kernel cache; runs 32 processes of 16 threads on one cache. Kills 1,000
# installs and removals, by opc and by an installer (OPC_SOAK_KILLS). Runs libFuzzer for a minute on each reader of
# untrusted bytes (OPC_FUZZ_SECONDS). Runs a process that repeats all operations for an hour, without growth in memory,
# handles or threads (OPC_SOAK_SECONDS).
soak() {
  export OPC_SOAK=1
  local bin contract mode kills=${OPC_SOAK_KILLS:-1000}
  bin=$(build_folder release)/test/bin contract=ops/library/add_relu/op_contract.yaml
  say "1,000 processes killed at the kernel cache, 32 processes of 16 threads on one"
  "$bin/unit_cache" --gtest_filter='CacheProcesses.*' || fail 1 "the kernel cache did not hold"
  for mode in '' --installer; do
    say "killing $kills installs and removals ${mode:+by the installer}"
    "$venv/bin/python3" tools/dev/kill_install.py --opc=build/bin/opc --contract="$contract" --count="$kills" $mode ||
      fail 1 "an install that was killed lost a package"
  done
  fuzz "$bin" "${OPC_FUZZ_SECONDS:-60}"
  say "a process that does everything over and over for ${OPC_SOAK_SECONDS:-3600} s"
  OPC_SOAK_SECONDS=${OPC_SOAK_SECONDS:-3600} "$bin/unit_growth" || fail 1 "the runtime grew"
  say "soak: all held"
}

# fuzz <folder of the fuzzers> <seconds>: fuzzes each reader with a corpus that grows in build/fuzz. Inputs that break a
# reader are kept there; add them to test/fuzz/regressions/<reader> once the reader is fixed.
fuzz() {
  local bin=$1 seconds=$2 work=build/fuzz reader model
  mkdir -p "$work"
  rm -rf "$work/package"
  build/bin/opc pkg build ops/library/{add_relu,swish,add,cast,softmax,reduce_sum,layer_norm}/op_contract.yaml --prefix=Seed \
    --version=1.0.0 -o "$work/package" || fail 1 "the package of seeds was not built"
  for model in choices boxes convnet; do
    "$venv/bin/python3" test/model/models.py "$model" "$work/$model.onnx" &&
      build/bin/opc compile "$work/$model.onnx" --soc_version=Ascend310B --output="$work/package/$model" || fail 1 "the model of seeds was not built"
  done
  "$bin/fuzz_seeds" "$work/package" "$work/corpus" || fail 1 "no seeds"
  "$venv/bin/python3" test/model/write_seeds.py "$work/corpus/onnx" || fail 1 "no seeds of models"
  for reader in manifest package program tiling npy packed contract proto opsinfo onnx plan model kernels; do
    say "fuzzing $reader for $seconds s"
    mkdir -p "$work/corpus/$reader" "test/fuzz/regressions/$reader"
    "$bin/fuzz_$reader" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=4096 -close_fd_mask=1 -verbosity=0 \
      -print_final_stats=1 -artifact_prefix="$work/$reader-" "$work/corpus/$reader" "test/fuzz/regressions/$reader" ||
      fail 1 "the reader of $reader broke: $work/$reader-*"
  done
}
