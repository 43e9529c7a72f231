// Contract to op folder in memory: which files, that each can be read by what runs it, and that bytes do not change.

#include "lowering/pipelines/Compile.h"
#include "ops/contract/read/Reader.h"
#include "runtime/program/Manifest.h"
#include "runtime/program/SimulatorProgram.h"
#include "test/unit/Folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

using namespace opc;
using ::testing::HasSubstr;

static std::string library(const std::string &op) {
  return test::sourceFolder() + "/ops/library/" + op + "/op_contract.yaml";
}

static std::string told(const Diagnostics &diagnostics) {
  std::ostringstream os;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printText(os, diagnostic);
  return os.str();
}

static CompileResult compile(const std::string &op, CompileOptions options = {}, BodyLevel level = BodyLevel::AICore) {
  Diagnostics diagnostics;
  std::optional<Contract> contract = loadContract(library(op), diagnostics);
  EXPECT_TRUE(contract) << told(diagnostics);
  options.target = findTarget("Ascend310B");
  options.body = contract->findBody(level);
  CompileResult result = compileOperator(*contract, options, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << told(diagnostics);
  return result;
}

static const std::string &fileNamed(const CompileResult &result, const std::string &path) {
  static const std::string none;
  for (const CompiledFile &file : result.files)
    if (file.path == path)
      return file.bytes;
  ADD_FAILURE() << "no file " << path;
  return none;
}

// A folder is worth nothing when the runtime refuses its manifest or its programs.
TEST(CompileOperator, RuntimesTakeTheFolder) {
  for (std::string op : {"add_relu", "swish"}) {
    CompileResult result = compile(op);
    Manifest manifest;
    ASSERT_EQ(readManifest(fileNamed(result, "manifest.json"), manifest), "");
    ASSERT_EQ(manifest.kernels.size(), 2u);
    for (const ManifestKernel &kernel : manifest.kernels) {
      const std::string &bytes = fileNamed(result, kernel.simulatorProgram);
      SimulatorProgram program;
      ASSERT_EQ(readProgram(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), program), "");
      EXPECT_EQ(program.kernel, kernel.name);
      ASSERT_EQ(program.tilingData.size(), kernel.tiling.outputs.size() + kernel.launchAttributes.size());
    }
    EXPECT_EQ(manifest.files.size() + 1, result.files.size()) << "all files but the manifest itself are listed";
  }
}

// Caches and people compare folders by their bytes.
TEST(CompileOperator, SameInputSameBytes) {
  CompileResult first = compile("swish"), second = compile("swish");
  ASSERT_EQ(first.files.size(), second.files.size());
  for (size_t i = 0; i < first.files.size(); ++i) {
    EXPECT_EQ(first.files[i].path, second.files[i].path);
    EXPECT_EQ(first.files[i].bytes, second.files[i].bytes) << first.files[i].path;
  }
}

// A row that was not asked for must not be offered, and the one that was keeps its place in the type table.
TEST(CompileOperator, OneTypeRow) {
  CompileOptions options;
  options.typeRows = {1};
  Manifest manifest;
  ASSERT_EQ(readManifest(fileNamed(compile("add_relu", options), "manifest.json"), manifest), "");
  ASSERT_EQ(manifest.kernels.size(), 1u);
  EXPECT_EQ(manifest.kernels[0].name, "add_relu_float32");
  EXPECT_EQ(manifest.kernels[0].typeRow, 1u);
  EXPECT_EQ(manifest.kernels[0].tilingKey, 256u);
}

// `opc test` compiles what its machine runs: the last level that it has; of a machine that has none, all of them.
TEST(CompileOperator, TheLevelOfAMachine) {
  auto levelsFor = [](std::vector<std::string> asked, std::vector<std::string> machine) {
    CompileOptions options;
    options.typeRows = {0};
    options.cpuLevels = std::move(asked);
    options.machineCpuLevels = std::move(machine);
    Manifest manifest;
    EXPECT_EQ(readManifest(fileNamed(compile("relu", options, BodyLevel::Te), "manifest.json"), manifest), "");
    return manifest.cpuLevels;
  };
  const std::string v3 = "x86-64-v3", v4 = "x86-64-v4";
  EXPECT_THAT(levelsFor({}, {v3, v4}), ::testing::ElementsAre(v4));
  EXPECT_THAT(levelsFor({}, {v3}), ::testing::ElementsAre(v3));
  EXPECT_THAT(levelsFor({v3}, {v3, v4}), ::testing::ElementsAre(v3));
  EXPECT_THAT(levelsFor({}, {"aarch64"}), ::testing::ElementsAre(v3, v4));
  EXPECT_THAT(levelsFor({}, {}), ::testing::ElementsAre(v3, v4));
}

// --stop-after prints the phase it names and writes nothing.
TEST(CompileOperator, StopsAfterEachPhase) {
  for (const std::string &phase : phaseNames()) {
    CompileOptions options;
    options.stopAfter = phase;
    // The phases of te come before those of the AI Core.
    bool isTePhase = phase == "bound" || phase == "fused", isTe = isTePhase || phase == "tiled";
    CompileResult result = compile("add_relu", options, isTe ? BodyLevel::Te : BodyLevel::AICore);
    EXPECT_TRUE(result.files.empty());
    if (phase == "tiled")
      EXPECT_THAT(result.module, HasSubstr("aicore.schedule = #aicore.schedule<tile = "));
    else if (isTePhase)
      EXPECT_THAT(result.module, HasSubstr("te.phase = #te.phase<" + phase + ">"));
    else if (phase != "emitted")
      EXPECT_THAT(result.module, HasSubstr("aicore.phase = #aicore.phase<" + phase + ">"));
    else
      EXPECT_THAT(result.module, HasSubstr("class @KernelAddReluFloat16"));
  }
}
