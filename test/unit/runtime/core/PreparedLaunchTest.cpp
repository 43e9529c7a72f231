// The rules of memory of a prepared launch, held to a second reading of them tensor by tensor.

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/launch/Presence.h"
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
/// Counts how often a kernel is told its constants.
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

/// y [I] from a table [V, N] and places of `type`, which a launch refuses outside of V.
static std::shared_ptr<PreparedLaunch> launchOfPlaces(ElementType type, int64_t size, bool fromEnd, const Shape &shape,
                                                      Diagnostics &diagnostics) {
  Manifest manifest = test::conformanceManifest();
  ManifestTensor table = manifest.inputs.front(), places = table, result = manifest.outputs.front();
  table.name = "table";
  places.name = "places";
  table.broadcast = places.broadcast = ManifestTensor::None;
  for (ElementType &each : places.types)
    each = type;
  table.shape = {{ManifestDim::Symbol, "V", 0}};
  result.shape = places.shape = {{ManifestDim::Pack, "I", 0}};
  places.values = ManifestValues{"V", fromEnd};
  manifest.inputs = {table, places};
  manifest.outputs = {result};
  manifest.symbols.clear();
  auto op = Operator::create({"", manifest, nullptr}, createNullDevice());
  return PreparedLaunch::create(op, {TensorForm{ElementType::Float32, {size}}, TensorForm{type, shape}}, {},
                                diagnostics);
}

// Without it: a place beyond the table is read as another one where the contract promises an error, at the ends of a
// stretch of the look, on either side, or in the upper half of 64 bits.
TEST_F(PreparedLaunchTest, RefusesPlaces) {
  constexpr int64_t kSize = 7, kCount = 9001;
  for (bool fromEnd : {false, true})
    for (int64_t at : {int64_t(0), int64_t(4095), int64_t(4096), kCount - 1})
      for (int64_t value :
           {int64_t(0), kSize - 1, kSize, int64_t(-1), -kSize, -kSize - 1, int64_t(1) << 32, INT64_MIN}) {
        std::shared_ptr<PreparedLaunch> launch =
            launchOfPlaces(ElementType::Int64, kSize, fromEnd, {kCount}, diagnostics);
        ASSERT_TRUE(launch);
        std::vector<float> table(kSize), result(kCount);
        std::vector<int64_t> places(kCount, 3);
        places[size_t(at)] = value;
        void *tensors[] = {table.data(), places.data(), result.data()};
        const bool expected = value >= (fromEnd ? -kSize : 0) && value < kSize;
        Diagnostics found;
        EXPECT_EQ(launch->run(tensors, found), expected) << value << " at " << at;
        if (expected)
          continue;
        ASSERT_EQ(found.errorCount(), 1u);
        EXPECT_EQ(found.all()[0].code, Code::E0536);
        EXPECT_EQ(found.all()[0].rule, "launch_c20");
        EXPECT_NE(found.all()[0].message.find("from " + std::to_string(fromEnd ? -kSize : 0) + " to 6: found " +
                                              std::to_string(value) + " at [" + std::to_string(at) + "]"),
                  std::string::npos)
            << found.all()[0].message;
      }
  // The first one of several, by its place in the tensor; none where there are no elements.
  std::shared_ptr<PreparedLaunch> narrow = launchOfPlaces(ElementType::Int32, kSize, false, {2, 3}, diagnostics);
  ASSERT_TRUE(narrow);
  std::vector<float> table(kSize), result(6);
  std::vector<int32_t> places = {0, 6, 0, 1, INT32_MIN, 9};
  void *tensors[] = {table.data(), places.data(), result.data()};
  Diagnostics found;
  EXPECT_FALSE(narrow->run(tensors, found));
  EXPECT_NE(found.all().at(0).message.find("found -2147483648 at [1, 1]"), std::string::npos);
  std::shared_ptr<PreparedLaunch> none = launchOfPlaces(ElementType::Int32, kSize, false, {0, 3}, diagnostics);
  ASSERT_TRUE(none);
  void *nothing[] = {table.data(), nullptr, nullptr};
  EXPECT_TRUE(none->run(nothing, found));
}

// Without it: where the contract has an input that the kernel was compiled without, the tensors of a launch are those
// of other inputs.
TEST_F(PreparedLaunchTest, TakesTheTensorsOfItsKernel) {
  Manifest manifest = test::conformanceManifest(), outline = manifest;
  const size_t inputs = manifest.inputs.size();
  ManifestTensor bias = outline.inputs.front();
  bias.name = "bias";
  bias.presence = "has_bias";
  bias.required = false;
  outline.inputs.insert(outline.inputs.begin() + 1, bias);
  auto op = Operator::create({"", manifest, nullptr}, createNullDevice());
  std::vector<std::optional<TensorForm>> forms(inputs + 1, TensorForm{ElementType::Float32, {4}});
  forms[1] = std::nullopt;
  std::shared_ptr<PreparedLaunch> launch = PreparedLaunch::create(op, forms, {}, diagnostics, {}, &outline);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->numTensors(), inputs + 1 + manifest.outputs.size());
  std::vector<std::vector<float>> memory(launch->numTensors(), std::vector<float>(4));
  std::vector<void *> tensors;
  for (std::vector<float> &each : memory)
    tensors.push_back(each.data());
  tensors[1] = nullptr;
  EXPECT_TRUE(launch->run(tensors.data(), diagnostics));
  // What is missing after it is still missed, by its own name.
  tensors[2] = nullptr;
  Diagnostics found;
  EXPECT_FALSE(launch->run(tensors.data(), found));
  EXPECT_NE(found.all().at(0).message.find("'" + manifest.inputs[1].name + "'"), std::string::npos);
  std::vector<bool> given = {true, false, true};
  std::map<std::string, std::string> chosen;
  EXPECT_TRUE(choosePresence(outline, given, {}, chosen, found));
  EXPECT_EQ(chosen.at("has_bias"), "false");
}

// Of an input that stands for any number of tensors a caller has some, and a kernel as many.
TEST_F(PreparedLaunchTest, CountsTheTensorsThatAreGiven) {
  Manifest outline = test::conformanceManifest();
  ManifestTensor each = outline.inputs.front();
  outline.inputs.clear();
  for (int i = 0; i < 4; ++i) {
    each.name = "x_" + std::to_string(i);
    each.count = "n";
    each.required = i < 2;
    outline.inputs.push_back(each);
  }
  auto countOf = [&](const std::vector<bool> &given, const std::vector<NamedValue> &attributes = {}) {
    std::map<std::string, std::string> chosen;
    Diagnostics found;
    if (choosePresence(outline, given, attributes, chosen, found))
      return chosen.at("n");
    return std::string(codeInfo(found.all().at(0).code).name) + " " + found.all()[0].message;
  };
  EXPECT_EQ(countOf({true, true}), "2");
  EXPECT_EQ(countOf({true, true, true, false}), "3");
  EXPECT_EQ(countOf({true, true, true, true}, {{"n", "4"}}), "4");
  EXPECT_NE(countOf({true, true, false, true}).find("OPC-E0520 input 'x_2' of "), std::string::npos);
  EXPECT_NE(countOf({true}).find("OPC-E0520 input 'x_1' of "), std::string::npos);
  EXPECT_NE(countOf({}).find("OPC-E0520 input 'x_0' of "), std::string::npos);
  EXPECT_NE(countOf({true, true}, {{"n", "3"}}).find("OPC-E0526 2 tensors are given for 'x' of "), std::string::npos);
}
