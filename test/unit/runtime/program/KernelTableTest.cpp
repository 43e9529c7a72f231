// The table of a model's kernels: nothing is lost beside manifest.json, and what it is not is refused.

#include "runtime/program/model/KernelTable.h"
#include "test/unit/runtime/program/Samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace opc;
using ::testing::HasSubstr;

/// Every kind of attribute and of optional part, a workspace, and two kernels that share a tiling function.
static Manifest everyPart() {
  Manifest manifest = sample::manifest();
  const ManifestAttribute first = manifest.attributes[0];
  const double infinity = std::numeric_limits<double>::infinity();
  const ManifestValue values[] = {-infinity,
                                  int64_t(-1),
                                  true,
                                  std::string("tanh"),
                                  std::vector<double>{0.5, infinity},
                                  std::vector<int64_t>{INT64_MIN, 3},
                                  std::vector<bool>{true, false, true},
                                  std::vector<std::string>{"a", ""}};
  for (size_t i = 0; i < std::size(values); ++i) {
    ManifestAttribute attribute = first;
    attribute.name = "kind" + std::to_string(i);
    attribute.type = static_cast<ManifestAttribute::Type>(i);
    attribute.bind = ManifestAttribute::Compile;
    attribute.defaultValue = values[i];
    attribute.maximum = i % 2 == 0 ? std::optional(infinity) : std::nullopt;
    manifest.attributes.push_back(attribute);
  }
  manifest.workspace = {manifest.outputs[0]};
  manifest.workspace[0].name = "between_0";
  manifest.cpuKernels = manifest.kernels;
  manifest.cpuKernels[0].cpuAlone = "'devices: cpu'";
  return manifest;
}

static std::string problemOf(const std::vector<uint8_t> &bytes) {
  std::vector<Manifest> read;
  return readKernelTable(bytes.data(), bytes.size(), read);
}

// Without it: a model runs by another manifest than the one of its kernel's folder.
TEST(KernelTable, SaysWhatManifestsSay) {
  const std::vector<Manifest> written = {everyPart(), sample::manifest(), everyPart()};
  const std::vector<uint8_t> bytes = writeKernelTable(written);
  std::vector<Manifest> read;
  ASSERT_EQ(readKernelTable(bytes.data(), bytes.size(), read), "");
  ASSERT_EQ(read.size(), 3u);
  for (size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(writeManifest(read[i]), writeManifest(written[i])) << i;
  EXPECT_EQ(writeKernelTable(read), bytes);
  EXPECT_EQ(problemOf(writeKernelTable({})), "");
}

// Without it: a table that is cut short, or goes on, is read past its end.
TEST(KernelTable, EveryPrefixIsRefused) {
  std::vector<uint8_t> bytes = writeKernelTable({everyPart()});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(problemOf({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
  bytes.push_back(0);
  EXPECT_THAT(problemOf(bytes), HasSubstr("more bytes"));
  bytes[4] = 99;
  EXPECT_THAT(problemOf(bytes), HasSubstr("version 99"));
}

// Without it: a number of the file that names no enumerator, no alternative or no tiling function is used as one.
TEST(KernelTable, ChangedBytes) {
  const std::vector<uint8_t> bytes = writeKernelTable({everyPart()});
  size_t refused = 0;
  for (size_t at = 8; at < bytes.size(); ++at)
    for (uint8_t value : {0, 1, 9, 127, 255}) {
      std::vector<uint8_t> changed = bytes;
      changed[at] = value;
      std::vector<Manifest> read;
      if (std::string why = readKernelTable(changed.data(), changed.size(), read); !why.empty()) {
        ++refused;
        continue;
      }
      EXPECT_EQ(writeKernelTable(read), changed) << "byte " << at;
      for (const Manifest &manifest : read)
        EXPECT_EQ(checkManifest(manifest), "");
    }
  EXPECT_GT(refused, bytes.size());
}

// Without it: what checkManifest refuses of manifest.json comes in by the table, as a path that leaves the folder.
TEST(KernelTable, HeldToTheRulesOfManifests) {
  auto broken = [](auto change, const char *why) {
    Manifest manifest = sample::manifest();
    change(manifest);
    EXPECT_THAT(problemOf(writeKernelTable({sample::manifest(), manifest})), HasSubstr(why));
  };
  broken([](Manifest &m) { m.cpuLibrary = "../evil.so"; }, "kernel 1: cpu_library: expects a path inside");
  broken([](Manifest &m) { m.body = "other"; }, "kernel 1: expects a body of a kind that there is");
  broken([](Manifest &m) { m.kernels[0].typeRow = 7; }, "type_row: expects one of");
  broken([](Manifest &m) { m.kernels[0].tiling.code[0].dst = 60000; }, "tiling");
  broken([](Manifest &m) { m.version += std::string(1, '\0'); }, "a text with a NUL");
  broken([](Manifest &m) { m.attributes[0].minimum = std::nan(""); }, "a number that names nothing");
}

/// A table of one manifest whose kernels, `count` of them, all name the tiling function of the first.
static std::vector<uint8_t> ofOneFunction(const TilingFunction &function, size_t count) {
  Manifest manifest = sample::manifest();
  manifest.kernels.resize(1);
  manifest.kernels[0].tiling = function;
  const std::vector<uint8_t> one = writeKernelTable({manifest});
  manifest.kernels.resize(2, manifest.kernels[0]);
  std::vector<uint8_t> bytes = writeKernelTable({manifest});
  // The second kernel, which names the function of the first, once more and once more; and their number.
  const auto same = std::mismatch(one.rbegin(), one.rend(), bytes.rbegin()).second;
  const auto end = static_cast<size_t>(bytes.rend() - same), size = bytes.size() - one.size();
  const auto at = static_cast<size_t>(std::mismatch(one.begin(), one.end(), bytes.begin()).second - bytes.begin());
  EXPECT_LE(size, end);
  const std::vector<uint8_t> again(bytes.begin() + static_cast<std::ptrdiff_t>(end - size),
                                   bytes.begin() + static_cast<std::ptrdiff_t>(end));
  std::vector<uint8_t> many;
  for (size_t i = 2; i < count; ++i)
    many.insert(many.end(), again.begin(), again.end());
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(end), many.begin(), many.end());
  EXPECT_EQ(bytes[at], 2);
  bytes[at] = static_cast<uint8_t>(count);
  bytes[at + 1] = static_cast<uint8_t>(count >> 8);
  return bytes;
}

// Without it: a table of some hundred KiB that names one long function again and again takes all memory.
TEST(KernelTable, CopiesOfTilingFunctionsAreBounded) {
  TilingFunction code = sample::tiling();
  code.code.resize(65000, ScalarInstruction{ScalarOp::Const});
  // Names count as well: few outputs may be most of a function.
  TilingFunction names = sample::tiling();
  names.outputs.resize(256, names.outputs.front());
  for (TilingFunction::Output &output : names.outputs)
    output.field.name.assign(4000, 'x');
  for (const TilingFunction *function : {&code, &names}) {
    const std::vector<uint8_t> bytes = ofOneFunction(*function, 300);
    EXPECT_LT(bytes.size(), size_t(2) << 20);
    EXPECT_THAT(problemOf(bytes), HasSubstr("bytes in all kernels"));
  }
}
