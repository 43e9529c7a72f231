// Contracts opened by the C interface: the compiler is found beside the library, kernels come from the cache, and
// attributes that are bound when compiling are part of its key.

#include "runtime/api/opc_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

static constexpr char kContract[] = R"(schema: 1
op_type: Grow
version: 1.0.0
summary: A tensor times a number that is known when compiling, plus one that is not
inputs:
  - name: x
    summary: Operand
    types: [float32, float16]
    shape: [...S]
outputs:
  - name: y
    summary: Result
    types: [float32, float16]
    shape: [...S]
attributes:
  - name: factor
    summary: Times
    type: float
    bind: compile
    default: 2.0
    range: {minimum: 0.0, maximum: 100.0}
  - name: more
    summary: Plus
    type: float
    bind: launch
    default: 1.0
boundary: {overflow: infinity, rounding: nearest_even, empty: allowed, nan: propagate, infinity: reference}
precision:
  compute: float32
  tolerance:
    - {type: float32, max_ulp: 1}
    - {type: float16, max_ulp: 1}
bodies:
  - level: te
    file: grow.mlir
reference: reference.py
)";
static constexpr char kBody[] = R"(!T = f32
func.func @grow(%x: !x, %more: f32) -> !y {
  %factor = te.constant #factor
  %a = te.mul %x, %factor
  %y = te.add %a, %more
  return %y : !y
}
)";

namespace {
class RuntimeCache : public testing::Test {
protected:
  RuntimeCache() {
    std::string name = (fs::temp_directory_path() / "opc-runtime-cache-XXXXXX").string();
    folder = mkdtemp(name.data());
    fs::create_directories(folder / "grow");
    std::ofstream(folder / "grow/op_contract.yaml") << kContract;
    std::ofstream(folder / "grow/grow.mlir") << kBody;
    std::ofstream(folder / "grow/reference.py") << "def reference(x, factor, more):\n    return x * factor + more\n";
  }
  ~RuntimeCache() override {
    opc_operator_close(op);
    opc_runtime_destroy(runtime);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void open(const std::string &cache = {}) {
    opc_operator_close(op);
    opc_runtime_destroy(runtime);
    op = nullptr;
    runtime = nullptr;
    std::string path = cache.empty() ? (folder / "cache").string() : cache;
    opc_runtime_options options{};
    options.size = sizeof options;
    options.cache_path = path.c_str();
    ASSERT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &runtime), OPC_OK);
    ASSERT_EQ(opc_operator_open(runtime, (folder / "grow").c_str(), &op), OPC_OK) << opc_last_error()->reason;
  }
  /// y = x * factor + 1 over {1, 2, ..., n}; factor is the default where it is 0.
  opc_status launch(int64_t n, double factor, std::vector<float> &y, DLDataType type = {kDLFloat, 32, 1}) {
    std::vector<float> x;
    for (int64_t i = 0; i < n; ++i)
      x.push_back(float(i + 1));
    y.assign(size_t(n), -1.0f);
    DLTensor in{x.data(), {kDLCPU, 0}, 1, type, &n, nullptr, 0}, out = in;
    out.data = y.data();
    const DLTensor *inputs[] = {&in}, *outputs[] = {&out};
    opc_attribute attribute{"factor", OPC_ATTRIBUTE_FLOAT, {}};
    attribute.value.float_value = factor;
    return opc_launch_once(op, nullptr, inputs, 1, outputs, 1, &attribute, factor != 0);
  }
  opc_cache_statistics statistics() {
    opc_cache_statistics result{};
    EXPECT_EQ(opc_cache_read_statistics(runtime, &result), OPC_OK);
    return result;
  }
  fs::path folder;
  opc_runtime *runtime = nullptr;
  opc_operator *op = nullptr;
  std::vector<float> y;
};
} // namespace

// Without it: another shape compiles again, another value of the attribute gets the kernel of the first, or nobody is
// told why a compile happened.
TEST_F(RuntimeCache, CompilesForKeysAndNotForShapes) {
  open();
  EXPECT_STREQ(opc_operator_type(op), "Grow");
  EXPECT_STREQ(opc_operator_input_name(op, 0), "x");
  for (int64_t n : {3, 5, 1000, 3}) {
    ASSERT_EQ(launch(n, 0, y), OPC_OK) << opc_last_error()->reason;
    EXPECT_EQ(y[2], 7.0f);
  }
  EXPECT_EQ(opc_operator_num_compiles(op), 1u);
  EXPECT_STREQ(opc_operator_compile_reason(op, 0), "first use");
  ASSERT_EQ(launch(3, 4, y), OPC_OK) << opc_last_error()->reason;
  EXPECT_THAT(y, ElementsAre(5, 9, 13));
  ASSERT_EQ(opc_operator_num_compiles(op), 2u);
  EXPECT_STREQ(opc_operator_compile_reason(op, 1), "changed: attributes");
  // The default by its value is the default.
  ASSERT_EQ(launch(4, 2, y), OPC_OK);
  EXPECT_EQ(opc_operator_num_compiles(op), 2u);
  EXPECT_EQ(opc_operator_compile_reason(op, 2), nullptr);
  opc_cache_statistics numbers = statistics();
  EXPECT_EQ(numbers.compiles, 2u);
  EXPECT_EQ(numbers.memory_hits, 3u); // 5, 1000, and the default by its value
  EXPECT_EQ(numbers.launches, 5u);
  // Another process, as it were.
  open();
  ASSERT_EQ(launch(3, 4, y), OPC_OK);
  EXPECT_EQ(statistics().disk_hits, 1u);
  EXPECT_EQ(opc_operator_num_compiles(op), 0u);
}

// Without it: hits are not told, or by another name than tools look for.
TEST_F(RuntimeCache, LogsHitsOfAllLevels) {
  open();
  ASSERT_EQ(launch(3, 0, y), OPC_OK);
  setenv("ACL_LOG_LEVEL", "INFO", 1);
  open();
  unsetenv("ACL_LOG_LEVEL");
  testing::internal::CaptureStderr();
  ASSERT_EQ(launch(3, 0, y), OPC_OK); // from disk
  ASSERT_EQ(launch(7, 0, y), OPC_OK); // from memory
  ASSERT_EQ(launch(7, 0, y), OPC_OK); // prepared
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Hit kernel cache for Grow_3\n"
                                                    "Hit kernel cache for Grow_7\n"
                                                    "Hit kernel cache for Grow_7\n");
}

// Without it: wrong values are compiled, or refused without a word on what would be right.
TEST_F(RuntimeCache, RefusesWhatTheContractRefuses) {
  open();
  EXPECT_EQ(launch(3, 101, y), OPC_USAGE);
  EXPECT_STREQ(opc_last_error()->code, "OPC-E0526");
  EXPECT_THAT(opc_last_error()->reason, HasSubstr("attribute 'factor'"));
  EXPECT_THAT(opc_last_error()->reason, HasSubstr("found '101'"));
  EXPECT_STREQ(opc_last_error()->op, "Grow");
  EXPECT_STREQ(opc_last_error()->shapes, "x float32[3]");
  EXPECT_EQ(launch(3, 0, y, {kDLInt, 32, 1}), OPC_USAGE);
  EXPECT_STREQ(opc_last_error()->code, "OPC-E0522");
  EXPECT_THAT(opc_last_error()->fix, HasSubstr("x '- int32', y '- int32'"));
  EXPECT_EQ(opc_operator_num_compiles(op), 0u);
}

// Without it: a cache that cannot be written costs the result.
TEST_F(RuntimeCache, ServesWithoutADisk) {
  std::ofstream(folder / "file") << "no folder";
  open((folder / "file").string());
  ASSERT_EQ(launch(3, 0, y), OPC_OK) << opc_last_error()->reason;
  EXPECT_THAT(y, ElementsAre(3, 5, 7));
  ASSERT_EQ(launch(5, 0, y), OPC_OK);
  EXPECT_EQ(statistics().compiles, 1u);
  // The contract goes: what is in memory goes on, what is not says why.
  open();
  ASSERT_EQ(launch(3, 0, y), OPC_OK);
  fs::remove(folder / "grow/op_contract.yaml");
  ASSERT_EQ(launch(9, 0, y), OPC_OK);
  EXPECT_EQ(launch(9, 3, y), OPC_ENVIRONMENT);
  EXPECT_STREQ(opc_last_error()->code, "OPC-E0600");
}

// Without it: threads that launch at once compile a key once each, or compilers of one process get into
// each other's way.
TEST_F(RuntimeCache, ThreadsShareTheCompiles) {
  open();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      std::vector<float> mine;
      for (int64_t n = 1; n < 20; ++n) {
        float factor = float(1 + (t + n) % 3);
        if (launch(n, factor, mine) != OPC_OK || mine[size_t(n - 1)] != float(n) * factor + 1)
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(opc_operator_num_compiles(op), 3u);
  EXPECT_EQ(statistics().compiles, 3u);
}

// Without it: a limit on kernels in memory is passed over, and a closed operator is found again.
TEST_F(RuntimeCache, KeepsToItsLimits) {
  setenv("ACLNN_KERNEL_CACHE_SIZE", "1", 1);
  open();
  unsetenv("ACLNN_KERNEL_CACHE_SIZE");
  for (int turn = 0; turn < 2; ++turn)
    for (double factor : {3.0, 5.0})
      ASSERT_EQ(launch(4 + turn, factor, y), OPC_OK);
  opc_cache_statistics numbers = statistics();
  EXPECT_LE(numbers.kernels, 1u);
  EXPECT_EQ(numbers.compiles, 2u);
  EXPECT_EQ(numbers.disk_hits, 2u);
  opc_operator_close(op);
  op = nullptr;
  EXPECT_EQ(statistics().launches, 0u);
}
