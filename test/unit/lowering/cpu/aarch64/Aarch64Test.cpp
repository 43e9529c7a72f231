// Kernels for aarch64, cross-compiled here and run under qemu-aarch64: the same numbers as on this machine.
// Elementwise kernels agree in every bit, since lanes do the same arithmetic at all levels; sums of rows differ by
// the order that the level's width gives them.

#include "test/unit/lowering/cpu/vector/RowBodies.h"
#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace opc;
using namespace opc::test;

namespace {

/// A folder for tensors, gone with the object.
class Aarch64 : public ::testing::Test {
protected:
  void SetUp() override {
    if (!*OPC_RUN_ENTRY || !*OPC_QEMU)
      GTEST_SKIP() << "no cross compiler or no qemu-user: tools/dev/packages-aarch64.txt";
    std::string pattern = (std::filesystem::temp_directory_path() / "opc-arm-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  void TearDown() override {
    std::error_code error;
    if (!folder.empty())
      std::filesystem::remove_all(folder, error);
  }

  struct Operand {
    void *data;
    size_t bytes, elementBytes;
  };
  /// Runs an entry under the emulator, each block by itself; the last operand is the output.
  void emulate(const std::string &library, const std::string &entry, int64_t blocks, const std::vector<int64_t> &tiling,
               const std::vector<Operand> &operands) {
    std::string command = std::string(OPC_QEMU) + " -L /usr/aarch64-linux-gnu " + OPC_RUN_ENTRY + " " + library + " " +
                          entry + " " + std::to_string(blocks) + " ";
    for (size_t i = 0; i < tiling.size(); ++i)
      command += (i ? "," : "") + std::to_string(tiling[i]);
    for (size_t i = 0; i < operands.size(); ++i) {
      std::string path = folder + "/" + std::to_string(i);
      std::ofstream(path, std::ios::binary).write(static_cast<const char *>(operands[i].data), long(operands[i].bytes));
      command += " " + std::to_string(operands[i].elementBytes) + ":" + path;
    }
    int status = std::system(command.c_str());
    ASSERT_EQ(status, 0) << command;
    std::ifstream(folder + "/" + std::to_string(operands.size() - 1), std::ios::binary)
        .read(static_cast<char *>(operands.back().data), long(operands.back().bytes));
  }

  template <typename T> void compareElementwise(const std::string &type, T exponent);

  std::string folder;
};

template <typename T> std::vector<T> bitPatterns(size_t count) {
  std::vector<T> values(count);
  uint64_t state = 88172645463325252ULL;
  for (T &value : values) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    auto bits = T(state >> 16);
    std::memcpy(&value, &bits, sizeof(T));
  }
  return values;
}

// Bits, any NaN for any NaN. `exponent` has all bits of the exponent set.
template <typename T>
void expectSame(const std::vector<T> &found, const std::vector<T> &expected, T exponent, const std::string &what) {
  T magnitude = T(T(~T(0)) >> 1);
  for (size_t i = 0; i < found.size(); ++i) {
    bool nan = (found[i] & magnitude) > exponent && (expected[i] & magnitude) > exponent;
    ASSERT_TRUE(found[i] == expected[i] || nan)
        << what << ", element " << i << ": " << std::hex << found[i] << " and " << expected[i];
  }
}

struct Body {
  const char *name, *payload; ///< of f32, on %a and %b
};
const Body kBodies[] = {
    {"add_relu", "%s = arith.addf %a, %b : f32\n%r = arith.maximumf %s, %zero : f32"},
    {"exp", "%r = math.exp %a : f32"},
    {"log", "%r = math.log %a : f32"},
    {"tanh", "%r = math.tanh %a : f32"},
    {"erf", "%r = math.erf %a : f32"},
    {"swish", "%r = te.swish %a, %b"},
    {"gelu", "%r = te.gelu erf %a"},
    {"gelu_tanh", "%r = te.gelu tanh %a"},
    {"log1p", "%r = math.log1p %a : f32"},
    {"expm1", "%r = math.expm1 %a : f32"},
    {"softplus", "%r = te.softplus %a"},
    {"sin", "%r = math.sin %a : f32"},
    {"cos", "%r = math.cos %a : f32"},
    {"pow", "%r = math.powf %a, %b : f32"},
    {"mod", "%r = te.mod floor %a, %b"},
    {"fmod", "%r = te.mod trunc %a, %b"},
    {"round", "%s = math.roundeven %a : f32\n%r = te.sign %s"},
    {"select", "%c = arith.cmpf olt, %a, %b : f32\n%s = arith.select %c, %a, %b : f32\n%r = "
               "math.rsqrt %s : f32"},
};

std::string kernels(const std::string &type) {
  std::string text;
  for (const Body &body : kBodies) {
    std::string payload = "%zero = arith.constant 0.0 : f32\n";
    bool casts = type != "f32";
    std::string computed = body.payload;
    if (casts)
      payload += "%a = arith.extf %0 : " + type + " to f32\n%b = arith.extf %1 : " + type + " to f32\n" + computed +
                 "\n%y = arith.truncf %r : f32 to " + type;
    else {
      for (auto [from, to] : {std::pair("%a", "%0"), std::pair("%b", "%1"), std::pair("%r", "%y")})
        for (size_t at = 0; (at = computed.find(from, at)) != std::string::npos;)
          computed.replace(at, 2, to);
      payload += computed;
    }
    text += flatKernel(body.name, {type, type, type}, payload);
  }
  return text;
}

const std::vector<std::string> kNames = {"x1", "x2", "y"}, kFields = {"block_num", "size0", "block_length"};

/// All bodies in one type; `exponent` has the bits of T's exponent.
template <typename T> void Aarch64::compareElementwise(const std::string &type, T exponent) {
  VectorHarness here(kernels(type), kNames, kFields, {"x86-64-v3"});
  VectorHarness there(kernels(type), kNames, kFields, {"aarch64"});
  ASSERT_TRUE(here.ready()) << here.errors();
  std::vector<T> a = bitPatterns<T>(4099), b = bitPatterns<T>(5000);
  b.erase(b.begin(), b.begin() + 901);
  const std::vector<int64_t> tiling = {3, int64_t(a.size()), 1500};
  size_t bytes = a.size() * sizeof(T);
  for (const Body &body : kBodies) {
    std::vector<T> expected(a.size()), found(a.size());
    ASSERT_EQ(here.run(body.name, {tensor(a), tensor(b), tensor(expected)}, tiling, 0, 3), 0);
    emulate(there.file(), body.name, 3, tiling,
            {{a.data(), bytes, sizeof(T)}, {b.data(), bytes, sizeof(T)}, {found.data(), bytes, sizeof(T)}});
    expectSame(found, expected, exponent, type + " " + body.name);
  }
}

} // namespace

TEST_F(Aarch64, LibraryIsRefusedHere) {
  VectorHarness harness(kernels("f32"), kNames, kFields, {"aarch64"});
  EXPECT_FALSE(harness.ready());
  EXPECT_THAT(harness.errors(), ::testing::HasSubstr("OPC-E0590"));
  EXPECT_THAT(harness.errors(), ::testing::HasSubstr("found machine 183"));
  EXPECT_EQ(harness.diagnostics().errorCount(), 1u) << harness.errors();
}

TEST_F(Aarch64, Float32) {
  compareElementwise<uint32_t>("f32", 0x7f800000U);
}
TEST_F(Aarch64, Float16) {
  compareElementwise<uint16_t>("f16", 0x7c00);
}
TEST_F(Aarch64, BFloat16) {
  compareElementwise<uint16_t>("bf16", 0x7f80);
}

TEST_F(Aarch64, Softmax) {
  const std::vector<std::string> fields = {"block_num", "size0", "size1"};
  VectorHarness there(kSoftmax, {"x", "y"}, fields, {"aarch64"});
  for (int64_t n : {1, 3, 17, 128, 1025, 4100}) {
    constexpr int64_t kRows = 3;
    std::vector<float> x(kRows * n), y(kRows * n);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i * 7919 % 2003) / 128.0F - 8.0F;
    size_t bytes = x.size() * sizeof(float);
    emulate(there.file(), "softmax", 1, {1, kRows, n},
            {{x.data(), bytes, sizeof(float)}, {y.data(), bytes, sizeof(float)}});
    for (int64_t row = 0; row < kRows; ++row) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i)
        sum += std::exp(double(x[row * n + i]));
      for (int64_t i = 0; i < n; ++i) {
        double expected = std::exp(double(x[row * n + i])) / sum;
        ASSERT_NEAR(y[row * n + i], expected, 2e-6 * expected) << "row " << row << " of " << n;
      }
    }
  }
}
