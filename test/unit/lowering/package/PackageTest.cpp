// The files of an op folder from artefacts made up here: layout, checksums, the vendor's description, refusals.

#include "lowering/package/Package.h"
#include "runtime/program/Manifest.h"
#include "test/unit/ContractFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace opc;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

static const char *kContract = R"(schema: 1
op_type: ScaleRows
version: 1.2.0
summary: Rows times a factor
inputs:
  - name: x
    types:
      - float16
      - float32
    formats: ND
    shape:
      - N
      - M
outputs:
  - name: y
    types:
      - float16
      - float32
    formats: ND
    shape:
      - N
      - K
attributes:
  - name: factor
    type: float
    bind: launch
    default: 2.0
  - name: axes
    type: int
    bind: compile
    default: -1
dimensions:
  - name: N
    minimum: 1
    maximum: 4096
  - name: K
    equals:
      ceildiv:
        - M
        - 2
precision:
  compute: storage
  tolerance:
    - type: float16
      max_ulp: 0
    - type: float32
      max_ulp: 0
bodies:
  - level: aicore
    file: scale_rows.aicore.mlir
reference: reference.py
)";

namespace {

class Package : public ::testing::Test {
protected:
  Contract read(const std::string &text) { return folder.contract(text); }

  static PackageKernel kernel(unsigned row) {
    PackageKernel result;
    result.name = row == 0 ? "scale_rows_float16" : "scale_rows_float32";
    result.tilingKey = result.typeRow = row;
    result.tiling.inputs = {TilingInput()};
    result.tiling.numRegisters = 2;
    result.tiling.code = {{ScalarOp::Const, 1, 0, 0, 1}};
    result.tiling.outputs = {{{"block_num", TilingField::UInt32}, 1}};
    result.launchAttributes = {"factor"};
    result.simulatorProgram = std::string("program\0of ", 11) + result.name;
    return result;
  }

  std::optional<std::vector<PackageFile>> package(const Contract &contract) {
    PackageRequest request;
    request.contract = &contract;
    request.target = findTarget("Ascend310B4");
    request.compiler = "opc test";
    request.kernels = {kernel(0), kernel(1)};
    request.kernelSource = "// kernel\n";
    request.tilingHeader = "// tiling\n";
    request.cpuLibrary = "\x7f"
                         "ELF";
    request.cpuLevels = {"x86-64-v3"};
    return packageOperator(request, diagnostics);
  }

  opc::test::ContractFolder folder;
  Diagnostics diagnostics;
};

} // namespace

static std::string bytesOf(const std::vector<PackageFile> &files, const std::string &path) {
  for (const PackageFile &file : files)
    if (file.path == path)
      return file.bytes;
  ADD_FAILURE() << "no file " << path;
  return {};
}

// Runtimes, people and packaging tools look for files under these names.
TEST_F(Package, Layout) {
  auto files = package(read(kContract));
  ASSERT_TRUE(files);
  std::vector<std::string> paths;
  for (const PackageFile &file : *files)
    paths.push_back(file.path);
  EXPECT_THAT(paths, ElementsAre("op_contract.yaml", "sim/scale_rows_float16.opcsim", "sim/scale_rows_float32.opcsim",
                                 "cpu/scale_rows.so", "ascendc/scale_rows.cpp", "ascendc/scale_rows_tiling.h",
                                 "aic-ascend310b-ops-info.json", "manifest.json"));
  EXPECT_EQ(bytesOf(*files, "op_contract.yaml"), kContract) << "the author's bytes, comments and all";
}

// A checksum that does not fit its file makes a sound folder look damaged.
TEST_F(Package, ManifestListsFilesWithTheirHashes) {
  auto files = package(read(kContract));
  ASSERT_TRUE(files);
  Manifest manifest;
  ASSERT_EQ(readManifest(bytesOf(*files, "manifest.json"), manifest), "");
  ASSERT_EQ(manifest.files.size(), files->size() - 1);
  for (const ManifestFile &file : manifest.files)
    if (file.path == "ascendc/scale_rows.cpp")
      EXPECT_EQ(file.sha256, "0f00bac57498f366885cb21d53d71ab221b4b3bd72751642d8b8eb516d235a1b")
          << "of '// kernel' and a line end";
  EXPECT_EQ(manifest.target, "Ascend310B4");
  EXPECT_EQ(manifest.kernels[1].tilingKey, 1u);
}

// Ranges and equations are checked at launch without the contract: they must arrive.
TEST_F(Package, SymbolsKeepRangesAndEquations) {
  auto files = package(read(kContract));
  ASSERT_TRUE(files);
  Manifest manifest;
  ASSERT_EQ(readManifest(bytesOf(*files, "manifest.json"), manifest), "");
  ASSERT_EQ(manifest.symbols.size(), 3u);
  EXPECT_EQ(manifest.symbols[0].name, "N");
  EXPECT_EQ(manifest.symbols[0].minimum, 1);
  EXPECT_EQ(manifest.symbols[0].maximum, 4096);
  const ManifestSymbol &k = manifest.symbols[2];
  EXPECT_EQ(k.name, "K");
  EXPECT_THAT(k.inputs, ElementsAre("M"));
  std::vector<int64_t> registers(k.numRegisters);
  registers[0] = 7;
  ASSERT_EQ(runStraightLine(k.code, registers.data()), EvalStatus::Ok);
  EXPECT_EQ(registers[k.code.back().dst], 4) << "ceildiv(7, 2)";
}

// The vendor's framework reads strings only, types and formats as lists by position.
TEST_F(Package, OpsInfo) {
  auto files = package(read(kContract));
  ASSERT_TRUE(files);
  auto info = nlohmann::json::parse(bytesOf(*files, "aic-ascend310b-ops-info.json"))["ScaleRows"];
  EXPECT_EQ(info["input0"]["name"], "x");
  EXPECT_EQ(info["input0"]["dtype"], "float16,float32");
  EXPECT_EQ(info["input0"]["format"], "ND,ND");
  EXPECT_EQ(info["input0"]["paramType"], "required");
  EXPECT_EQ(info["output0"]["shape"], "all");
  EXPECT_EQ(info["attr"]["list"], "factor,axes");
  EXPECT_EQ(info["attr_factor"]["defaultValue"], "2.0");
  EXPECT_EQ(info["attr_axes"]["type"], "int");
  EXPECT_EQ(info["attr_axes"]["defaultValue"], "-1");
  EXPECT_EQ(info["opFile"]["value"], "scale_rows");
  EXPECT_EQ(info["precision_reduce"]["flag"], "true");
}

// A manifest that says less than the contract would let wrong launches through.
TEST_F(Package, WhatLaunchesNeedIsSaid) {
  std::string text = kContract;
  auto replace = [&text](const std::string &from, const std::string &to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("      - N\n      - M\n", "      - ...S\n    broadcast: numpy\n");
  replace("      - N\n      - K\n", "      - ...S\n");
  text.erase(text.find("dimensions:"), text.find("precision:") - text.find("dimensions:"));
  replace("precision:", "boundary:\n  empty: refused\ndimensions:\n  - name: ...S\n"
                        "    maximum_rank: 3\nprecision:");
  auto files = package(read(text));
  ASSERT_TRUE(files);
  Manifest manifest;
  ASSERT_EQ(readManifest(bytesOf(*files, "manifest.json"), manifest), "");
  EXPECT_EQ(manifest.inputs[0].broadcast, ManifestTensor::Numpy);
  EXPECT_TRUE(manifest.refusesEmpty);
  ASSERT_EQ(manifest.symbols[0].name, "S");
  EXPECT_EQ(manifest.symbols[0].maximumRank, 3u);
}

// Names that clash in the manifest are reported here, not by the runtime on another machine.
TEST_F(Package, AManifestThatRuntimesRefuseIsNotWritten) {
  Contract contract = read(kContract);
  contract.attributes.clear();
  EXPECT_FALSE(package(contract));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "package_c1");
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("expects attributes bound at launch, found 'factor'"));
}

// The contract may be gone by the time it is copied.
TEST_F(Package, AContractThatIsGone) {
  Contract contract = read(kContract);
  std::filesystem::remove(contract.path);
  EXPECT_FALSE(package(contract));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0600);
}
