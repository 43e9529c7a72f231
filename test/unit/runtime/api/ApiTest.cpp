// The C interface, through libopc_runtime.so alone.

#include "runtime/api/opc_runtime.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

using opc::test::ConformanceFolder;
using testing::HasSubstr;

namespace {
/// A DLTensor over a vector of floats.
struct View {
  View(std::vector<float> &values, std::vector<int64_t> dims) : shape(std::move(dims)) {
    tensor = DLTensor{};
    tensor.data = values.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = int(shape.size());
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
  }
  View(const View &) = delete;
  std::vector<int64_t> shape;
  DLTensor tensor;
};

class Api : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    opc_runtime_options options{};
    options.size = sizeof options;
    options.device = GetParam();
    ASSERT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &runtime), OPC_OK);
    ASSERT_EQ(opc_operator_open(runtime, folder.path().c_str(), &op), OPC_OK) << opc_last_error()->reason;
  }
  void TearDown() override {
    opc_operator_close(op);
    opc_runtime_destroy(runtime);
  }
  void expectError(opc_status status, const char *code, const char *reason) {
    const opc_error *error = opc_last_error();
    EXPECT_EQ(error->status, status);
    EXPECT_STREQ(error->code, code);
    EXPECT_THAT(error->reason, HasSubstr(reason));
  }
  ConformanceFolder folder;
  opc_runtime *runtime = nullptr;
  opc_operator *op = nullptr;
  std::vector<float> a = {1, -2, 3, 4, -5, 6}, b = {1, 1, -9, 1, 1, 1}, y = std::vector<float>(6);
  const std::vector<float> sum = {2, 0, 0, 5, 0, 7};
};
} // namespace

// Without it: a caller cannot tell what it linked or opened.
TEST_P(Api, TellsNamesAndVersions) {
  EXPECT_EQ(opc_runtime_api_version(), OPC_RUNTIME_API_VERSION);
  EXPECT_THAT(opc_runtime_version(), HasSubstr("."));
  EXPECT_STREQ(opc_operator_type(op), "AddRelu");
  ASSERT_EQ(opc_operator_num_inputs(op), 2u);
  ASSERT_EQ(opc_operator_num_outputs(op), 1u);
  EXPECT_STREQ(opc_operator_input_name(op, 1), "x2");
  EXPECT_STREQ(opc_operator_output_name(op, 0), "y");
  EXPECT_EQ(opc_operator_input_name(op, 2), nullptr);
}

// Without it: the one-call launch computes another thing on its second call, from the cache.
TEST_P(Api, LaunchesInOneCall) {
  for (int turn = 0; turn < 3; ++turn) {
    std::fill(y.begin(), y.end(), -1.0f);
    View x1(a, {2, 3}), x2(b, {2, 3}), out(y, {2, 3});
    const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
    ASSERT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK) << opc_last_error()->reason;
    EXPECT_EQ(y, sum);
  }
}

// Without it: a launch that was kept for one shape is run for another.
TEST_P(Api, TellsShapesApart) {
  for (int64_t n : {6, 2, 0, 5, 6, 1, 2}) {
    std::fill(y.begin(), y.end(), -1.0f);
    View x1(a, {n}), x2(b, {n}), out(y, {n});
    const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
    ASSERT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(y[size_t(i)], i < n ? sum[size_t(i)] : -1.0f);
  }
}

// Without it: byte_offset is forgotten, and a view computes over its neighbours.
TEST_P(Api, TakesByteOffsets) {
  View x1(a, {3}), x2(b, {3}), out(y, {3});
  x1.tensor.byte_offset = x2.tensor.byte_offset = out.tensor.byte_offset = 3 * sizeof(float);
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
  ASSERT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
  EXPECT_EQ(y, (std::vector<float>{0, 0, 0, 5, 0, 7}));
}

// Without it: prepared launches and inferred forms differ from the one call.
TEST_P(Api, Prepares) {
  View x1(a, {3, 2}), x2(b, {3, 2});
  x1.tensor.data = x2.tensor.data = nullptr;
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor};
  opc_form form;
  ASSERT_EQ(opc_operator_infer(op, inputs, 2, nullptr, 0, &form, 1), OPC_OK);
  EXPECT_EQ(form.ndim, 2);
  EXPECT_EQ(form.shape[0], 3);
  EXPECT_EQ(form.dtype.bits, 32);
  opc_launch *launch = nullptr;
  ASSERT_EQ(opc_launch_prepare(op, inputs, 2, nullptr, 0, &launch), OPC_OK);
  opc_operator_close(op); // the launch keeps what it needs
  op = nullptr;
  void *data[] = {a.data(), b.data(), y.data()};
  ASSERT_EQ(opc_launch_run(launch, nullptr, data, 3), OPC_OK);
  EXPECT_EQ(y, sum);
  EXPECT_EQ(opc_launch_run(launch, nullptr, data, 2), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0529", "has 3 tensors, found 2");
  void *none[] = {a.data(), nullptr, y.data()};
  EXPECT_EQ(opc_launch_run(launch, nullptr, none, 3), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0530", "memory for 'x2'");
  EXPECT_STREQ(opc_last_error()->rule, "launch_c10");
  EXPECT_STREQ(opc_last_error()->op, "AddRelu");
  opc_launch_destroy(launch);
}

// Without it: launches of a stream overtake each other, or an error is lost.
TEST_P(Api, StreamsKeepTheirOrder) {
  opc_stream *stream = nullptr;
  ASSERT_EQ(opc_stream_create(runtime, &stream), OPC_OK);
  // Each launch reads what the one before wrote: y = x + 1, back and forth.
  std::vector<float> ones(6, 1.0f), even(6, 0.0f), odd(6, 0.0f);
  for (int step = 0; step < 100; ++step) {
    View x1(step % 2 ? odd : even, {6}), x2(ones, {6}), out(step % 2 ? even : odd, {6});
    const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
    ASSERT_EQ(opc_launch_once(op, stream, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
  }
  ASSERT_EQ(opc_stream_synchronize(stream), OPC_OK);
  EXPECT_EQ(even, std::vector<float>(6, 100.0f));

  View x1(a, {6}), x2(b, {6});
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor};
  opc_launch *launch = nullptr;
  ASSERT_EQ(opc_launch_prepare(op, inputs, 2, nullptr, 0, &launch), OPC_OK);
  void *wrong[] = {a.data(), b.data(), a.data()}, *right[] = {a.data(), b.data(), y.data()};
  ASSERT_EQ(opc_launch_run(launch, stream, wrong, 3), OPC_OK);
  ASSERT_EQ(opc_launch_run(launch, stream, right, 3), OPC_OK);
  EXPECT_EQ(opc_stream_synchronize(stream), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0530", "overlaps");
  EXPECT_EQ(y, std::vector<float>(6)); // left out behind the failure
  ASSERT_EQ(opc_launch_run(launch, stream, right, 3), OPC_OK);
  EXPECT_EQ(opc_stream_synchronize(stream), OPC_OK);
  EXPECT_EQ(y, sum);
  opc_launch_destroy(launch);
  opc_stream_destroy(stream);
}

// Without it: a missing type row is a riddle, or the launch that is kept for another type is taken.
TEST_P(Api, NamesTheRowThatIsMissing) {
  View x1(a, {3}), x2(b, {3}), out(y, {3});
  const DLTensor *kept[] = {&x1.tensor, &x2.tensor}, *written[] = {&out.tensor};
  ASSERT_EQ(opc_launch_once(op, nullptr, kept, 2, written, 1, nullptr, 0), OPC_OK);
  x1.tensor.dtype = x2.tensor.dtype = out.tensor.dtype = {kDLInt, 8, 1};
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
  EXPECT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0522", "found x1 int8, x2 int8");
  const opc_error *error = opc_last_error();
  EXPECT_STREQ(error->op, "AddRelu");
  EXPECT_STREQ(error->shapes, "x1 int8[3], x2 int8[3]");
  EXPECT_STREQ(error->rule, "launch_c5");
  EXPECT_THAT(error->fix, HasSubstr("nearest row is x1 int32, x2 int32"));
  EXPECT_THAT(error->fix, HasSubstr("x1 '- int8', x2 '- int8', y '- int8'"));
}

// Without it: a tensor that the runtime cannot take is read as one that it can.
TEST_P(Api, RefusesTensorsItCannotTake) {
  View x1(a, {2, 3}), x2(b, {2, 3}), out(y, {2, 3});
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
  auto refused = [&](const char *code, const char *text) {
    EXPECT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_USAGE) << text;
    expectError(OPC_USAGE, code, text);
  };
  DLTensor good = x1.tensor;
  int64_t columns[] = {1, 2}, negative[] = {2, -3};
  x1.tensor.strides = columns;
  refused("OPC-E0531", "contiguous in row-major order");
  x1.tensor = good;
  x1.tensor.dtype.lanes = 4;
  refused("OPC-E0531", "32 bits in 4 lanes");
  x1.tensor = good;
  x1.tensor.device.device_type = kDLCUDA;
  refused("OPC-E0531", "memory of the CPU");
  x1.tensor = good;
  x1.tensor.ndim = 33;
  refused("OPC-E0531", "rank of 0 to 32");
  x1.tensor = good;
  x1.tensor.shape = nullptr;
  refused("OPC-E0531", "a shape, found a null pointer");
  x1.tensor = good;
  x1.tensor.shape = negative;
  refused("OPC-E0531", "at least 0, found -3");
  x1.tensor = good;
  int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  x1.tensor.shape = huge;
  EXPECT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_RESOURCES);
  x1.tensor = good;
  out.shape[1] = 2;
  refused("OPC-E0529", "expects output 'y' of float32[2, 3], found float32[2, 2]");
  out.shape[1] = 3;
  // Rows of one element may have any stride.
  int64_t rows[] = {3, 1};
  x1.tensor.strides = rows;
  EXPECT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
}

// Without it: a call that is found again by its first input and its last output runs the launch of another one, whose
// tensor between them, attributes or number of tensors differ.
TEST_P(Api, KeptLaunchesAreComparedWhole) {
  View x1(a, {2, 3}), x2(b, {2, 3}), out(y, {2, 3});
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
  int64_t columns[] = {1, 2}, otherShape[] = {3, 2}, flat[] = {6};
  const DLTensor good = x2.tensor;
  const std::function<void(DLTensor &)> changes[] = {[](DLTensor &tensor) { tensor.dtype = {kDLInt, 32, 1}; },
                                                     [](DLTensor &tensor) { tensor.dtype.lanes = 2; },
                                                     [](DLTensor &tensor) { tensor.device.device_type = kDLCUDA; },
                                                     [](DLTensor &tensor) { tensor.shape = nullptr; },
                                                     [](DLTensor &tensor) { tensor.ndim = -1; },
                                                     [](DLTensor &tensor) { tensor.ndim = 1; },
                                                     [&](DLTensor &tensor) { tensor.strides = columns; },
                                                     [&](DLTensor &tensor) { tensor.shape = otherShape; },
                                                     [&](DLTensor &tensor) {
                                                       tensor.ndim = 1;
                                                       tensor.shape = flat;
                                                     }};
  auto launched = [&](size_t count, const opc_attribute *attributes, size_t numAttributes) {
    return opc_launch_once(op, nullptr, inputs, count, outputs, 1, attributes, numAttributes);
  };
  for (const auto &change : changes) {
    ASSERT_EQ(launched(2, nullptr, 0), OPC_OK);
    change(x2.tensor);
    EXPECT_EQ(launched(2, nullptr, 0), OPC_USAGE);
    x2.tensor = good;
  }
  ASSERT_EQ(launched(2, nullptr, 0), OPC_OK);
  EXPECT_EQ(launched(1, nullptr, 0), OPC_USAGE);
  EXPECT_EQ(launched(3, nullptr, 0), OPC_USAGE);
  opc_attribute attribute{};
  attribute.name = "beta";
  EXPECT_EQ(launched(2, &attribute, 1), OPC_USAGE);
  inputs[1] = nullptr;
  EXPECT_EQ(launched(2, nullptr, 0), OPC_USAGE);
  inputs[1] = &x2.tensor;
  std::fill(y.begin(), y.end(), -1.0f);
  ASSERT_EQ(launched(2, nullptr, 0), OPC_OK);
  EXPECT_EQ(y, sum);
}

// Without it: a null pointer or a foreign header crashes the caller.
TEST_P(Api, RefusesBrokenCalls) {
  opc_runtime *other = nullptr;
  EXPECT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION + 1, nullptr, &other), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "expects version 1");
  EXPECT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, nullptr, nullptr), OPC_USAGE);
  opc_runtime_options options{};
  EXPECT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &other), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "'size'");
  options.size = sizeof options;
  options.device = "npu";
  EXPECT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &other), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0107", "found 'npu'");
  EXPECT_EQ(other, nullptr);
  opc_operator *opened = nullptr;
  EXPECT_EQ(opc_operator_open(runtime, "/nonexistent", &opened), OPC_ENVIRONMENT);
  expectError(OPC_ENVIRONMENT, "OPC-E0500", "is no folder");
  EXPECT_EQ(opc_operator_open(runtime, nullptr, &opened), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "'folder'");
  EXPECT_EQ(opc_launch_once(op, nullptr, nullptr, 2, nullptr, 0, nullptr, 0), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "'inputs'");
  View x1(a, {3});
  const DLTensor *inputs[] = {&x1.tensor, nullptr};
  opc_launch *launch = nullptr;
  EXPECT_EQ(opc_launch_prepare(op, inputs, 2, nullptr, 0, &launch), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0520", "'x2' of 'AddRelu' is not given");
  EXPECT_EQ(opc_launch_prepare(op, inputs, 1, nullptr, 0, &launch), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0529", "expects 2 inputs, found 1");
  opc_attribute attribute{};
  EXPECT_EQ(opc_launch_prepare(op, inputs, 2, &attribute, 1, &launch), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "a name and a value");
  attribute.name = "beta";
  EXPECT_EQ(opc_launch_prepare(op, inputs, 2, &attribute, 1, &launch), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0520", "not given");
  EXPECT_EQ(launch, nullptr);
  opc_runtime_destroy(nullptr);
  opc_operator_close(nullptr);
  opc_launch_destroy(nullptr);
  opc_stream_destroy(nullptr);
}

// Without it: one thread reads another's error.
TEST_P(Api, ErrorsBelongToTheirThread) {
  opc_operator *opened = nullptr;
  EXPECT_EQ(opc_operator_open(runtime, "/nonexistent", &opened), OPC_ENVIRONMENT);
  std::thread([] { EXPECT_EQ(opc_last_error()->status, OPC_OK); }).join();
  EXPECT_EQ(opc_last_error()->status, OPC_ENVIRONMENT);
}

// Without it: threads that share an operator and its caches race.
TEST_P(Api, LaunchesFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this, t] {
      for (int64_t turn = 0; turn < 200; ++turn) {
        int64_t n = 1 + (turn * 7 + t) % 100;
        const size_t size = size_t(n);
        std::vector<float> x(size, 2.0f), z(size, float(turn)), out(size, -1.0f);
        View vx(x, {n}), vz(z, {n}), vo(out, {n});
        const DLTensor *inputs[] = {&vx.tensor, &vz.tensor}, *outputs[] = {&vo.tensor};
        ASSERT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
        EXPECT_EQ(out, std::vector<float>(size, float(turn) + 2));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Without it: two models that take turns hold twice the memory, or one of them writes over what the other still needs.
TEST_P(Api, ModelsShareBuffers) {
  // Each model: sum = relu(a + b), then out = relu(sum + b); the second model runs after the first.
  const size_t bytes = 6 * sizeof(float);
  const opc_life_time lives[] = {{"first", "sum", bytes, 0, 1},
                                 {"first", "out", bytes, 1, 4}, // read in the end
                                 {"second", "sum", bytes, 2, 3},
                                 {"second", "out", bytes, 3, 4}};
  size_t offsets[4], arena = 0;
  ASSERT_EQ(opc_memory_plan(lives, 4, offsets, &arena), OPC_OK);
  EXPECT_EQ(arena, 3 * 512u);
  EXPECT_EQ(offsets[0], offsets[2]);
  void *memory = nullptr;
  ASSERT_EQ(opc_memory_allocate(runtime, arena, &memory), OPC_OK);
  auto at = [&](size_t row) { return static_cast<char *>(memory) + offsets[row]; };
  for (size_t model : {0, 1}) {
    View x1(a, {6}), x2(b, {6}), sums(y, {6}), out(y, {6});
    sums.tensor.data = at(2 * model);
    out.tensor.data = at(2 * model + 1);
    const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&sums.tensor};
    ASSERT_EQ(opc_launch_once(op, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
    const DLTensor *again[] = {&sums.tensor, &x2.tensor}, *last[] = {&out.tensor};
    ASSERT_EQ(opc_launch_once(op, nullptr, again, 2, last, 1, nullptr, 0), OPC_OK);
  }
  for (size_t i = 0; i < 6; ++i)
    for (size_t row : {1, 3})
      EXPECT_EQ(reinterpret_cast<float *>(at(row))[i], std::max(sum[i] + b[i], 0.0f));
  ASSERT_EQ(opc_memory_release(runtime, memory), OPC_OK);

  const opc_life_time backwards = {"m", "w", 1, 2, 1}, huge = {"m", "w", SIZE_MAX - 1, 0, 1};
  EXPECT_EQ(opc_memory_plan(&backwards, 1, offsets, &arena), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "'w' of model 'm' expects a life that ends after it began");
  EXPECT_EQ(opc_memory_plan(&huge, 1, offsets, &arena), OPC_RESOURCES);
  EXPECT_EQ(opc_memory_plan(nullptr, 1, offsets, &arena), OPC_USAGE);
  EXPECT_EQ(opc_memory_plan(nullptr, 0, nullptr, &arena), OPC_OK);
  EXPECT_EQ(arena, 0u);
}

// Without it: memory of a surge stays with the process, or the monitor's interval is not the caller's.
TEST_P(Api, MonitorGivesBackAfterASurge) {
  for (int32_t interval : {5, 0, -1}) {
    opc_runtime_options options{};
    options.size = sizeof options;
    options.device = "null";
    options.monitor_ms = interval;
    opc_runtime *watched = nullptr;
    ASSERT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, &options, &watched), OPC_OK);
    void *small = nullptr, *large = nullptr;
    ASSERT_EQ(opc_memory_allocate(watched, 100, &small), OPC_OK); // starts it
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_EQ(opc_memory_allocate(watched, size_t(200) << 20, &large), OPC_OK);
    ASSERT_EQ(opc_memory_release(watched, large), OPC_OK);
    opc_memory_statistics numbers{};
    for (int turn = 0; turn < (interval > 0 ? 1000 : 10); ++turn) {
      ASSERT_EQ(opc_memory_read_statistics(watched, &numbers), OPC_OK);
      if (numbers.cached < size_t(200) << 20)
        break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(numbers.cached < size_t(200) << 20, interval > 0) << interval;
    ASSERT_EQ(opc_memory_release(watched, small), OPC_OK);
    opc_runtime_destroy(watched);
  }
}

// Without it: memory of the interface is another pool's, or its limit does not reach the caller.
TEST_P(Api, HandsOutMemory) {
  void *memory = nullptr, *other = nullptr;
  ASSERT_EQ(opc_memory_allocate(runtime, 5000, &memory), OPC_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 4096, 0u);
  opc_memory_statistics numbers;
  ASSERT_EQ(opc_memory_read_statistics(runtime, &numbers), OPC_OK);
  EXPECT_EQ(numbers.requested, 5000u);
  EXPECT_EQ(numbers.used, 16384u);
  EXPECT_EQ(numbers.allocations, 1u);
  EXPECT_EQ(opc_memory_release(runtime, &numbers), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0532", "'memory' of this runtime");
  ASSERT_EQ(opc_memory_release(runtime, memory), OPC_OK);
  size_t trimmed = 0;
  ASSERT_EQ(opc_memory_trim(runtime, &trimmed), OPC_OK);
  EXPECT_EQ(trimmed, size_t(64 * 16384));
  ASSERT_EQ(opc_memory_set_limit(runtime, 1 << 20), OPC_OK);
  EXPECT_EQ(opc_memory_allocate(runtime, 2 << 20, &other), OPC_RESOURCES);
  expectError(OPC_RESOURCES, "OPC-E0460", "a limit of 1048576 bytes");
  EXPECT_EQ(other, nullptr);
}

// Without it: a variable that cannot be read is passed over, or a hit is not told.
TEST_P(Api, ReadsItsSettings) {
  setenv("ACLNN_CACHE_LIMIT", "many", 1);
  opc_runtime *other = nullptr;
  EXPECT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, nullptr, &other), OPC_USAGE);
  expectError(OPC_USAGE, "OPC-E0113", "found 'many' (ACLNN_CACHE_LIMIT)");
  unsetenv("ACLNN_CACHE_LIMIT");
  setenv("ACL_LOG_LEVEL", "INFO", 1);
  ASSERT_EQ(opc_runtime_create(OPC_RUNTIME_API_VERSION, nullptr, &other), OPC_OK);
  unsetenv("ACL_LOG_LEVEL");
  opc_operator *opened = nullptr;
  ASSERT_EQ(opc_operator_open(other, folder.path().c_str(), &opened), OPC_OK);
  View x1(a, {1, 2, 3}), x2(b, {1, 2, 3}), out(y, {1, 2, 3});
  const DLTensor *inputs[] = {&x1.tensor, &x2.tensor}, *outputs[] = {&out.tensor};
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(opc_launch_once(opened, nullptr, inputs, 2, outputs, 1, nullptr, 0), OPC_OK);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Hit kernel cache for AddRelu_1x2x3\n");
  opc_operator_close(opened);
  opc_runtime_destroy(other);
}

#ifdef OPC_WITHOUT_COMPILER
// Without it: a contract on a machine without a compiler is a riddle, or a crash.
TEST_P(Api, SaysThatItHasNoCompiler) {
  opc_operator *opened = nullptr;
  std::string contract = folder.path() + "/op_contract.yaml";
  std::ofstream(contract) << "schema: 1\n";
  EXPECT_EQ(opc_operator_open(runtime, contract.c_str(), &opened), OPC_ENVIRONMENT);
  expectError(OPC_ENVIRONMENT, "OPC-E0621", "expects a compiler");
  EXPECT_EQ(opened, nullptr);
}
#endif

INSTANTIATE_TEST_SUITE_P(Devices, Api, testing::Values("cpu", "sim"));
