// The rules of memory of a prepared launch, held to a second reading of them tensor by tensor.

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/null/NullDevice.h"
#include "test/unit/runtime/device/conformance/ConformanceFolder.h"

#include <gtest/gtest.h>

#include <random>

using namespace opc;

namespace {
/// An operator on the null device: it takes any pointers and touches nothing.
class PreparedLaunchTest : public testing::Test {
protected:
  /// Of inputs that broadcast to one shape, and of outputs that all have it.
  std::shared_ptr<PreparedLaunch> launchOf(size_t inputs, size_t outputs, int64_t elements) {
    Manifest manifest = test::conformanceManifest();
    auto several = [](std::vector<ManifestTensor> &tensors, size_t count) {
      ManifestTensor one = tensors.front();
      tensors.clear();
      for (size_t i = 0; i < count; ++i) {
        one.name = one.name.substr(0, 1) + std::to_string(i);
        tensors.push_back(one);
      }
    };
    several(manifest.inputs, inputs);
    several(manifest.outputs, outputs);
    auto op = Operator::create({"", manifest, nullptr}, createNullDevice());
    std::vector<std::optional<TensorForm>> forms(inputs, TensorForm{ElementType::Float32, {elements}});
    return PreparedLaunch::create(op, forms, {}, diagnostics);
  }
  /// The rules as opc_runtime.h states them.
  static bool allowed(const std::vector<uint64_t> &addresses, size_t inputs, int64_t bytes) {
    for (size_t i = 0; i < addresses.size(); ++i) {
      if ((addresses[i] == 0 && bytes) || addresses[i] % 4)
        return false;
      for (size_t j = 0; j < addresses.size(); ++j)
        if (i >= inputs && i != j && bytes && addresses[i] < addresses[j] + uint64_t(bytes) &&
            addresses[j] < addresses[i] + uint64_t(bytes))
          return false;
    }
    return true;
  }
  static std::vector<void *> pointers(const std::vector<uint64_t> &addresses) {
    std::vector<void *> result;
    for (uint64_t address : addresses)
      result.push_back(reinterpret_cast<void *>(static_cast<uintptr_t>(address)));
    return result;
  }
  Diagnostics diagnostics;
};
} // namespace

// Without it: a launch over memory that is missing, not aligned or shared passes, or a right one is refused, for some
// number of tensors or for addresses that the quick look does not cover.
TEST_F(PreparedLaunchTest, RulesOfMemory) {
  std::mt19937_64 random(7);
  unsigned refused = 0, taken = 0;
  for (size_t inputs : {1, 2, 3, 8, 15, 40})
    for (size_t outputs : {1, 2, 3})
      for (int64_t elements : {0, 1, 5, 1024}) {
        std::shared_ptr<PreparedLaunch> launch = launchOf(inputs, outputs, elements);
        ASSERT_TRUE(launch);
        const int64_t bytes = elements * 4;
        for (int turn = 0; turn < 400; ++turn) {
          // Tensors side by side; then one is moved to where it may break a rule.
          const uint64_t gap = random() % 3 * 4;
          const uint64_t tops[] = {0, uint64_t(1) << 46, uint64_t(0xb4) << 56, ~uint64_t(0) << 32};
          const uint64_t base = 4096 + tops[random() % 4];
          std::vector<uint64_t> addresses;
          for (size_t i = 0; i < inputs + outputs; ++i)
            addresses.push_back(base + i * (uint64_t(bytes) + gap));
          uint64_t &moved = addresses[random() % addresses.size()];
          switch (random() % 6) {
          case 0:
            moved = 0;
            break;
          case 1:
            moved += 1 + random() % 3;
            break;
          case 2:
            moved += 4;
            break;
          case 3:
            moved -= 4;
            break;
          case 4:
            moved = addresses[random() % addresses.size()];
            break;
          default:
            break;
          }
          const bool expected = allowed(addresses, inputs, bytes);
          Diagnostics found;
          EXPECT_EQ(launch->run(pointers(addresses).data(), found), expected)
              << inputs << " inputs, " << outputs << " outputs of " << bytes << " bytes, turn " << turn;
          EXPECT_EQ(found.errorCount() == 0, expected);
          ++(expected ? taken : refused);
          if (HasFailure())
            return;
        }
      }
  EXPECT_GT(taken, 5000u);
  EXPECT_GT(refused, 5000u);
}

namespace {
/// Counts how often a kernel is told of constants.
class CountingDevice : public Device {
public:
  explicit CountingDevice(unsigned &told) : told(told) {}
  std::string_view name() const override { return "counting"; }
  int64_t maxBlocks() const override { return 1; }
  std::unique_ptr<Kernel> load(const std::string &, const Manifest &, const ManifestKernel &, Diagnostics &) override {
    return std::make_unique<CountingKernel>(told);
  }

private:
  struct CountingPrepared : PreparedKernel {
    explicit CountingPrepared(unsigned &told) : told(told) {}
    bool run(void *const *, Diagnostics &) override { return true; }
    void keepConstants(void *const *, const std::vector<bool> &) override { ++told; }
    unsigned &told;
  };
  struct CountingKernel : Kernel {
    explicit CountingKernel(unsigned &told) : told(told) {}
    bool launch(const LaunchArguments &, LaunchReport &, Diagnostics &) override { return true; }
    std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &, Diagnostics &) override {
      return std::make_unique<CountingPrepared>(told);
    }
    unsigned &told;
  };
  unsigned &told;
};
} // namespace

// Without it: a step of a model beside the caller's memory, which is not known when the model is loaded, packs its
// weights in every run; or a constant that is missing or not aligned is read.
TEST(PreparedLaunchConstants, AreKeptBesideMemoryThatIsNotKnown) {
  unsigned told = 0;
  Diagnostics diagnostics;
  const Manifest manifest = test::conformanceManifest();
  const size_t inputs = manifest.inputs.size(), tensors = inputs + manifest.outputs.size();
  auto op = Operator::create({"", manifest, nullptr}, std::make_unique<CountingDevice>(told));
  std::vector<std::optional<TensorForm>> forms(inputs, TensorForm{ElementType::Float32, {8}});
  std::shared_ptr<PreparedLaunch> launch = PreparedLaunch::create(op, forms, {}, diagnostics);
  ASSERT_TRUE(launch);
  float weights[8] = {};
  std::vector<void *> addresses(tensors);
  std::vector<bool> constant(tensors);
  constant[0] = true;
  launch->keepConstants(addresses.data(), constant);
  EXPECT_EQ(told, 0u) << "a constant without memory";
  addresses[0] = reinterpret_cast<char *>(weights) + 1;
  launch->keepConstants(addresses.data(), constant);
  EXPECT_EQ(told, 0u) << "a constant that is not aligned";
  addresses[0] = weights;
  launch->keepConstants(addresses.data(), constant);
  EXPECT_EQ(told, 1u);
}
